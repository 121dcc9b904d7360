// SPDX-License-Identifier: Apache-2.0
#include "app/load/population.h"

#include <gtest/gtest.h>

#include "read_table.h"

namespace lacuna::load {
namespace {

using testing::branches;

files::CsvFile csv(const std::string& text) {
  return files::CsvFile::parse(text, "p.csv", ';').value();
}

TEST(Population, AFileOfItsOwnMayHaveFewerDimensionsAndMoreCodes) {
  const Problem problem = branches({400, 100, 130, 170});
  const auto read = population_of_file(csv("branch;n\nall;9000\na;1000\nz;5\n"), problem.table());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->dimensions, std::vector<std::size_t>{0});
  EXPECT_EQ(read->numbers.size(), 2U);
}

TEST(Population, AColumnOfTheTableIsByCell) {
  const Problem problem = branches({400, 100, 130, 170});
  const auto read = population_of_column(
      csv("branch;n;people\nall;400;9000\na;100;1000\nb;130;3000\nc;170;5000\n"),
      2,
      problem.table());
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->numbers.size(), 4U);
  const auto codes = problem.table().codes(testing::cell_at(problem.table(), "b"));
  EXPECT_EQ(read->numbers.at({codes.begin(), codes.end()}), 3000);
}

TEST(Population, IsWholeAndAboveZero) {
  const Problem problem = branches({400, 100, 130, 170});
  for (const char* number : {"0", "-3", "1.5", "x", ""}) {
    const auto read = population_of_file(csv("branch;n\na;" + std::string(number) + "\n"),
                                         problem.table());
    ASSERT_FALSE(read) << number;
    EXPECT_EQ(read.error().text(), "p.csv:2:3: a population must be a whole number from 1 on");
  }
  EXPECT_FALSE(population_of_file(csv("branch;n;m\na;1;2\n"), problem.table()));
}

}  // namespace
}  // namespace lacuna::load
