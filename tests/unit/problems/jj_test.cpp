// SPDX-License-Identifier: Apache-2.0
#include "data/problems/jj.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/confidential.h"
#include "data/files/file.h"
#include "support/random_problem.h"
#include "support/tables.h"
#include "support/test_data.h"

namespace lacuna::problems {
namespace {

// The worked example of docs/formats.md.
const std::string kExample =
    "0\n9\n"
    "0 100 20000 s 0.0 150.0 0.000 1.000 0\n"
    "1 60 12000 s 0.0 150.0 0.000 1.000 0\n"
    "2 40 8000 s 0.0 150.0 0.000 1.000 0\n"
    "3 55 11000 s 0.0 150.0 0.000 1.000 0\n"
    "4 35 7000 s 0.0 150.0 0.000 1.000 0\n"
    "5 20 4000 u 0.0 150.0 4.000 4.000 0\n"
    "6 45 9000 s 0.0 150.0 0.000 1.000 0\n"
    "7 25 5000 s 0.0 150.0 0.000 1.000 0\n"
    "8 20 4000 s 0.0 150.0 0.000 1.000 0\n"
    "6\n"
    "0 3 : 0 (-1) 3 (1) 6 (1)\n"
    "0 3 : 1 (-1) 4 (1) 7 (1)\n"
    "0 3 : 2 (-1) 5 (1) 8 (1)\n"
    "0 3 : 0 (-1) 1 (1) 2 (1)\n"
    "0 3 : 3 (-1) 4 (1) 5 (1)\n"
    "0 3 : 6 (-1) 7 (1) 8 (1)\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto problem = read_jj(text, "t.jj");
  return problem ? "no error" : base::in_full(problem.error().text());
}

TEST(Jj, ReadsTheWorkedExample) {
  const auto problem = read_jj(kExample, "t.jj");
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->table().num_cells(), 9);
  EXPECT_EQ(problem->table().num_equations(), 6);
  EXPECT_EQ(problem->table().decimals(), 0);
  EXPECT_EQ(problem->table().cell(CellId{5}).status, CellStatus::kPrimary);
  EXPECT_EQ(problem->table().cell(CellId{5}).prior, (Bounds{0, 150}));
  EXPECT_EQ(problem->table().cell(CellId{0}).weight, 20000);
  ASSERT_EQ(problem->requirements().size(), 1U);
  EXPECT_EQ(problem->requirements()[0], (Requirement{CellId{5}, 0, 4, 4, 0}));
}

TEST(Jj, KeepsDecimalsCostsStatusAndInfiniteBounds) {
  const auto problem = read_jj(
      "0\n5\n"
      "0 10.50 0.25 s -1e30 +inf 0 0 0\n"
      "1 4.5 1e3 u 0 1E+20 .125 2 3.50\n"
      "2 6 7 z 6 6 0 0 0\n"
      "3 0 7 z -1 1 0 0 0\n"
      "4 0 7 m -INF infinity 0 0 0\n"
      "1\n0 3:0(-1)1(1)\n2(1)\n",
      "t.jj");
  ASSERT_TRUE(problem) << problem.error().text();
  const Table& table = problem->table();
  EXPECT_EQ(table.decimals(), 3);
  EXPECT_EQ(table.value(CellId{0}), 10500);
  EXPECT_EQ(table.cell(CellId{0}).weight, 0.25);
  EXPECT_EQ(table.cell(CellId{0}).prior, Bounds{});
  EXPECT_EQ(table.cell(CellId{1}).prior, (Bounds{0, kUnboundedAbove}));
  EXPECT_EQ(table.cell(CellId{2}).status, CellStatus::kKnown);
  EXPECT_EQ(table.cell(CellId{3}).status, CellStatus::kMustPublish);
  EXPECT_EQ(table.cell(CellId{4}).status, CellStatus::kSecondary);
  EXPECT_EQ(table.cell(CellId{4}).prior, Bounds{});
  EXPECT_EQ(problem->requirements()[0], (Requirement{CellId{1}, 0, 125, 2000, 3500}));
}

TEST(Jj, IgnoresLevelsOfCellsThatAreNotPrimary) {
  const auto problem = read_jj("0\n1\n0 5 1 s 0 9 0.0001 99 0\n0\n", "t.jj");
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->table().decimals(), 0);
  EXPECT_TRUE(problem->requirements().empty());
}

TEST(Jj, RoundsLevelsUpThatHaveTooManyDigits) {
  std::vector<std::string> notes;
  const auto problem = read_jj(
      "0\n1\n0 30000000000 1 u 0 30000000000.0 5132618.54999995232 1.5e-11 0\n0\n", "t.jj", &notes);
  // The upper level does not fit above the value, whatever its size.
  ASSERT_FALSE(problem);
  const auto wider = read_jj(
      "0\n1\n0 30000000000 1 u 0 30000000001.0 5132618.54999995232 1.5e-11 0\n0\n", "t.jj", &notes);
  ASSERT_TRUE(wider) << wider.error().text();
  EXPECT_EQ(wider->table().decimals(), 5);
  EXPECT_EQ(wider->requirements()[0].lower, 513261855000);
  EXPECT_EQ(wider->requirements()[0].upper, 1);
  EXPECT_EQ(notes.back(),
            "t.jj: protection levels have more digits than the table can hold; they were rounded "
            "up to 5 decimals");
}

TEST(Jj, PlacesEveryError) {
  const auto with = [](const std::string& from, const std::string& to) {
    return error_of(replaced(kExample, from, to));
  };
  EXPECT_EQ(error_of(""),
            "t.jj:1:1: expected the 0 that opens a JJ file, found the end of the file");
  EXPECT_EQ(with("0\n9", "1\n9"), "t.jj:1:1: expected the 0 that opens a JJ file, found 1");
  EXPECT_EQ(with("0\n9", "0\nnine"), "t.jj:2:1: expected the number of cells, found 'nine'");
  EXPECT_EQ(with("0\n9", "0\n-9"), "t.jj:2:1: -9 is not a possible number here");
  EXPECT_EQ(error_of("0\n0\n0\n"), "t.jj:2:2: the file has no cells");
  EXPECT_EQ(with("\n3 55", "\n4 55"),
            "t.jj:6:1: the index must equal the position of the line: expected 3, found '4'");
  EXPECT_EQ(with("55 11000", "nan 11000"), "t.jj:6:3: 'nan' is not a number");
  EXPECT_EQ(with("55 11000", "55,5 11000"), "t.jj:6:3: '55,5' is not a number");
  EXPECT_EQ(with("11000 s", "11000 x"), "t.jj:6:12: the status must be s, u, z or m, found 'x'");
  EXPECT_EQ(with("11000 s", "-1 s"), "t.jj:6:6: the cost is negative");
  EXPECT_EQ(with("4.000 4.000 0", "-4 4.000 0"), "t.jj:8:23: the lower level is negative");
  EXPECT_EQ(with("4.000 4.000 0", "4.000 4.000"),
            "t.jj:8:34: the line of cell 5 has 8 of 9 fields: its sliding level is missing");
  EXPECT_EQ(with("4.000 4.000 0", "4.000 4.000 0 7"),
            "t.jj:8:37: the line of cell 5 has more than 9 fields");
  EXPECT_EQ(with("4.000 4.000 0", "40 4.000 0"),
            "t.jj:8:23: no release can meet the lower protection level 40: the cell's bounds are "
            "closer");
  EXPECT_EQ(with("20 4000 u 0.0", "20 4000 u 21"),
            "t.jj:8:3: the value 20 lies outside its bounds [21, 150] (cell 5)");
  EXPECT_EQ(with("4000 u 0.0", "4000 u inf"), "t.jj:8:13: a lower bound cannot be plus infinity");
  EXPECT_EQ(with("55 11000", "99999999999999999999 11000"),
            "t.jj:6:3: the number 99999999999999999999 does not fit 63 bits with 0 decimals; use "
            "fewer decimals or a larger unit");
  EXPECT_EQ(with("55 11000", "1e-30 11000"),
            "t.jj:6:3: the number '1e-30' has more than 18 decimals");
  EXPECT_EQ(with("\n6\n", "\n7\n"), "t.jj:19:1: the file ends before equation 6");
  EXPECT_EQ(with("\n6\n", "\n5\n"), "t.jj:18:1: the file goes on after the last equation with '0'");
  EXPECT_EQ(with("0\n9", "0\n10"),
            "t.jj:12:2: the line of cell 9 has 1 of 9 fields: its value is missing");
  EXPECT_EQ(with("3 : 1", "3 1"), "t.jj:14:5: expected ':' after the number of terms, found '1'");
  EXPECT_EQ(with("4 (1)", "4 1)"), "t.jj:14:16: expected '(' before the coefficient, found '1)'");
  EXPECT_EQ(with("4 (1)", "4 (1"), "t.jj:14:19: expected ')' after the coefficient, found '7'");
  EXPECT_EQ(with("4 (1)", "4 (0.5)"),
            "t.jj:14:17: expected a whole-number coefficient, found '0.5)'");
  EXPECT_EQ(with("4 (1)", "4 (128)"),
            "t.jj:14:17: the coefficient 128 is not between -127 and 127");
  EXPECT_EQ(with("4 (1)", "9 (1)"), "t.jj:14:14: there is no cell 9: the file has cells 0 to 8");
  EXPECT_EQ(with("55 11000", "56 11000"),
            "t.jj:13:1: the table is not additive: the equation over cell 0, cell 3, cell 6 is off "
            "by 1 (equation 0)");
  EXPECT_EQ(error_of(kExample + "x"),
            "t.jj:19:1: the file goes on after the last equation with 'x'");
}

TEST(Jj, RoundTripsRandomProblems) {
  base::Random random(testing::seed_in_use(11));
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    const Problem problem = testing::random_problem(
        random,
        {.dimensions = false, .frequencies = false, .attackers = false, .free_equations = true});
    const auto text = write_jj(problem);
    ASSERT_TRUE(text) << text.error().text();
    const auto again = read_jj(*text, "t.jj");
    ASSERT_TRUE(again) << again.error().text() << "\n" << *text;
    // The file does not say the decimals: the numbers decide, so compare with as few as possible.
    const auto twice = write_jj(*again);
    ASSERT_TRUE(twice);
    EXPECT_EQ(*text, *twice);
    if (again->table().decimals() == problem.table().decimals()) {
      ++compared;
      EXPECT_EQ(testing::what_differs(problem, *again), "");
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(Jj, RefusesWhatItCannotHold) {
  const Problem problem = read_jj(kExample, "t.jj").value();
  const auto told = [&](auto change) {
    return write_jj(testing::changed(problem, change)).error().text();
  };
  EXPECT_EQ(told([](ProblemParts& parts) {
              parts.attackers.push_back({"insider", {}});
            }),
            "attacker insider: the JJ format cannot hold several attackers; write the problem as "
            "JSON instead");
  const Units value = problem.table().value(CellId{1});
  EXPECT_EQ(told([&](ProblemParts& parts) {
              parts.attackers[0].known.push_back({CellId{1}, {value, value}});
            }),
            "attacker outsider: the JJ format cannot hold an attacker's own knowledge; write the "
            "problem as JSON instead");
  EXPECT_EQ(told([](ProblemParts& parts) {
              parts.requirements.push_back({CellId{6}, 0, 1, 1, 0});
            }),
            "cell 6: the JJ format cannot hold protection levels of a cell that is not primary; "
            "write the problem as JSON instead");
}

// How many tables of the folder are read, written and read again; each gives the same problem.
int there_and_back(const std::filesystem::path& folder) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().string().ends_with(".jj.xz"))
      continue;
    SCOPED_TRACE(entry.path().filename());
    const auto text = files::read_file(entry.path().string());
    EXPECT_TRUE(text) << text.error().text();
    const auto problem = read_jj(*text, entry.path().filename().string());
    EXPECT_TRUE(problem) << problem.error().text();
    const auto written = write_jj(*problem);
    EXPECT_TRUE(written) << written.error().text();
    const auto again = read_jj(*written, "again.jj");
    EXPECT_TRUE(again) << again.error().text();
    EXPECT_EQ(testing::what_differs(*problem, *again), "");
    ++read;
  }
  return read;
}

TEST(Jj, ReadsTablesOfOffices) {
  EXPECT_EQ(there_and_back(testing::test_data("turnover")), 4);
  for (const char* one : {"individuals", "sosial_fiktiv", "cox3", "sumit"})
    EXPECT_EQ(there_and_back(testing::test_data(one)), 1) << one;
}

TEST(Jj, ReadsInstancesOfTheLiterature) {
  LACUNA_NEEDS_SHARED("instances/castro");
  EXPECT_GT(there_and_back(testing::shared_data("instances/castro")), 0);
}

}  // namespace
}  // namespace lacuna::problems
