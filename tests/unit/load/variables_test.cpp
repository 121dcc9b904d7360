// SPDX-License-Identifier: Apache-2.0
// Other variables of the same units, and what readers know of their quotients.
#include "app/load/variables.h"

#include <gtest/gtest.h>

#include "read_table.h"

namespace lacuna::load {
namespace {

using table::Appendix;
using testing::branches;
using testing::cell_at;

// Turnover with a sensitive cell a, from which readers must stay 10 away.
Problem turnover() {
  const Problem plain = branches({1000, 100, 300, 600});
  Requirement need;
  need.cell = cell_at(plain.table(), "a");
  need.lower = need.upper = 10;
  ProblemParts parts = plain.parts();
  TableBuilder builder(0, plain.table().dimensions());
  for (std::int32_t c = 0; c < plain.table().num_cells(); ++c) {
    Cell cell = plain.table().cell(CellId{c});
    if (CellId{c} == need.cell)
      cell.status = CellStatus::kPrimary;
    EXPECT_TRUE(builder.add_cell(cell, plain.table().codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < plain.table().num_equations(); ++e) {
    const auto terms = plain.table().equation(EquationId{e});
    EXPECT_TRUE(builder.add_equation({terms.begin(), terms.end()}));
  }
  return make_problem(std::move(builder).build().value(), {outsider()}, {need}).value();
}

ShadowVariable wages(const std::vector<Units>& values, const std::string& level = "") {
  ShadowVariable variable;
  variable.said.name = "wages";
  variable.said.level.text = level;
  variable.where = "job.toml:7:1";
  variable.problem = branches(values);
  return variable;
}

Requirement asked_of_wages(const ShadowVariable& variable) {
  const Problem problem = turnover();
  Appendix to(problem);
  const auto cells = add_variable(to, problem, variable);
  EXPECT_TRUE(cells) << cells.error().text();
  const CellId own = (*cells)[static_cast<std::size_t>(cell_at(problem.table(), "a").value)];
  const Problem built = std::move(to).build().value();
  EXPECT_EQ(built.table().num_cells(), 8);
  EXPECT_EQ(built.table().num_equations(), 2) << "it adds up like the table";
  for (const Requirement& need : built.requirements()) {
    if (need.cell == own)
      return need;
  }
  return {};
}

TEST(Variables, AreAskedInProportion) {
  EXPECT_EQ(asked_of_wages(wages({310, 35, 90, 185})).lower, 4);  // 10 of 100 as of 35, rounded up
  EXPECT_EQ(asked_of_wages(wages({310, 35, 90, 185}, "20")).upper, 7);
  ShadowVariable free = wages({310, 35, 90, 185});
  free.said.sensitive = "none";
  EXPECT_EQ(asked_of_wages(free).lower, 0);
}

TEST(Variables, NeedANumberForEveryCell) {
  const Problem problem = turnover();
  Appendix to(problem);
  ShadowVariable short_one = wages({310, 35, 90, 185});
  short_one.problem =
      testing::read_table("branch;n\nall;125\na;35\nb;90\n", {"branch"}, "value = \"n\"");
  const auto cells = add_variable(to, problem, short_one);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().text(),
            "job.toml:7:1: the variable 'wages': it has no number for branch=c");
}

Status known(const std::string& least, const std::string& most, std::int32_t* added = nullptr) {
  const Problem problem = turnover();
  Appendix to(problem);
  const auto cells = add_variable(to, problem, wages({310, 35, 90, 185}));
  EXPECT_TRUE(cells);
  const std::int32_t before = to.num_cells();
  RatioOfVariables ratio;
  ratio.said.above = "wages";
  ratio.said.below = "value";
  ratio.said.least.text = least;
  ratio.said.most.text = most;
  ratio.where = "job.toml:9:1";
  Status status = add_known_ratio(to, problem, ratio, {{"wages", *cells}});
  if (added != nullptr)
    *added = to.num_cells() - before;
  return status;
}

TEST(Variables, AKnownQuotientIsTwoInequalitiesPerCell) {
  std::int32_t added = 0;
  EXPECT_TRUE(known("0.2", "0.4", &added));
  EXPECT_EQ(added, 8);
  EXPECT_TRUE(known("0.3", "", &added));
  EXPECT_EQ(added, 4);
}

TEST(Variables, WhatIsSaidToBeKnownMustBeTrue) {
  const Status high = known("0.31", "0.4");
  ASSERT_FALSE(high);
  EXPECT_EQ(high.error().code, ErrorCode::kJobValue);
  EXPECT_NE(high.error().text().find(
                "what readers are said to know of 'wages' per 'value' is not true of branch="),
            std::string::npos);
  EXPECT_FALSE(known("", ""));
  EXPECT_FALSE(known("-1", "2"));
  EXPECT_FALSE(known("some", ""));
}

}  // namespace
}  // namespace lacuna::load
