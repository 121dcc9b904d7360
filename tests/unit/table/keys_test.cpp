// SPDX-License-Identifier: Apache-2.0
#include "lacuna/keys.h"

#include <gtest/gtest.h>

#include "lacuna/problem.h"

namespace lacuna::table {
namespace {

TEST(CellKeys, DigitsOfAModulus) {
  EXPECT_EQ(digits_of_modulus(100'000'000), 8);
  EXPECT_EQ(digits_of_modulus(10), 1);
  EXPECT_EQ(digits_of_modulus(kMostKeyModulus), kMostKeyDigits);
  EXPECT_EQ(digits_of_modulus(256), -1);
  EXPECT_EQ(digits_of_modulus(20), -1);
}

TEST(CellKeys, OnePerCellBelowTheModulus) {
  CellKeys keys{16, {0, 15}, {1, 2}, {}, {}};
  EXPECT_TRUE(check_keys(keys, 2));
  EXPECT_EQ(check_keys(keys, 3).error().message, "there must be one key per cell");
  keys.keys[1] = 16;
  EXPECT_EQ(check_keys(keys, 2).error().message, "the key of cell 1 is not below the modulus 16");
  keys.modulus = 1;
  EXPECT_FALSE(check_keys(keys, 2));
}

TEST(CellKeys, ContributionsAreScaledWithTheTable) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 12}));
  auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  auto problem = make_problem(*table, {}, {});
  ASSERT_TRUE(problem);
  Problem given = *problem;
  const CellKeys keys{100, {42}, {2}, {{7, 5}}, {2}};
  ASSERT_TRUE(given.set_keys(std::make_shared<const CellKeys>(keys)));
  const auto finer = with_decimals(given, 2);
  ASSERT_TRUE(finer) << finer.error().text();
  ASSERT_TRUE(finer->keys());
  EXPECT_EQ(*finer->keys(), (CellKeys{100, {42}, {2}, {{700, 500}}, {200}}));
}

}  // namespace
}  // namespace lacuna::table
