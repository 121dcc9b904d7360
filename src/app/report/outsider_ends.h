// SPDX-License-Identifier: Apache-2.0
// The ends of what an outsider can infer, of every cell that a report has looked at.
#pragma once

#include <map>

#include "lacuna/audit.h"

namespace lacuna::report {

struct Ends {  // of the report
  const End* low = nullptr;
  const End* high = nullptr;
  bool exact() const { return low != nullptr && low->exact() && high->exact(); }
};

std::map<CellId, Ends> outsider_ends(const AuditReport& report);

}  // namespace lacuna::report
