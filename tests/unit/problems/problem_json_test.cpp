// SPDX-License-Identifier: Apache-2.0
#include "data/problems/problem_json.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "support/random_problem.h"

namespace lacuna::problems {
namespace {

const std::string kExample = R"({"format": "lacuna-problem-1", "decimals": 1,
"dimensions": [{"name": "R", "codes": ["T", "a", "b"],
                "relations": [{"parent": 0, "children": [1, 2]}]}],
"cells": [{"value": 30, "lower": 0, "upper": null, "weight": 2.5, "status": "free", "codes": [0]},
          {"value": 10, "lower": 0, "upper": 90, "status": "primary", "frequency": 3, "codes": [1]},
          {"value": 20, "lower": 0, "upper": 90, "codes": [2]}],
"equations": [{"rhs": 0, "cells": [0, 1, 2], "coefficients": [-1, 1, 1]}],
"attackers": [{"name": "outsider", "known": []},
              {"name": "b", "known": [{"cell": 2, "lower": 20, "upper": 20}]}],
"requirements": [{"cell": 1, "attacker": 0, "lower": 5, "upper": 6, "sliding": 7}]}
)";

std::string error_of(const std::string& text) {
  const auto problem = read_problem_json(text, "t.json");
  return problem ? "no error" : base::in_full(problem.error().text());
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kExample;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return error_of(text.replace(at, from.size(), to));
}

TEST(ProblemJson, ReadsAnExample) {
  const auto problem = read_problem_json(kExample, "t.json");
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->table().decimals(), 1);
  EXPECT_EQ(problem->table().label(CellId{1}), "R=a");
  EXPECT_EQ(problem->table().cell(CellId{0}).prior, (Bounds{0, kUnboundedAbove}));
  EXPECT_EQ(problem->table().cell(CellId{0}).weight, 2.5);
  EXPECT_EQ(problem->table().cell(CellId{1}).frequency, 3);
  EXPECT_EQ(problem->attackers().size(), 2U);
  EXPECT_EQ(problem->requirements()[0], (Requirement{CellId{1}, 0, 5, 6, 7}));
}

TEST(ProblemJson, RoundTripsRandomProblems) {
  base::Random random(testing::seed_in_use(12));
  for (int i = 0; i < 200; ++i) {
    const Problem problem =
        testing::random_problem(random, {.dimensions = i % 2 == 0, .free_equations = true});
    const std::string text = write_problem_json(problem);
    const auto again = read_problem_json(text, "t.json");
    ASSERT_TRUE(again) << again.error().text() << "\n" << text;
    ASSERT_EQ(testing::what_differs(problem, *again), "") << text;
  }
}

TEST(ProblemJson, PlacesEveryError) {
  EXPECT_EQ(error_of("{\"a\": 1,\n \"b\" 2}"),
            "t.json:2:6: not valid JSON: unexpected number literal; expected ':'");
  EXPECT_EQ(error_of("[1, 2"), "t.json:1:6: not valid JSON: unexpected end of input; expected ']'");
  EXPECT_EQ(error_of("[]"), "t.json: expected an object, found an array");
  EXPECT_EQ(with("problem-1", "problem-2"),
            "t.json:format: the format must be 'lacuna-problem-1', found 'lacuna-problem-2'");
  EXPECT_EQ(with("\"cells\": [{", "\"cels\": [{"),
            "t.json: unknown name 'cels'; did you mean 'cells'?");
  EXPECT_EQ(with("\"value\": 10", "\"vlaue\": 10"),
            "t.json:cells[1]: unknown name 'vlaue'; did you mean 'value'?");
  EXPECT_EQ(with("\"value\": 10", "\"value\": 10, \"value\": 10"),
            "t.json:cells[1]: the name 'value' is given twice");
  EXPECT_EQ(with("\"value\": 10", "\"value\": 10.5"),
            "t.json:cells[1].value: expected a whole number of at most 63 bits, found '10.5'");
  EXPECT_EQ(with("\"value\": 10", "\"value\": 9223372036854775807"),
            "t.json:cells[1].value: the number of units 9223372036854775807 does not fit 62 bits");
  EXPECT_EQ(with("\"value\": 10", "\"value\": 99999999999999999999"),
            "t.json:cells[1].value: expected a whole number of at most 63 bits, found "
            "'99999999999999999999'");
  EXPECT_EQ(with("\"value\": 10", "\"value\": \"10\""),
            "t.json:cells[1].value: expected a whole number, found a string");
  EXPECT_EQ(with("\"value\": 10,", ""), "t.json:cells[1]: the name 'value' is missing");
  EXPECT_EQ(with("\"value\": 10", "\"value\": 100"),
            "t.json:cells[1]: the value 10 lies outside its bounds [0, 9]");
  EXPECT_EQ(with("\"value\": 10", "\"value\": 11"),
            "t.json:equations[0]: the table is not additive: the equation over R=T, R=a, R=b is "
            "off by 0.1");
  EXPECT_EQ(with("\"frequency\": 3", "\"frequency\": -3"),
            "t.json:cells[1].frequency: the frequency is negative");
  EXPECT_EQ(with("2.5", "-2.5"),
            "t.json:cells[0]: the weight must be a finite number that is not negative");
  EXPECT_EQ(with("\"primary\"", "\"primry\""),
            "t.json:cells[1].status: unknown status 'primry'; did you mean 'primary'?");
  EXPECT_EQ(with("\"codes\": [2]", "\"codes\": [3]"),
            "t.json:cells[2].codes[0]: there is no code 3: there are 3");
  EXPECT_EQ(with("\"codes\": [2]", "\"codes\": [2, 2]"),
            "t.json:cells[2].codes: expected one code per dimension: 1, found 2");
  EXPECT_EQ(with("\"children\": [1, 2]", "\"children\": [1, 0]"),
            "t.json:dimensions[0]: the hierarchy has a cycle through code 'T'");
  EXPECT_EQ(with("\"decimals\": 1", "\"decimals\": 19"),
            "t.json:decimals: the decimals must be between 0 and 18");
  EXPECT_EQ(with("[-1, 1, 1]", "[-1, 1]"),
            "t.json:equations[0].coefficients: there are fewer coefficients than cells");
  EXPECT_EQ(with("[-1, 1, 1]", "[-1, 1, 1, 1]"),
            "t.json:equations[0].coefficients: there are more coefficients than cells");
  EXPECT_EQ(with("[-1, 1, 1]", "[-1, 1, 1000001]"),
            "t.json:equations[0].coefficients[2]: the coefficient is not between -1000000 and "
            "1000000");
  EXPECT_EQ(with("[0, 1, 2]", "[0, 1, 3]"),
            "t.json:equations[0].cells[2]: there is no cell 3: there are 3");
  EXPECT_EQ(with("\"attacker\": 0", "\"attacker\": 2"),
            "t.json:requirements[0].attacker: there is no attacker 2: there are 2");
  EXPECT_EQ(with("\"lower\": 5", "\"lower\": -5"),
            "t.json:requirements[0]: a protection level is negative");
  EXPECT_EQ(with("\"lower\": 5", "\"lower\": 50"),
            "t.json: no release can meet the lower protection level 5: attacker 'outsider' knows "
            "closer bounds of the cell (R=a)");
  EXPECT_EQ(with("1, 1]}]", "1, 1e999]}]"),
            "t.json:7:74: not valid JSON: number overflow parsing '1e999'");
}

}  // namespace
}  // namespace lacuna::problems
