// SPDX-License-Identifier: Apache-2.0
// The smallest tables where whole numbers tell more than fractions, and evidence that is refused.
#include <gtest/gtest.h>

#include "core/base/exact.h"
#include "core/base/parallel.h"
#include "judge/attack/checker.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/integer_tree.h"
#include "judge/attack/search.h"
#include "support/integer_tables.h"
#include "support/whole_evidence.h"

namespace lacuna::attack {
namespace {

using testing::CountTable;
using testing::CountTableMaker;
using testing::FiledReach;
using testing::flat;
using testing::one_tree;
using testing::slacks_withholding;
using testing::two_groupings;

LinearForm one(std::int32_t cell) {
  return {{CellId{cell}, 1}};
}

struct Example {
  CountTable counts;
  std::vector<Slack> slacks;

  Example(const CountTableMaker& maker,
          const std::vector<Units>& leaves,
          const std::vector<std::int32_t>& published)
      : counts(maker.make(leaves)) {
    std::vector<std::int32_t> withheld;
    for (std::int32_t c = 0; c < counts.table.num_cells(); ++c) {
      if (std::find(published.begin(), published.end(), c) == published.end())
        withheld.push_back(c);
    }
    slacks = slacks_withholding(counts.table, withheld);
  }

  FiledReach extent(const LinearForm& form, Direction direction) const {
    const AttackView view(counts.table, slacks, {}, nullptr);
    FiledReach filed(Search(view, {}).extent(form, direction, RunContext{}));
    const Status status = filed.confirm(counts.table, slacks, form, direction);
    EXPECT_TRUE(status) << (status ? "" : status.error().text());
    EXPECT_TRUE(filed.end.exact());
    return filed;
  }
  std::vector<Units> values(const LinearForm& form) const {
    const AttackView view(counts.table, slacks, {}, nullptr);
    const auto found = Search(view, {}).values(form, -5, 5, RunContext{});
    EXPECT_TRUE(found);
    std::vector<Units> moves;
    for (const FormValue& value : *found)
      moves.push_back(value.move);
    return moves;
  }
};

// N = 2 and AB = AC = BC = 1: somebody has all three attributes.
Example pigeonhole() {
  return {CountTableMaker({flat(2), flat(2), flat(2)}), {1, 0, 0, 0, 0, 0, 0, 1}, {2, 6, 18, 26}};
}
// Areas 1, 2, 3 and the unions 12 and 23 by sex; the cell is the men of area 3.
Example geographies(Units men) {
  return {CountTableMaker({two_groupings(), flat(2)}), {0, 0, 0, 1, men, 0}, {0, 5, 10, 13, 17}};
}
constexpr std::int32_t kMen3 = 6;
Example trees() {
  return {CountTableMaker({one_tree(), one_tree()}),
          {0, 0, 1, 0, 0, 0, 0, 1, 0},
          {0, 1, 5, 7, 14, 18, 22, 24}};
}

TEST(IntegerRange, PigeonholeNeedsRoundingAlone) {
  const Example example = pigeonhole();
  const FiledReach low = example.extent(one(0), Direction::kLow);
  EXPECT_EQ(low.end.bound, 0);
  ASSERT_GE(low.end.proof, 0);
  EXPECT_EQ(low.end.tree, -1);
  EXPECT_EQ(example.extent(one(0), Direction::kHigh).end.bound, 0);
  EXPECT_EQ(example.extent(one(8), Direction::kHigh).end.bound, 1);  // has A
}

TEST(IntegerRange, OneWayMargins) {
  const Example example(
      CountTableMaker({flat(2), flat(2), flat(2)}), {0, 1, 0, 0, 0, 0, 1, 0}, {0, 8, 20, 24, 26});
  EXPECT_EQ(example.extent(one(13), Direction::kHigh).end.bound, 0);
}

TEST(IntegerRange, GeographiesNeedAStep) {
  const Example example = geographies(1);
  const FiledReach low = example.extent(one(kMen3), Direction::kLow);
  EXPECT_EQ(low.end.bound, 0);
  ASSERT_GE(low.end.step, 0);
  EXPECT_EQ(low.steps.front().q, 2);
  const auto real = proven_bound(
      example.counts.table, example.slacks, CellId{kMen3}, Direction::kLow, low.proofs.front());
  EXPECT_TRUE(!real || *real >= 1);  // without the step it is no proof
  EXPECT_EQ(example.extent(one(kMen3), Direction::kHigh).end.bound, 0);
}

TEST(IntegerRange, GeographiesHaveAHole) {
  EXPECT_EQ(geographies(2).values(one(kMen3)), (std::vector<Units>{-2, 0}));
  EXPECT_EQ(geographies(1).values(one(kMen3)), (std::vector<Units>{0}));
}

TEST(IntegerRange, TwoTreesNeedAStep) {
  const Example example = trees();
  const FiledReach low = example.extent(one(11), Direction::kLow);
  EXPECT_EQ(low.end.bound, 0);
  ASSERT_GE(low.end.step, 0);
  EXPECT_EQ(low.steps.front().q, 2);
  EXPECT_EQ(example.extent(one(11), Direction::kHigh).end.bound, 0);
  EXPECT_EQ(example.values(one(11)), (std::vector<Units>{0}));
}

TEST(IntegerRange, FormsOfSeveralCells) {
  // 15 = 10 + 3 + x + x: all of x + x is known, x - x is not.
  const Example example(CountTableMaker({flat(4)}), {10, 3, 1, 1}, {0, 1, 4});
  const LinearForm sum{{CellId{2}, 1}, {CellId{3}, 1}};
  EXPECT_EQ(example.extent(sum, Direction::kHigh).end.bound, 0);
  const LinearForm difference{{CellId{2}, -1}, {CellId{3}, 1}};
  EXPECT_EQ(example.extent(difference, Direction::kHigh).end.bound, 2);
  EXPECT_EQ(example.values(difference), (std::vector<Units>{-2, 0, 2}));
}

TEST(IntegerRange, NoEnd) {
  const Example example(CountTableMaker({flat(2)}), {3, 1}, {1});
  const AttackView view(example.counts.table, example.slacks, {}, nullptr);
  FiledReach filed(Search(view, {}).extent(one(0), Direction::kHigh, RunContext{}));
  EXPECT_TRUE(filed.confirm(example.counts.table, example.slacks, one(0), Direction::kHigh));
  EXPECT_TRUE(filed.end.unbounded);
}

TEST(WholeChain, KnownOnesAreToldByTheSum) {
  // Withheld means at least 1.
  const Example open(CountTableMaker({flat(4)}), {10, 3, 1, 1}, {0, 1, 4});
  std::vector<Slack> slacks = open.slacks;
  slacks[2].down = slacks[3].down = 0;
  const Table& table = open.counts.table;
  const AttackView view(table, slacks, {}, nullptr);
  FiledReach high(Search(view, {}).extent(one(2), Direction::kHigh, RunContext{}));
  ASSERT_TRUE(high.confirm(table, slacks, one(2), Direction::kHigh));
  EXPECT_EQ(high.end.bound, 0);
  ASSERT_EQ(high.chains.size(), 1U);
  ASSERT_EQ(high.chains.front().size(), 1U);
  EXPECT_EQ(high.chains.front().front().value, 1);
  // A tighter number does not follow, and without the line there is no bound.
  FiledReach tighter = high;
  tighter.chains.front().front().value = 0;
  const Status status = tighter.confirm(table, slacks, one(2), Direction::kHigh);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().text().find("does not follow from equation"), std::string::npos);
  FiledReach without = high;
  without.chains.front().clear();
  EXPECT_FALSE(without.confirm(table, slacks, one(2), Direction::kHigh));
}

TEST(WholeChain, RoundsInwardByCoefficients) {
  // 2x + 3y = 12 with x, y >= 0: y <= 4, x <= 6; and 2x = 12 - 3y.
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell(Cell{.value = 3}));
  ASSERT_TRUE(builder.add_cell(Cell{.value = 2}));
  const std::vector<Term> terms{{CellId{0}, 2}, {CellId{1}, 3}};
  ASSERT_TRUE(builder.add_equation(terms, 12));
  const Table table = std::move(builder).build().value();
  const std::vector<Slack> slacks{{3, kUnboundedAbove}, {1, kUnboundedAbove}};  // x >= 0, y >= 1
  const auto bound_by = [&](ChainLine line) -> Result<Fraction> {
    Evidence evidence;
    evidence.chains.push_back({line});
    End end;
    end.chain = 0;
    LACUNA_RETURN_IF_ERROR(
        Checker(table, slacks, Domain::kInteger).confirm(one(0), Direction::kHigh, evidence, end));
    return end.bound;
  };
  const auto after = bound_by({CellId{0}, Direction::kHigh, EquationId{0}, 4});  // 2x <= 9
  ASSERT_TRUE(after);
  EXPECT_EQ(*after, 1);
  EXPECT_FALSE(bound_by({CellId{0}, Direction::kHigh, EquationId{0}, 3}));
  EXPECT_FALSE(bound_by({CellId{5}, Direction::kHigh, EquationId{0}, 4}));
  EXPECT_FALSE(bound_by({CellId{0}, Direction::kHigh, EquationId{1}, 4}));
}

// The halves of the geographies without their step: cases are needed.
struct TreeExample {
  Example example = geographies(1);
  AttackView view{example.counts.table, example.slacks, {}, nullptr};
  IntegerTreeEvidence found;

  TreeExample() {
    const LocalSystem part(
        view, {view.part(0).begin(), view.part(0).end()}, equations_through(view, view.part(0)));
    auto solver = make_lp_solver("").value();
    FormLp lp(part, Domain::kInteger, *solver);
    lp.load();
    IntegerBranching branching(lp, nullptr);
    const LinearForm form = part.local(one(kMen3));
    auto outcome = branching.search(form, Direction::kLow, 1, 100, RunContext{});
    EXPECT_TRUE(outcome.tree);
    const Goal goal = make_goal(view, one(kMen3), Direction::kLow, 1);
    found = *bounded_by(view, goal, part, *std::move(outcome.tree)).tree;
  }
  Result<Fraction> check(const IntegerTreeEvidence& evidence) const {
    End end;
    end.tree = 0;
    LACUNA_RETURN_IF_ERROR(
        Checker(example.counts.table, example.slacks, Domain::kInteger)
            .confirm(one(kMen3),
                     Direction::kLow,
                     {{}, evidence.proofs, evidence.steps, evidence.chains, {evidence.tree}},
                     end));
    return end.bound;
  }
};

TEST(IntegerTree, CasesReplaceTheStep) {
  const TreeExample example;
  ASSERT_GT(example.found.tree.size(), 1U);
  const auto bound = example.check(example.found);
  ASSERT_TRUE(bound) << bound.error().text();
  EXPECT_EQ(*bound, 0);
}

TEST(IntegerTree, LoopsHolesAndFalseLeavesAreRefused) {
  const TreeExample example;
  IntegerTreeEvidence loop = example.found;
  loop.tree.front().high = 0;
  EXPECT_FALSE(example.check(loop));
  IntegerTreeEvidence twice = example.found;
  twice.tree.front().high = twice.tree.front().low;
  EXPECT_FALSE(example.check(twice));
  IntegerTreeEvidence hole = example.found;
  hole.tree.front().high = -1;
  EXPECT_FALSE(example.check(hole));
  IntegerTreeEvidence empty = example.found;
  for (TreeNode& node : empty.tree) {
    if (node.cell.value < 0)
      node.empty = true;
  }
  EXPECT_FALSE(example.check(empty));  // the truth is in one of them
  IntegerTreeEvidence unproven = example.found;
  for (TreeNode& node : unproven.tree)
    node.proof = node.chain = -1;
  EXPECT_FALSE(example.check(unproven));
  IntegerTreeEvidence missing = example.found;
  missing.proofs.clear();
  missing.chains.clear();
  EXPECT_FALSE(example.check(missing));
}

// 2 (x_1 + ... + x_n) + y = n with n odd and all of them 0 or 1: y is odd, which cases see only
// after about 2^(n/2) of them, and there are too many cells for a step.
Table odd_one_out() {
  constexpr std::int32_t kOnes = 250, kCells = 2 * kOnes + 1;
  TableBuilder builder(0);
  std::vector<Term> terms;
  for (std::int32_t c = 0; c < kCells; ++c) {
    EXPECT_TRUE(builder.add_cell(Cell{.value = c < kOnes ? 1 : 0}));
    terms.push_back({CellId{c}, 2});
  }
  EXPECT_TRUE(builder.add_cell(Cell{.value = 1}));
  terms.push_back({CellId{kCells}, 1});
  EXPECT_TRUE(builder.add_equation(terms, kCells));
  return std::move(builder).build().value();
}

TEST(Search, WorkEndsAHopelessQuestionForAnyNumberOfThreads) {
  const Table table = odd_one_out();
  std::vector<Slack> slacks;
  for (const Cell& cell : table.cells())
    slacks.push_back({cell.value, 1 - cell.value});
  const AttackView view(table, slacks, {}, nullptr);
  const LinearForm form = one(table.num_cells() - 1);
  constexpr std::int64_t kNoNodeLimit = 1'000'000'000, kWork = 100'000;
  const auto nodes_of = [&](int threads) {
    RunContext run;
    run.threads = threads;
    std::vector<std::int64_t> nodes(4);
    base::share_among(
        run, static_cast<std::size_t>(threads), nodes.size(), [&](auto, std::size_t i) {
          Search search(view, {"", kNoNodeLimit, kWork});
          const Reach reach = search.decide(form, Direction::kLow, 1, run);
          EXPECT_FALSE(reach.witness || reach.bounded());
          EXPECT_EQ(search.counts().undecided, 1);
          EXPECT_FALSE(search.extent(form, Direction::kLow, run).witness);
          EXPECT_EQ(search.counts().undecided, 2);
          nodes[i] = search.counts().nodes;
        });
    return nodes;
  };
  const std::vector<std::int64_t> alone = nodes_of(1);
  EXPECT_GT(alone.front(), 10);
  EXPECT_EQ(alone, nodes_of(2));
}

TEST(Search, EitherEndIsEnoughOrBothAreRefuted) {
  const Example told = geographies(1);
  const AttackView known(told.counts.table, told.slacks, {}, nullptr);
  const auto none = Search(known, {}).decide_either(one(kMen3), 1, 1, RunContext{});
  EXPECT_FALSE(none.low.witness || none.high.witness);
  EXPECT_TRUE(none.low.bounded() && none.high.bounded());

  const Example open = geographies(2);
  const AttackView view(open.counts.table, open.slacks, {}, nullptr);
  const auto found = Search(view, {}).decide_either(one(kMen3), 2, 1, RunContext{});
  ASSERT_TRUE(found.low.witness);
  FiledReach filed(found.low);
  ASSERT_TRUE(filed.confirm(open.counts.table, open.slacks, one(kMen3), Direction::kLow));
  EXPECT_EQ(filed.end.reached, 2);
}

TEST(Search, WitnessesKnownBeforeAreUsed) {
  const Example open = geographies(2);
  const AttackView view(open.counts.table, open.slacks, {}, nullptr);
  const Reach first = Search(view, {}).decide(one(kMen3), Direction::kLow, 2, {});
  ASSERT_TRUE(first.witness);
  WitnessStore store(view);
  Displacement outside = *first.witness;
  for (Integer& move : outside.moves)
    move *= 2;
  if (view.admits(outside))
    store.remember(outside);
  EXPECT_TRUE(store.all().empty());
  store.remember(*first.witness);
  Search second(view, {}, &store);
  EXPECT_EQ(second.decide(one(kMen3), Direction::kLow, 2, {}).witness, first.witness);
  EXPECT_EQ(second.counts().reused, 1);
  EXPECT_EQ(second.counts().lp_solves, 0);
}

TEST(WholeCheck, FractionsAndWrongStepsAreRefused) {
  const Example example = geographies(1);
  const Table& table = example.counts.table;
  Displacement half;
  half.denominator = 2;
  EXPECT_FALSE(check_integer_witness(table, example.slacks, half));
  const FiledReach low = example.extent(one(kMen3), Direction::kLow);
  const Step& step = low.steps.front();
  std::vector<Slack> slacks = example.slacks;
  EXPECT_TRUE(check_step(table, slacks, one(kMen3), step));
  Step larger = step;
  larger.q = 4;
  EXPECT_FALSE(check_step(table, slacks, one(kMen3), larger));
  EXPECT_FALSE(check_step(table, slacks, one(kMen3 + 1), step));
  Step zero = step;
  zero.q = 0;
  EXPECT_FALSE(check_step(table, slacks, one(kMen3), zero));
  for (const std::int32_t published : {5, 10, 13, 17})
    slacks[static_cast<std::size_t>(published)] = {1, 1};
  EXPECT_FALSE(check_step(table, slacks, one(kMen3), step));  // it leans on what is published
  EXPECT_FALSE(check_form(table, LinearForm{{CellId{3}, 1}, {CellId{3}, 1}}));
}

TEST(WholeStep, KernelOfACycleHasNoStep) {
  const CountTable square = CountTableMaker({flat(2), flat(2)}).make({1, 1, 1, 1});
  const AttackView view(square.table, slacks_withholding(square.table, {0, 1, 3, 4}), {}, nullptr);
  const LocalSystem part(view, {0, 1, 2, 3}, equations_through(view, view.part(0)));
  const IntegerKernel kernel(part.table());
  EXPECT_TRUE(kernel.known());
  EXPECT_FALSE(kernel.step(one(0)));
  const auto step = kernel.step(LinearForm{{CellId{0}, 1}, {CellId{3}, 1}});
  ASSERT_TRUE(step);  // opposite corners move together
  EXPECT_EQ(step->q, 2);
}

}  // namespace
}  // namespace lacuna::attack
