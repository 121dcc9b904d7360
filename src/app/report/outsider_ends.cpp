// SPDX-License-Identifier: Apache-2.0
#include "app/report/outsider_ends.h"

namespace lacuna::report {

std::map<CellId, Ends> outsider_ends(const AuditReport& report) {
  std::map<CellId, Ends> ends;
  for (const Finding& finding : report.of(Domain::kRational)) {
    if (finding.question.attacker == 0)
      ends[finding.question.cell] = {&finding.low, &finding.high};
  }
  for (const CellRange& range : report.ranges)
    ends[range.cell] = {&range.low, &range.high};
  return ends;
}

}  // namespace lacuna::report
