// SPDX-License-Identifier: Apache-2.0
#include "app/load/manual_overrides.h"

#include <gmock/gmock.h>

#include "core/base/random.h"
#include "data/problems/apriori.h"

namespace lacuna::load {
namespace {

// A total and its parts A (a1, a2) and B, by region (n, s).
LoadedProblem table() {
  std::vector<Dimension> dimensions{
      *Dimension::build("kind", {"T", "A", "B", "a1", "a2"}, {{0, {1, 2}}, {1, {3, 4}}}),
      *Dimension::build("region", {"All", "n", "s"}, {{0, {1, 2}}})};
  const Units leaf[5][3] = {{0, 0, 0}, {0, 0, 0}, {0, 7, 9}, {0, 2, 4}, {0, 3, 5}};
  const auto value = [&](auto&& self, std::int32_t kind, std::int32_t region) -> Units {
    if (region == 0)
      return self(self, kind, 1) + self(self, kind, 2);
    if (kind == 0)
      return self(self, 1, region) + self(self, 2, region);
    return kind == 1 ? self(self, 3, region) + self(self, 4, region) : leaf[kind][region];
  };
  TableBuilder builder(0, dimensions);
  const auto id = [](std::int32_t kind, std::int32_t region) { return CellId{kind * 3 + region}; };
  for (std::int32_t kind = 0; kind < 5; ++kind) {
    for (std::int32_t region = 0; region < 3; ++region) {
      Cell cell;
      cell.value = value(value, kind, region);
      if (kind == 3 && region == 1)
        cell.status = CellStatus::kPrimary;
      const std::vector<std::int32_t> codes{kind, region};
      EXPECT_TRUE(builder.add_cell(cell, codes));
    }
  }
  for (std::int32_t region = 0; region < 3; ++region) {
    const std::vector<Term> whole{{id(0, region), -1}, {id(1, region), 1}, {id(2, region), 1}};
    const std::vector<Term> part{{id(1, region), -1}, {id(3, region), 1}, {id(4, region), 1}};
    EXPECT_TRUE(builder.add_equation(whole));
    EXPECT_TRUE(builder.add_equation(part));
  }
  for (std::int32_t kind = 0; kind < 5; ++kind) {
    const std::vector<Term> terms{{id(kind, 0), -1}, {id(kind, 1), 1}, {id(kind, 2), 1}};
    EXPECT_TRUE(builder.add_equation(terms));
  }
  LoadedProblem loaded;
  loaded.problem = *make_problem(*std::move(builder).build(), {outsider()}, {});
  for (int c = 0; c < 15; ++c)
    loaded.reasons.push_back(std::to_string(c));
  return loaded;
}

Result<LoadedProblem> read_overrides(LoadedProblem loaded, const std::string& csv) {
  Inputs inputs;
  inputs.texts["hand.csv"] = csv;
  Assessment asked;
  asked.apriori = {"hand.csv"};
  return with_changes(std::move(loaded), asked, inputs);
}

Result<Problem> applied(const std::string& csv) {
  LACUNA_TRY(LoadedProblem made, read_overrides(table(), csv));
  return std::move(made.problem).take();
}

TEST(ByHand, SetsStatusCostLevelsAndBounds) {
  const auto made = applied(
      "kind,region,status,cost,lower,upper,lower_bound,upper_bound\n"
      "a2,s,U,,2,3,,\n"
      "a1,n,S,,,,,\n"
      "B,n,P,,,,,\n"
      "B,s,M,2.5,,,1,40\n");
  ASSERT_TRUE(made) << made.error().text();
  const Table& table = made->table();
  EXPECT_EQ(table.cell(CellId{14}).status, CellStatus::kPrimary);
  EXPECT_EQ(table.cell(CellId{10}).status, CellStatus::kFree);
  EXPECT_EQ(table.cell(CellId{7}).status, CellStatus::kMustPublish);
  EXPECT_EQ(table.cell(CellId{8}).status, CellStatus::kSecondary);
  EXPECT_EQ(table.cell(CellId{8}).weight, 2.5);
  EXPECT_EQ(table.cell(CellId{8}).prior, (Bounds{1, 40}));
  ASSERT_EQ(made->requirements().size(), 1U);
  EXPECT_EQ(made->requirements()[0].cell, CellId{14});
  EXPECT_EQ(made->requirements()[0].lower, 2);
  EXPECT_EQ(made->requirements()[0].upper, 3);
}

// The total of the south is 18, 20 percent of it 3.6; b knows that 9 of them are its own, c all.
LoadedProblem with_insiders() {
  LoadedProblem loaded = table();
  const std::vector<Attacker> attackers{outsider(),
                                        {"b", {{CellId{8}, {9, kUnboundedAbove}}}},
                                        {"c", {{CellId{2}, {18, 18}}}},
                                        {"d", {{CellId{10}, {2, kUnboundedAbove}}}}};
  loaded.problem = *make_problem(loaded.problem.table(), attackers, {});
  return loaded;
}

Requirement need(std::int32_t attacker, Units lower, Units upper) {
  return {.cell = CellId{2}, .attacker = attacker, .lower = lower, .upper = upper};
}

std::vector<Requirement> needs_of(const Result<LoadedProblem>& made, CellId cell) {
  std::vector<Requirement> needs;
  EXPECT_TRUE(made) << made.error().text();
  for (const Requirement& one : made->problem.as_read().requirements()) {
    if (one.cell == cell)
      needs.push_back(one);
  }
  return needs;
}

TEST(ByHand, UnsafeHasALevelAgainstEveryAttacker) {
  const auto made = read_overrides(with_insiders(), "kind,region,status\nT,s,U\n");
  EXPECT_THAT(needs_of(made, CellId{2}),
              ::testing::ElementsAre(need(0, 4, 4), need(1, 2, 2), need(3, 4, 4)));
  EXPECT_EQ(made->reasons[2], "unsafe: set by hand (hand.csv:2:1)");
}

TEST(ByHand, TheRangeOfTheJobIsTheLevel) {
  LoadedProblem loaded = with_insiders();
  loaded.by_hand.manual_range = 50;
  EXPECT_THAT(needs_of(read_overrides(loaded, "kind,region,status\nT,s,U\n"), CellId{2}),
              ::testing::ElementsAre(need(0, 9, 9), need(1, 5, 5), need(3, 9, 9)));
  loaded.by_hand.attacker_reach = AttackerReach::kEquation;  // d knows nothing near the total
  EXPECT_THAT(needs_of(read_overrides(loaded, "kind,region,status\nT,s,U\n"), CellId{2}),
              ::testing::ElementsAre(need(0, 9, 9), need(1, 5, 5)));
}

TEST(ByHand, WhatTheFileSaysGoesBeforeTheRange) {
  const auto made = read_overrides(with_insiders(), "kind,region,status,upper\nT,s,U,8\n");
  EXPECT_THAT(needs_of(made, CellId{2}),
              ::testing::ElementsAre(need(0, 4, 8), need(1, 2, 4), need(3, 4, 8)));
}

// a1 in the north is sensitive by its row, without levels: unsafe by hand gives it some.
TEST(ByHand, RaisedZerosAreNoLevels) {
  const auto made = read_overrides(table(), "kind,region,status\na1,n,U\n");
  ASSERT_EQ(needs_of(made, CellId{10}).size(), 1U);
  EXPECT_EQ(made->problem.as_read().requirements()[0].upper, 1);
  EXPECT_EQ(made->problem.as_read().requirements()[0].origin, LevelOrigin::kGiven);
}

TEST(ByHand, FilesCollapseCodes) {
  const auto made = read_overrides(table(), "kind,region,status\nA,,collapse\nA,n,U\n");
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->problem.table().num_cells(), 9);
  EXPECT_EQ(made->problem.table().cell(CellId{4}).status, CellStatus::kPrimary);
  const auto& dimensions = made->problem.table().dimensions();
  EXPECT_EQ(problems::write_apriori_csv({}, dimensions, 0, ',', {"kind=A"}),
            "kind,region,status,cost,lower,upper,sliding,lower_bound,upper_bound\n"
            "A,,collapse,,,,,,\n");
  EXPECT_THAT(read_overrides(table(), "kind,region,status\nA,n,collapse\n").error().text(),
              ::testing::HasSubstr("hand.csv:2:5: a row that collapses has one code"));
  EXPECT_THAT(read_overrides(table(), "kind,region,status\nB,,collapse\n").error().text(),
              ::testing::HasSubstr("hand.csv:2:1: this code has no parts"));
  EXPECT_THAT(read_overrides(table(), "kind,region,status\nA,,collapse\na1,n,S\n").error().text(),
              ::testing::HasSubstr("hand.csv:3:1: the table has no such cell"));
}

TEST(ByHand, LaterEntriesGoOverEarlierOnes) {
  const auto made = applied("kind,region,status\na1,n,S\na1,n,U\n");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->requirements().size(), 1U);
}

TEST(ByHand, SaysWhatIsWrong) {
  EXPECT_THAT(
      applied("kind,region,lower\nB,n,3\n").error().text(),
      ::testing::AllOf(::testing::HasSubstr("hand.csv:2"), ::testing::HasSubstr("sensitive")));
  for (const char* status : {"P", "M"})  // a1 in n is sensitive
    EXPECT_THAT(applied("kind,region,status\na1,n," + std::string(status) + "\n").error().text(),
                ::testing::HasSubstr("safe (S) first"));
  EXPECT_FALSE(applied("kind,region,status\nX,n,U\n"));
  EXPECT_FALSE(applied("kind,region,status,lower_bound\nB,n,U,8\n"));  // without the value
}

TEST(ByHand, NamesCellsOfTablesWithoutCodesByIndex) {
  TableBuilder builder(0);
  for (const Units value : {5, 2, 3}) {
    Cell cell;
    cell.value = value;
    ASSERT_TRUE(builder.add_cell(cell));
  }
  const std::vector<Term> terms{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}};
  ASSERT_TRUE(builder.add_equation(terms));
  LoadedProblem loaded;
  loaded.problem = *make_problem(*std::move(builder).build(), {outsider()}, {});
  const auto made = read_overrides(std::move(loaded), "cell,status\n2,U\n");
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->problem.table().cell(CellId{2}).status, CellStatus::kPrimary);
  EXPECT_EQ(made->problem.table().cell(CellId{1}).status, CellStatus::kFree);
  EXPECT_EQ(made->reasons[2], "unsafe: set by hand (hand.csv:2:1)");
}

TEST(ByHand, CollapsedCodesAreGoneWithTheirSums) {
  const auto made = with_collapsed(table(), {"kind=A"});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->problem.table().num_cells(), 9);
  EXPECT_EQ(made->problem.table().num_equations(), 6);
  EXPECT_THAT(made->reasons, ::testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8"));
  EXPECT_TRUE(made->problem.as_read().requirements().empty());  // the sensitive cell was below A
  for (const char* code : {"kind=B", "kind=X", "nosuch=A", "A"})
    EXPECT_FALSE(with_collapsed(table(), {code})) << code;
}

// What is written of entries comes back as the same problem.
TEST(ByHand, FilesSayWhatEntriesSay) {
  base::Random random(7);
  const LoadedProblem loaded = table();
  const Table& table = loaded.problem.table();
  int made = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<AprioriEntry> entries;
    for (std::int64_t i = random.between(1, 6); i > 0; --i) {
      const auto codes = table.codes(CellId{static_cast<std::int32_t>(random.between(0, 14))});
      AprioriEntry& entry = entries.emplace_back();
      entry.codes.assign(codes.begin(), codes.end());
      entry.status = static_cast<AprioriStatus>(random.between(0, 3));
      if (random.between(0, 1) == 1)
        entry.cost = static_cast<double>(random.between(1, 9));
    }
    const auto direct = with_overrides(loaded, entries);
    const auto read =
        read_overrides(loaded, problems::write_apriori_csv(entries, table.dimensions(), 0, ','));
    ASSERT_EQ(direct.has_value(), read.has_value());
    if (!direct)
      continue;  // a sensitive cell that was to be published
    ++made;
    EXPECT_TRUE(std::equal(direct->problem.table().cells().begin(),
                           direct->problem.table().cells().end(),
                           read->problem.table().cells().begin()));
    EXPECT_EQ(direct->problem.as_read().requirements(), read->problem.as_read().requirements());
  }
  EXPECT_GT(made, 20);
}

}  // namespace
}  // namespace lacuna::load
