// SPDX-License-Identifier: Apache-2.0
#include "lacuna/make_ptable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "core/base/confidential.h"
#include "core/base/random.h"
#include "data/ptable_files/ptable_file.h"
#include "support/test_data.h"

namespace lacuna::ptable {
namespace {

const std::filesystem::path kVectors = testing::test_data("counts/ptables");

PtableOptions options_of(std::int32_t max_noise, double variance, std::int32_t js = 0) {
  PtableOptions options;
  options.max_noise = max_noise;
  options.variance = variance;
  options.js = js;
  return options;
}

std::string error_of(const PtableOptions& options) {
  const Result<PtableResult> made = make_ptable(options);
  return made ? "" : base::in_full(made.error().text());
}

struct Vector {
  std::string name;
  PtableOptions options;
};

std::vector<Vector> vectors() {
  std::vector<Vector> all{{"cnt_D2_V1.05_js1", options_of(2, 1.05, 1)},
                          {"cnt_D5_V3_js2", options_of(5, 3, 2)},
                          {"cnt_D5_V3_js2_stay0.5", options_of(5, 3, 2)},
                          {"cnt_D2_V1", options_of(2, 1)},
                          {"cnt_D3_V1", options_of(3, 1)},
                          {"num_D10_V3_step2", options_of(10, 3)},
                          {"num_small_D5_V1_step5", options_of(5, 1)}};
  all[0].options.free_rows = {3};
  all[2].options.stay = .5;
  all[5].options.step = 2;
  all[5].options.rows = {1, 5, 10};
  all[6].options.step = 5;
  all[6].options.rows = {1, 3, 5};
  all[5].options.equal_rows = all[6].options.equal_rows = {1};
  return all;
}

// Seven tables of ptable 1.0.0 (nloptr): p to 2e-7; mean and variance of ours to 1e-12.
TEST(MakePtable, AgreesWithTheReference) {
  for (const auto& [name, options] : vectors()) {
    SCOPED_TRACE(name);
    const Result<PtableResult> made = make_ptable(options);
    ASSERT_TRUE(made) << made.error().text();
    const Result<Ptable> wanted =
        ptable_files::read_ptable_file((kVectors / (name + ".csv")).string());
    ASSERT_TRUE(wanted) << wanted.error().text();
    ASSERT_EQ(made->table.rows().size(), wanted->rows().size());
    EXPECT_EQ(made->table.decimals(), wanted->decimals());
    for (std::size_t r = 1; r < wanted->rows().size(); ++r) {
      const PtableRow& row = wanted->rows()[r];
      const PtableRowResult& ours = made->rows[r - 1];
      ASSERT_EQ(made->table.rows()[r].count, row.count);
      ASSERT_EQ(ours.probabilities.size(), row.entries.size());
      for (std::size_t e = 0; e < row.entries.size(); ++e) {
        EXPECT_EQ(made->table.rows()[r].entries[e].target, row.entries[e].target);
        EXPECT_NEAR(ours.probabilities[e], row.entries[e].probability, 2e-7);
      }
      EXPECT_NEAR(ours.mean, 0, 1e-12);
      if (name != "cnt_D2_V1" || ours.count != 1) {
        EXPECT_NEAR(ours.variance, options.variance, 1e-12);
      }
    }
  }
}

TEST(MakePtable, AgreesWithTheSplitReference) {
  PtableOptions options = options_of(2, .9);
  options.split = .2;
  const Result<PtableResult> made = make_ptable(options);
  ASSERT_TRUE(made) << made.error().text();
  const Result<Ptable> wanted =
      ptable_files::read_ptable_file((kVectors / "cnt_D2_V0.9_split0.2.csv").string());
  ASSERT_TRUE(wanted) << wanted.error().text();
  ASSERT_EQ(made->table.rows().size(), wanted->rows().size());
  const auto sorted = [](const PtableRow& row) {
    std::vector<std::pair<std::int64_t, double>> pieces;
    for (const PtableEntry& entry : row.entries)
      pieces.emplace_back(entry.target, entry.probability);
    std::sort(pieces.begin(), pieces.end());
    return pieces;
  };
  for (std::size_t r = 0; r < wanted->rows().size(); ++r) {
    const auto ours = sorted(made->table.rows()[r]);
    const auto theirs = sorted(wanted->rows()[r]);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t k = 0; k < ours.size(); ++k) {
      EXPECT_EQ(ours[k].first, theirs[k].first);
      EXPECT_NEAR(ours[k].second, theirs[k].second, 2e-7);
    }
  }
}

// Two targets besides the count and one variance leave nothing to choose: p(-1) = p(1) = V/2.
TEST(MakePtable, SmallestTablesByHand) {
  const Result<PtableResult> made = make_ptable(options_of(1, .5));
  ASSERT_TRUE(made) << made.error().text();
  ASSERT_EQ(made->rows.size(), 1U);
  EXPECT_NEAR(made->rows[0].probabilities[0], .25, 1e-12);
  EXPECT_NEAR(made->rows[0].probabilities[1], .5, 1e-12);
  const PtableRow& row = made->table.rows()[1];
  EXPECT_EQ(row.entries[0].upper, 25'000'000U);
  EXPECT_EQ(row.entries[1].upper, 75'000'000U);
  EXPECT_EQ(row.entries[2].upper, 100'000'000U);
}

TEST(MakePtable, EveryRowIsUnbiasedAndHasTheVariance) {
  int made_tables = 0;
  for (std::int32_t max_noise = 1; max_noise <= 15; max_noise += 2) {
    for (std::int32_t js = 0; js < max_noise && js <= 4; ++js) {
      for (const double share : {.3, .6}) {
        PtableOptions options = options_of(max_noise, 0, js);
        const double least = (js + 1) * (js + 1) / 4;
        options.variance = js == 0 ? share * max_noise : least + share * (max_noise - least);
        options.monotone = PtableMonotone::kNone;
        if (least >= max_noise)
          continue;
        const Result<PtableResult> made = make_ptable(options);
        ASSERT_TRUE(made) << max_noise << " " << js << ": " << made.error().text();
        for (const PtableRowResult& row : made->rows) {
          EXPECT_NEAR(row.mean, 0, 1e-12);
          EXPECT_LE(row.variance, options.variance + 1e-12);
          for (const double p : row.probabilities)
            EXPECT_GE(p, 1e-8 - 1e-12);
        }
        const PtableFacts facts = ptable_facts(made->table);
        EXPECT_EQ(facts.largest_noise, max_noise);
        EXPECT_EQ(facts.hidden_to, js);
        EXPECT_TRUE(facts.faults.empty()) << facts.faults[0];
        ++made_tables;
      }
    }
  }
  EXPECT_GT(made_tables, 40);
}

// Where D is large beside V the targets far away have the least probability that there is.
TEST(MakePtable, WideTablesOfSmallVariance) {
  const std::vector<PtableOptions> wide{options_of(15, 1),
                                        options_of(30, 5),
                                        options_of(25, 8, 4),
                                        options_of(40, 2),
                                        options_of(40, 12, 3),
                                        options_of(50, 20, 2),
                                        options_of(100, 30)};
  for (PtableOptions options : wide) {
    for (const PtableMonotone monotone : {PtableMonotone::kLeft, PtableMonotone::kNone}) {
      SCOPED_TRACE(options.max_noise);
      options.monotone = monotone;
      const Result<PtableResult> made = make_ptable(options);
      ASSERT_TRUE(made) << made.error().text();
      for (const PtableRowResult& row : made->rows) {
        EXPECT_NEAR(row.mean, 0, 1e-10) << row.count;
        EXPECT_LE(row.variance, options.variance + 1e-9) << row.count;
        for (const double p : row.probabilities)
          EXPECT_GE(p, 1e-8 * (1 - 1e-12));
      }
      EXPECT_NEAR(made->rows.back().variance, options.variance, 1e-8);
    }
  }
}

TEST(MakePtable, MonotonyHoldsBelowTheCount) {
  const Result<PtableResult> made = make_ptable(options_of(5, 3, 2));
  ASSERT_TRUE(made) << made.error().text();
  for (const PtableRowResult& row : made->rows) {
    for (std::size_t k = 0; row.count > 2 && row.noise[k] < 0; ++k)
      EXPECT_LE(row.probabilities[k], row.probabilities[k + 1] + 1e-12);
  }
  PtableOptions options = options_of(2, 1.05, 1);
  ASSERT_TRUE(make_ptable(options));
  const auto third = [](const PtableOptions& asked) {
    return make_ptable(asked)->rows[2].variance;
  };
  const double with = third(options);
  options.free_rows = {3};
  EXPECT_GE(third(options), with - 1e-12);
}

TEST(MakePtable, ReportsWhatMonotonyAndStayCost) {
  const Result<PtableResult> low = make_ptable(options_of(2, 1));
  ASSERT_TRUE(low) << low.error().text();
  ASSERT_EQ(low->notes.size(), 1U);
  EXPECT_EQ(base::in_full(low->notes[0]),
            "row 1: the variance is 0.9319, below V = 1: the noise with the largest entropy has no "
            "more (--equal-rows asks for V itself)");
  PtableOptions options = options_of(3, 2);
  options.stay = .9;
  const Result<PtableResult> made = make_ptable(options);
  ASSERT_TRUE(made) << made.error().text();
  ASSERT_FALSE(made->notes.empty());
  for (const PtableRowResult& row : made->rows)
    EXPECT_LT(row.stay, .9);
}

TEST(MakePtable, SaysWhichRowAndWhichBound) {
  EXPECT_EQ(error_of(options_of(5, 3, 3)),
            "--variance: row 2 needs a variance above 4, since 2 is left out and the nearest "
            "targets are -2 and +2 away; take a larger V or a smaller js");
  EXPECT_EQ(error_of(options_of(5, 5)),
            "--variance: row 1 allows only variances below 5, since its noise is from -1 to 5; "
            "take a smaller V or a larger D");
  EXPECT_EQ(error_of(options_of(2, 1, 2)),
            "--js: row 3 has no target below 3, because 1 to js = 2 are left out and D = 2 reaches "
            "no further; D must be above js");
  PtableOptions options = options_of(2, 1.9);
  options.equal_rows = {1};
  EXPECT_EQ(error_of(options),
            "--equal-rows: row 1 has no monotone noise with exactly this variance; leave the row "
            "out, or name it in --free-rows");
  options = options_of(5, 3);
  options.step = 3;
  EXPECT_EQ(error_of(options), "--step: must divide a power of ten (1, 2, 4, 5, 8, 10, ...)");
  options.step = 2;
  options.rows = {1, 4};
  EXPECT_EQ(error_of(options), "--rows: must have 1 and D = 5");
  options.rows = {1, 5, 5};
  EXPECT_EQ(error_of(options), "--rows: must rise, each row once");
  options.rows = {};
  options.free_rows = {6};
  EXPECT_EQ(error_of(options), "--free-rows: the table has no row 6");
}

TEST(MakePtable, SplitKeepsTheProbabilitiesAndFollowsTheSeed) {
  PtableOptions options = options_of(5, 3, 2);
  const Ptable whole = make_ptable(options)->table;
  options.split = .05;
  const Ptable split = make_ptable(options)->table;
  EXPECT_TRUE(ptable_facts(split).is_split);
  for (std::size_t r = 0; r < whole.rows().size(); ++r) {
    std::map<std::int64_t, std::int64_t> lengths;
    const PtableRow& row = whole.rows()[r];
    for (std::size_t e = 0; e < row.entries.size(); ++e)
      lengths[row.entries[e].target] += static_cast<std::int64_t>(whole.length_of(row, e));
    const PtableRow& pieces = split.rows()[r];
    for (std::size_t e = 0; e < pieces.entries.size(); ++e) {
      if (r > 0) {
        EXPECT_LE(split.length_of(pieces, e), 5'000'000U);
      }
      lengths[pieces.entries[e].target] -= static_cast<std::int64_t>(split.length_of(pieces, e));
    }
    for (const auto& [target, left] : lengths)
      EXPECT_EQ(left, 0) << target;
  }
  EXPECT_EQ(make_ptable(options)->table, split);
  options.seed = 2;
  EXPECT_FALSE(make_ptable(options)->table == split);
}

TEST(MakePtable, RoundsToKeys) {
  PtableOptions options = options_of(5, 3, 2);
  options.keys = 256;
  const Result<PtableResult> made = make_ptable(options);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->table.denominator(), 256U);
  EXPECT_EQ(made->table.noise(1, 255, 256), 5);
}

// Noise of made tables over 10^6 keys: shares within five standard deviations, in every row.
TEST(MakePtable, NoiseHasTheFrequenciesThatWereAskedFor) {
  PtableOptions options = options_of(5, 3, 2);
  options.split = .1;
  const Result<PtableResult> made = make_ptable(options);
  ASSERT_TRUE(made) << made.error().text();
  constexpr std::int64_t kKeys = 100'000'000;
  constexpr int kDraws = 1'000'000;
  base::Random random(23);
  std::vector<std::map<std::int64_t, int>> seen(made->rows.size());
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto key = static_cast<std::uint64_t>(random.between(0, kKeys - 1));
    for (const std::size_t row : {std::size_t{0}, std::size_t{3}, made->rows.size() - 1})
      ++seen[row][made->table.noise(static_cast<std::int64_t>(row) + 1, key, kKeys)];
  }
  for (const std::size_t row : {std::size_t{0}, std::size_t{3}, made->rows.size() - 1}) {
    const PtableRowResult& wanted = made->rows[row];
    for (std::size_t k = 0; k < wanted.noise.size(); ++k) {
      const double p = wanted.probabilities[k];
      EXPECT_NEAR(seen[row][std::lround(wanted.noise[k])],
                  p * kDraws,
                  5 * std::sqrt(kDraws * p * (1 - p)) + 1);
    }
  }
}

}  // namespace
}  // namespace lacuna::ptable
