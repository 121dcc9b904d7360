// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lacuna::sensitivity {
namespace {

double weight(const std::string& formula) {
  const auto parsed = WeightFormula::parse(formula);
  EXPECT_TRUE(parsed) << formula;
  const auto weight =
      parsed->weight_of({.value = -25, .prior = {}, .weight = 9, .frequency = 4}, 1);
  EXPECT_TRUE(weight) << formula;
  return weight.value();
}

TEST(WeightFormula, OneTermAndLinearCombinations) {
  EXPECT_EQ(weight("cost"), 9);
  EXPECT_EQ(weight("value"), 2.5);
  EXPECT_EQ(weight("0.5*value+1*unity"), 2.25);
  EXPECT_EQ(weight(" 2 * frequency + cost + 3*inverse"), 8 + 9 + 1.2);
  EXPECT_EQ(weight("1e+1*value+unity"), 26);
  EXPECT_EQ(weight("log"), std::log1p(2.5));
}

TEST(WeightFormula, ReadsItsOwnTextBack) {
  const auto formula = WeightFormula::of({{0.5, WeightKind::kValue}, {1, WeightKind::kUnity}});
  ASSERT_TRUE(formula);
  EXPECT_EQ(formula->text(), "0.5*value+unity");
  EXPECT_EQ(WeightFormula::parse(formula->text())->terms(), formula->terms());
}

std::string message(const std::string& formula) {
  const auto parsed = WeightFormula::parse(formula);
  return parsed ? "no error" : parsed.error().text();
}

TEST(WeightFormula, RefusesWhatIsNoFormula) {
  EXPECT_EQ(message("gold"),
            "--weights: there are no weights 'gold' (known: cost, unity, value, log, frequency, "
            "inverse, inverse2)");
  EXPECT_EQ(message("x*value"), "--weights: the factor 'x' is not a number");
  EXPECT_EQ(message("-1*value"), "--weights: the factor -1 is negative or not finite");
  EXPECT_EQ(message("value+"),
            "--weights: there are no weights '' (known: cost, unity, value, log, frequency, "
            "inverse, inverse2)");
}

}  // namespace
}  // namespace lacuna::sensitivity
