// SPDX-License-Identifier: Apache-2.0
// Columns whose numbers are computed from the cells, though nobody says so.
#include "app/load/recognise.h"

#include <gtest/gtest.h>

#include "read_table.h"

namespace lacuna::load {
namespace {

using testing::branches;
using testing::read_table;

std::vector<std::string> told(const std::string& text,
                              const Problem& problem,
                              const Together& beside = {},
                              const std::vector<std::string>& named = {"branch", "n"}) {
  const files::CsvFile file = files::CsvFile::parse(text, "t.csv", ';').value();
  std::vector<std::string> texts;
  for (const Recognised& found : recognise_columns(file, named, problem, beside))
    texts.push_back(recognised_text(found));
  return texts;
}

using Texts = std::vector<std::string>;

Together with_period(const std::vector<Units>& values) {
  Together beside;
  EarlierPeriod& period = beside.before.emplace_back();
  period.said.name = "then";
  period.problem = branches(values);
  return beside;
}

TEST(Recognise, PercentagesByTheirRuleOfRounding) {
  const Problem problem = branches({180, 3, 120, 57});
  EXPECT_EQ(told("branch;n;pct\nall;180;\na;3;1.7\nb;120;66.7\nc;57;31.7\n", problem),
            Texts{"'pct' is the percentage of the total: 3 of 3 numbers agree (1 decimal, "
                  "half-up)"});
  EXPECT_EQ(told("branch;n;pct\nall;180;\na;3;1.6\nb;120;66.6\nc;57;31.6\n", problem),
            Texts{"'pct' is the percentage of the total: 3 of 3 numbers agree (1 decimal, down)"});
}

TEST(Recognise, WhatAgreesByChanceIsNothing) {
  const Problem problem = branches({180, 3, 120, 57});
  EXPECT_TRUE(told("branch;n;x\nall;180;4\na;3;1.7\nb;120;66.7\nc;57;12.5\n", problem).empty());
  EXPECT_TRUE(told("branch;n;x\nall;180;\na;3;1.7\nb;120;66.7\nc;57;\n", problem).empty())
      << "two numbers are too few";
  EXPECT_TRUE(told("branch;n;x\nall;180;7\na;3;7\nb;120;7\nc;57;7\n", problem).empty());
}

TEST(Recognise, GrowthAndIndicesSinceAPeriodThatIsNamed) {
  const Problem now = branches({420, 110, 150, 160});
  const std::string growth = "branch;n;g\nall;420;5.0\na;110;10.0\nb;150;15.4\nc;160;-5.9\n";
  EXPECT_TRUE(told(growth, now).empty()) << "no period is named";
  EXPECT_EQ(told(growth, now, with_period({400, 100, 130, 170})),
            Texts{"'g' is the growth since 'then': 4 of 4 numbers agree (1 decimal, half-up)"});
  EXPECT_TRUE(told(growth, now, with_period({400, 100, 150, 150})).empty());
  EXPECT_EQ(told("branch;n;i\nall;420;105\na;110;110\nb;150;115\nc;160;94\n",
                 now,
                 with_period({400, 100, 130, 170})),
            Texts{"'i' is the index ('then' is 100): 4 of 4 numbers agree (0 decimals, half-up)"});
}

TEST(Recognise, RatesByAColumnOfTheFile) {
  const Problem problem = branches({28, 3, 20, 5});
  const std::string file =
      "branch;n;people;rate\nall;28;90000;31.1\na;3;10000;30.0\nb;20;30000;66.7\nc;5;50000;10.0\n";
  const auto found = recognise_columns(
      files::CsvFile::parse(file, "t.csv", ';').value(), {"branch", "n"}, problem, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(recognised_text(found[0]),
            "'rate' is the rate per 100000 of 'people': 4 of 4 numbers agree (1 decimal, half-up)");
  EXPECT_TRUE(found[0].by_column);
  EXPECT_EQ(found[0].population.numbers.size(), 4U);
  // A population with a gap is none.
  EXPECT_TRUE(told("branch;n;people;rate\nall;28;;31.1\na;3;10000;30.0\nb;20;30000;66.7\n"
                   "c;5;50000;10.0\n",
                   problem)
                  .empty());
}

TEST(Recognise, RatesByThePopulationOfAnother) {
  const Problem problem = branches({28, 3, 20, 5});
  Together beside;
  beside.derived.emplace_back().type = "rate";
  beside.derived.back().population = "people.csv";
  beside.populations.push_back(
      population_of_file(
          files::CsvFile::parse("branch;n\nall;90000\na;10000\nb;30000\nc;50000\n", "p.csv", ';')
              .value(),
          problem.table())
          .value());
  EXPECT_EQ(told("branch;n;r\nall;28;0.31\na;3;0.30\nb;20;0.67\nc;5;0.10\n", problem, beside),
            Texts{"'r' is the rate per 1000 of 'people.csv': 4 of 4 numbers agree (2 decimals, "
                  "half-up)"});
}

TEST(Recognise, MeansWhereContributorsAreKnown) {
  const Problem problem =
      read_table("branch;v;n\nall;1000;30\na;300;10\nb;420.5;12\nc;279.5;8\n",
                 {"branch"},
                 "value = \"v\"\nfrequency = \"n\"");
  EXPECT_EQ(told("branch;v;m\nall;1000;33.33\na;300;30\nb;420.5;35.04\nc;279.5;34.94\n",
                 problem,
                 {},
                 {"branch", "v"}),
            Texts{"'m' is the mean: 4 of 4 numbers agree (2 decimals, half-up)"});
}

}  // namespace
}  // namespace lacuna::load
