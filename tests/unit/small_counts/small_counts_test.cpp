// SPDX-License-Identifier: Apache-2.0
// Small-count rounding: what it keeps, what it says of itself, and what it refuses.
#include "lacuna/small_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/random.h"
#include "lacuna/linked_tables.h"
#include "support/number_tables.h"
#include "support/tables.h"
#include "support/test_data.h"

namespace lacuna::small_counts {
namespace {

using ::testing::HasSubstr;
using testing::problem_of;

const std::filesystem::path kVectors = testing::test_data("counts");

SmallCountOptions base(Units units, Effort effort = Effort::kDefault) {
  SmallCountOptions options;
  options.base = units;
  options.effort = effort;
  return options;
}

Units shown(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  return entry == nullptr ? table.value(cell) : entry->number().value_or(-1);
}

void expect_no_small_number(const Problem& problem, const Draft& draft, Units units) {
  EXPECT_TRUE(check_draft(problem.table(), draft));
  EXPECT_TRUE(draft::check_sums(problem.table(), draft));
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (draft.state(CellId{c}) == StatementKind::kWithheld)
      continue;
    const Units number = shown(problem.table(), draft, CellId{c});
    EXPECT_TRUE(number == 0 || number >= units)
        << problem.table().label(CellId{c}) << " " << number;
  }
}

TEST(SmallCounts, SaysWhatAReaderWhoKnowsTheMethodCanSay) {
  const auto problem = problem_of(
      testing::two_way({{1, 0, 7, 8}, {2, 3, 9, 14}, {3, 3, 16, 22}}, {0, kUnboundedAbove}, 0, {0}),
      {{.cell = CellId{0}, .sliding = 1}});
  const auto found = round_small_counts(problem, base(3), RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_DOUBLE_EQ(found->cost, 4);  // 1 to 0, 2 to 3, and the sums of their rows
  const auto bounds = [&](std::int32_t c) {
    return found->draft.implied(problem->table(), CellId{c});
  };
  EXPECT_EQ(bounds(0), (Bounds{0, 2}));     // 1, published as 0
  EXPECT_EQ(bounds(1), (Bounds{0, 2}));     // 0: could have been 2
  EXPECT_EQ(bounds(2), (Bounds{7, 7}));     // large counts stay, and everyone knows that
  EXPECT_EQ(bounds(3), (Bounds{7, 11}));    // 7 + two zeros
  EXPECT_EQ(bounds(4), (Bounds{1, 3}));     // 2, published as 3
  EXPECT_EQ(bounds(5), (Bounds{1, 3}));     // 3 stays, and could have been 1
  EXPECT_EQ(bounds(11), (Bounds{18, 26}));  // the sum of all of them
  testing::expect_safe_on_disk(problem, found->draft, found->witnesses);
}

// A base below the threshold publishes a sensitive count as it is, and the audit says so.
TEST(SmallCounts, ABaseThatIsTooSmallIsExposed) {
  const auto problem =
      problem_of(testing::two_way({{4, 0, 4}, {2, 3, 5}, {6, 3, 9}}, {0, kUnboundedAbove}, 0, {0}),
                 {{.cell = CellId{0}, .sliding = 1}});
  const auto found = round_small_counts(problem, base(3), RunContext{});
  ASSERT_TRUE(found && found->complete);
  EXPECT_EQ(testing::audit(problem, found->draft).verdict, Verdict::kExposed);
  const auto more = round_small_counts(problem, base(5), RunContext{});
  ASSERT_TRUE(more && more->complete);
  EXPECT_EQ(testing::audit(problem, more->draft).verdict, Verdict::kProtected);
}

// A 1 that must be able to be 0 and 2 drops, a 2 that must be able to be 1 and 3 rises.
TEST(SmallCounts, LevelsDecideWhereOnlyOneWayIsSafe) {
  const auto problem = problem_of(
      testing::two_way({{1, 2, 3}, {2, 1, 3}, {3, 3, 6}}, {0, kUnboundedAbove}, 0, {0, 1, 3, 4}),
      {{.cell = CellId{0}, .lower = 1, .upper = 1},
       {.cell = CellId{1}, .lower = 1, .upper = 1},
       {.cell = CellId{3}, .lower = 1, .upper = 1},
       {.cell = CellId{4}, .lower = 1, .upper = 1}});
  const auto found = round_small_counts(problem, base(3), RunContext{});
  ASSERT_TRUE(found && found->complete);
  for (const auto& [cell, number] : {std::pair(0, 0), std::pair(1, 3), std::pair(3, 3)})
    EXPECT_EQ(shown(problem->table(), found->draft, CellId{cell}), number);
  testing::expect_safe_on_disk(problem, found->draft, found->witnesses);
}

TEST(SmallCounts, WhatEveryoneKnowsStays) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 2, .prior = {2, 2}, .status = CellStatus::kKnown}));
  ASSERT_TRUE(builder.add_cell({.value = 1, .prior = {1, 9}}));  // nobody would believe a 0
  ASSERT_TRUE(builder.add_cell({.value = 3}));
  const std::vector<Term> sum{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}};
  ASSERT_TRUE(builder.add_equation(sum));
  const auto problem = problem_of(std::move(builder), {});
  const auto found = round_small_counts(problem, base(3), RunContext{});
  ASSERT_TRUE(found && found->complete);
  EXPECT_EQ(found->draft.state(CellId{0}), StatementKind::kExact);
  EXPECT_EQ(shown(problem->table(), found->draft, CellId{1}), 3);
  EXPECT_EQ(shown(problem->table(), found->draft, CellId{2}), 5);
}

TEST(SmallCounts, RefusesWhatIsNoTableOfCounts) {
  const auto run = [](TableBuilder builder) {
    const auto found =
        round_small_counts(problem_of(std::move(builder), {}), base(3), RunContext{});
    return found ? std::string("accepted") : found.error().text();
  };
  EXPECT_THAT(run(testing::two_way({{1, 2, 3}, {1, 2, 3}, {2, 4, 6}}, {0, kUnboundedAbove}, 1)),
              HasSubstr("small counts are whole numbers, and this table has 1 decimals"));
  EXPECT_THAT(run(testing::two_way({{-1, 2, 1}, {1, 2, 3}, {0, 4, 4}}, {-9, kUnboundedAbove})),
              HasSubstr("counts are not negative"));
  const auto problem = problem_of(testing::two_way({{1, 2, 3}, {1, 2, 3}, {2, 4, 6}}), {});
  EXPECT_EQ(round_small_counts(problem, base(1), RunContext{}).error().text(),
            "--base: the base must be from 2 to a million");
}

// Two tables by a common variable, and none of all three.
TEST(SmallCounts, LinkedTablesKeepTheirCommonSums) {
  TableBuilder builder(0);
  const std::vector<Units> values{11, 1, 10, 5, 6};  // a = b1 + b2 = c1 + c2
  for (const Units value : values)
    ASSERT_TRUE(builder.add_cell({.value = value}));
  const std::vector<Term> by_b{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}};
  const std::vector<Term> by_c{{CellId{0}, -1}, {CellId{3}, 1}, {CellId{4}, 1}};
  ASSERT_TRUE(builder.add_equation(by_b));
  ASSERT_TRUE(builder.add_equation(by_c));
  const auto problem = problem_of(std::move(builder), {});
  const auto found = round_small_counts(problem, base(3), RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_TRUE(found->coupled);
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_DOUBLE_EQ(found->cost, 3);  // one person less in a, b1 and c1
  expect_no_small_number(*problem, found->draft, 3);
  testing::expect_safe_on_disk(problem, found->draft, found->witnesses);
}

// A x B, B x C and C x A of two categories each, joined by their common sums, and the total.
TEST(SmallCounts, LinksInACircleAreRefused) {
  TableBuilder builder(0);
  const auto count = [](int table, int u, int v) {  // of 8 inner cells of 1 .. 8 persons
    Units sum = 0;
    for (int i = 0; i < 8; ++i) {
      const int code[3] = {i & 1, (i >> 1) & 1, i >> 2};
      sum += code[table] == u && code[(table + 1) % 3] == v ? i + 1 : 0;
    }
    return sum;
  };
  for (int cell = 0; cell < 12; ++cell)
    ASSERT_TRUE(builder.add_cell({.value = count(cell / 4, cell / 2 % 2, cell % 2)}));
  for (int table = 0; table < 3; ++table) {
    for (int v = 0; v < 2; ++v) {  // the second variable of one table is the first of the next
      const std::int32_t own = 4 * table + v, next = 4 * ((table + 1) % 3) + 2 * v;
      const std::vector<Term> terms{
          {CellId{own}, 1}, {CellId{own + 2}, 1}, {CellId{next}, -1}, {CellId{next + 1}, -1}};
      ASSERT_TRUE(builder.add_equation(terms));
    }
  }
  ASSERT_TRUE(builder.add_cell({.value = 36}));
  std::vector<Term> all{{CellId{12}, -1}};
  for (std::int32_t c = 0; c < 4; ++c)
    all.push_back({CellId{c}, 1});
  ASSERT_TRUE(builder.add_equation(all));
  const auto found = round_small_counts(problem_of(std::move(builder), {}), base(3), RunContext{});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("run in a circle"));
}

// ---- the table of 400 persons of the shared vectors

std::vector<std::vector<std::string>> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> lines;
  for (std::string text; std::getline(file, text);) {
    std::istringstream stream(text);
    auto& line = lines.emplace_back();
    for (std::string field; std::getline(stream, field, ';');)
      line.push_back(field);
  }
  return lines;
}

struct People {
  std::shared_ptr<const Problem> problem;
  std::vector<Units> peer;  // what SmallCountRounding 1.2.5 has published
};

People people(const std::string& file) {
  People result;
  const auto lines = lines_of(kVectors / "rounding" / file);
  std::vector<Dimension> dimensions;
  for (const auto& made :
       {Dimension::build("region",
                         {"Total", "R1", "R2", "a", "b", "c", "d", "e"},
                         {{0, {1, 2}}, {1, {3, 4}}, {2, {5, 6, 7}}}),
        Dimension::build("sex", {"Total", "f", "m"}, {{0, {1, 2}}}),
        Dimension::build("age", {"Total", "m", "o", "x", "y"}, {{0, {1, 2, 3, 4}}})}) {
    EXPECT_TRUE(made);
    dimensions.push_back(made.value());
  }
  TableBuilder builder(0, dimensions);
  for (std::size_t l = 1; l < lines.size(); ++l) {
    std::vector<std::int32_t> codes;
    for (std::size_t d = 0; d < 3; ++d)
      codes.push_back(dimensions[d].find(lines[l][d]));
    EXPECT_TRUE(builder.add_cell({.value = std::stoll(lines[l][3])}, codes));
    result.peer.push_back(std::stoll(lines[l][4]));
  }
  EXPECT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{{"people", {0, 1, 2}}}));
  result.problem = problem_of(std::move(builder), {});
  return result;
}

// What the peer has published keeps the properties, too, and ours is no farther from the truth.
TEST(SmallCounts, NoFartherFromTheTruthThanThePeer) {
  for (const auto& [file, units] : {std::pair("pls_base3.csv", 3), std::pair("pls_base5.csv", 5)}) {
    const People given = people(file);
    const Table& table = given.problem->table();
    ASSERT_EQ(table.num_cells(), 120);
    double peer = 0;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const Units number = given.peer[static_cast<std::size_t>(c)];
      EXPECT_TRUE(number == 0 || number >= units);
      peer += static_cast<double>(std::abs(number - table.value(CellId{c})));
    }
    const auto found = round_small_counts(given.problem, base(units), RunContext{});
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->why, StopReason::kOptimal);
    EXPECT_LE(found->cost, peer);
    expect_no_small_number(*given.problem, found->draft, units);
    const auto quick = round_small_counts(given.problem, base(units, Effort::kFast), RunContext{});
    ASSERT_TRUE(quick && quick->complete);
    EXPECT_GE(quick->cost, found->cost);
    EXPECT_LE(quick->bound, found->cost);
    expect_no_small_number(*given.problem, quick->draft, units);
    RecordProperty(std::string(file) + " optimum", std::to_string(found->cost));
    RecordProperty(std::string(file) + " greedy", std::to_string(quick->cost));
    RecordProperty(std::string(file) + " peer", std::to_string(peer));
  }
}

TEST(SmallCounts, LargeInnerCountsStayAndTheSeedRepeats) {
  base::Random random(7);
  std::vector<std::vector<Units>> rows(13, std::vector<Units>(13, 0));
  for (std::size_t r = 0; r < 12; ++r) {
    for (std::size_t c = 0; c < 12; ++c) {
      rows[r][c] = random.between(0, 6);
      rows[r][12] += rows[r][c];
      rows[12][c] += rows[r][c];
      rows[12][12] += rows[r][c];
    }
  }
  const auto problem = problem_of(testing::two_way(rows), {});
  RunContext run;
  const auto first = round_small_counts(problem, base(3, Effort::kFast), run);
  run.threads = 4;
  const auto again = round_small_counts(problem, base(3, Effort::kFast), run);
  run.seed = 2;
  const auto other = round_small_counts(problem, base(3, Effort::kFast), run);
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(first->draft.entries(), again->draft.entries());
  EXPECT_NE(first->draft.entries(), other->draft.entries());
  for (std::int32_t r = 0; r < 12; ++r) {
    for (std::int32_t c = 0; c < 12; ++c) {
      const CellId cell{13 * r + c};
      if (problem->table().value(cell) > 3) {
        EXPECT_EQ(first->draft.state(cell), StatementKind::kExact);
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::small_counts
