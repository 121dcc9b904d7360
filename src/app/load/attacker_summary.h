// SPDX-License-Identifier: Apache-2.0
// Against whom a table is protected and what these know, in one line and as JSON: a verdict is
// worth no more than the attackers behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/sensitivity/attackers.h"
#include "lacuna/problem.h"

namespace lacuna::load {

struct AttackerSummary {
  std::optional<AttackerCounts> respondents;  // of a job over records: who was thought of
  std::int64_t named = 0;                     // otherwise: attackers of the file but the outsider
  std::int64_t named_bounds = 0;              // cells of which they know bounds, in all
  std::string everyone;                       // what everyone knows: "values >= 0"
  bool persons_left_out = false;              // of counts: nobody asked about who is counted
  // Of whom nothing is asked, since what is asked of others covers it within their reach.
  std::shared_ptr<const std::vector<Attacker>> covered{};

  std::int64_t count() const;  // with the outsider, and with those whose needs follow from others
  std::string text() const;    // "outsider; 41 respondents, each knowing ...; everyone knows ..."
  std::string json() const;    // one object
};

// `respondents`: of a job over records, else nothing.
AttackerSummary summarize_attackers(const Problem& problem,
                                    const std::optional<AttackerCounts>& respondents);

}  // namespace lacuna::load
