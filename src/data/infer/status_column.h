// SPDX-License-Identifier: Apache-2.0
// Whether a column of a table without a job says which cells are confidential. Letters mean
// different things in different houses: A is unsafe in business statistics, normal in OBS_STATUS
// and annual in FREQ; b, d, e, p, u are Eurostat's marks of a break, another definition, an
// estimate, a provisional or an unreliable number. So a column counts only if its name or the whole
// set of its words leaves no other reading; anything else is for the user to name.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "data/infer/status_word.h"

namespace lacuna::infer {

enum class StatusFit {
  kNone,     // it holds something else
  kUnclear,  // it may, but then the user must say so
  kStatus,
};

// `bare_name`: in small letters, without what stands between words. `numeric`: it holds numbers.
StatusFit status_fit(const std::string& bare_name, const WordCounts& words, bool numeric);

bool is_status_name(const std::string& bare_name);  // status, is_secret, CONF_STATUS, ...

}  // namespace lacuna::infer
