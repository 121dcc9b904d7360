// SPDX-License-Identifier: Apache-2.0
// The checker of evidence on a table small enough to check by hand, and at the edge of its numbers.
#include "judge/attack/evidence_check.h"

#include <gtest/gtest.h>

#include "core/base/exact.h"
#include "judge/attack/view.h"
#include "support/tables.h"

namespace lacuna::attack {
namespace {

using testing::problem_of;
using testing::two_way;
using testing::withholding;

//   3  4 | 7
//   3  1 | 4     the four inner cells withheld, bounds [0, 100]
//   6  5 | 11
struct Square {
  std::shared_ptr<const Problem> problem =
      problem_of(two_way({{3, 4, 7}, {3, 1, 4}, {6, 5, 11}}, {0, 100}), {});
  Draft draft = withholding({0, 1, 3, 4});
  std::vector<Slack> slacks = attacker_slacks(problem->table(), draft, outsider());
  const Table& table() const { return problem->table(); }
};

Displacement around(const Integer& amount, const Integer& denominator = 1) {
  return {{CellId{0}, CellId{1}, CellId{3}, CellId{4}},
          {amount, -amount, -amount, amount},
          denominator};
}

TEST(EvidenceCheck, WitnessWithinTheRoom) {
  const Square square;
  EXPECT_TRUE(check_displacement(square.table(), square.slacks, around(3)));
  EXPECT_TRUE(check_displacement(square.table(), square.slacks, around(-1)));
  EXPECT_TRUE(check_displacement(square.table(), square.slacks, around(7, 3)));
  EXPECT_FALSE(check_displacement(square.table(), square.slacks, around(4)));
  EXPECT_FALSE(check_displacement(square.table(), square.slacks, around(-2)));
  EXPECT_FALSE(check_displacement(square.table(), square.slacks, around(10, 3)));
  EXPECT_FALSE(check_displacement(square.table(), square.slacks, around(3, 0)));
  EXPECT_FALSE(check_displacement(square.table(), square.slacks, around(3, Integer(1) << 70'000U)));
  EXPECT_FALSE(check_displacement(square.table(), square.slacks, around(Integer(1) << 70'000U)));
  EXPECT_FALSE(check_ray(square.table(), square.slacks, around(1)));
}

TEST(EvidenceCheck, DisplacementOfACell) {
  EXPECT_EQ(displacement_of(around(4, 6), CellId{0}, Direction::kHigh), (Fraction{2, 3}));
  EXPECT_EQ(displacement_of(around(4, 6), CellId{0}, Direction::kLow), (Fraction{-2, 3}));
  EXPECT_EQ(displacement_of(around(4, 6), CellId{2}, Direction::kHigh), Fraction{});
}

TEST(EvidenceCheck, ProofsOfTheOtherCells) {
  const Square square;
  const auto bound = [&](std::int32_t cell, Direction direction, const Multipliers& proof) {
    return proven_bound(square.table(), square.slacks, CellId{cell}, direction, proof);
  };
  EXPECT_EQ(bound(0, Direction::kHigh, {}), (Fraction{97, 1}));  // its own bounds
  // Row 0: z_0 = -z_1 <= 4. Column 0: z_0 = -z_3 <= 3. Column 0 less row 1: z_0 = z_4 >= -1.
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{0}}, {1}, 1}), (Fraction{4, 1}));
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{3}}, {1}, 1}), (Fraction{3, 1}));
  EXPECT_EQ(bound(0, Direction::kLow, {{EquationId{1}, EquationId{3}}, {1, -1}, 1}),
            (Fraction{1, 1}));
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{3}}, {1}, 2}), (Fraction{50, 1}));
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{6}}, {1}, 1}), std::nullopt);
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{3}}, {1}, 0}), std::nullopt);
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{3}}, {}, 1}), std::nullopt);
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{3}, EquationId{3}}, {1, 0}, 1}), std::nullopt);
  EXPECT_EQ(bound(0, Direction::kHigh, {{EquationId{3}}, {Integer(1) << 70'000U}, 1}),
            std::nullopt);
}

TEST(EvidenceCheck, NoBoundWithoutAnEnd) {
  const auto problem = problem_of(two_way({{3, 4, 7}, {3, 1, 4}, {6, 5, 11}}), {});
  const Draft draft = withholding({0, 1, 2});
  const auto slacks = attacker_slacks(problem->table(), draft, outsider());
  EXPECT_EQ(proven_bound(problem->table(), slacks, CellId{0}, Direction::kHigh, {}), std::nullopt);
  EXPECT_EQ(proven_bound(problem->table(), slacks, CellId{0}, Direction::kLow, {}),
            (Fraction{3, 1}));
}

// 2,200 terms of a million times 2^95 leave 128 bits; added up in those they could come out as
// anything, zero among it.
TEST(EvidenceCheck, SumsBeyond128BitsAreNotZero) {
  constexpr std::int32_t kCells = 2200;
  TableBuilder builder(0);
  std::vector<Term> terms;
  for (std::int32_t c = 0; c < kCells; ++c) {
    ASSERT_TRUE(builder.add_cell({.value = 0, .prior = {kUnboundedBelow, kUnboundedAbove}}));
    terms.push_back({CellId{c}, 1'000'000});
  }
  ASSERT_TRUE(builder.add_equation(terms));
  const auto problem = problem_of(std::move(builder), {});
  Draft draft;
  Displacement ray;
  for (std::int32_t c = 0; c < kCells; ++c) {
    draft.withhold(CellId{c});
    ray.cells.push_back(CellId{c});
    ray.moves.push_back((Integer(1) << 96U) - 1);
  }
  const auto slacks = attacker_slacks(problem->table(), draft, outsider());
  const Status status = check_ray(problem->table(), slacks, ray);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a witness breaks equation 0");
}

}  // namespace
}  // namespace lacuna::attack
