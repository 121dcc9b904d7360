// SPDX-License-Identifier: Apache-2.0
// All tables that take each cell's number from a list and add up, for tiny tables; and a release
// written to disk and read again.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <vector>

#include "core/draft/sums.h"
#include "data/publish/pattern.h"
#include "data/publish/release_file.h"
#include "lacuna/audit.h"
#include "lacuna/table.h"
#include "support/temporary_folder.h"

namespace lacuna::testing {

// Calls visit(numbers) for every table. Cells are filled in order; an equation is checked as soon
// as its last cell is.
class NumberTables {
 public:
  using Visit = std::function<void(const std::vector<Units>&)>;
  NumberTables(const Table& table, const std::vector<std::vector<Units>>& candidates)
      : table_(table), candidates_(candidates), numbers_(candidates.size()) {
    complete_.resize(candidates.size());
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      std::int32_t last = -1;
      for (const Term& term : table.equation(EquationId{e}))
        last = std::max(last, term.cell.value);
      if (last >= 0)
        complete_[static_cast<std::size_t>(last)].push_back(EquationId{e});
    }
  }
  void for_each(const Visit& visit) { fill(0, visit); }

 private:
  void fill(std::size_t cell, const Visit& visit) {
    if (cell == numbers_.size()) {
      visit(numbers_);
      return;
    }
    for (const Units number : candidates_[cell]) {
      numbers_[cell] = number;
      bool holds = true;
      for (const EquationId e : complete_[cell]) {
        Units sum = 0;
        for (const Term& term : table_.equation(e))
          sum += term.coefficient * numbers_[static_cast<std::size_t>(term.cell.value)];
        holds = holds && sum == table_.rhs(e);
      }
      if (holds)
        fill(cell + 1, visit);
    }
  }

  const Table& table_;
  const std::vector<std::vector<Units>>& candidates_;
  std::vector<Units> numbers_;
  std::vector<std::vector<EquationId>> complete_;
};

// Writes the audited release, reads it back, and expects it to add up and to pass again.
inline void expect_safe_on_disk(const std::shared_ptr<const Problem>& problem,
                                const Draft& draft,
                                const std::vector<Displacement>& hints = {}) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.hints = hints;
  const auto release = Auditor(problem).release(draft, verdicts, RunContext{});
  ASSERT_TRUE(release) << release.error().text();
  const UniqueFolder folder;
  const std::string path = folder.file("numbers.json");
  ASSERT_TRUE(publish::write_release(*release, publish::RunSummary{}, path));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto again = publish::read_pattern(text.str(), path, problem->table());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->entries(), draft.entries());
  EXPECT_TRUE(draft::check_sums(problem->table(), *again));
  const auto report = Auditor(problem).audit(*again, verdicts, RunContext{});
  ASSERT_TRUE(report);
  const bool asked = !problem->requirements().empty() || problem->counts();
  EXPECT_EQ(report->verdict, asked ? Verdict::kProtected : Verdict::kUnasked);
}

}  // namespace lacuna::testing
