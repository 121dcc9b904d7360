// SPDX-License-Identifier: Apache-2.0
// Perturbation tables of the cell key method for callers in another language: made, checked and
// written in another format, as `lacuna ptable` does.
#pragma once

#include <string>

#include "app/session/options.h"
#include "lacuna/result.h"

namespace lacuna::session {

// `call` is make_ptable, check_ptable or convert_ptable; "input" and "output" are among the
// options. Returns what `ptable --json` prints, of a conversion {"notes":[...]}. A table with
// faults is no error: they are listed. Errors: those of the jobs.
Result<std::string> run_ptable(const std::string& call, const GivenOptions& given);

}  // namespace lacuna::session
