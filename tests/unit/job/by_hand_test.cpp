// SPDX-License-Identifier: Apache-2.0
#include "job/by_hand.h"

#include <gmock/gmock.h>

#include "base/random.h"
#include "io/apriori.h"

namespace lacuna {
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

Result<Problem> applied(const std::string& csv) {
  Inputs inputs;
  inputs.texts["hand.csv"] = csv;
  return with_apriori(table().problem, {"hand.csv"}, inputs);
}

TEST(ByHand, SetsStatusCostLevelsAndBounds) {
  const auto made = applied(
      "kind,region,status,cost,lower,upper,lower_bound,upper_bound\n"
      "a2,s,U,,2,3,,\n"
      "a1,n,S,,,,,\n"
      "B,n,P,,,,,\n"
      "B,s,M,2.5,,,1,40\n");
  ASSERT_TRUE(made) << made.error().text();
  const Table& table = made->table;
  EXPECT_EQ(table.cell(CellId{14}).status, CellStatus::kPrimary);
  EXPECT_EQ(table.cell(CellId{10}).status, CellStatus::kFree);
  EXPECT_EQ(table.cell(CellId{7}).status, CellStatus::kPublished);
  EXPECT_EQ(table.cell(CellId{8}).status, CellStatus::kWithheld);
  EXPECT_EQ(table.cell(CellId{8}).weight, 2.5);
  EXPECT_EQ(table.cell(CellId{8}).prior, (Bounds{1, 40}));
  ASSERT_EQ(made->requirements.size(), 1U);
  EXPECT_EQ(made->requirements[0].cell, CellId{14});
  EXPECT_EQ(made->requirements[0].lower, 2);
  EXPECT_EQ(made->requirements[0].upper, 3);
}

TEST(ByHand, LaterEntriesGoOverEarlierOnes) {
  const auto made = applied("kind,region,status\na1,n,S\na1,n,U\n");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->requirements.size(), 1U);
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
  Inputs inputs;
  inputs.texts["hand.csv"] = "cell,status\n2,U\n";
  const auto made = with_apriori(
      *make_problem(*std::move(builder).build(), {outsider()}, {}), {"hand.csv"}, inputs);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->table.cell(CellId{2}).status, CellStatus::kPrimary);
  EXPECT_EQ(made->table.cell(CellId{1}).status, CellStatus::kFree);
}

TEST(ByHand, CollapsedCodesAreGoneWithTheirSums) {
  const auto made = with_collapsed(table(), {"kind=A"});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->problem.table.num_cells(), 9);
  EXPECT_EQ(made->problem.table.num_equations(), 6);
  EXPECT_THAT(made->reasons, ::testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8"));
  EXPECT_TRUE(made->problem.requirements.empty());  // the sensitive cell was below A
  for (const char* code : {"kind=B", "kind=X", "nosuch=A", "A"})
    EXPECT_FALSE(with_collapsed(table(), {code})) << code;
}

// What is written of entries comes back as the same problem.
TEST(ByHand, FilesSayWhatEntriesSay) {
  Random random(7);
  const Problem problem = table().problem;
  int made = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<AprioriEntry> entries;
    for (std::int64_t i = random.between(1, 6); i > 0; --i) {
      const auto codes =
          problem.table.codes(CellId{static_cast<std::int32_t>(random.between(0, 14))});
      AprioriEntry& entry = entries.emplace_back();
      entry.codes.assign(codes.begin(), codes.end());
      entry.status = static_cast<AprioriStatus>(random.between(0, 3));
      if (random.between(0, 1) == 1)
        entry.cost = static_cast<double>(random.between(1, 9));
    }
    const auto direct = with_entries(problem, entries);
    Inputs inputs;
    inputs.texts["hand.csv"] = write_apriori_csv(entries, problem.table.dimensions(), 0, ',');
    const auto read = with_apriori(problem, {"hand.csv"}, inputs);
    ASSERT_EQ(direct.has_value(), read.has_value());
    if (!direct)
      continue;  // a sensitive cell that was to be published
    ++made;
    EXPECT_TRUE(std::equal(
        direct->table.cells().begin(), direct->table.cells().end(), read->table.cells().begin()));
    EXPECT_EQ(direct->requirements, read->requirements);
  }
  EXPECT_GT(made, 20);
}

}  // namespace
}  // namespace lacuna
