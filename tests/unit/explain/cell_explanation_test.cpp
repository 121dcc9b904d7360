// SPDX-License-Identifier: Apache-2.0
// What is said of a cell is true: what publishing it would tell is compared with a second opinion
// on attackers, exchanges with every pattern of tiny tables.
#include "app/explain/cell_explanation.h"

#include <gmock/gmock.h>

#include "app/explain/explanation_text.h"
#include "support/tables.h"

namespace lacuna::explain {
namespace {

using ::testing::HasSubstr;

using Shared = std::shared_ptr<const Problem>;

CellExplanation explained(const Shared& problem, const Draft& draft, CellId cell) {
  auto told = explain_cell(problem, draft, cell, {}, {});
  EXPECT_TRUE(told) << (told ? "" : told.error().text());
  return std::move(told).value();
}

// 20 50 10  80
//  8 19 22  49
// 17 32 12  61
// 45 101 44 190, (1, 2) sensitive: 22 and all.
Shared four_by_four() {
  return testing::problem_of(
      testing::two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
                       {0, kUnboundedAbove},
                       0,
                       {6}),
      {Requirement{.cell = CellId{6}, .lower = 5, .upper = 5}});
}

TEST(CellExplanation, OneSumTellsASensitiveCell) {
  const auto problem = four_by_four();
  const Draft draft = testing::withholding({4, 6, 8, 10});
  const CellExplanation told = explained(problem, draft, CellId{4});
  EXPECT_EQ(told.role, CellRole::kSecondary);
  EXPECT_EQ(told.if_published.keeps_safe, std::vector<CellId>{CellId{6}});
  ASSERT_EQ(told.if_published.consequences.size(), 1U);
  const Consequence& consequence = told.if_published.consequences.front();
  ASSERT_TRUE(consequence.sum && consequence.by_short_sum);
  EXPECT_EQ(consequence.sum->equations, 1);
  EXPECT_EQ(sum_text(problem->table(), *consequence.sum), "cell 7 - cell 4 - cell 5");
  const std::string text = explanation_text(*problem, draft, {}, told);
  EXPECT_THAT(text,
              HasSubstr("cell 4: withheld for the sake of others (secondary); its value is 8"));
  EXPECT_THAT(text, HasSubstr("it keeps this cell safe: cell 6"));
  EXPECT_THAT(text, HasSubstr("could be inferred exactly, as 22, and [17, 27] must stay possible"));
  EXPECT_THAT(text, HasSubstr("as it is cell 7 - cell 4 - cell 5"));
  EXPECT_EQ(told.exchange.state, ExchangeState::kFound);
  EXPECT_EQ(told.exchange.withheld.size(), 2U);  // of another column, with its row
  EXPECT_EQ(told.exchange.published, std::vector<CellId>{CellId{8}});
  EXPECT_EQ(told.exchange.cost_after, told.exchange.cost_before);
}

TEST(CellExplanation, SensitiveAndPublishedCells) {
  const auto problem = four_by_four();
  const Draft draft = testing::withholding({4, 6, 8, 10});
  const CellExplanation sensitive = explained(problem, draft, CellId{6});
  EXPECT_EQ(sensitive.role, CellRole::kSensitive);
  ASSERT_EQ(sensitive.findings.size(), 1U);
  EXPECT_EQ(sensitive.findings.front().verdict, Verdict::kProtected);
  EXPECT_EQ(sensitive.exchange.state, ExchangeState::kNotSought);
  const std::vector<std::string> reasons(16, "p-percent 10");
  EXPECT_THAT(explanation_text(*problem, draft, reasons, sensitive),
              HasSubstr("rule: p-percent 10\n  protected: can be inferred to be in [5, 30]"));
  const CellExplanation published = explained(problem, draft, CellId{0});
  EXPECT_EQ(published.role, CellRole::kPublished);
  EXPECT_THAT(explanation_text(*problem, draft, {}, published), HasSubstr("published as it is"));
}

TEST(CellExplanation, SuperfluousCellsNeedNoExchange) {
  const auto problem = four_by_four();
  const CellExplanation told =
      explained(problem, testing::withholding({4, 6, 8, 10, 0, 2}), CellId{0});
  EXPECT_TRUE(told.if_published.keeps_safe.empty());
  EXPECT_EQ(told.exchange.state, ExchangeState::kNotNeeded);
  EXPECT_LT(told.exchange.cost_after, told.exchange.cost_before);
}

TEST(CellExplanation, AReleaseThatIsNotSafeHasNoExchange) {
  const auto problem = four_by_four();
  const CellExplanation told = explained(problem, testing::withholding({4, 6}), CellId{4});
  EXPECT_EQ(told.if_published.now, Verdict::kExposed);
  EXPECT_EQ(told.exchange.state, ExchangeState::kNotSought);
  EXPECT_THAT(told.exchange.why, HasSubstr("not protected"));
}

TEST(CellExplanation, LongSumsAreFolded) {
  const std::int32_t parts = 41;
  TableBuilder builder(0);
  std::vector<Term> terms;
  for (std::int32_t c = 0; c < parts; ++c) {
    ASSERT_TRUE(builder.add_cell(
        {.value = 10 + c, .status = c == 0 ? CellStatus::kPrimary : CellStatus::kFree}));
    terms.push_back({CellId{c}, 1});
  }
  ASSERT_TRUE(
      builder.add_cell({.value = 41 * 10 + 40 * 41 / 2, .status = CellStatus::kMustPublish}));
  terms.push_back({CellId{parts}, -1});
  ASSERT_TRUE(builder.add_equation(terms));
  const auto problem = testing::problem_of(
      std::move(builder), {Requirement{.cell = CellId{0}, .lower = 1, .upper = 1}});
  const CellExplanation told = explained(problem, testing::withholding({0, 5}), CellId{5});
  ASSERT_EQ(told.if_published.consequences.size(), 1U);
  EXPECT_EQ(sum_text(problem->table(), *told.if_published.consequences.front().sum),
            "cell 41 - cell 1 - cell 2 and 38 more");
}

}  // namespace
}  // namespace lacuna::explain
