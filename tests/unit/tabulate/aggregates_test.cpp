// SPDX-License-Identifier: Apache-2.0
// Sums of random records, made by a plain copy of what the SQL text does, against the tabulation of
// the same records: every field, for both plans.
#include "lacuna/aggregates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unit/tabulate/random_records.h"

namespace lacuna::tabulation {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

struct Pair {  // of a leaf and a contributor
  Units c = 0;
  std::int64_t records = 0;
  Units weight = 0;
  bool req = false;
  bool waive = true;
  PlainRecord some;
};

struct Sums {  // the tables of the SQL text
  std::map<std::pair<Row, std::string>, Pair> pairs;
  std::map<std::string, int> leaves;  // of a contributor
};

struct Shape {
  bool linked = false;
  bool weighted = false;
  bool anonymous = false;
  int top = 0;
};

Row leaf_of(const PlainRecord& r) {
  return {r.act, zone_of(r.area), r.area, kind_of(r.area), r.size};
}

Sums sums_of(const std::vector<PlainRecord>& records, const Shape& shape) {
  Sums sums;
  int number = 0;
  for (const PlainRecord& r : records) {
    std::string who = r.holding.empty() ? "R" + r.respondent : "H" + r.holding;
    if (shape.anonymous)
      who = std::to_string(++number);
    Pair& pair = sums.pairs[{leaf_of(r), who}];
    pair.c += shape.weighted ? r.tenths * r.quarters * 25 : r.tenths;
    pair.records += 1;
    pair.weight += shape.weighted ? r.quarters * 25 : 1;
    pair.req = pair.req || r.requested;
    pair.waive = pair.waive && r.waived;
    pair.some = r;
  }
  for (const auto& [key, pair] : sums.pairs)
    ++sums.leaves[key.second];
  return sums;
}

Row with(Row row, const Row& more) {
  row.insert(row.end(), more.begin(), more.end());
  return row;
}

Row share_row(const Row& codes, const std::string& who, const Pair& pair) {
  return with(codes, {who, std::to_string(pair.c), pair.req ? "1" : "0", pair.waive ? "1" : "0"});
}

const Row kLeafColumns{"d1", "d2_1", "d2_2", "d2_3", "d3"};
const Row kShareColumns{"who", "c", "req", "waive"};

RowRecords leaf_rows(const Sums& sums) {
  struct Leaf {
    Units value = 0, weight = 0, settled_abs = 0;
    std::int64_t records = 0, settled = 0, spread = 0;
  };
  std::map<Row, Leaf> leaves;
  for (const auto& [key, pair] : sums.pairs) {
    Leaf& leaf = leaves[key.first];
    const bool settled = sums.leaves.at(key.second) == 1;
    leaf.value += pair.c;
    leaf.weight += pair.weight;
    leaf.records += pair.records;
    leaf.settled += settled ? 1 : 0;
    leaf.spread += settled ? 0 : 1;
    leaf.settled_abs += settled ? std::abs(pair.c) : 0;
  }
  Rows rows;
  for (const auto& [codes, leaf] : leaves) {
    rows.push_back(with(codes,
                        {std::to_string(leaf.value),
                         std::to_string(leaf.records),
                         std::to_string(leaf.weight),
                         std::to_string(leaf.settled),
                         std::to_string(leaf.settled_abs),
                         std::to_string(leaf.spread)}));
  }
  return {with(kLeafColumns, {"value", "records", "weight", "settled", "settled_abs", "spread"}),
          rows};
}

using Named = std::pair<std::string, Pair>;

// ORDER BY ABS(c) DESC, who; of anonymous records ABS(c) DESC, c DESC, flags DESC.
void keep_largest(std::vector<Named>& list, const Shape& shape) {
  std::sort(list.begin(), list.end(), [&](const Named& a, const Named& b) {
    const auto flags = [](const Pair& pair) { return (pair.req ? 1 : 0) + (pair.waive ? 0 : 2); };
    if (std::abs(a.second.c) != std::abs(b.second.c))
      return std::abs(a.second.c) > std::abs(b.second.c);
    if (!shape.anonymous)
      return a.first < b.first;
    return a.second.c != b.second.c ? a.second.c > b.second.c : flags(a.second) > flags(b.second);
  });
  if (list.size() > static_cast<std::size_t>(shape.top))
    list.resize(static_cast<std::size_t>(shape.top));
}

RowRecords top_rows(const Sums& sums, const Shape& shape) {
  std::map<Row, std::vector<Named>> lists;
  for (const auto& [key, pair] : sums.pairs) {
    if (sums.leaves.at(key.second) == 1)
      lists[key.first].emplace_back(key.second, pair);
  }
  Rows rows;
  for (auto& [codes, list] : lists) {
    keep_largest(list, shape);
    for (const auto& [who, pair] : list)
      rows.push_back(share_row(codes, who, pair));
  }
  return {with(kLeafColumns, kShareColumns), rows};
}

RowRecords spread_rows(const Sums& sums) {
  Rows rows;
  for (const auto& [key, pair] : sums.pairs) {
    if (sums.leaves.at(key.second) > 1)
      rows.push_back(share_row(key.first, key.second, pair));
  }
  return {with(kLeafColumns, kShareColumns), rows};
}

// Plan B: a cell with its table first, as in tab, c1, c2, c3.
struct CellPairs {
  Units value = 0;
  std::int64_t records = 0;
  std::map<std::string, Pair> pairs;
};

std::map<Row, CellPairs> cells_of_tables(const Sums& sums, const Shape& shape) {
  std::map<Row, CellPairs> cells;
  for (const auto& [key, pair] : sums.pairs) {
    for (const CellNames& names : cells_of(pair.some, shape.linked)) {
      std::vector<std::string> tables{"0"};
      if (shape.linked && names[2] != "Total")
        tables = {"1"};
      else if (shape.linked && names[0] == "Total")
        tables = {"0", "1"};
      for (const std::string& table : tables) {
        CellPairs& cell = cells[with({table}, names)];
        cell.value += pair.c;
        cell.records += pair.records;
        Pair& own = cell.pairs[key.second];
        own.c += pair.c;
        own.req = own.req || pair.req;
        own.waive = own.waive && pair.waive;
      }
    }
  }
  return cells;
}

const Row kCellColumns{"tab", "c1", "c2", "c3"};

RowRecords cellnum_rows(const std::map<Row, CellPairs>& cells) {
  Rows rows;
  for (const auto& [names, cell] : cells) {
    Units absolute = 0;
    for (const auto& [who, pair] : cell.pairs)
      absolute += std::abs(pair.c);
    rows.push_back(with(names,
                        {std::to_string(cell.value),
                         std::to_string(cell.records),
                         std::to_string(cell.pairs.size()),
                         std::to_string(absolute)}));
  }
  return {with(kCellColumns, {"value", "records", "contributors", "absolute"}), rows};
}

RowRecords celltop_rows(const std::map<Row, CellPairs>& cells, const Shape& shape) {
  Rows rows;
  for (const auto& [names, cell] : cells) {
    std::vector<Named> list(cell.pairs.begin(), cell.pairs.end());
    keep_largest(list, shape);
    for (const auto& [who, pair] : list)
      rows.push_back(share_row(names, who, pair));
  }
  return {with(kCellColumns, kShareColumns), rows};
}

// What each respondent adds to each cell; the numbers of leaves do not matter.
std::map<std::pair<std::size_t, std::uint32_t>, Units> held(const Tabulation& tabulation) {
  std::map<std::pair<std::size_t, std::uint32_t>, Units> amounts;
  const LeafContributions& holdings = *tabulation.contributions;
  for (std::size_t who = 0; who < tabulation.respondents.size(); ++who) {
    for (std::size_t i = holdings.start[who]; i < holdings.start[who + 1]; ++i) {
      const std::uint32_t leaf = holdings.parts[i].leaf;
      for (std::size_t c = holdings.leaf_start[leaf]; c < holdings.leaf_start[leaf + 1]; ++c)
        amounts[{who, holdings.leaf_cells[c]}] += holdings.parts[i].amount;
    }
  }
  return amounts;
}

void expect_same(const CellFacts& got, const CellFacts& want) {
  EXPECT_EQ(got.value, want.value);
  EXPECT_EQ(got.absolute, want.absolute);
  EXPECT_EQ(got.records, want.records);
  EXPECT_EQ(got.contributors, want.contributors);
  EXPECT_EQ(got.weighted, want.weighted);
  ASSERT_EQ(got.largest.size(), want.largest.size());
  for (std::size_t i = 0; i < got.largest.size(); ++i) {
    EXPECT_EQ(got.largest[i].respondent, want.largest[i].respondent);
    EXPECT_EQ(got.largest[i].amount, want.largest[i].amount);
    EXPECT_EQ(got.largest[i].requested, want.largest[i].requested);
    EXPECT_EQ(got.largest[i].waived, want.largest[i].waived);
  }
}

void expect_same(const Tabulation& got, const Tabulation& want) {
  EXPECT_EQ(got.decimals, want.decimals);
  EXPECT_EQ(got.top, want.top);
  ASSERT_EQ(got.dimensions.size(), want.dimensions.size());
  for (std::size_t d = 0; d < got.dimensions.size(); ++d) {
    EXPECT_EQ(got.dimensions[d].name(), want.dimensions[d].name());
    ASSERT_EQ(got.dimensions[d].num_codes(), want.dimensions[d].num_codes());
    for (std::int32_t code = 0; code < got.dimensions[d].num_codes(); ++code)
      EXPECT_EQ(got.dimensions[d].code(code), want.dimensions[d].code(code));
  }
  EXPECT_EQ(got.tables.size(), want.tables.size());
  EXPECT_EQ(got.codes, want.codes);
  EXPECT_EQ(got.respondents, want.respondents);
  ASSERT_EQ(got.cells.size(), want.cells.size());
  for (std::size_t c = 0; c < got.cells.size(); ++c)
    expect_same(got.cells[c], want.cells[c]);
}

struct Example {
  Shape shape;
  std::vector<PlainRecord> records;
  TabulateOptions options;
};

Example random_example(std::uint64_t seed) {
  base::Random random(seed);
  Example example;
  Shape& shape = example.shape;
  shape.linked = random.chance(1, 2);
  shape.weighted = random.chance(1, 2);
  shape.anonymous = random.chance(1, 4);
  const bool negative = random.chance(1, 2);
  example.records = random_records(random, negative);
  example.options = random_options(random, shape.linked, shape.weighted, negative);
  if (shape.anonymous) {
    example.options.respondent.clear();
    example.options.holding.clear();
  }
  example.options.keep_contributions = !shape.anonymous;
  example.options.keep_empty_cells = random.chance(1, 4);
  shape.top = example.options.top;
  return example;
}

TEST(Aggregates, PlanAEqualsTheTabulationOfTheRecords) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Example example = random_example(seed);
    RowRecords rows = as_rows(example.records);
    const auto want = tabulate(rows, example.options, {});
    ASSERT_TRUE(want) << want.error().text();
    const Sums sums = sums_of(example.records, example.shape);
    RowRecords leaf = leaf_rows(sums);
    RowRecords top = top_rows(sums, example.shape);
    RowRecords spread = spread_rows(sums);
    AggregateSources sources;
    sources.leaf = &leaf;
    sources.top_leaf = &top;
    sources.spread = &spread;
    for (const int threads : {1, 3}) {
      RunContext run;
      run.threads = threads;
      const auto got = tabulate_from_aggregates(sources, example.options, run);
      ASSERT_TRUE(got) << got.error().text();
      expect_same(*got, *want);
      ASSERT_EQ(got->contributions != nullptr, want->contributions != nullptr);
      if (want->contributions) {
        EXPECT_EQ(held(*got), held(*want));
      }
    }
  }
}

TEST(Aggregates, PlanBEqualsTheTabulationOfTheRecords) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Example example = random_example(seed);
    if (example.shape.anonymous)
      continue;
    example.options.keep_contributions = false;
    RowRecords rows = as_rows(example.records);
    const auto want = tabulate(rows, example.options, {});
    ASSERT_TRUE(want) << want.error().text();
    const Sums sums = sums_of(example.records, example.shape);
    const auto cells = cells_of_tables(sums, example.shape);
    RowRecords leaf = leaf_rows(sums);
    RowRecords top = celltop_rows(cells, example.shape);
    RowRecords numbers = cellnum_rows(cells);
    AggregateSources sources;
    sources.leaf = &leaf;
    sources.celltop = &top;
    sources.cellnum = &numbers;
    const auto got = tabulate_from_aggregates(sources, example.options, {});
    ASSERT_TRUE(got) << got.error().text();
    expect_same(*got, *want);
  }
}

class SmallAggregates : public ::testing::Test {
 protected:
  // Two leaves: P has 7 in the first, Q 7 in the second, R 6 in each.
  Rows leaf_{{"a", "13", "2", "2", "1", "7", "1"}, {"b", "13", "2", "2", "1", "7", "1"}};
  Rows top_{{"a", "P", "7", "0", "0"}, {"b", "Q", "7", "0", "0"}};
  Rows spread_{{"a", "R", "6", "1", "0"}, {"b", "R", "6", "0", "0"}};
  TabulateOptions options_;

  Result<Tabulation> tabulated() {
    options_.dimensions = {flat_dimension("AREA", "area")};
    options_.value = "x";
    options_.decimals = 0;
    options_.respondent = "id";
    options_.top = 1;
    RowRecords leaf({"d1", "value", "records", "weight", "settled", "settled_abs", "spread"},
                    leaf_);
    RowRecords top({"d1", "who", "c", "req", "waive"}, top_);
    RowRecords spread({"d1", "who", "c", "req", "waive"}, spread_);
    AggregateSources sources;
    sources.leaf = &leaf;
    sources.top_leaf = &top;
    sources.spread = &spread;
    return tabulate_from_aggregates(sources, options_, {});
  }
  std::string trouble() {
    const auto result = tabulated();
    return result ? "none" : base::in_full(result.error().text());
  }
};

TEST_F(SmallAggregates, FieldsThatAreNoNumbersAreNotShown) {
  leaf_[0][1] = "843211x";
  const auto result = tabulated();
  ASSERT_FALSE(result);
  EXPECT_NE(
      base::without_confidential(result.error().text()).find("(not shown) is not a whole number"),
      std::string::npos)
      << result.error().text();
}

TEST_F(SmallAggregates, TheLargestOfTheTotalMayBeInNoListOfALeaf) {
  const auto result = tabulated();
  ASSERT_TRUE(result) << result.error().text();
  const auto cells = cells_by_name(*result);
  const CellFacts& total = cells.at({"Total"});
  EXPECT_EQ(total.value, 26);
  EXPECT_EQ(total.contributors, 3);
  ASSERT_EQ(total.largest.size(), 1U);
  EXPECT_EQ(total.largest[0].amount, 12);
  EXPECT_TRUE(total.largest[0].requested);
  EXPECT_EQ(result->respondents, (std::vector<std::string>{"P", "Q", "R"}));
}

TEST_F(SmallAggregates, RowsThatDoNotBelongTogetherAreErrors) {
  using ::testing::HasSubstr;
  const Rows spread = spread_;
  spread_.pop_back();
  EXPECT_THAT(trouble(), HasSubstr("spread does not have the contributors that leaf counts"));
  spread_ = spread;
  spread_[1][1] = "P";
  EXPECT_THAT(trouble(), HasSubstr("has others as well"));
  spread_ = spread;
  spread_[1][0] = "c";
  EXPECT_THAT(trouble(), HasSubstr("no row of leaf has the codes"));
  spread_ = spread;
  const Rows top = top_;
  top_.pop_back();
  EXPECT_THAT(trouble(), HasSubstr("lists fewer contributors"));
  top_ = top;
  top_[0][2] = "7.5";
  EXPECT_THAT(trouble(), HasSubstr("record 1, column c"));
  top_ = top;
  leaf_.push_back(leaf_[0]);
  EXPECT_THAT(trouble(), HasSubstr("the leaf already has a row"));
}

}  // namespace
}  // namespace lacuna::tabulation
