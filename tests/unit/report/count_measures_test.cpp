// SPDX-License-Identifier: Apache-2.0
// Distances of published counts, by hand and against the measures of cellKey on a table of the
// vectors of tests/data/counts (it prints three decimals, and its noise is true minus published).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "lacuna/report.h"
#include "support/tables.h"
#include "support/test_data.h"

namespace lacuna::report {
namespace {

const std::filesystem::path kVectors = testing::test_data("counts");

TEST(CountMeasures, ByHand) {
  const auto problem =
      testing::problem_of(testing::two_way({{4, 5, 9}, {1, 0, 1}, {5, 5, 10}}), {});
  Draft draft;
  draft.publish_altered(CellId{0}, 6, {4, 8});
  draft.publish_altered(CellId{3}, 0, {0, 2});
  draft.publish_altered(CellId{4}, 3, {0, 3});
  draft.withhold(CellId{8});
  const auto found = count_measures(problem->table(), draft);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->without, 1);
  EXPECT_EQ(found->d1.cells, 8);
  EXPECT_DOUBLE_EQ(found->d1.mean, 6.0 / 8);
  EXPECT_DOUBLE_EQ(found->d1.most, 3);
  EXPECT_DOUBLE_EQ(found->d1.median(), 0);
  EXPECT_DOUBLE_EQ(found->d1.deciles[7], 1.6);  // 0 0 0 0 0 1 2 3 at 5.6
  EXPECT_EQ(found->d2.cells, 7);                // the 0 that became 3 has no relative distance
  EXPECT_DOUBLE_EQ(found->d2.most, 1);
  EXPECT_NEAR(found->d3.most, std::sqrt(3), 1e-12);
  EXPECT_EQ(found->false_zeros, 1);
  EXPECT_EQ(found->false_nonzeros, 1);
  EXPECT_EQ(found->noise,
            (std::vector<std::pair<Units, std::int64_t>>{{-1, 1}, {0, 5}, {2, 1}, {3, 1}}));
  EXPECT_EQ(found->largest_gap, 3);  // 5 + 3 = 5 in the second column
  const double squares = std::pow(2 - std::sqrt(6), 2) + 1 + 3;
  EXPECT_NEAR(found->hellinger_utility, 1 - std::sqrt(squares / 2) / std::sqrt(30), 1e-12);
  EXPECT_TRUE(found->any_changed());
  EXPECT_FALSE(count_measures(problem->table(), Draft{})->any_changed());
}

TEST(CountMeasures, ThereAreNoneOfATableThatIsNotOneOfCounts) {
  const auto with_decimals = testing::problem_of(
      testing::two_way({{1, 2, 3}, {1, 2, 3}, {2, 4, 6}}, {0, kUnboundedAbove}, 1), {});
  EXPECT_FALSE(count_measures(with_decimals->table(), Draft{}));
  const auto negative = testing::problem_of(
      testing::two_way({{-1, 2, 1}, {1, 2, 3}, {0, 4, 4}}, {-9, kUnboundedAbove}), {});
  EXPECT_FALSE(count_measures(negative->table(), Draft{}));
}

// 120 cells without their sums: the measures know of single cells alone.
struct Published {
  std::shared_ptr<const Problem> problem;
  Draft draft;
};

Published counts2() {
  std::ifstream file(kVectors / "counts2" / "expected.csv");
  Published result;
  TableBuilder builder(0);
  std::string text;
  std::getline(file, text);
  while (std::getline(file, text)) {
    std::istringstream line(text);
    std::vector<std::string> fields;
    for (std::string field; std::getline(line, field, ';');)
      fields.push_back(field);
    const Units truth = std::stoll(fields[3]), number = std::stoll(fields[5]);
    const auto cell = builder.add_cell({.value = truth});
    EXPECT_TRUE(cell);
    if (number != truth)
      result.draft.publish_altered(*cell, number, {0, truth + 5});
  }
  result.problem = testing::problem_of(std::move(builder), {});
  return result;
}

TEST(CountMeasures, SameAsThePeer) {
  const Published given = counts2();
  const auto found = count_measures(given.problem->table(), given.draft);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->d1.cells, 120);
  EXPECT_EQ(found->false_zeros, 6);
  EXPECT_EQ(found->false_nonzeros, 0);
  const std::map<Units, std::int64_t> noise{
      {5, 2}, {3, 10}, {2, 9}, {1, 19}, {0, 28}, {-1, 29}, {-2, 11}, {-3, 9}, {-4, 1}, {-5, 2}};
  EXPECT_EQ((std::map<Units, std::int64_t>(found->noise.begin(), found->noise.end())), noise);
  // Deciles 1 to 9, 95, 99 %, mean, max of measures.json ("all").
  const auto near = [](const CountDistances& d, const std::vector<double>& printed) {
    std::vector<double> own(d.deciles.begin(), d.deciles.end());
    own.insert(own.end(), {d.q95, d.q99, d.mean, d.most});
    for (std::size_t k = 0; k < own.size(); ++k)
      EXPECT_NEAR(own[k], printed[k], 0.00051) << k;
  };
  near(found->d1, {0, 0, 1, 1, 1, 1, 2, 2.2, 3, 3, 5, 1.408, 5});
  near(found->d2, {0, 0, 0.013, 0.023, 0.043, 0.069, 0.125, 0.228, 0.4, 1, 2.62, 0.188, 3});
  near(found->d3, {0, 0, 0.062, 0.09, 0.129, 0.172, 0.241, 0.292, 0.588, 1, 1.593, 0.223, 1.732});
  const auto within = [](const CountDistances& d) {
    std::vector<std::int64_t> cells;
    for (const auto& [point, count] : d.within)
      cells.push_back(count);
    return cells;
  };
  EXPECT_EQ(within(found->d1), (std::vector<std::int64_t>{28, 76, 96, 115, 116, 120}));
  EXPECT_EQ(within(found->d2), (std::vector<std::int64_t>{28, 45, 66, 80, 94, 102, 109, 110}));
  EXPECT_EQ(within(found->d3), (std::vector<std::int64_t>{28, 28, 33, 53, 80, 96, 104, 105}));
}

}  // namespace
}  // namespace lacuna::report
