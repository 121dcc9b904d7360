// SPDX-License-Identifier: Apache-2.0
// The cell key method on small tables: candidates, what is certain against the enumeration of all
// whole tables, left variance against the projection by hand, additive tables, refusals.
#include "lacuna/cellkey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <set>

#include "core/base/confidential.h"
#include "core/base/random.h"
#include "core/draft/sums.h"
#include "lacuna/keys.h"
#include "lacuna/linked_tables.h"
#include "protect/cellkey/certain.h"
#include "protect/cellkey/counts.h"
#include "protect/cellkey/left_variance.h"
#include "protect/cellkey/nearest.h"

namespace lacuna::cellkey {
namespace {

// D = 2, js = 1: from 1 to 0, 2, 3; from 2 to 0, 2, 3, 4; then -2 .. 2 without 1.
Ptable small_ptable() {
  PtableParts parts;
  parts.denominator = 100;
  parts.cycle.length = 0;  // counts beyond the last row take it
  const std::vector<std::vector<std::pair<std::int64_t, std::uint64_t>>> rows{
      {{0, 100}},
      {{0, 50}, {2, 95}, {3, 100}},
      {{0, 20}, {2, 80}, {3, 95}, {4, 100}},
      {{2, 40}, {3, 70}, {4, 90}, {5, 100}},
      {{2, 10}, {3, 35}, {4, 65}, {5, 90}, {6, 100}}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PtableRow row{PtableType::kAll, static_cast<std::int64_t>(i), {}};
    std::uint64_t before = 0;
    for (const auto& [target, upper] : rows[i]) {
      row.entries.push_back({target,
                             target - static_cast<std::int64_t>(i),
                             upper,
                             static_cast<double>(upper - before) / 100});
      before = upper;
    }
    parts.rows.push_back(row);
  }
  return Ptable::make(parts).value();
}

Dimension flat(const std::string& name, int parts) {
  std::vector<std::string> codes{"T"};
  Relation all{0, {}};
  for (int i = 1; i <= parts; ++i) {
    codes.push_back(std::to_string(i));
    all.children.push_back(i);
  }
  return Dimension::build(name, codes, {all}).value();
}

Table crossed(const std::vector<Dimension>& dimensions, const std::vector<Units>& leaves) {
  TableBuilder builder(0, dimensions);
  const std::size_t rows = static_cast<std::size_t>(dimensions[0].num_codes());
  const std::size_t columns = static_cast<std::size_t>(dimensions[1].num_codes());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      Units sum = 0;
      for (std::size_t i = 1; i < rows; ++i) {
        for (std::size_t j = 1; j < columns; ++j) {
          if ((r == 0 || r == i) && (c == 0 || c == j))
            sum += leaves[(i - 1) * (columns - 1) + j - 1];
        }
      }
      const std::vector<std::int32_t> codes{static_cast<std::int32_t>(r),
                                            static_cast<std::int32_t>(c)};
      static_cast<void>(builder.add_cell({.value = sum}, codes).value());
    }
  }
  const LinkedTable all{"all", {0, 1}};
  static_cast<void>(add_table_equations(builder, std::span(&all, 1)).value());
  return std::move(builder).build().value();
}

std::shared_ptr<const Problem> with_keys(Table table, base::Random& random) {
  Problem problem = make_problem(std::move(table), {}, {}).value();
  CellKeys keys;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    keys.keys.push_back(static_cast<std::uint64_t>(random.between(0, 99'999'999)));
    keys.records.push_back(problem.table().value(CellId{c}));
  }
  EXPECT_TRUE(problem.set_keys(std::make_shared<const CellKeys>(std::move(keys))));
  return std::make_shared<const Problem>(std::move(problem));
}

CellKeyOptions with(Ptable table) {
  CellKeyOptions options;
  options.ptable = std::make_shared<const Ptable>(std::move(table));
  return options;
}

TEST(CellKey, CandidatesHaveHoles) {
  const Ptable table = small_ptable();
  CountNoise noise(table, 100'000'000);
  using ::testing::Test;
  EXPECT_EQ(noise.candidates(0), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_TRUE(noise.candidates(1).empty());
  EXPECT_EQ(noise.candidates(2), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(noise.candidates(5), (std::vector<std::int64_t>{3, 4, 5, 6, 7}));
  EXPECT_EQ(noise.candidates(40), (std::vector<std::int64_t>{38, 39, 40, 41, 42}));
  // Twenty keys: 0 .. 19 of 100 reach only some entries of the row of 1.
  CountNoise few(table, 2);  // keys 0 and 1: shares 0 and one half
  EXPECT_EQ(few.candidates(3), (std::vector<std::int64_t>{3, 5}));
}

// All whole tables behind a release, leaf by leaf.
std::vector<std::set<Units>> enumerated(const Table& table,
                                        const std::vector<const std::vector<Units>*>& candidates,
                                        std::size_t rows,
                                        std::size_t columns) {
  std::vector<std::set<Units>> shown(static_cast<std::size_t>(table.num_cells()));
  std::vector<Units> leaves(rows * columns);
  const auto fits = [&](std::vector<Units>& cells) {
    for (std::size_t r = 0; r <= rows; ++r) {
      for (std::size_t c = 0; c <= columns; ++c) {
        Units sum = 0;
        for (std::size_t i = 1; i <= rows; ++i) {
          for (std::size_t j = 1; j <= columns; ++j)
            sum += (r == 0 || r == i) && (c == 0 || c == j) ? leaves[(i - 1) * columns + j - 1] : 0;
        }
        const auto& set = *candidates[r * (columns + 1) + c];
        if (!std::binary_search(set.begin(), set.end(), sum))
          return false;
        cells.push_back(sum);
      }
    }
    return true;
  };
  const auto go = [&](auto&& self, std::size_t k) -> void {
    if (k == leaves.size()) {
      std::vector<Units> cells;
      if (fits(cells)) {
        for (std::size_t c = 0; c < cells.size(); ++c)
          shown[c].insert(cells[c]);
      }
      return;
    }
    for (const Units number : *candidates[(k / columns + 1) * (columns + 1) + k % columns + 1]) {
      leaves[k] = number;
      self(self, k + 1);
    }
  };
  go(go, 0);
  return shown;
}

TEST(CellKey, WhatIsCertainAgainstAllTables) {
  base::Random random(23);
  const Ptable table = small_ptable();
  std::int64_t narrowed = 0;
  std::int64_t determined = 0;
  for (int round = 0; round < 300; ++round) {
    const auto rows = static_cast<int>(random.between(1, 3));
    const auto columns = static_cast<int>(random.between(1, rows == 3 ? 2 : rows == 2 ? 3 : 4));
    std::vector<Units> leaves;
    for (int i = 0; i < rows * columns; ++i)
      leaves.push_back(random.between(0, 6));
    const auto problem = with_keys(crossed({flat("A", rows), flat("B", columns)}, leaves), random);
    const Table& cells = problem->table();
    const auto found = publish_by_cell_key(problem, with(table), {});
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_TRUE(check_draft(cells, found->draft));
    CountNoise noise(table, problem->keys()->modulus);
    std::vector<const std::vector<Units>*> candidates;
    for (std::int32_t c = 0; c < cells.num_cells(); ++c)
      candidates.push_back(&noise.candidates(found->draft.find(CellId{c})->number().value()));
    const auto expected = enumerated(
        cells, candidates, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    // The sets themselves, with their holes.
    std::vector<CellChoice> choices;
    std::vector<Units> truth;
    for (std::int32_t c = 0; c < cells.num_cells(); ++c) {
      const auto* set = candidates[static_cast<std::size_t>(c)];
      choices.push_back({*set, {set->front(), set->back()}});
      truth.push_back(cells.value(CellId{c}));
    }
    Propagation propagation(cells, choices);
    ASSERT_TRUE(propagation.run());
    bool complete = false;
    const auto possible = propagation.possible(truth, 100'000'000, complete);
    ASSERT_TRUE(complete);
    ASSERT_TRUE(found->certain.complete);
    for (std::size_t c = 0; c < expected.size(); ++c) {
      ASSERT_EQ(possible[c], std::vector<Units>(expected[c].begin(), expected[c].end()))
          << "round " << round << ", cell " << c;
      EXPECT_EQ(found->certain.ranges[c], (Bounds{*expected[c].begin(), *expected[c].rbegin()}));
      EXPECT_EQ(propagation.range(CellId{static_cast<std::int32_t>(c)}).contains(truth[c]), true);
      narrowed += expected[c].size() < candidates[c]->size() ? 1 : 0;
      determined += expected[c].size() == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(narrowed, 100);  // the test sees something
  EXPECT_GT(determined, 0);
}

TEST(CellKey, SameUnitsSameNumber) {
  base::Random random(5);
  const auto problem = with_keys(crossed({flat("A", 1), flat("B", 4)}, {3, 1, 0, 7}), random);
  Problem twin = *problem;  // the only row of A is the total: the same units
  CellKeys keys = *problem->keys();
  for (std::size_t c = 0; c < 5; ++c)
    keys.keys[5 + c] = keys.keys[c];
  EXPECT_TRUE(twin.set_keys(std::make_shared<const CellKeys>(keys)));
  const auto found = publish_by_cell_key(
      std::make_shared<const Problem>(std::move(twin)), with(small_ptable()), {});
  ASSERT_TRUE(found);
  for (std::int32_t c = 0; c < 5; ++c)
    EXPECT_EQ(found->draft.find(CellId{c})->number(), found->draft.find(CellId{c + 5})->number());
}

TEST(CellKey, LeftVarianceOfFlatTables) {
  const Table table = crossed({flat("A", 3), flat("B", 4)}, std::vector<Units>(12, 1));
  const std::vector<double> shares = kernel_shares(table, 1000);
  ASSERT_EQ(shares.size(), 20U);
  EXPECT_DOUBLE_EQ(shares[7], 3.0 / 4 * 4 / 5);
  // The same by the leaf form: a tree that is flat but for a code with one child.
  const Dimension tree =
      Dimension::build("A", {"T", "1", "2", "3", "1a"}, {{0, {1, 2, 3}}, {1, {4}}}).value();
  TableBuilder builder(0, {tree});
  const std::vector<Units> values{6, 1, 2, 3, 1};
  for (std::int32_t c = 0; c < 5; ++c)
    static_cast<void>(
        builder.add_cell({.value = values[static_cast<std::size_t>(c)]}, std::span(&c, 1)).value());
  const LinkedTable all{"all", {0}};
  static_cast<void>(add_table_equations(builder, std::span(&all, 1)).value());
  const Table nested = std::move(builder).build().value();
  const std::vector<double> own = kernel_shares(nested, 1000);
  ASSERT_EQ(own.size(), 5U);
  double trace = 0;
  for (const double share : own)
    trace += share;
  EXPECT_NEAR(trace, 3, 1e-12);  // leaves
  EXPECT_NEAR(own[1], own[4], 1e-12);
  // X'X = [[3,1,1],[1,2,1],[1,1,2]] in leaves (1, 2, 3); its inverse has 3/7 and 5/7.
  EXPECT_NEAR(own[1], 3.0 / 7, 1e-12);
  EXPECT_NEAR(own[2], 5.0 / 7, 1e-12);
  EXPECT_TRUE(kernel_shares(nested, 2).empty());
  const LeftVariance left = left_variance(table, 1.05);
  EXPECT_NEAR(left.mean, 0.6, 1e-12);
  EXPECT_NEAR(left.right_before, 0.374, 1e-3);  // 2 Phi(0.488) - 1
  EXPECT_GT(left.right_after, left.right_before);
}

TEST(CellKey, NearestTablesAddUp) {
  base::Random random(11);
  for (int round = 0; round < 100; ++round) {
    std::vector<Units> leaves;
    for (int i = 0; i < 12; ++i)
      leaves.push_back(random.between(0, 8));
    const auto problem = with_keys(crossed({flat("A", 3), flat("B", 4)}, leaves), random);
    CellKeyOptions options = with(small_ptable());
    const auto rough = publish_by_cell_key(problem, options, {});
    options.additive = Additive::kNearest;
    const auto found = publish_by_cell_key(problem, options, {});
    ASSERT_TRUE(rough && found);
    EXPECT_TRUE(draft::check_sums(problem->table(), found->draft));
    std::vector<Units> shown;
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
      const CellEntry entry = *found->draft.find(CellId{c});
      EXPECT_GE(*entry.number(), 0);
      EXPECT_EQ(entry.bounds(), rough->draft.find(CellId{c})->bounds());
      shown.push_back(*rough->draft.find(CellId{c})->number());
    }
    const auto nearest = nearest_table({problem->table(), shown}, {});
    ASSERT_TRUE(nearest);
    EXPECT_TRUE(nearest->optimal());
    EXPECT_TRUE(found->additive.optimal);
    EXPECT_EQ(found->additive.distance, nearest->distance);
    double truth = 0;  // one table that adds up
    for (std::size_t c = 0; c < shown.size(); ++c) {
      const auto off = static_cast<double>(
          shown[c] - problem->table().value(CellId{static_cast<std::int32_t>(c)}));
      truth += off * off;
    }
    EXPECT_LE(nearest->distance, truth);
  }
}

// The smallest sum of squares over all whole tables of 2 x 2 leaves up to 12.
double nearest_by_enumeration(const std::vector<Units>& shown) {
  double best = 1e9;
  constexpr Units kMost = 12;
  std::array<Units, 4> u{};
  for (u[0] = 0; u[0] <= kMost; ++u[0]) {
    for (u[1] = 0; u[1] <= kMost; ++u[1]) {
      for (u[2] = 0; u[2] <= kMost; ++u[2]) {
        for (u[3] = 0; u[3] <= kMost; ++u[3]) {
          const std::array<Units, 9> cells{u[0] + u[1] + u[2] + u[3],
                                           u[0] + u[2],
                                           u[1] + u[3],
                                           u[0] + u[1],
                                           u[0],
                                           u[1],
                                           u[2] + u[3],
                                           u[2],
                                           u[3]};
          double sum = 0;
          for (std::size_t c = 0; c < cells.size(); ++c)
            sum += static_cast<double>((cells[c] - shown[c]) * (cells[c] - shown[c]));
          best = std::min(best, sum);
        }
      }
    }
  }
  return best;
}

TEST(CellKey, NearestTablesAreNearest) {
  base::Random random(7);
  const Table table = crossed({flat("A", 2), flat("B", 2)}, {1, 1, 1, 1});
  for (int round = 0; round < 60; ++round) {
    std::vector<Units> shown;
    for (std::int32_t c = 0; c < table.num_cells(); ++c)
      shown.push_back(random.between(0, c == 0 ? 20 : 9));
    const auto nearest = nearest_table({table, shown}, {});
    ASSERT_TRUE(nearest);
    EXPECT_TRUE(nearest->optimal());
    EXPECT_EQ(nearest->distance, nearest_by_enumeration(shown)) << "round " << round;
  }
  // A cell that keeps its number.
  std::vector<Units> shown{7, 4, 4, 4, 2, 2, 4, 2, 2};
  std::vector<bool> keeps(9, false);
  keeps[0] = true;
  const auto nearest = nearest_table({table, shown, keeps}, {});
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->numbers[0], 7);
  EXPECT_TRUE(nearest->optimal());
  // A run that is stopped has what the start found, and a bound.
  RunContext stopped;
  stopped.deadline = std::chrono::steady_clock::time_point::min();
  const auto start =
      nearest_table({table, std::vector<Units>{20, 4, 4, 4, 2, 2, 4, 2, 2}}, stopped);
  ASSERT_TRUE(start);
  EXPECT_LE(start->bound, start->distance);
}

// Ranges of weighted counts: all records and weights that give the same published number.
TEST(CellKey, RangesOfWeightedCounts) {
  const Ptable table = small_ptable();
  CountNoise noise(table, 100'000'000);
  for (const Units shown : {1, 2, 3, 7, 10, 41}) {
    Bounds expected{kMaxUnits, -kMaxUnits};
    for (std::int64_t n = 1; n <= 30; ++n) {
      for (std::int64_t w = 1; w <= n + 2; ++w) {
        const auto& left = noise.candidates(w);
        if (!std::binary_search(left.begin(), left.end(), n))
          continue;
        for (Units weighted = 1; weighted <= 5 * shown + 5; ++weighted) {
          const Units twice = 2 * weighted * w;  // over 2 n
          if (twice >= (2 * shown - 1) * n && twice <= (2 * shown + 1) * n)
            expected = {std::min(expected.lower, weighted), std::max(expected.upper, weighted)};
        }
      }
    }
    EXPECT_EQ(noise.weighted_range(shown).lower, expected.lower) << shown;
    EXPECT_EQ(noise.weighted_range(shown).upper, expected.upper) << shown;
    const Bounds mirrored = noise.weighted_range(-shown);
    EXPECT_EQ(mirrored, (Bounds{-expected.upper, -expected.lower}));
  }
}

// Ranges of magnitudes: whatever the contributions and the key, the truth is within.
TEST(CellKey, RangesOfMagnitudes) {
  base::Random random(3);
  int narrow = 0;
  for (int round = 0; round < 400; ++round) {
    TableBuilder builder(0);
    CellKeys keys;
    for (int c = 0; c < 3; ++c) {
      std::vector<Units> parts;
      Units sum = 0;
      for (std::int64_t k = random.between(1, 4); k > 0; --k) {
        parts.push_back(random.between(1, random.chance(1, 2) ? 100 : 100'000));
        sum += parts.back();
      }
      std::sort(parts.rbegin(), parts.rend());
      keys.records.push_back(static_cast<std::int64_t>(parts.size()));
      parts.resize(std::min<std::size_t>(parts.size(), 2));
      keys.largest.push_back(parts);
      keys.keys.push_back(static_cast<std::uint64_t>(random.between(0, 99'999'999)));
      keys.spread.push_back(0);
      static_cast<void>(builder.add_cell({.value = sum}).value());
    }
    Problem problem = make_problem(std::move(builder).build().value(), {}, {}).value();
    EXPECT_TRUE(problem.set_keys(std::make_shared<const CellKeys>(std::move(keys))));
    CellKeyOptions options = with(small_ptable());
    options.top = {1, 0.5};
    options.flex.small = random.chance(1, 2) ? 0.2 : 0.05;
    const auto found = publish_by_cell_key(std::make_shared<const Problem>(problem), options, {});
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_TRUE(check_draft(problem.table(), found->draft));
    for (const CellEntry& entry : found->draft.entries()) {
      const Units truth = problem.table().value(entry.cell);
      EXPECT_TRUE(entry.bounds().contains(truth));
      // An end at the truth itself, round after round, would be a range that follows it.
      narrow += entry.bounds().lower == truth || entry.bounds().upper == truth ? 1 : 0;
    }
  }
  EXPECT_LT(narrow, 20);
}

TEST(CellKey, FlexFunction) {
  const FlexFunction flex;
  EXPECT_DOUBLE_EQ(flex.at(999), 0.2);
  EXPECT_DOUBLE_EQ(flex.at(1000), 0.2);
  EXPECT_NEAR(flex.at(1e9), 0.03, 1e-6);
  double most = 0;
  for (double z = 0; z < 100'000; z += 10)
    most = std::max(most, flex.at(z));
  EXPECT_GE(flex.most() + 1e-12, most);
  EXPECT_NEAR(flex.most(), most, 1e-4);
  FlexFunction plain;
  plain.point = 0;
  EXPECT_EQ(plain.at(1e9), 0.2);
  EXPECT_EQ(plain.most(), 0.2);
}

// One cell of 100 made of 60, 30, 10 with key 0.42000000, rotated 0.20000004. Rows 1 and 5, noise
// below and above a half of the keys.
PtableRow magnitude_row(PtableType type, std::int64_t count, std::int64_t low, std::int64_t high) {
  return {type, count, {{count + low, low, 50, 0.5}, {count + high, high, 100, 0.5}}};
}

Ptable magnitude_ptable(const std::vector<PtableRow>& rows) {
  PtableParts parts;
  parts.denominator = 100;
  parts.has_types = true;
  parts.rows = rows;
  return Ptable::make(parts).value();
}

std::shared_ptr<const Problem> one_magnitude(std::uint64_t key, std::vector<double> weights = {}) {
  TableBuilder builder(3, {});
  static_cast<void>(builder.add_cell({.value = 100'000}, {}).value());
  Problem problem = make_problem(std::move(builder).build().value(), {}, {}).value();
  CellKeys keys;
  keys.keys = {key};
  keys.records = {3};
  keys.largest = {{60'000, 30'000, 10'000}};
  keys.spread = {50'000};
  keys.weights = std::move(weights);
  EXPECT_TRUE(problem.set_keys(std::make_shared<const CellKeys>(std::move(keys))));
  return std::make_shared<const Problem>(std::move(problem));
}

double shown_of(const std::shared_ptr<const Problem>& problem, const CellKeyOptions& options) {
  const auto found = publish_by_cell_key(problem, options, {});
  EXPECT_TRUE(found) << found.error().text();
  if (!found)
    return 0;
  EXPECT_TRUE(check_draft(problem->table(), found->draft));
  return static_cast<double>(*found->draft.find(CellId{0})->number()) / 1000;
}

TEST(CellKey, WhatTheNoiseOfAMagnitudeIsMeasuredBy) {
  using enum PtableType;
  CellKeyOptions options = with(magnitude_ptable({magnitude_row(kAll, 0, 0, 0),
                                                  magnitude_row(kAll, 1, -1, 1),
                                                  magnitude_row(kAll, 5, -2, 3)}));
  options.flex = {0.1, 0.1, 0, 1};  // a tenth of whatever it is
  const auto problem = one_magnitude(42'000'000);
  // delta = 6, row 100/6 > 5: -2 times 6.
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 88);
  options.noise_base = NoiseBase::kMean;  // 100/3: delta = 10/3
  EXPECT_NEAR(shown_of(problem, options), 100 - 2 * 10.0 / 3, 5e-4);
  // Of units: the weights of the records add up to 8.
  EXPECT_DOUBLE_EQ(shown_of(one_magnitude(42'000'000, {8}), options), 100 - 2 * 1.25);
  options.noise_base = NoiseBase::kRange;  // 60 - 10: delta = 5
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 90);
  options.noise_base = NoiseBase::kValue;  // delta = 10, row 10 > 5
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 80);
  options.flex = {0.5, 0.5, 0, 1};  // delta = 50, row 2: three quarters of row 1, one of row 5
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 100 - 50 * (0.75 + 0.25 * 2));
  // The key as it is, 0.42, chooses the same; 0.06 becomes 0.60 only if it is rotated.
  const auto other = one_magnitude(6'000'000);
  EXPECT_DOUBLE_EQ(shown_of(other, options), 100 + 50 * (0.75 + 0.25 * 3));
  options.same_key = true;
  EXPECT_DOUBLE_EQ(shown_of(other, options), 100 - 50 * (0.75 + 0.25 * 2));
  options.top = {1, 0.5};
  EXPECT_EQ(publish_by_cell_key(problem, options, {}).error().text(),
            "--top: only the largest contributions have several factors");
}

TEST(CellKey, RowsByTheParityOfTheRecords) {
  using enum PtableType;
  CellKeyOptions options = with(magnitude_ptable({magnitude_row(kEven, 0, 0, 0),
                                                  magnitude_row(kEven, 5, -1, 1),
                                                  magnitude_row(kOdd, 0, 0, 0),
                                                  magnitude_row(kOdd, 5, -3, 4)}));
  options.flex = {0.1, 0.1, 0, 1};
  const auto odd = one_magnitude(42'000'000);
  EXPECT_EQ(
      publish_by_cell_key(odd, options, {}).error().text(),
      "--ptable: the perturbation table has no rows of type all; even and odd are for parity");
  options.parity = true;
  EXPECT_DOUBLE_EQ(shown_of(odd, options), 100 - 3 * 6);
  Problem changed = *odd;
  CellKeys keys = *odd->keys();
  keys.records = {4};
  EXPECT_TRUE(changed.set_keys(std::make_shared<const CellKeys>(keys)));
  EXPECT_DOUBLE_EQ(shown_of(std::make_shared<const Problem>(changed), options), 100 - 6);
  options.ptable = std::make_shared<const Ptable>(small_ptable());
  EXPECT_EQ(publish_by_cell_key(odd, options, {}).error().text(),
            "--ptable: parity needs a perturbation table with rows of type even and odd");
}

TEST(CellKey, SmallContributionsHaveATableOfTheirOwn) {
  using enum PtableType;
  CellKeyOptions options = with(magnitude_ptable({magnitude_row(kAll, 0, 0, 0),
                                                  magnitude_row(kAll, 1, -1, 1),
                                                  magnitude_row(kAll, 5, -2, 3)}));
  // z_s = sqrt((4 + 4) / 2) / 0.1 = 20 with one factor.
  options.small_ptable = std::make_shared<const Ptable>(
      magnitude_ptable({magnitude_row(kAll, 0, 0, 0), magnitude_row(kAll, 2, -2, 2)}));
  options.flex = {0.1, 0.1, 0, 1};
  const auto problem = one_magnitude(42'000'000);
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 88);  // 60 is large
  options.flex = {0.02, 0.02, 0, 1};                 // z_s = 100: delta = 1, row 100 > 2, v = -2
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 98);
  // mu is for large contributions of sensitive cells alone.
  options.mu = 5;
  EXPECT_DOUBLE_EQ(shown_of(problem, options), 98);
}

TEST(CellKey, Refusals) {
  base::Random random(1);
  const auto problem = with_keys(crossed({flat("A", 1), flat("B", 1)}, {3}), random);
  EXPECT_EQ(base::in_full(publish_by_cell_key(problem, {}, {}).error().text()),
            "--ptable: the cell key method needs a perturbation table: --ptable FILE");
  Problem bare = *problem;
  bare.drop_keys();
  const auto without_keys =
      publish_by_cell_key(std::make_shared<const Problem>(bare), with(small_ptable()), {});
  EXPECT_EQ(base::in_full(without_keys.error().message),
            "the table has no keys: key = \"<column>\" in [columns] of the job, or [keys] with "
            "from and secret");
  CellKeyOptions options = with(small_ptable());
  options.top = {0.5};
  EXPECT_EQ(publish_by_cell_key(problem, options, {}).error().where, "--top");
}

}  // namespace
}  // namespace lacuna::cellkey
