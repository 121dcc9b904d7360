// SPDX-License-Identifier: Apache-2.0
// One part after the other, solved and put together, against the enumeration of all patterns; and
// roundings of a guess, which are safe whatever the guess is.
#include "protect/suppress/part_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lacuna/audit.h"
#include "protect/suppress/guided_rounding.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "support/enumerate.h"
#include "support/suppress_problems.h"

namespace lacuna::suppression {
namespace {

using testing::PatternEnumeration;
using testing::Shared;

bool is_safe(const Shared& problem, const Draft& draft) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  return Auditor(problem).audit(draft, verdicts, RunContext{})->verdict == Verdict::kProtected;
}

// What is withheld whatever is decided, as a draft.
Draft always_draft(const Problem& problem) {
  Draft draft;
  const std::vector<bool> always = presolve::always_withheld(problem);
  for (std::size_t c = 0; c < always.size(); ++c) {
    if (always[c])
      draft.withhold(CellId{static_cast<std::int32_t>(c)});
  }
  return draft;
}

// Levels asked of cells that cannot move, which are in no part.
bool asks_outside(const Problem& problem) {
  const auto parts = suppression_model::parts_with_needs(problem);
  return std::any_of(
      problem.requirements().begin(), problem.requirements().end(), [&](const Requirement& need) {
        const bool asks = need.lower > 0 || need.upper > 0 || need.sliding > 0;
        return asks && std::none_of(parts.begin(), parts.end(), [&](const auto& part) {
                 return std::binary_search(part.begin(), part.end(), need.cell);
               });
      });
}

struct Solved {
  bool possible = true;
  Draft draft;
  double bound = 0;
};

Solved solve_parts(const Shared& problem, bool guided) {
  SuppressOptions options;
  options.effort = Effort::kBest;
  const GuidedRounding rounding(problem, presolve::always_withheld(*problem), "");
  Solved solved;
  solved.draft = always_draft(*problem);
  double inside = 0;
  for (const auto& cells : suppression_model::parts_with_needs(*problem)) {
    PartTask task;
    task.cells = cells;
    if (guided) {
      task.round = [&](const std::vector<double>& guess, const RunContext& run) {
        return rounding.round(cells, guess, run);
      };
    }
    const PartResult part = solve_part(problem, options, std::move(task), RunContext{});
    if (part.why == StopReason::kInfeasible)
      return {false, {}, 0};
    EXPECT_EQ(part.why, StopReason::kOptimal);
    EXPECT_TRUE(part.best);
    EXPECT_LE(part.bound, part.best->cost + 1e-6);
    solved.bound += part.bound;
    inside += rounding.pattern_of(cells, always_draft(*problem)).cost;
    for (const CellId cell : part.best->cells)
      solved.draft.withhold(cell);
  }
  solved.bound +=
      suppression_model::withheld_weight(problem->table(), always_draft(*problem)) - inside;
  return solved;
}

TEST(SolvePart, BestOfAllPatterns) {
  int possible = 0;
  int impossible = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Shared problem = testing::suppress_problem(seed);
    PatternEnumeration all(*problem, {});
    if (!all.is_small(8) || asks_outside(*problem) ||
        suppression_model::parts_with_needs(*problem).empty())
      continue;
    const auto cheapest = all.cheapest();
    const Solved solved = solve_parts(problem, seed % 2 == 0);
    ASSERT_EQ(solved.possible, cheapest.has_value());
    if (!cheapest) {
      ++impossible;
      continue;
    }
    ++possible;
    const double best = all.cost_of(*cheapest);
    EXPECT_NEAR(suppression_model::withheld_weight(problem->table(), solved.draft), best, 1e-6);
    EXPECT_NEAR(solved.bound, best, 1e-6);
    EXPECT_TRUE(is_safe(problem, solved.draft));
  }
  EXPECT_GT(possible, 8);
  EXPECT_GT(impossible, 0);
}

TEST(GuidedRounding, SafeWhateverTheGuess) {
  int rounded = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Shared problem = testing::suppress_problem(seed);
    const GuidedRounding rounding(problem, presolve::always_withheld(*problem), "");
    base::Random random(seed);
    Draft draft = always_draft(*problem);
    const auto parts = suppression_model::parts_with_needs(*problem);
    bool all = !parts.empty();
    for (const auto& cells : parts) {
      std::vector<double> guess(problem->table().cells().size(), 0);
      for (double& each : guess)
        each = static_cast<double>(random.between(-1, 4)) / 4;
      const auto pattern = rounding.round(cells, guess, RunContext{});
      all = all && pattern;
      if (!pattern)
        continue;
      double cost = 0;
      for (const CellId cell : pattern->cells) {
        cost += problem->table().cell(cell).weight;
        draft.withhold(cell);
        EXPECT_TRUE(std::binary_search(cells.begin(), cells.end(), cell));
      }
      EXPECT_NEAR(pattern->cost, cost, 1e-9 * (1 + cost));
    }
    if (!all)
      continue;
    ++rounded;
    EXPECT_TRUE(is_safe(problem, draft));
  }
  EXPECT_GT(rounded, 10);
}

}  // namespace
}  // namespace lacuna::suppression
