// SPDX-License-Identifier: Apache-2.0
// A pattern is grown from what the audit proves, or it is proven that there is none.
#include "protect/methods/grow.h"

#include <gtest/gtest.h>

#include "core/table/appendix.h"
#include "core/table/published_ratio.h"
#include "support/tables.h"

namespace lacuna::methods {
namespace {

using table::Appendix;

// Counts and their total, with every percentage times `scale` / 100; a reader must stay `level` away
// from counts below 5.
std::shared_ptr<const Problem> with_percentages(const std::vector<Units>& counts,
                                                Units scale,
                                                Units level) {
  TableBuilder builder(0);
  Units total = 0;
  std::vector<Term> terms;
  for (const Units count : counts) {
    Cell cell{.value = count};
    if (count < 5)
      cell.status = CellStatus::kPrimary;
    terms.push_back({builder.add_cell(cell).value(), 1});
    total += count;
  }
  const CellId all = builder.add_cell({.value = total}).value();
  terms.push_back({all, -1});
  EXPECT_TRUE(builder.add_equation(terms));
  std::vector<Requirement> needs;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] >= 5)
      continue;
    Requirement& need = needs.emplace_back();
    need.cell = CellId{static_cast<std::int32_t>(c)};
    need.lower = need.upper = level;
  }
  const auto plain = testing::problem_of(std::move(builder), needs);
  Appendix to(*plain);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    const table::RatioScale ratio{scale};
    EXPECT_TRUE(add_printed_ratio(
        to, cell, all, ratio, table::printed_ratio(counts[c], total, ratio).value(), cell));
  }
  return std::make_shared<const Problem>(std::move(to).build().value());
}

GrowQuestion question(const std::shared_ptr<const Problem>& problem) {
  GrowQuestion asked;
  asked.problem = problem;
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    const CellStatus status = problem->table().cell(CellId{c}).status;
    if (status == CellStatus::kPrimary || status == CellStatus::kSecondary)
      asked.base.withhold(CellId{c});
  }
  asked.choices = single_choices(problem->table(), asked.base);
  return asked;
}

TEST(Grow, FindsASafePatternAndGivesBack) {
  const auto problem = with_percentages({3, 1900, 2057, 40}, 100, 2);
  const auto grown = grow_and_give_back(question(problem), {});
  ASSERT_TRUE(grown) << grown.error().text();
  ASSERT_TRUE(grown->draft);
  EXPECT_TRUE(passes(testing::audit(problem, *grown->draft).verdict));
  // Of four cells and the total two blanks are enough.
  std::int32_t own = 0;
  for (const CellEntry& entry : grown->draft->each())
    own += entry.cell.value < 5 ? 1 : 0;
  EXPECT_EQ(own, 2);
}

TEST(Grow, SaysSoIfEverythingWithheldIsTooLittle) {
  // 1.4% of some total is not 0, so a level of 1 below 1 cannot be met.
  const auto problem = with_percentages({1, 20, 51}, 1000, 1);
  const auto grown = grow_and_give_back(question(problem), {});
  ASSERT_FALSE(grown);
  EXPECT_EQ(grown.error().code, ErrorCode::kCannotProtect);
  EXPECT_NE(grown.error().text().find("the cell can be inferred whatever else is withheld"),
            std::string::npos);
}

TEST(Grow, KeepsCellsTogether) {
  const auto problem = with_percentages({3, 1900, 2057, 40}, 100, 2);
  GrowQuestion asked = question(problem);
  asked.choices = {{{CellId{1}, CellId{2}, CellId{3}}, 3}, {{CellId{4}}, 1}};
  const auto grown = grow_and_give_back(asked, {});
  ASSERT_TRUE(grown) << grown.error().text();
  ASSERT_TRUE(grown->draft);
  EXPECT_TRUE(passes(testing::audit(problem, *grown->draft).verdict));
  EXPECT_EQ(grown->draft->is_exact(CellId{1}), grown->draft->is_exact(CellId{2}));
  EXPECT_EQ(grown->draft->is_exact(CellId{1}), grown->draft->is_exact(CellId{3}));
}

}  // namespace
}  // namespace lacuna::methods
