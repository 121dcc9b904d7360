// SPDX-License-Identifier: Apache-2.0
#include "lacuna/ptable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/base/random.h"

namespace lacuna::ptable {
namespace {

// Row 0: nothing; row 1: -1 below 1/3 (rounded down), 0 up to 2/3, +1 from there on.
PtableParts thirds() {
  PtableParts parts;
  parts.denominator = 100'000'000;
  parts.cycle.length = 0;
  parts.rows = {
      {PtableType::kAll, 0, {{0, 0, 100'000'000, 1}}},
      {PtableType::kAll,
       1,
       {{0, -1, 33'333'333, 1. / 3}, {1, 0, 66'666'667, 1. / 3}, {2, 1, 99'999'999, 1. / 3}}}};
  return parts;
}

std::string error_of(const PtableParts& parts) {
  const Result<Ptable> table = Ptable::make(parts);
  return table ? "" : table.error().text();
}

TEST(Ptable, ComparesExactly) {
  const Ptable table = Ptable::make(thirds()).value();
  constexpr std::uint64_t kKeys = 100'000'000;
  EXPECT_EQ(table.noise(1, 33'333'332, kKeys), -1);
  EXPECT_EQ(table.noise(1, 33'333'333, kKeys), 0);  // k/m < p_ub is strict
  EXPECT_EQ(table.noise(1, 66'666'666, kKeys), 0);
  EXPECT_EQ(table.noise(1, 66'666'667, kKeys), 1);
  // A third of 3 keys is above .33333333, so that key 1 of 3 is beyond the first range.
  EXPECT_EQ(table.noise(1, 0, 3), -1);
  EXPECT_EQ(table.noise(1, 1, 3), 0);
  EXPECT_EQ(table.noise(1, 2, 3), 0);  // 2/3 < .66666667
  // Products of 36 digits.
  constexpr std::uint64_t kMany = 1'000'000'000'000'000'000;
  EXPECT_EQ(table.noise(1, 333'333'329'999'999'999, kMany), -1);
  EXPECT_EQ(table.noise(1, 333'333'330'000'000'000, kMany), 0);
}

TEST(Ptable, LastEndBelowOneCountsAsOne) {
  const Ptable table = Ptable::make(thirds()).value();
  EXPECT_EQ(table.noise(1, 99'999'999, 100'000'000), 1);  // cellKey would fall back to -1
  EXPECT_EQ(table.length_of(table.rows()[1], 2), 33'333'333U);
}

TEST(Ptable, LargeCountsTakeTheLastRowOrGoRound) {
  PtableParts parts = thirds();
  EXPECT_EQ(Ptable::make(parts)->row_of(1'000'000).count, 1);
  for (std::int64_t i = 2; i <= 7; ++i)
    parts.rows.push_back({PtableType::kAll, i, {{i, 0, parts.denominator, 1}}});
  parts.cycle = {7, 5, 3, -1};
  const Ptable table = Ptable::make(parts).value();
  EXPECT_EQ(table.row_of(7).count, 7);
  EXPECT_EQ(table.row_of(8).count, 5 + 7 % 3);
  EXPECT_EQ(table.row_of(9).count, 5 + 8 % 3);
  parts.cycle.first = 6;
  EXPECT_EQ(error_of(parts), "cycle: the rows of large counts are not in the table");
}

TEST(Ptable, FoldsTheBytesOfAKey) {
  PtableParts parts = thirds();
  parts.key_use = KeyUse::kFolded;
  EXPECT_EQ(error_of(parts), "keys whose bytes are folded have 32 bits");
  parts.own_modulus = std::uint64_t{1} << 32U;
  const Ptable table = Ptable::make(parts).value();
  EXPECT_EQ(table.noise(1, 0x01010101, parts.own_modulus), -1);  // 0
  EXPECT_EQ(table.noise(1, 0xFF000000, parts.own_modulus), 1);   // 255
  EXPECT_EQ(table.noise(1, 0x80F00000, parts.own_modulus), 0);   // 0x70 of 256
}

TEST(Ptable, RefusesWhatIsNoTable) {
  PtableParts parts = thirds();
  parts.rows[1].entries[1].noise = 1;
  EXPECT_EQ(error_of(parts), "i = 1: v is not j - i");
  parts = thirds();
  parts.rows[1].entries[1].upper = 0;
  EXPECT_EQ(error_of(parts),
            "i = 1: p_ub falls; the entries of a row must be in the order of p_ub");
  parts = thirds();
  parts.rows[1].entries[2].upper = 100'000'001;
  EXPECT_EQ(error_of(parts), "i = 1: p_ub is above 1");
  parts = thirds();
  parts.rows.push_back(parts.rows[1]);
  EXPECT_EQ(error_of(parts), "i = 1: the row occurs twice");
  parts = thirds();
  parts.rows[0].entries.clear();
  EXPECT_EQ(error_of(parts), "i = 0: the row has no entries");
  parts.rows.clear();
  EXPECT_EQ(error_of(parts), "the perturbation table has no rows");
}

TEST(Ptable, CountsNeedRowsWithoutGaps) {
  PtableParts parts = thirds();
  EXPECT_TRUE(Ptable::make(parts)->check_counts());
  parts.rows.push_back({PtableType::kAll, 3, {{3, 0, parts.denominator, 1}}});
  EXPECT_EQ(Ptable::make(parts)->check_counts().error().text(),
            "i = 3: the row of i = 2 is missing; counts need a row for each of 0, 1, 2, ...");
  parts = thirds();
  parts.rows[0].type = parts.rows[1].type = PtableType::kEven;
  EXPECT_FALSE(Ptable::make(parts)->check_counts());
  parts = thirds();
  parts.decimals = 1;
  parts.rows[1].entries = {{5, -5, 50'000'000, .5}, {15, 5, 100'000'000, .5}};
  EXPECT_FALSE(Ptable::make(parts)->check_counts());
}

TEST(Ptable, KnowsWhichEntriesAKeyCanReach) {
  PtableParts parts = thirds();
  parts.rows[1].entries = {
      {0, -1, 49'000'000, .49}, {1, 0, 51'000'000, .02}, {2, 1, 100'000'000, .49}};
  const Ptable table = Ptable::make(parts).value();
  const PtableRow& row = table.rows()[1];
  EXPECT_TRUE(table.is_reached(row, 1, 100));
  EXPECT_TRUE(table.is_reached(row, 1, 2));   // 1/2
  EXPECT_FALSE(table.is_reached(row, 1, 3));  // 1/3, 2/3
  EXPECT_TRUE(table.is_reached(row, 2, 3));
}

// Every entry gets the share of keys that its range says, within five standard deviations.
TEST(Ptable, NoiseHasTheFrequenciesOfTheTable) {
  const Ptable table = Ptable::make(thirds()).value();
  constexpr int kDraws = 1'000'000;
  constexpr std::int64_t kKeys = 100'000'000;
  base::Random random(7);
  std::map<std::int64_t, int> seen;
  for (int draw = 0; draw < kDraws; ++draw)
    ++seen[table.noise(1, static_cast<std::uint64_t>(random.between(0, kKeys - 1)), kKeys)];
  for (std::size_t e = 0; e < 3; ++e) {
    const double p = static_cast<double>(table.length_of(table.rows()[1], e)) / kKeys;
    const int found = seen[table.rows()[1].entries[e].noise];
    EXPECT_NEAR(found, p * kDraws, 5 * std::sqrt(kDraws * p * (1 - p)));
  }
}

TEST(PtableFacts, SaysWhatIsFound) {
  const PtableFacts facts = ptable_facts(Ptable::make(thirds()).value());
  ASSERT_EQ(facts.rows.size(), 2U);
  EXPECT_EQ(facts.largest_noise, 1);
  EXPECT_EQ(facts.hidden_to, 0);
  EXPECT_TRUE(facts.for_counts);
  EXPECT_FALSE(facts.changes_zero);
  EXPECT_FALSE(facts.is_split);
  EXPECT_TRUE(facts.faults.empty());
  EXPECT_EQ(facts.rows[1].mean, 0);
  EXPECT_DOUBLE_EQ(facts.rows[1].variance, .66666666);
  EXPECT_DOUBLE_EQ(facts.rows[1].stay, .33333334);
}

TEST(PtableFacts, FindsFaults) {
  PtableParts parts = thirds();
  parts.rows[0].entries = {{0, 0, 90'000'000, .9}, {2, 2, 100'000'000, .1}};
  parts.rows[1].entries = {
      {0, -1, 20'000'000, .2}, {3, 2, 60'000'000, .5}, {0, -1, 90'000'000, .3}};
  const PtableFacts facts = ptable_facts(Ptable::make(parts).value());
  const std::vector<std::string> faults{"row 0: the noise has mean 0.2, not 0",
                                        "row 1: p differs from the range of keys by up to 0.1",
                                        "row 1: the noise has mean 0.2, not 0",
                                        "row 1: the last p_ub is below 1; it counts as 1"};
  EXPECT_EQ(facts.faults, faults);
  EXPECT_TRUE(facts.changes_zero);
  EXPECT_TRUE(facts.is_split);
  EXPECT_EQ(facts.remarks.size(), 2U);
  EXPECT_EQ(facts.hidden_to, 2);
  parts.rows[1].entries.back().probability = .1;
  EXPECT_EQ(ptable_facts(Ptable::make(parts).value()).faults[1],
            "row 1: the sum of the probabilities differs from 1 by 0.2");
}

}  // namespace
}  // namespace lacuna::ptable
