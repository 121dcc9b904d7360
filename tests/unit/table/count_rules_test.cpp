// SPDX-License-Identifier: Apache-2.0
#include "lacuna/count_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lacuna/linked_tables.h"

namespace lacuna::table {
namespace {

// health by area: rows ill, well, total; columns a, b, total.
Problem health(std::vector<Units> leaves, int decimals = 0) {
  auto rows = Dimension::build("health", {"ill", "well", "T"}, {{2, {0, 1}}});
  auto columns = Dimension::build("area", {"a", "b", "T"}, {{2, {0, 1}}});
  TableBuilder builder(decimals, {*rows, *columns});
  const auto add = [&](Units value, std::int32_t row, std::int32_t column) {
    EXPECT_TRUE(builder.add_cell({.value = value}, std::vector<std::int32_t>{row, column}));
  };
  const Units a = leaves[0], b = leaves[1], c = leaves[2], d = leaves[3];
  add(a, 0, 0), add(b, 0, 1), add(a + b, 0, 2);
  add(c, 1, 0), add(d, 1, 1), add(c + d, 1, 2);
  add(a + c, 2, 0), add(b + d, 2, 1), add(a + b + c + d, 2, 2);
  EXPECT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{{"", {0, 1}, false}}));
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  auto problem = make_problem(std::move(table).value(), {}, {});
  EXPECT_TRUE(problem);
  return std::move(problem).value();
}

std::vector<std::string> asked(const Problem& problem) {
  std::vector<std::string> texts;
  for (const CountQuestion& q : problem.counts()->questions)
    texts.push_back(std::string(enum_names(q.kind)[static_cast<std::size_t>(q.kind)]) + " " +
                    std::to_string(q.cell.value) +
                    (q.group.value < 0 ? "" : " of " + std::to_string(q.group.value)));
  return texts;
}

TEST(CountRules, AskByDefaultWhatIsExactSmallAndAll) {
  const auto made = with_count_rules(health({2, 7, 0, 9}), {});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->table().cell(CellId{0}).status, CellStatus::kPrimary);
  EXPECT_EQ(made->table().cell(CellId{3}).status, CellStatus::kFree);
  EXPECT_EQ(made->table().cell(CellId{6}).status, CellStatus::kPrimary);
  // Both of area a are ill, and all that are well live in b.
  EXPECT_EQ(asked(*made),
            (std::vector<std::string>{
                "exact 0", "exact 6", "small 0", "small 6", "all 0 of 6", "all 4 of 5"}));
  EXPECT_EQ(made->requirements().size(), 2U);
}

TEST(CountRules, AskOfSensitiveCategoriesAlone) {
  CountOptions options;
  options.kinds = {CountKind::kAll};
  options.sensitive = {{"health", {"ill"}}};
  const auto made = with_count_rules(health({2, 7, 0, 9}), options);
  ASSERT_TRUE(made);
  EXPECT_EQ(asked(*made), (std::vector<std::string>{"all 0 of 6"}));
  options.coalition = 9;
  const auto more = with_count_rules(health({2, 7, 0, 9}), options);
  ASSERT_TRUE(more);
  EXPECT_EQ(asked(*more), (std::vector<std::string>{"all 0 of 6", "all 1 of 7", "all 2 of 8"}));
}

TEST(CountRules, AskOfZerosWhereTheyAreSensitive) {
  CountOptions options;
  options.zeros = Zeros::kSensitive;
  const auto made = with_count_rules(health({8, 7, 0, 9}), options);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->table().cell(CellId{3}).status, CellStatus::kPrimary);
  EXPECT_EQ(asked(*made), (std::vector<std::string>{"zero 3", "all 0 of 6", "all 4 of 5"}));
  options.zeros = Zeros::kStructural;
  const auto known = with_count_rules(health({8, 7, 0, 9}), options);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->table().cell(CellId{3}).status, CellStatus::kKnown);
  EXPECT_TRUE(asked(*known).empty());  // everyone knows that in advance
}

TEST(CountRules, ConcedeThatMarkedPrimariesAreSmall) {
  CountOptions options;
  options.withheld_means = WithheldMeans::kRule;
  options.kinds = {CountKind::kExact, CountKind::kSmall};
  const auto made = with_count_rules(health({2, 7, 5, 9}), options);
  ASSERT_TRUE(made);
  EXPECT_EQ(asked(*made), (std::vector<std::string>{"exact 0"}));
}

TEST(CountRules, SayWhatIsWrong) {
  const auto error = [](const CountOptions& options, int decimals = 0) {
    const auto made = with_count_rules(health({2, 7, 0, 9}, decimals), options);
    return made ? std::string("none") : made.error().where + ": " + made.error().message;
  };
  CountOptions options;
  options.threshold = 0;
  EXPECT_EQ(error(options), "--threshold: the threshold must be a count of at least 1");
  options = {};
  EXPECT_NE(error(options, 1).find("the table has decimals"), std::string::npos);
  options.sensitive = {{"helth", {"ill"}}};
  EXPECT_EQ(error(options),
            "--sensitive: the table has no dimension 'helth'; did you mean 'health'?");
  options.sensitive = {{"health", {"il"}}};
  EXPECT_EQ(error(options), "--sensitive: dimension health has no code 'il'; did you mean 'ill'?");
  options = {};
  options.zeros = Zeros::kSensitive;
  options.withheld_means = WithheldMeans::kNonzero;
  EXPECT_NE(error(options).find("--withheld-means"), std::string::npos);
  options = {};
  options.kinds = {CountKind::kGroup};
  EXPECT_NE(error(options).find("--kinds"), std::string::npos);
  EXPECT_FALSE(parse_count_kinds("exact,smal"));
  EXPECT_EQ(parse_count_kinds(" exact , all")->size(), 2U);
}

TEST(CountRules, FormsFitWhatIsComputedWith) {
  const Units half = kMaxUnits / 2;
  Problem problem = health({half, 0, half, 0});
  const CellId empty{1}, first{0}, second{3}, both{6};
  CountRules rules;
  rules.questions = {{CountKind::kGroup, 0, first, empty, {{first, -1}, {empty, 1}, {second, -1}}}};
  EXPECT_TRUE(problem.set_counts(rules));
  rules.questions = {
      {CountKind::kGroup, 0, first, empty, {{first, -1}, {empty, 1}, {second, -1}, {both, -1}}}};
  const Status refused = problem.set_counts(rules);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the counts of a question are too large when added up");
}

TEST(CountRules, AreReadOffTheirQuestions) {
  std::vector<CountOptions> all(6);
  all[1].kinds = {CountKind::kAll};
  all[1].sensitive = {{"health", {"ill"}}};
  all[1].coalition = 9;
  all[2].kinds = {CountKind::kAll, CountKind::kGroup, CountKind::kImplied};
  all[2].groups = {{"health", {"ill"}}, {"area", {"b"}}};
  all[2].coalition = 9;
  all[3].zeros = Zeros::kSensitive;
  all[3].ambiguity = 2;
  all[4].withheld_means = WithheldMeans::kRule;
  all[4].kinds = {CountKind::kLevels, CountKind::kExact};
  all[5].threshold = 1;
  for (const CountOptions& options : all) {
    const auto made = with_count_rules(health({2, 7, 0, 9}), options);
    ASSERT_TRUE(made) << made.error().text();
    const auto found = count_options_of(*made);
    ASSERT_TRUE(found);
    const auto again = with_count_rules(*made, *found);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(again->counts() == made->counts());
  }
  Problem odd = *with_count_rules(health({2, 7, 0, 9}), {});
  CountRules rules = *odd.counts();
  rules.questions.pop_back();
  ASSERT_TRUE(odd.set_counts(rules));
  EXPECT_TRUE(count_options_of(odd));  // only those that are ill
  rules.questions.erase(rules.questions.begin());
  ASSERT_TRUE(odd.set_counts(rules));
  EXPECT_FALSE(count_options_of(odd));
  EXPECT_FALSE(count_options_of(health({2, 7, 0, 9})));
}

}  // namespace
}  // namespace lacuna::table
