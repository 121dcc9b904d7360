// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/sql_template.h"

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "data/tabulate/sql_dialect.h"

namespace lacuna::tabulation {
namespace {

TEST(SqlTemplate, FillsEveryHoleByItsName) {
  EXPECT_EQ(
      filled("SELECT {codes} FROM {from} GROUP BY {codes}", {{"codes", "d1, d2"}}, {{"from", "t"}}),
      "SELECT d1, d2 FROM t GROUP BY d1, d2");
  EXPECT_EQ(filled("no hole", {}), "no hole");
}

TEST(SqlTemplate, WhatFillsAHoleIsNotLookedAtAgain) {
  EXPECT_EQ(filled("{name}{name}", {{"name", "{name}{"}}), "{name}{{name}{");
}

TEST(SqlTemplate, TheFirstListGoesBeforeTheSecond) {
  EXPECT_EQ(filled("{top}", {{"top", "1"}}, {{"top", "2"}}), "1");
}

TEST(SqlTemplate, AHoleThatNothingFillsIsAnError) {
  EXPECT_THROW(filled("{from}", {{"codes", "d1"}}), base::InternalError);
  EXPECT_THROW(filled("{from", {{"from", "t"}}), base::InternalError);
}

TEST(SqlDialect, TextsAndNamesAreQuoted) {
  EXPECT_EQ(sql_text("it's \\", SqlDialect::kDuckdb), "'it''s \\'");
  EXPECT_EQ(sql_text("it's \\", SqlDialect::kPostgresql), "'it''s \\'");
  EXPECT_EQ(sql_text("it's \\", SqlDialect::kSpark), "'it\\'s \\\\'");
  EXPECT_EQ(sql_name("a \"b\" `c`", SqlDialect::kDuckdb), "\"a \"\"b\"\" `c`\"");
  EXPECT_EQ(sql_name("a \"b\" `c`", SqlDialect::kPostgresql), "\"a \"\"b\"\" `c`\"");
  EXPECT_EQ(sql_name("a \"b\" `c`", SqlDialect::kSpark), "`a \"b\" ``c```");
}

}  // namespace
}  // namespace lacuna::tabulation
