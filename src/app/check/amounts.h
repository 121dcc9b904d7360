// SPDX-License-Identifier: Apache-2.0
// Sums, means and other amounts: how many contributors are behind each, which the counts of the
// same cells say if some table prints them, and whether few of them dominate it, where columns of
// the largest contributions, or the records, tell. Where nobody tells, that is said.
#pragma once

#include <string>
#include <vector>

#include "app/check/cells.h"
#include "app/check/judge.h"
#include "data/files/csv.h"
#include "lacuna/integer.h"

namespace lacuna::checking {

struct AmountRules {
  std::int64_t threshold = 10;
  struct Dominance {
    std::size_t n = 0;
    Fraction k;  // percent
  };
  std::vector<Dominance> dominance;
  std::vector<Fraction> p_percent;
  bool any() const { return !dominance.empty() || !p_percent.empty(); }
};

// Whether the contributions, the largest first, break a rule: its words, or nothing.
std::string broken_rule(const AmountRules& rules,
                        const std::vector<Fraction>& largest,
                        const Fraction& total);

// `settled`: tables of which the records have told all.
void judge_amounts(const CheckSystem& system,
                   const Outputs& outputs,
                   const AmountRules& rules,
                   const std::vector<bool>& settled,
                   std::vector<CheckFinding>& findings);

// Tabulates the same tables from the records. Returns what was compared, as sentences; `settled`
// gets the tables whose contributors are known thereby.
std::vector<std::string> judge_by_records(const files::CsvFile& records,
                                          const Notes& notes,
                                          const Outputs& outputs,
                                          const AmountRules& rules,
                                          std::vector<bool>& settled,
                                          std::vector<CheckFinding>& findings);

}  // namespace lacuna::checking
