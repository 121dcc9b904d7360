// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/protect.h"

namespace lacuna::job {
namespace {

Problem problem(std::int64_t frequency = 4) {
  TableBuilder builder(1);
  for (const Units value : {0, 25, -40}) {
    EXPECT_TRUE(
        builder.add_cell({.value = value, .prior = {}, .weight = 9, .frequency = frequency}));
  }
  return std::move(make_problem(std::move(std::move(builder).build()).value(), {}, {})).value();
}

std::vector<double> weights(const std::string& name) {
  const auto weighed = weigh(problem(), name);
  EXPECT_TRUE(weighed) << name;
  std::vector<double> found;
  for (const Cell& cell : weighed->table().cells())
    found.push_back(cell.weight);
  return found;
}

TEST(Weights, OfEveryName) {
  EXPECT_EQ(weights("cost"), (std::vector<double>{9, 9, 9}));
  EXPECT_EQ(weights("unity"), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(weights("value"), (std::vector<double>{0, 2.5, 4}));
  EXPECT_EQ(weights("log"), (std::vector<double>{0, std::log1p(2.5), std::log1p(4)}));
  EXPECT_EQ(weights("frequency"), (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(weights("inverse"), (std::vector<double>{1, 0.4, 0.25}));
}

TEST(Weights, RefusesUnknownNamesAndFrequenciesThatAreNotKnown) {
  const auto unknown = weigh(problem(), "gold");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().text(),
            "--weights: there are no weights 'gold' (known: cost, unity, value, log, frequency, "
            "inverse, inverse2)");
  const auto missing = weigh(problem(-1), "frequency");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(), "--weights: the table has no frequencies to weigh by");
}

}  // namespace
}  // namespace lacuna::job
