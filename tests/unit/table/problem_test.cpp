// SPDX-License-Identifier: Apache-2.0
#include "lacuna/problem.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "lacuna/keys.h"

namespace lacuna::table {
namespace {

// cell 0 = cell 1 + cell 2, with values 30, 10, 20 within [0, 100].
Table small_table(CellStatus first = CellStatus::kFree, CellStatus second = CellStatus::kPrimary) {
  TableBuilder builder(1);
  EXPECT_TRUE(builder.add_cell({.value = 300, .prior = {0, 1000}, .status = first}));
  EXPECT_TRUE(builder.add_cell({.value = 100, .prior = {0, 1000}, .status = second}));
  EXPECT_TRUE(builder.add_cell({.value = 200, .prior = {0, kUnboundedAbove}}));
  EXPECT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}}));
  return std::move(std::move(builder).build()).value();
}

std::string refusal(const Requirement& need, const std::vector<Attacker>& attackers = {}) {
  const auto problem = make_problem(small_table(), attackers, {need});
  EXPECT_FALSE(problem);
  return problem ? "" : base::in_full(problem.error().text());
}

TEST(MakeProblem, AddsTheOutsiderAndTheLeastLevels) {
  const auto problem = make_problem(small_table(), {}, {});
  ASSERT_TRUE(problem);
  ASSERT_EQ(problem->attackers().size(), 1U);
  EXPECT_EQ(problem->attackers()[0].name, "outsider");
  ASSERT_EQ(problem->requirements().size(), 1U);
  EXPECT_EQ(problem->requirements()[0],
            (Requirement{.cell = CellId{1}, .sliding = 1, .origin = LevelOrigin::kImplied}));
}

// A primary without levels must not be exactly computable, unless someone says otherwise.
TEST(MakeProblem, RaisesZeroLevels) {
  const auto problem =
      make_problem(small_table(), {}, {{.cell = CellId{1}}, {.cell = CellId{2}, .upper = 3}});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->requirements()[0].sliding, 1);
  EXPECT_EQ(problem->requirements()[0].given_sliding(), 0);
  EXPECT_EQ(problem->requirements()[1].sliding, 0);
  Problem stated = *problem;
  stated.state_zero_levels();
  EXPECT_TRUE(stated.requirements()[0].asks_nothing());
  EXPECT_EQ(stated.requirements()[1], problem->requirements()[1]);
  const auto again = make_problem(stated.table(), stated.attackers(), stated.requirements());
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->requirements()[0].asks_nothing());
}

TEST(MakeProblem, AsksNothingOfWhatAnAttackerKnows) {
  const Attacker insider{"insider", {{CellId{1}, {100, 100}}}};
  const auto problem = make_problem(small_table(),
                                    {outsider(), insider},
                                    {{.cell = CellId{1}}, {.cell = CellId{1}, .attacker = 1}});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->requirements()[0].sliding, 1);
  EXPECT_TRUE(problem->requirements()[1].asks_nothing());
}

TEST(CheckRequirements, NamesWhatKnowledgeHasBroken) {
  auto made = make_problem(small_table(), {}, {{.cell = CellId{1}, .upper = 50}});
  ASSERT_TRUE(made);
  Problem problem = std::move(made).value();
  EXPECT_TRUE(check_requirements(problem));
  problem.set_priors(std::vector<Bounds>{{300, 300}, {80, 120}, {0, kUnboundedAbove}});
  EXPECT_EQ(problem.table().cell(CellId{0}).status, CellStatus::kKnown);
  EXPECT_EQ(problem.table().cell(CellId{1}).status, CellStatus::kPrimary);
  const Status broken = check_requirements(problem);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().where, "cell 1");
}

TEST(MakeProblem, SortsRequirements) {
  const auto problem = make_problem(
      small_table(),
      {outsider(), {"insider", {}}},
      {{.cell = CellId{2}}, {.cell = CellId{1}, .attacker = 1}, {.cell = CellId{1}, .lower = 5}});
  ASSERT_TRUE(problem);
  ASSERT_EQ(problem->requirements().size(), 3U);
  EXPECT_EQ(problem->requirements()[0].lower, 5);
  EXPECT_EQ(problem->requirements()[1].attacker, 1);
  EXPECT_EQ(problem->requirements()[2].cell, CellId{2});
}

TEST(MakeProblem, RefusesLevelsThatNoReleaseCanMeet) {
  const std::string knows = ": attacker 'outsider' knows closer bounds of the cell";
  EXPECT_EQ(refusal({.cell = CellId{1}, .upper = 901}),
            "cell 1: no release can meet the upper protection level 90.1" + knows);
  EXPECT_EQ(refusal({.cell = CellId{1}, .lower = 101}),
            "cell 1: no release can meet the lower protection level 10.1" + knows);
  EXPECT_EQ(refusal({.cell = CellId{1}, .sliding = 1001}),
            "cell 1: no release can meet the sliding protection level 100.1" + knows);
  const Attacker near{"insider", {{CellId{1}, {95, 130}}}};
  EXPECT_EQ(refusal({.cell = CellId{1}, .attacker = 1, .upper = 31}, {outsider(), near}),
            "cell 1: no release can meet the upper protection level 3.1: attacker 'insider' knows "
            "closer bounds of the cell");
}

TEST(MakeProblem, AcceptsLevelsThatJustFit) {
  EXPECT_TRUE(make_problem(
      small_table(), {}, {{.cell = CellId{1}, .lower = 100, .upper = 900, .sliding = 1000}}));
  EXPECT_TRUE(make_problem(
      small_table(), {}, {{.cell = CellId{2}, .lower = 0, .upper = kMaxUnits, .sliding = 0}}));
}

TEST(MakeProblem, RefusesBadRequirements) {
  EXPECT_EQ(refusal({.cell = CellId{1}, .lower = -1}), "cell 1: a protection level is negative");
  EXPECT_EQ(refusal({.cell = CellId{1}, .upper = kUnboundedAbove}),
            "cell 1: a protection level is too large");
  EXPECT_EQ(refusal({.cell = CellId{3}}), "requirement: there is no cell 3");
  EXPECT_EQ(refusal({.cell = CellId{1}, .attacker = 1}), "cell 1: there is no attacker 1");
  const auto twice = make_problem(small_table(), {}, {{.cell = CellId{1}}, {.cell = CellId{1}}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().text(), "cell 1: the cell has two requirements for the same attacker");
  for (const CellStatus status : {CellStatus::kMustPublish, CellStatus::kKnown}) {
    const auto shown = make_problem(small_table(status), {}, {{.cell = CellId{0}}});
    ASSERT_FALSE(shown);
    EXPECT_EQ(shown.error().text(), "cell 0: the cell needs protection but must be published");
  }
}

TEST(MakeProblem, RefusesAttackersWhoAreWrong) {
  const Requirement need{.cell = CellId{1}};
  EXPECT_EQ(refusal(need, {outsider(), {"x", {{CellId{1}, {0, 99}}}}}),
            "cell 1: what attacker 'x' knows does not contain the value");
  EXPECT_EQ(refusal(need, {outsider(), {"x", {{CellId{9}, {}}}}}),
            "attacker x: there is no cell 9");
  EXPECT_EQ(refusal(need, {outsider(), {"x", {{CellId{1}, {}}, {CellId{1}, {}}}}}),
            "cell 1: attacker 'x' has the cell twice");
}

// Numbers beyond kMaxUnits overflow where the audit computes with them.
TEST(MakeProblem, RefusesKnowledgeOutOfRange) {
  const Requirement need{.cell = CellId{1}};
  const auto said = [&](Bounds bounds) {
    return refusal(need, {outsider(), {"x", {{CellId{1}, bounds}}}});
  };
  const std::string large = "cell 1: what attacker 'x' knows is too large for a table number";
  EXPECT_EQ(said({0, kMaxUnits + 1}), large);
  EXPECT_EQ(said({-kMaxUnits - 1, kMaxUnits}), large);
  EXPECT_EQ(said({kUnboundedAbove, kUnboundedAbove}), large);
  EXPECT_EQ(said({kUnboundedBelow, kUnboundedBelow}), large);
  EXPECT_EQ(said({101, 99}), "cell 1: attacker 'x' knows a lower bound above the upper one");
  for (const Bounds bounds : {Bounds{-kMaxUnits, kMaxUnits}, Bounds{}})
    EXPECT_TRUE(make_problem(small_table(), {outsider(), {"x", {{CellId{1}, bounds}}}}, {need}));
}

// Whatever is put together wrongly is no problem, whoever does it.
TEST(AssembleProblem, RefusesPartsThatDoNotFit) {
  const Problem whole = make_problem(small_table(),
                                     {outsider(), {"x", {{CellId{1}, {90, 110}}}}},
                                     {{.cell = CellId{1}, .upper = 5}, {.cell = CellId{2}}})
                            .value();
  const auto said = [&](auto change) {
    ProblemParts parts = whole.parts();
    change(parts);
    const auto made = assemble_problem(std::move(parts));
    return made ? std::string("ok") : base::in_full(made.error().text());
  };
  EXPECT_EQ(said([](ProblemParts&) {}), "ok");
  EXPECT_EQ(said([](ProblemParts& parts) { parts.attackers.clear(); }),
            "a problem has the outsider as its first attacker");
  EXPECT_EQ(said([](ProblemParts& parts) {
              parts.attackers[1].known[0].bounds = {0, 9};
            }),
            "cell 1: what attacker 'x' knows does not contain the value");
  EXPECT_EQ(said([](ProblemParts& parts) { parts.requirements[0].attacker = 2; }),
            "cell 1: there is no attacker 2");
  EXPECT_EQ(said([](ProblemParts& parts) { parts.requirements[0].upper = -1; }),
            "cell 1: a protection level is negative");
  EXPECT_EQ(said([](ProblemParts& parts) { parts.requirements[1].cell = CellId{7}; }),
            "requirement: there is no cell 7");
  EXPECT_EQ(
      said([](ProblemParts& parts) { std::swap(parts.requirements[0], parts.requirements[1]); }),
      "cell 1: the requirements are not in the order of their cells");
  EXPECT_EQ(said([](ProblemParts& parts) { parts.requirements[1] = parts.requirements[0]; }),
            "cell 1: the cell has two requirements for the same attacker");
  EXPECT_EQ(said([](ProblemParts& parts) { parts.table = Table(); }),
            "attacker x: there is no cell 1");
}

Table small_counts() {
  TableBuilder builder(0);
  for (const Units value : {30, 10, 20})
    EXPECT_TRUE(builder.add_cell({.value = value, .prior = {0, kUnboundedAbove}}));
  return std::move(builder).build().value();
}

// A change that is refused changes nothing; what hangs on what is dropped goes with it.
TEST(Problem, KeepsItsPartsTogether) {
  Problem problem = make_problem(small_counts(), {}, {{.cell = CellId{1}, .upper = 5}}).value();
  EXPECT_FALSE(problem.set_keys(std::make_shared<const CellKeys>(CellKeys{100, {1}, {1}, {}, {}})));
  EXPECT_FALSE(problem.keys());
  CountRules rules;
  rules.questions = {{CountKind::kLevels, 0, CellId{1}, CellId{-1}, {{CellId{1}, 1}}},
                     {CountKind::kExact, 0, CellId{1}, CellId{-1}, {{CellId{1}, 1}}}};
  ASSERT_TRUE(problem.set_counts(rules));
  CountRules wrong = rules;
  wrong.questions[1].attacker = 1;
  EXPECT_FALSE(problem.set_counts(wrong));
  EXPECT_EQ(problem.counts()->questions.size(), 2U);
  problem.drop_requirements([](const Requirement&) { return true; });
  ASSERT_EQ(problem.counts()->questions.size(), 1U);
  EXPECT_EQ(problem.counts()->questions[0].kind, CountKind::kExact);
  EXPECT_TRUE(Problem().asks_nothing());
  EXPECT_EQ(Problem().attackers().size(), 1U);
}

TEST(WithDecimals, TheSameNumbersInFinerUnits) {
  TableBuilder builder(1);
  EXPECT_TRUE(builder.add_cell({.value = 25, .prior = {0, 90}}));
  EXPECT_TRUE(builder.add_cell({.value = -40, .prior = {}}));
  const std::vector<Term> terms{{CellId{0}, 1}, {CellId{1}, 1}};
  EXPECT_TRUE(builder.add_equation(terms, -15));
  const Problem problem =
      make_problem(std::move(builder).build().value(),
                   {outsider(), {"x", {{CellId{0}, {3, kUnboundedAbove}}}}},
                   {{.cell = CellId{0}, .attacker = 1, .lower = 2, .upper = 5, .sliding = 9}})
          .value();
  const Problem finer = with_decimals(problem, 3).value();
  EXPECT_EQ(finer.table().decimals(), 3);
  EXPECT_EQ(finer.table().value(CellId{1}), -4000);
  EXPECT_EQ(finer.table().cell(CellId{0}).prior, (Bounds{0, 9000}));
  EXPECT_EQ(finer.table().rhs(EquationId{0}), -1500);
  EXPECT_EQ(finer.attackers()[1].known[0].bounds, (Bounds{300, kUnboundedAbove}));
  EXPECT_EQ(finer.requirements()[0].sliding, 900);
  EXPECT_FALSE(with_decimals(problem, 0));  // digits would be lost
  EXPECT_FALSE(with_decimals(problem, 19));
  EXPECT_FALSE(with_decimals(problem, 18));  // 40 is too large then
}

}  // namespace
}  // namespace lacuna::table
