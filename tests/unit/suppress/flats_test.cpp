// SPDX-License-Identifier: Apache-2.0
// Flats of the kernel against all patterns there are.
#include "protect/start/flats.h"

#include <gtest/gtest.h>

#include <memory>

#include "lacuna/audit.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "support/enumerate.h"
#include "support/suppress_problems.h"
#include "support/tables.h"

namespace lacuna::suppression {
namespace {

using testing::audit;

// Against all patterns of tiny tables, some of whose cells have no slack on one side.
TEST(SearchFlats, NeverCheaperThanTheCheapest) {
  int compared = 0;
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const testing::Shared problem = testing::suppress_problem(seed);
    testing::PatternEnumeration all(*problem, {});
    if (!all.is_small())
      continue;
    const auto best = all.cheapest();
    std::vector<CellId> cells;
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c)
      cells.push_back(CellId{c});
    const auto patterns = start::search_flats(*problem, {}, cells, with_work(RunContext{}, 2000));
    if (patterns.empty() || !patterns.front().served)
      continue;
    Draft draft = Draft::withholding_primaries(problem->table());
    for (const Requirement& need : problem->requirements())
      draft.withhold(need.cell);
    for (const CellId cell : patterns.front().cells)
      draft.withhold(cell);
    EXPECT_EQ(audit(problem, draft).verdict, Verdict::kProtected) << seed;
    ASSERT_TRUE(best) << seed;
    const double least = all.cost_of(*best);
    const double cost = suppression_model::withheld_weight(problem->table(), draft);
    EXPECT_GE(cost, least - 1e-9) << seed;
    ++compared;
    met += cost <= least + 1e-9 ? 1 : 0;
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(met, compared / 2);
}

}  // namespace
}  // namespace lacuna::suppression
