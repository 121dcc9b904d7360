// SPDX-License-Identifier: Apache-2.0
// The part of an office page on a table of counts: of every kind of disclosure how many questions
// hold, and of the questions what a reader can infer and by what that is proven.
#pragma once

#include <string>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::report {

// Empty if the table is none of counts. Questions that do not hold stand first.
std::string count_kinds_html(const Problem& problem, const Draft& draft, const AuditReport& report);

}  // namespace lacuna::report
