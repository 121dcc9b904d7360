// SPDX-License-Identifier: Apache-2.0
// The calendar of withheld cells (docs/periods.md): of every one since when it is withheld without a
// break, why, and what has to happen before it can be published again, given what is out. Three
// reasons keep a cell blank:
//   sensitive  the rules call the cell itself sensitive; it stays for as long as they do;
//   change     an earlier period published it, and its change since then is sensitive: it stays
//              until as many contributors have changed since each of these periods as the frequency
//              rule asks for, or until readers no longer compare them (`last` of [store]);
//   others     it keeps other cells from being computed; it may be published in the next period.
// A cell can have the first two at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/load/sensitive_changes.h"
#include "app/load/together.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/report.h"
#include "lacuna/result.h"

namespace lacuna::job {

struct CalendarRow {
  CellId cell;
  std::string since;                  // the first period of this run of blanks
  std::int64_t periods = 1;           // in which it is withheld, with this one
  bool sensitive = false;             // by the rules, and why
  std::string rules;
  std::vector<std::string> compared;  // periods since which its change is sensitive
  std::int64_t missing = 0;  // contributors that have yet to change, at least; 0: not known
  std::int64_t earliest = 0; // periods from now at the earliest if nothing changes; 0: not known

  std::string reason() const;   // "sensitive, change", "others"
  std::string ends() const;     // a sentence: what has to happen
};

// `own_cells` of the problem are the table's; `reasons` by cell, may be empty. Without a store or
// [[before]] every run of blanks begins now. Errors: the store's.
Result<std::vector<CalendarRow>> calendar_of(const Problem& problem,
                                             std::int32_t own_cells,
                                             const Draft& draft,
                                             const load::Together* together,
                                             const load::JudgedChanges& changes,
                                             const std::vector<std::string>& reasons);

// Periods side by side for the office, with what the calendar says of each row.
Result<PeriodColumns> periods_with_calendar(const Problem& problem,
                                            std::int32_t own_cells,
                                            const Draft& draft,
                                            const load::Together* together,
                                            const load::JudgedChanges& changes,
                                            const std::vector<std::string>& reasons);

std::string calendar_csv(const std::vector<CalendarRow>& rows, const Table& table);
std::string calendar_text(const std::vector<CalendarRow>& rows);  // a line for the summary

}  // namespace lacuna::job
