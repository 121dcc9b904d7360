// SPDX-License-Identifier: Apache-2.0
#include "app/generate/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unit/generate/digest.h"

namespace lacuna::generation {
namespace {

using testing_support::digest_of;

Problem make(const generation::GenerateOptions& options) {
  auto problem = generation::generate(options);
  if (!problem) {
    ADD_FAILURE() << problem.error().text();
    throw std::runtime_error(problem.error().text());
  }
  return std::move(problem).value();
}

std::int32_t count_status(const Table& table, CellStatus status) {
  const auto cells = table.cells();
  return static_cast<std::int32_t>(
      std::count_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.status == status; }));
}

generation::GenerateOptions linked(std::int32_t tables) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kLinked;
  options.tables = tables;
  return options;
}

generation::GenerateOptions thesis(std::string_view preset, std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kThesis;
  options.preset = std::string(preset);
  options.seed = seed;
  return options;
}

generation::GenerateOptions everything() {  // every common option away from its default
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.seed = 20240229;
  options.depths = {3, 2, 1};
  options.fan_least = {1, 2};
  options.fan_most = {3, 3};
  options.ragged_percent = 20;
  options.one_child_percent = 20;
  options.absent_percent = 15;
  options.zero_percent = 10;
  options.typical_value = 250;
  options.skew = 5;
  options.decimals = 2;
  options.weight = generation::GenerateWeight::kValue;
  options.published_percent = 5;
  options.sensitive_count = 7;
  options.upper_percent = 12;
  options.asymmetry = 3;
  options.sliding_percent = 25;
  options.below_percent = 80;
  options.above_percent = 150;
  options.attackers = 2;
  options.attacker_share = 40;
  return options;
}

TEST(Generate, SameNumbersOnEveryMachine) {
  // Constants from the first machine; another machine must agree to the last digit.
  EXPECT_EQ(digest_of(make({})), 17778618098472247156ULL);
  EXPECT_EQ(digest_of(make(everything())), 17170040310888477370ULL);
  EXPECT_EQ(digest_of(make(linked(3))), 11717091675523466270ULL);
  generation::GenerateOptions one_hierarchy;
  one_hierarchy.kind = generation::GenerateKind::kOneHierarchy;
  EXPECT_EQ(digest_of(make(one_hierarchy)), 13477369422709911396ULL);
  EXPECT_EQ(digest_of(make(thesis("1LINKED", 1))), 16334648689493662394ULL);
  EXPECT_EQ(digest_of(*generation::generate_small(1)), 7804506660399496712ULL);
}

TEST(Generate, SeedDecides) {
  for (const generation::GenerateKind kind : {generation::GenerateKind::kFlat,
                                              generation::GenerateKind::kHierarchical,
                                              generation::GenerateKind::kOneHierarchy,
                                              generation::GenerateKind::kLinked,
                                              generation::GenerateKind::kThesis}) {
    generation::GenerateOptions options;
    options.kind = kind;
    std::set<std::uint64_t> digests;
    for (options.seed = 1; options.seed <= 3; ++options.seed)
      digests.insert(digest_of(make(options)));
    EXPECT_EQ(digests.size(), 3U);
    options.seed = 2;
    digests.insert(digest_of(make(options)));
    EXPECT_EQ(digests.size(), 3U);
  }
}

TEST(Generate, OneMoreAttackerLeavesTheTableAsItIs) {
  generation::GenerateOptions options = everything();
  const Problem two = make(options);
  options.attackers = 3;
  const Problem three = make(options);
  EXPECT_TRUE(std::ranges::equal(two.table().cells(), three.table().cells()));
}

TEST(Generate, FlatTableHasAllMarginals) {
  generation::GenerateOptions options;
  options.sizes = {5, 4, 3};
  const Table table = make(options).table();
  EXPECT_EQ(table.num_cells(), 6 * 5 * 4);
  EXPECT_EQ(table.num_equations(), 5 * 4 + 6 * 4 + 6 * 5);
  for (const Cell& cell : table.cells())
    EXPECT_GT(cell.value, 0);
}

TEST(Generate, SerpellLikeTableHasItsNumberOfPrimaries) {
  generation::GenerateOptions options;
  options.sizes = {50, 5};
  options.sensitive_count = 25;
  const Problem problem = make(options);
  EXPECT_EQ(problem.table().num_cells(), 51 * 6);
  EXPECT_EQ(problem.requirements().size(), 25U);
  EXPECT_EQ(count_status(problem.table(), CellStatus::kPrimary), 25);
}

TEST(Generate, SensitivePercentIsOfTheCellsAtNoTotal) {
  generation::GenerateOptions options;
  options.sizes = {10, 10};
  options.sensitive_percent = 20;
  EXPECT_EQ(make(options).requirements().size(), 20U);
  options.sensitive_percent = 100;
  const Problem all = make(options);
  EXPECT_EQ(all.requirements().size(), 100U);
  for (const Requirement& need : all.requirements()) {
    for (std::size_t d = 0; d < 2; ++d)
      EXPECT_NE(all.table().codes(need.cell)[d], all.table().dimensions()[d].total());
  }
}

TEST(Generate, SensitiveCellsAreMostlySmallLeaves) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {3, 3};
  const Problem problem = make(options);
  std::size_t leaves = 0, small = 0;
  for (const Requirement& need : problem.requirements()) {
    const auto codes = problem.table().codes(need.cell);
    const bool leaf = problem.table().dimensions()[0].is_leaf(codes[0]) &&
                      problem.table().dimensions()[1].is_leaf(codes[1]);
    leaves += leaf ? 1U : 0U;
    small += leaf && problem.table().value(need.cell) <= options.typical_value ? 1U : 0U;
  }
  EXPECT_GT(leaves * 10, problem.requirements().size() * 9);
  EXPECT_GT(small * 2, leaves);
}

TEST(Generate, LevelsFollowPercentAndAsymmetry) {
  generation::GenerateOptions options;
  options.upper_percent = 20;
  options.asymmetry = 4;
  options.sliding_percent = 30;
  const Problem problem = make(options);
  for (const Requirement& need : problem.requirements()) {
    const Units value = problem.table().value(need.cell);
    EXPECT_EQ(need.lower, (value * 20 + 399) / 400);
    EXPECT_EQ(need.upper, 4 * need.lower);
    EXPECT_EQ(need.sliding, (value * 30 + 99) / 100);
  }
}

TEST(Generate, TightBoundsStillLeaveRoomForTheLevels) {
  generation::GenerateOptions options;
  options.typical_value = 2;
  options.skew = 0;
  options.sensitive_percent = 100;
  options.below_percent = 10;
  options.above_percent = 10;
  options.upper_percent = 10;
  for (options.asymmetry = 1; options.asymmetry <= 5; ++options.asymmetry) {
    const Problem problem = make(options);
    for (const Requirement& need : problem.requirements()) {
      const Cell& cell = problem.table().cell(need.cell);
      EXPECT_LE(need.lower, cell.value - cell.prior.lower);
      EXPECT_LE(need.upper, cell.prior.upper - cell.value);
    }
  }
}

TEST(Generate, BoundsAreInPercentOfTheValue) {
  generation::GenerateOptions options;
  const Table eleven = make(options).table();
  for (const Cell& cell : eleven.cells())
    EXPECT_EQ(cell.prior, (Bounds{0, 11 * cell.value}));
  options.above_percent = -1;
  options.below_percent = 50;
  const Table open = make(options).table();
  for (const Cell& cell : open.cells())
    EXPECT_EQ(cell.prior, (Bounds{cell.value / 2, kUnboundedAbove}));
}

TEST(Generate, WeightsAndDecimals) {
  generation::GenerateOptions options;
  options.weight = generation::GenerateWeight::kValue;
  options.decimals = 2;
  const Table table = make(options).table();
  EXPECT_EQ(table.decimals(), 2);
  bool fraction = false;
  for (const Cell& cell : table.cells()) {
    EXPECT_EQ(cell.weight, static_cast<double>(cell.value) / 100);
    fraction = fraction || cell.value % 100 != 0;
  }
  EXPECT_TRUE(fraction);
}

TEST(Generate, SkewSpreadsValuesAroundTheMedian) {
  generation::GenerateOptions options;
  options.sizes = {10'000};
  options.skew = 6;
  options.typical_value = 100'000;
  const Table table = make(options).table();
  std::vector<Units> values;
  for (const Cell& cell : table.cells().subspan(1))
    values.push_back(cell.value);
  std::sort(values.begin(), values.end());
  EXPECT_NEAR(static_cast<double>(values[5'000]), 100'000.0, 10'000.0);
  EXPECT_LE(values.back(), 105'000 << 6);
  EXPECT_GT(values.back(), 100'000 << 4);
  EXPECT_LT(values.front(), 100'000 >> 4);
}

TEST(Generate, AbsentCellsAreInNoEquation) {
  generation::GenerateOptions options;
  options.sizes = {12, 12};
  const Table full = make(options).table();
  options.absent_percent = 40;
  const Table sparse = make(options).table();
  EXPECT_EQ(full.num_cells(), 169);
  EXPECT_NEAR(sparse.num_cells(), 169 - 58, 20);
  std::size_t terms = 0;
  for (std::int32_t e = 0; e < sparse.num_equations(); ++e)
    terms += sparse.equation(EquationId{e}).size();
  // Each leaf cell is in two equations, each marginal in two, the grand total in two.
  EXPECT_EQ(terms, 2 * static_cast<std::size_t>(sparse.num_cells()));
}

TEST(Generate, ZeroCellsArePresentAndNotKnown) {
  generation::GenerateOptions options;
  options.zero_percent = 30;
  options.sizes = {10, 10};
  const Table table = make(options).table();
  const auto cells = table.cells();
  const auto zeros =
      std::count_if(cells.begin(), cells.end(), [](const Cell& c) { return c.value == 0; });
  EXPECT_NEAR(static_cast<double>(zeros), 30.0, 15.0);
  for (const Cell& cell : cells)
    EXPECT_FALSE(cell.prior.is_point());
}

TEST(Generate, TreesHaveOneChildLevelsAndRaggedEnds) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.seed = 3;
  options.depths = {6};
  options.one_child_percent = 20;
  options.ragged_percent = 20;
  const Problem problem = make(options);
  const Dimension& dimension = problem.table().dimensions()[0];
  const auto& relations = dimension.relations();
  EXPECT_TRUE(std::any_of(relations.begin(), relations.end(), [](const Relation& r) {
    return r.children.size() == 1;
  }));
  std::set<std::int32_t> leaf_depths;
  for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
    EXPECT_LE(dimension.depth(code), 6);
    if (dimension.is_leaf(code))
      leaf_depths.insert(dimension.depth(code));
  }
  EXPECT_GT(leaf_depths.size(), 1U);
}

TEST(Generate, FanOutStaysInItsRange) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {3, 2};
  options.fan_least = {2, 5};
  options.fan_most = {3, 6};
  const Table table = make(options).table();
  for (std::size_t d = 0; d < 2; ++d) {
    for (const Relation& relation : table.dimensions()[d].relations()) {
      EXPECT_GE(static_cast<std::int32_t>(relation.children.size()), options.fan_least[d]);
      EXPECT_LE(static_cast<std::int32_t>(relation.children.size()), options.fan_most[d]);
    }
  }
}

TEST(Generate, PublishedShareAndAttackers) {
  generation::GenerateOptions options;
  options.sizes = {20, 20};
  options.published_percent = 25;
  options.attackers = 3;
  options.attacker_share = 60;
  const Problem problem = make(options);
  EXPECT_NEAR(count_status(problem.table(), CellStatus::kMustPublish), 100, 40);
  ASSERT_EQ(problem.attackers().size(), 4U);
  std::set<CellId> own_cells;
  for (std::size_t a = 1; a < 4; ++a) {
    ASSERT_EQ(problem.attackers()[a].known.size(), 1U);
    const Knowledge& known = problem.attackers()[a].known[0];
    own_cells.insert(known.cell);
    EXPECT_EQ(problem.table().cell(known.cell).status, CellStatus::kPrimary);
    EXPECT_EQ(known.bounds.lower, problem.table().value(known.cell) * 60 / 100);
    EXPECT_FALSE(known.bounds.has_upper());
  }
  EXPECT_EQ(own_cells.size(), 3U);
  EXPECT_EQ(problem.requirements().size(),
            4U * static_cast<std::size_t>(count_status(problem.table(), CellStatus::kPrimary)));
}

struct SizeLine {  // r-c-s of the CTA paper and its means over five instances
  std::int32_t rows, columns, percent;
  double cells, sensitive, equations;
};

struct Sizes {  // means over seeds
  double cells = 0, inner = 0, equations = 0;
};

Sizes one_hierarchy_sizes(std::int32_t rows, std::int32_t columns) {
  static std::map<std::pair<std::int32_t, std::int32_t>, Sizes> known;
  const auto [entry, is_new] = known.try_emplace({rows, columns});
  if (!is_new)
    return entry->second;
  constexpr std::int32_t kSeeds = 20;
  std::int64_t cells = 0, inner = 0, equations = 0;
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.rows = rows;
  options.columns = columns;
  options.sensitive_percent = 3;
  for (options.seed = 1; options.seed <= kSeeds; ++options.seed) {
    const Problem problem = make(options);
    const Dimension& tree = problem.table().dimensions()[0];
    EXPECT_EQ(tree.relations().size(), 15U);
    const std::int64_t inner_cells = std::int64_t{tree.num_codes() - 1} * columns;
    EXPECT_EQ(static_cast<std::int64_t>(problem.requirements().size()), inner_cells * 3 / 100);
    cells += problem.table().num_cells();
    inner += inner_cells;
    equations += problem.table().num_equations();
  }
  const auto mean = [&](std::int64_t sum) { return static_cast<double>(sum) / kSeeds; };
  entry->second = {mean(cells), mean(inner), mean(equations)};
  return entry->second;
}

void expect_sizes_near(const std::vector<SizeLine>& lines, double cells, double equations) {
  for (const SizeLine& line : lines) {
    const Sizes mean = one_hierarchy_sizes(line.rows, line.columns);
    EXPECT_NEAR(mean.cells, line.cells, cells * line.cells);
    EXPECT_NEAR(mean.inner * line.percent / 100, line.sensitive, cells * line.sensitive);
    EXPECT_NEAR(mean.equations, line.equations, equations * line.equations);
  }
}

// The equations of every line of the paper say that there are 15 subtables.
TEST(Generate, OneHierarchySizesComeNearTable1) {
  expect_sizes_near({{10, 20, 3, 2877, 81, 452},
                     {10, 20, 5, 3163, 150, 466},
                     {10, 20, 10, 2772, 262, 447},
                     {10, 30, 3, 4569, 131, 612},
                     {10, 30, 5, 4185, 201, 600},
                     {10, 30, 10, 4706, 452, 617},
                     {20, 20, 3, 6607, 188, 630},
                     {20, 20, 5, 6426, 305, 621},
                     {20, 20, 10, 6212, 590, 611},
                     {20, 30, 3, 9145, 264, 760},
                     {20, 30, 5, 8947, 431, 754},
                     {20, 30, 10, 9164, 884, 761}},
                    0.08,
                    0.03);
}

TEST(Generate, OneHierarchySizesComeNearTable2) {
  expect_sizes_near(
      {{10, 20, 3, 2877, 81, 452},   {10, 20, 3, 3163, 89, 466},   {10, 20, 3, 2919, 82, 454},
       {10, 20, 5, 3095, 146, 462},  {10, 20, 5, 2835, 134, 450},  {10, 20, 5, 3188, 151, 467},
       {10, 20, 10, 3230, 306, 469}, {10, 20, 10, 3146, 298, 465}, {10, 20, 10, 3024, 286, 459},
       {10, 30, 3, 4476, 129, 609},  {10, 30, 3, 4383, 126, 606},  {10, 30, 3, 4452, 128, 609},
       {10, 30, 5, 4439, 213, 608},  {10, 30, 5, 4427, 212, 608},  {10, 30, 5, 3999, 192, 594},
       {10, 30, 10, 4334, 416, 605}, {10, 30, 10, 4204, 404, 601}, {10, 30, 10, 4545, 437, 612},
       {20, 20, 3, 5985, 170, 600},  {20, 20, 3, 6556, 186, 627},  {20, 20, 3, 6737, 192, 636},
       {20, 20, 5, 5905, 280, 596},  {20, 20, 5, 6573, 312, 628},  {20, 20, 5, 6409, 304, 620},
       {20, 20, 10, 6082, 577, 605}, {20, 20, 10, 6094, 578, 605}, {20, 20, 10, 6577, 624, 628},
       {20, 30, 3, 8804, 254, 749},  {20, 30, 3, 9219, 266, 762},  {20, 30, 3, 9176, 265, 761},
       {20, 30, 5, 9126, 440, 759},  {20, 30, 5, 8661, 417, 744},  {20, 30, 5, 8996, 434, 755},
       {20, 30, 10, 9170, 884, 761}, {20, 30, 10, 9151, 883, 760}, {20, 30, 10, 9033, 871, 756}},
      0.10,
      0.04);
}

TEST(Generate, OneHierarchyOpensTheAskedNumberOfRows) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.tree_depth = 2;
  options.open_least = 3;
  options.open_most = 3;
  const Table table = make(options).table();
  EXPECT_EQ(table.dimensions()[0].relations().size(), 4U);
  EXPECT_EQ(table.dimensions()[1].relations().size(), 1U);
}

TEST(Generate, LinkedTablesShareCells) {
  for (std::int32_t tables = 2; tables <= 3; ++tables) {
    const Table table = make(linked(tables)).table();
    const auto& dimensions = table.dimensions();
    ASSERT_EQ(dimensions.size(), static_cast<std::size_t>(tables) + 1);
    std::int32_t expected = dimensions[0].num_codes();
    for (std::size_t d = 1; d < dimensions.size(); ++d)
      expected += dimensions[0].num_codes() * (dimensions[d].num_codes() - 1);
    EXPECT_EQ(table.num_cells(), expected);
    // The row total of a leaf row is the sum over the columns of every table.
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const auto codes = table.codes(CellId{c});
      const bool margin =
          std::all_of(codes.begin() + 1, codes.end(), [](auto k) { return k == 0; });
      if (margin && dimensions[0].is_leaf(codes[0])) {
        EXPECT_EQ(table.equations_of(CellId{c}).size(), static_cast<std::size_t>(tables) + 1);
      }
    }
  }
}

TEST(Generate, SecondHierarchyGroupsTheSameLeaves) {
  generation::GenerateOptions options = linked(2);
  options.second_hierarchy = true;
  const Problem problem = make(options);
  const Dimension& shared = problem.table().dimensions()[0];
  const auto& relations = shared.relations();
  EXPECT_EQ(std::count_if(relations.begin(),
                          relations.end(),
                          [&](const Relation& r) { return r.parent == shared.total(); }),
            2);
  EXPECT_GE(shared.find("G1"), 0);
}

TEST(Generate, LinkedTablesMayLackCells) {
  generation::GenerateOptions options = linked(3);
  options.absent_percent = 60;
  options.zero_percent = 30;
  for (options.seed = 1; options.seed <= 50; ++options.seed)
    EXPECT_GT(make(options).table().num_cells(), 0);
}

// Table 5.1 of the thesis.
TEST(Generate, ThesisPresetsHaveThePrintedSizes) {
  struct Line {
    const char* preset;
    std::int32_t cells;
    std::size_t sensitive;
    std::int32_t equations;
  };
  const std::vector<Line> lines{{"1LINKED", 222 + 597 + 359, 2 + 46 + 32, 653},
                                {"1B", 703, 47, 356},
                                {"2C", 401, 61, 203},
                                {"3ALT", 778, 71, 299},
                                {"2LINKED", 402 + 636 + 364, 45 + 96 + 60, 663},
                                {"1ALT", 1428, 124, 925},
                                {"2ALT", 1996, 435, 1184}};
  for (const Line& line : lines) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Problem problem = make(thesis(line.preset, seed));
      EXPECT_EQ(problem.table().num_cells(), line.cells) << line.preset;
      EXPECT_EQ(problem.table().num_equations(), line.equations) << line.preset;
      EXPECT_EQ(problem.requirements().size(), line.sensitive) << line.preset;
    }
  }
}

TEST(Generate, ThesisLinkedTablesHaveTheirOwnNumbers) {
  const Problem problem = make(thesis("1LINKED", 3));
  std::vector<std::int32_t> cells(3), sensitive(3);
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const auto codes = problem.table().codes(CellId{c});
    const std::size_t part = codes[2] != 0 ? 1 : codes[3] != 0 ? 2 : 0;
    ++cells[part];
    sensitive[part] += problem.table().cell(CellId{c}).status == CellStatus::kPrimary ? 1 : 0;
  }
  EXPECT_THAT(cells, ::testing::ElementsAre(222, 597, 359));
  EXPECT_THAT(sensitive, ::testing::ElementsAre(2, 46, 32));
}

TEST(Generate, ThesisCellsHaveContributorsAndLevels) {
  const Problem problem = make(thesis("2C", 1));
  for (const Cell& cell : problem.table().cells()) {
    EXPECT_GT(cell.value, 0);
    EXPECT_GE(cell.frequency, 1);
    EXPECT_EQ(cell.prior, (Bounds{0, 11 * cell.value}));
  }
  generation::GenerateOptions options = thesis("2C", 1);
  options.sliding_only = true;
  const Problem sliding = make(options);
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    const Requirement& need = problem.requirements()[i];
    const Cell& cell = problem.table().cell(need.cell);
    EXPECT_GE(need.upper, 1);
    EXPECT_EQ(need.lower, need.upper);
    EXPECT_LE(need.upper, (cell.value + 9) / 10);
    if (cell.frequency == 1) {
      EXPECT_EQ(need.upper, (cell.value + 9) / 10);
    }
    EXPECT_EQ(sliding.requirements()[i].cell, need.cell);
    EXPECT_EQ(sliding.requirements()[i].sliding, 2 * need.upper);
    EXPECT_EQ(sliding.requirements()[i].upper, 0);
  }
}

TEST(Generate, FixedFanGivesTheWholeProduct) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {3, 1};
  options.fan_least = {10};
  options.fan_most = {10};
  const Table table = make(options).table();
  EXPECT_EQ(table.num_cells(), 1111 * 11);
  EXPECT_EQ(table.num_equations(), 111 * 11 + 1111);
}

TEST(Generate, SmallProblemsAreSmallAndVaried) {
  std::set<std::size_t> attackers, dimensions;
  std::set<std::int32_t> primaries;
  std::set<int> decimals;
  bool unbounded = false, zero = false, sliding = false, published = false, shared = false;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto result = generation::generate_small(seed);
    ASSERT_TRUE(result) << result.error().text();
    const Table& table = result->table();
    EXPECT_GE(table.num_cells(), 4);
    EXPECT_LE(table.num_cells(), 40);
    attackers.insert(result->attackers().size());
    dimensions.insert(table.dimensions().size());
    primaries.insert(count_status(table, CellStatus::kPrimary));
    decimals.insert(table.decimals());
    for (const Cell& cell : table.cells()) {
      unbounded = unbounded || !cell.prior.has_upper();
      zero = zero || cell.value == 0;
      published = published || cell.status == CellStatus::kMustPublish;
    }
    for (const Requirement& need : result->requirements())
      sliding = sliding || need.sliding > 0;
    shared = shared || table.dimensions().size() == 4;
  }
  EXPECT_THAT(attackers, ::testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(dimensions, ::testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(primaries, ::testing::ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(decimals, ::testing::ElementsAre(0, 1, 2));
  EXPECT_TRUE(unbounded && zero && sliding && published && shared);
}

}  // namespace
}  // namespace lacuna::generation
