// SPDX-License-Identifier: Apache-2.0
// Cell keys are sums of record keys modulo m: against sums made record by record, whatever the
// order of records and the number of threads; and the checks on keys of records.
#include "lacuna/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/confidential.h"
#include "core/base/random.h"
#include "data/tabulate/key_checks.h"
#include "unit/tabulate/cells.h"

namespace lacuna::tabulation {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TabulateOptions with_keys(std::string column) {
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg"), flat_dimension("SEX", "sex")};
  options.keys.column = std::move(column);
  return options;
}

std::map<CellNames, std::uint64_t> keys_by_name(const Tabulation& tabulation) {
  std::map<CellNames, std::uint64_t> keys;
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c)
    keys.emplace(names_of(tabulation, c), tabulation.keys->keys[c]);
  return keys;
}

Result<Tabulation> tabulated(const Rows& rows, const TabulateOptions& options, int threads = 1) {
  RowRecords records({"reg", "sex", "key", "x", "w"}, rows);
  RunContext run;
  run.threads = threads;
  return tabulate(records, options, run);
}

TEST(Keys, AddUpExactlyInAnyOrder) {
  // .7 + .2 + .1 is 0.99999999999999989 in doubles; modulo 1 it is 0.
  Rows rows{{"N", "m", "0.7", "1", "1"}, {"N", "m", "0.2", "1", "1"}, {"N", "m", "0.1", "1", "1"}};
  do {
    const auto result = tabulated(rows, with_keys("key"));
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(keys_by_name(*result).at({"N", "m"}), 0U);
    EXPECT_EQ(result->keys->records[0], 3);
  } while (std::next_permutation(rows.begin(), rows.end()));
}

TEST(Keys, OnlyRecordsWithAValueCountForMagnitudes) {
  TabulateOptions options = with_keys("key");
  options.value = "x";
  options.weight = "w";
  options.top = 2;
  const Rows rows{{"N", "m", "0.5", "10", "2"},
                  {"N", "m", "0.25", "0", "9"},
                  {"N", "m", "0.625", "12", "1"},
                  {"N", "m", "0.125", "4", "7"}};
  const auto result = tabulated(rows, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(keys_by_name(*result).at({"N", "m"}), 25'000'000U);
  // By size without weights, with their weights.
  EXPECT_EQ(result->keys->largest[0], (std::vector<Units>{12, 20}));
  EXPECT_EQ(result->keys->spread[0], 12);  // without weights: 12 less 0
  EXPECT_EQ(result->keys->weights, (std::vector<double>(result->cells.size(), 19)));
}

TEST(Keys, RandomRecordsInAnyOrderAndWithAnyThreads) {
  base::Random random(20'261'117);
  for (int round = 0; round < 20; ++round) {
    Rows rows;
    std::map<CellNames, std::uint64_t> expected;
    const std::int64_t count = random.between(1, 2000);
    const std::uint64_t modulus = random.chance(1, 2) ? 100'000'000 : 4096;
    for (std::int64_t r = 0; r < count; ++r) {
      const std::string reg(1, static_cast<char>('a' + random.between(0, 6)));
      const std::string sex = random.chance(1, 2) ? "m" : "f";
      const auto key =
          static_cast<std::uint64_t>(random.between(0, static_cast<std::int64_t>(modulus) - 1));
      rows.push_back({reg, sex, std::to_string(key), "1", "1"});
      for (const CellNames& names :
           {CellNames{reg, sex}, {reg, "Total"}, {"Total", sex}, {"Total", "Total"}})
        expected[names] = (expected[names] + key) % modulus;
    }
    TabulateOptions options = with_keys("key");
    options.keys.modulus = modulus;
    options.keys.is_decimal = false;
    for (int threads = 1; threads <= 8; ++threads) {
      const auto result = tabulated(rows, options, threads);
      ASSERT_TRUE(result) << result.error().text();
      ASSERT_EQ(keys_by_name(*result), expected) << threads << " threads";
      for (std::size_t i = rows.size(); i-- > 1;)
        std::swap(rows[i],
                  rows[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)))]);
    }
  }
}

TEST(Keys, MadeFromIdentities) {
  TabulateOptions options = with_keys("");
  options.keys.from = "key";
  options.keys.secret = "0123456789abcdef";
  const auto result = tabulated({{"N", "m", "person 1", "1", "1"}}, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(keys_by_name(*result).at({"N", "m"}), 66'551'118U);  // HMAC-SHA256 mod 10^8
  options.keys.secret = "short";
  EXPECT_EQ(tabulated({{"N", "m", "person 1", "1", "1"}}, options).error().message,
            "keys are made with a secret of at least 16 bytes, this one has 5");
}

TEST(Keys, WhatIsWrongWithAKey) {
  const auto message = [](const std::string& key, const TabulateOptions& options) {
    const auto result = tabulated({{"N", "m", key, "1", "1"}}, options);
    return result ? "no error" : base::in_full(result.error().text());
  };
  TabulateOptions options = with_keys("key");
  EXPECT_EQ(message("0.123456789", options),
            "record 1, column key: the key has more than 8 decimals: say digits = 9 in [keys]");
  EXPECT_EQ(message("1", options),
            "record 1, column key: a decimal key lies from 0 to below 1; whole keys need modulus "
            "in [keys]");
  EXPECT_EQ(message("-0.5", options), message("1", options));
  EXPECT_EQ(message("", options), "record 1, column key: the key of the record is empty");
  EXPECT_EQ(message("0.12345678", options), "no error");
  options.keys.is_decimal = false;
  options.keys.modulus = 256;
  EXPECT_EQ(message("256", options),
            "record 1, column key: the key is not from 0 to 255, below the modulus");
  EXPECT_EQ(message("0.5", options),
            "record 1, column key: the key is not a whole number: decimal keys need digits in "
            "[keys]");
  EXPECT_EQ(message("255", options), "no error");
}

TEST(Keys, ChecksSeeKeysThatAreNotDrawn) {
  base::Random random(7);
  std::vector<std::uint64_t> drawn, clumped;
  for (int i = 0; i < 20'000; ++i) {
    drawn.push_back(static_cast<std::uint64_t>(random.between(0, 99'999'999)));
    clumped.push_back(i % 50 == 0 ? 17U : drawn.back());
  }
  const KeyChecks good = check_record_keys({drawn, drawn}, 100'000'000);
  EXPECT_EQ(good.records, 40'000);
  EXPECT_GE(good.commonest, 2);  // each occurs twice at least
  EXPECT_LE(good.commonest, 6);
  const KeyChecks once = check_record_keys({drawn}, 100'000'000);
  EXPECT_FALSE(once.suspicious()) << once.chi_square;
  EXPECT_EQ(once.classes, 256);
  const KeyChecks bad = check_record_keys({clumped}, 100'000'000);
  EXPECT_EQ(bad.commonest, 400);
  EXPECT_TRUE(bad.suspicious()) << bad.chi_square;
  // Few keys: a class each, by hand: 4 records on 3 keys, (2-4/3)^2 * 3/4 + 2 (1-4/3)^2 * 3/4.
  const KeyChecks few = check_record_keys({{0, 0, 1}, {2}}, 3);
  EXPECT_EQ(few.classes, 3);
  EXPECT_DOUBLE_EQ(few.chi_square, 0.5);
  EXPECT_EQ(few.commonest, 2);
}

}  // namespace
}  // namespace lacuna::tabulation
