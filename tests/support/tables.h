// SPDX-License-Identifier: Apache-2.0
// Small tables for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

// A two-dimensional table with a total column and a total row at the end, as printed in a paper;
// cells are numbered row by row. Every row and column is an equation.
inline TableBuilder two_way(const std::vector<std::vector<Units>>& rows,
                            Bounds prior = {0, kUnboundedAbove},
                            int decimals = 0,
                            const std::vector<std::int32_t>& primaries = {}) {
  TableBuilder builder(decimals);
  const auto width = static_cast<std::int32_t>(rows.front().size());
  const auto height = static_cast<std::int32_t>(rows.size());
  std::int32_t index = 0;
  for (const auto& row : rows) {
    for (const Units value : row) {
      Cell cell{.value = value, .prior = prior};
      for (const std::int32_t primary : primaries) {
        if (primary == index)
          cell.status = CellStatus::kPrimary;
      }
      EXPECT_TRUE(builder.add_cell(cell));
      ++index;
    }
  }
  for (std::int32_t r = 0; r < height; ++r) {
    std::vector<Term> terms;
    for (std::int32_t c = 0; c < width; ++c)
      terms.push_back({CellId{r * width + c}, c + 1 < width ? 1 : -1});
    EXPECT_TRUE(builder.add_equation(terms));
  }
  for (std::int32_t c = 0; c < width; ++c) {
    std::vector<Term> terms;
    for (std::int32_t r = 0; r < height; ++r)
      terms.push_back({CellId{r * width + c}, r + 1 < height ? 1 : -1});
    EXPECT_TRUE(builder.add_equation(terms));
  }
  return builder;
}

// A problem with parts that were changed, put together again.
template <class Change>
Problem changed(const Problem& problem, Change change) {
  ProblemParts parts = problem.parts();
  change(parts);
  auto made = assemble_problem(std::move(parts));
  EXPECT_TRUE(made) << made.error().text();
  return std::move(made).value();
}

inline std::shared_ptr<const Problem> problem_of(TableBuilder builder,
                                                 std::vector<Requirement> requirements,
                                                 std::vector<Attacker> attackers = {}) {
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  auto problem =
      make_problem(std::move(table).value(), std::move(attackers), std::move(requirements));
  EXPECT_TRUE(problem) << problem.error().text();
  return std::make_shared<const Problem>(std::move(problem).value());
}

inline Draft withholding(const std::vector<std::int32_t>& cells) {
  Draft draft;
  for (const std::int32_t cell : cells)
    draft.withhold(CellId{cell});
  return draft;
}

inline AuditReport audit(const std::shared_ptr<const Problem>& problem,
                         const Draft& draft,
                         const AuditOptions& options = {}) {
  auto report = Auditor(problem).audit(draft, options, RunContext{});
  EXPECT_TRUE(report);
  return std::move(report).value();
}

// The interval of a finding or range as numbers of the table, with -1 for "no upper end".
struct Inferred {
  Units lower, upper;
  bool operator==(const Inferred&) const = default;
};
inline Inferred inferred(const Table& table, CellId cell, const End& low, const End& high) {
  EXPECT_TRUE(low.exact() && high.exact()) << table.label(cell);
  EXPECT_EQ(low.reached.denominator(), 1);
  EXPECT_EQ(high.reached.denominator(), 1);
  return {table.value(cell) - low.reached.numerator().to_int64().value(),
          high.unbounded ? -1 : table.value(cell) + high.reached.numerator().to_int64().value()};
}
inline std::ostream& operator<<(std::ostream& out, const Inferred& range) {
  return out << '[' << range.lower << ", " << range.upper << ']';
}

}  // namespace lacuna::testing
