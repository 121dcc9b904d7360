// SPDX-License-Identifier: Apache-2.0
// Everything that answers the attacker's problem is asked the same questions: networks, three
// dimensions, hierarchies, linked tables and equations with any coefficients; slacks that are zero,
// finite or without end. Each answer is checked by itself: a displacement that stays within the
// slacks and gets so far, and a d that holds for every displacement and says that nothing gets
// farther, or a ray. Hence equal values are the right ones, whoever is asked.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/form_lp.h"
#include "judge/attacker/flow.h"
#include "judge/attacker/lazy.h"
#include "judge/attacker/leaf_simplex.h"
#include "judge/attacker/lp.h"
#include "judge/attacker/repair_simplex.h"
#include "judge/attacker/solver.h"
#include "property/seeds.h"
#include "support/random_system.h"

namespace lacuna {
namespace {

using Numbers = std::vector<double>;
using Question = attacker::AttackerSolver::Query;
using Answer = attacker::AttackerSolver::Answer;

constexpr double kNear = 1e-6;
constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr Wide kNoLimit = Wide{1} << 100U;
const std::vector<std::string> kShapes{
    "network", "one hierarchy", "three dimensions", "hierarchies", "linked", "system", "small"};

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

std::shared_ptr<const Problem> draw_table(std::size_t shape,
                                          std::uint64_t seed,
                                          base::Random& random) {
  if (shape == 5)
    return testing::random_system(random);
  if (shape == 6)
    return std::make_shared<const Problem>(generation::generate_small(seed).value());
  generation::GenerateOptions options;
  options.seed = seed;
  options.fan_most = {3};
  options.absent_percent = static_cast<std::int32_t>(random.between(0, 2)) * 10;
  const auto size = [&] { return static_cast<std::int32_t>(random.between(2, 4)); };
  switch (shape) {
    case 0:
      options.sizes = {size(), size()};
      break;
    case 1:
      options.kind = generation::GenerateKind::kOneHierarchy;
      options.rows = 3;
      options.columns = 3;
      options.tree_depth = 2;
      break;
    case 2:
      options.sizes = {size(), size(), 2};
      break;
    default:
      options.kind =
          shape == 3 ? generation::GenerateKind::kHierarchical : generation::GenerateKind::kLinked;
      options.depths = {2, 1};
      break;
  }
  return std::make_shared<const Problem>(generation::generate(options).value());
}

// Of every cell, whole numbers; may have to be computed.
class DrawnSlacks final : public attacker::Slacks {
 public:
  DrawnSlacks(std::int32_t cells, bool limits, bool ready, base::Random& random) : ready_(ready) {
    const auto draw = [&] {
      if (!limits && random.chance(1, 3))
        return kEndless;
      return random.chance(1, 4) ? 0.0 : static_cast<double>(random.between(1, 20));
    };
    for (std::int32_t i = 0; i < cells; ++i)
      slacks_.push_back({draw(), draw()});
  }
  // Other slacks, none of them without an end that had one.
  void draw_again(base::Random& random) {
    const auto draw = [&](double& slack) {
      if (std::isfinite(slack) || random.chance(1, 2))
        slack = random.chance(1, 4) ? 0.0 : static_cast<double>(random.between(1, 20));
    };
    for (attacker::RealSlack& slack : slacks_) {
      draw(slack.down);
      draw(slack.up);
    }
  }
  attacker::RealSlack of(std::int32_t cell) const override { return slacks_[at(cell)]; }
  bool has_slack(std::int32_t cell) const override {
    return slacks_[at(cell)].down > 0 || slacks_[at(cell)].up > 0;
  }
  bool lie_ready() const override { return ready_; }

 private:
  std::vector<attacker::RealSlack> slacks_;
  bool ready_;
};

// Cells without any slack: a slack of the target itself does not count.
Numbers dense(const attacker::AttackerProblem& problem,
              std::span<const attacker::CellAmount> amounts) {
  Numbers made(at(problem.num_cells()), 0);
  for (const auto& [cell, amount] : amounts)
    made[at(cell)] += amount;
  return made;
}

// d = s e_p - M'g
Numbers coefficients(const attacker::AttackerProblem& problem,
                     const Question& question,
                     std::span<const attacker::Multiplier> multipliers) {
  Numbers d(at(problem.num_cells()), 0);
  d[at(question.cell)] = question.sign;
  for (const auto& [equation, factor] : multipliers) {
    for (const Term& term : problem.table().equation(equation)) {
      if (const std::int32_t i = problem.local(term.cell); i >= 0)
        d[at(i)] -= factor * term.coefficient;
    }
  }
  return d;
}

double imbalance(const attacker::AttackerProblem& problem, const Numbers& moves) {
  double most = 0;
  for (std::int32_t r = 0; r < problem.num_rows(); ++r) {
    double sum = 0;
    for (const simplex::LazyEntry& entry : problem.row(r))
      sum += entry.coefficient * moves[at(entry.index)];
    most = std::max(most, std::abs(sum));
  }
  return most;
}

// What d allows: infinite if it leans on a slack without end.
double bound(const attacker::AttackerProblem& problem,
             const Question& question,
             const attacker::Slacks& slacks,
             const Numbers& d) {
  double most = 0;
  for (std::int32_t i = 0; i < problem.num_cells(); ++i) {
    attacker::RealSlack slack = slacks.of(i);
    if (i == question.cell)
      slack = question.sign > 0 ? attacker::RealSlack{0, question.most}
                                : attacker::RealSlack{question.most, 0};
    const double slope = d[at(i)];
    if (std::abs(slope) > kNear * 1e-3)
      most += std::abs(slope) * slack.toward(slope);
  }
  return most;
}

// Displacements that obey the equations, whatever the slacks.
std::vector<Numbers> kernel(const attacker::AttackerProblem& problem, base::Random& random) {
  std::vector<Numbers> made;
  const table::LeafForm& form = problem.leaf_form();
  for (int k = 0; form.conditions.empty() && k < 3; ++k) {
    Numbers leaves(form.leaves.size());
    for (double& leaf : leaves)
      leaf = static_cast<double>(random.between(-3, 3));
    made.emplace_back(at(problem.num_cells()), 0);
    for (std::int32_t i = 0; i < problem.num_cells(); ++i) {
      for (const table::LeafTerm& term : problem.on_leaves(i))
        made.back()[at(i)] += static_cast<double>(term.coefficient) * leaves[at(term.leaf)];
    }
  }
  return made;
}

struct Case {
  const attacker::AttackerProblem& problem;
  Question question;
  const attacker::Slacks& slacks;
  std::vector<Numbers> kernel;  // displacements, and what was found before
};

struct Tally {
  std::map<std::string, std::int64_t> asked, by_shape;
  std::int64_t rays = 0, finite = 0, own_bound = 0, stuck = 0, given_up = 0, widened = 0, fixed = 0;
};

void expect_within(const Case& given, const Numbers& moves, bool ray) {
  EXPECT_LE(imbalance(given.problem, moves), kNear);
  for (std::int32_t i = 0; i < given.problem.num_cells(); ++i) {
    if (i == given.question.cell)
      continue;
    attacker::RealSlack slack = given.slacks.of(i);
    if (ray)
      slack = {std::isinf(slack.down) ? kEndless : 0, std::isinf(slack.up) ? kEndless : 0};
    EXPECT_LE(moves[at(i)], slack.up + kNear) << "cell " << i;
    EXPECT_GE(moves[at(i)], -slack.down - kNear) << "cell " << i;
  }
}

// For every displacement d'z = s z_p.
void expect_identity(const Case& given, const Numbers& d) {
  for (const Numbers& z : given.kernel) {
    double sum = 0;
    double size = 1;
    for (std::size_t i = 0; i < z.size(); ++i) {
      sum += d[i] * z[i];
      size += std::abs(d[i] * z[i]);
    }
    EXPECT_NEAR(sum, given.question.sign * z[at(given.question.cell)], kNear * size);
  }
}

void expect_sound(Case& given, const Answer& answer) {
  ASSERT_TRUE(answer.solved);
  const Numbers moves = dense(given.problem, answer.moves);
  const double own = given.question.sign * moves[at(given.question.cell)];
  expect_within(given, moves, answer.endless);
  if (answer.endless) {
    EXPECT_TRUE(std::isinf(given.question.most));
    EXPECT_GT(own, kNear);
    return;
  }
  EXPECT_NEAR(own, answer.value, kNear);
  EXPECT_LE(answer.value, given.question.most + kNear);
  given.kernel.push_back(moves);
  const Numbers d = answer.multipliers.empty()
                        ? dense(given.problem, answer.dual)
                        : coefficients(given.problem, given.question, answer.multipliers);
  EXPECT_NEAR(bound(given.problem, given.question, given.slacks, d), answer.value, 10 * kNear);
  expect_identity(given, d);
}

struct BackEnd {
  std::string name;
  std::unique_ptr<attacker::AttackerSolver> solver;
  bool needs_an_end = false;
};

class Everyone {
 public:
  explicit Everyone(const attacker::AttackerProblem& problem)
      : problem_(problem),
        net_(problem, Numbers(2 * at(problem.table().num_cells()), 1), {}),
        leaf_net_(net_),
        places_(net_) {
    add("equations",
        std::make_unique<attacker::AttackerLp>(problem, "", attacker::LpForm::kEquations));
    add("leaves", std::make_unique<attacker::AttackerLp>(problem, "", attacker::LpForm::kLeaves));
    add("lazy", std::make_unique<attacker::AttackerLazy>(problem, ""));
    add("chosen", attacker::make_attacker_solver(problem, ""));
    add("warm", std::make_unique<attacker::AttackerWarm>(net_, places_));
    back_ends_.back().needs_an_end = true;
    if (problem.network() != nullptr) {
      add("flow", std::make_unique<attacker::AttackerFlow>(problem));
      exact_.emplace(
          *problem.network(),
          at(problem.num_cells()),
          [&](CellId cell) { return problem.local(cell); },
          kNoLimit);
    }
  }

  // The same question of all, the second time with other slacks.
  void ask(Case given, bool again, Tally& tally) {
    std::optional<Answer> first;
    for (BackEnd& each : back_ends_) {
      if (each.needs_an_end && std::isinf(given.question.most))
        continue;
      SCOPED_TRACE(each.name);
      ++tally.asked[each.name];
      Answer answer = again ? each.solver->push_again(given.slacks, {})
                            : each.solver->push(given.question, given.slacks, {});
      if (!answer.solved) {
        ++tally.given_up;
        answer = each.solver->insist(given.slacks, {});
      }
      expect_sound(given, answer);
      if (!first)
        first = answer;  // its numbers; its spans may be gone
      EXPECT_EQ(answer.endless, first->endless);
      EXPECT_NEAR(first->endless ? 0 : answer.value, first->endless ? 0 : first->value, kNear);
      if (::testing::Test::HasFailure())
        return;
    }
    ++(first->endless ? tally.rays : tally.finite);
    tally.own_bound += !first->endless && first->value > given.question.most - kNear ? 1 : 0;
    tally.stuck += !first->endless && first->value < kNear ? 1 : 0;
    if (exact_)
      ask_exactly(given, *first, tally);
    ask_the_audit(given, *first, tally);
    if (!std::isinf(given.question.most))
      widen(given, first->value, tally);
  }

 private:
  void add(std::string name, std::unique_ptr<attacker::AttackerSolver> solver) {
    back_ends_.push_back({std::move(name), std::move(solver)});
  }

  // In whole numbers nothing is near: the value is that of the cut.
  void ask_exactly(const Case& given, const Answer& known, Tally& tally) {
    SCOPED_TRACE("exact flow");
    ++tally.asked["exact flow"];
    const auto wide = [](double slack) {
      return std::isinf(slack) ? kNoLimit : static_cast<Wide>(slack);
    };
    const Question& question = given.question;
    const flow::FlowEnding ending = exact_->push(
        question.cell, question.sign, wide(question.most), Wide{0}, [&](std::int32_t i, int sign) {
          return wide(given.slacks.of(i).toward(sign));
        });
    EXPECT_EQ(ending == flow::FlowEnding::kEndless, known.endless);
    if (known.endless)
      return;
    EXPECT_NEAR(static_cast<double>(exact_->reach()), known.value, kNear);
    if (ending != flow::FlowEnding::kBlocked)
      return;
    std::vector<attacker::Multiplier> multipliers;
    exact_->cut([](std::int32_t) { return true; },
                [&](EquationId equation, int g) { multipliers.emplace_back(equation, g); });
    const Numbers d = coefficients(given.problem, question, multipliers);
    EXPECT_EQ(bound(given.problem, question, given.slacks, d),
              static_cast<double>(exact_->reach()));
    expect_identity(given, d);
  }

  // The program of the audit, whose answers are rebuilt in integers: nothing is near.
  void ask_the_audit(const Case& given, const Answer& known, Tally& tally) {
    SCOPED_TRACE("audit");
    ++tally.asked["audit"];
    const auto units = [](double slack) {
      return std::isinf(slack) ? kUnboundedAbove : static_cast<Units>(slack);
    };
    const Table& table = problem_.table();
    const Question& question = given.question;
    std::vector<attack::Slack> slacks(at(table.num_cells()));
    for (std::int32_t i = 0; i < problem_.num_cells(); ++i) {
      const attacker::RealSlack slack = given.slacks.of(i);
      slacks[at(problem_.cell(i).value)] = {units(slack.down), units(slack.up)};
    }
    const CellId cell = problem_.cell(question.cell);
    const bool up = question.sign > 0;
    slacks[at(cell.value)] = {up ? 0 : units(question.most), up ? units(question.most) : 0};
    const Direction direction = up ? Direction::kHigh : Direction::kLow;
    const attack::LocalSystem system(table, slacks);
    const LinearForm form{{cell, 1}};
    const auto solver = make_lp_solver().value();
    attack::FormLp lp(system, Domain::kRational, *solver);
    lp.load();
    const double value = lp.maximize(form, direction, kUnboundedAbove, {});
    EXPECT_EQ(std::isinf(value), known.endless);
    if (known.endless) {
      if (const auto ray = lp.ray()) {
        EXPECT_TRUE(attack::check_ray(table, slacks, *ray));
      }
      return;
    }
    EXPECT_NEAR(value, known.value, kNear);
    const auto witness = lp.witness();
    ASSERT_TRUE(witness);
    EXPECT_TRUE(attack::check_displacement(table, slacks, *witness));
    const Fraction reached = attack::displacement_of(*witness, form, direction);
    EXPECT_NEAR(reached.to_double(), known.value, kNear);
    EXPECT_TRUE(lp.proof([&](const Multipliers& candidate) {
      return attack::proven_bound(table, slacks, form, direction, candidate) == reached;
    }));
  }

  // Where nothing may be widened, the cheapest widening is there if the cell reaches its level, and
  // else there is a proof that it does not.
  void widen(const Case& given, double value, Tally& tally) {
    const double level = given.question.most;
    const std::int32_t cell = given.problem.cell(given.question.cell).value;
    const bool reaches = value > level - kNear;
    attacker::RepairSimplex by_rows(net_, cell, given.question.sign);
    attacker::LeafSimplex by_leaves(leaf_net_, cell, given.question.sign);
    const attacker::RepairOutcome rows = by_rows.solve(level, given.slacks, given.slacks, places_);
    const attacker::RepairOutcome leaves = by_leaves.solve(level, given.slacks, given.slacks, {});
    const attacker::RepairOutcome due =
        reaches ? attacker::RepairOutcome::kFound : attacker::RepairOutcome::kImpossible;
    EXPECT_EQ(rows, due) << "over equations";
    // A cell that the equations fix has no basis over the leaves.
    if (leaves == attacker::RepairOutcome::kGivenUp && value < kNear) {
      ++tally.fixed;
      return;
    }
    EXPECT_EQ(leaves, due) << "over leaves";
    if (::testing::Test::HasFailure())
      return;
    ++tally.widened;
    if (reaches) {
      expect_within(given, dense(given.problem, by_rows.moves()), false);
      expect_within(given, local(by_leaves.move()), false);
      return;
    }
    const Numbers by_g = coefficients(given.problem, given.question, by_rows.multipliers());
    const Numbers by_d = local(by_leaves.coefficients());
    for (const Numbers& d : {by_g, by_d}) {
      EXPECT_LT(bound(given.problem, given.question, given.slacks, d), level - 0.1 * kNear);
      expect_identity(given, d);
    }
  }

  Numbers local(const attacker::Move& move) const {
    std::vector<attacker::CellAmount> amounts;
    for (const auto& [cell, amount] : move)
      amounts.emplace_back(problem_.local(CellId{cell}), amount);
    return dense(problem_, amounts);
  }

  const attacker::AttackerProblem& problem_;
  attacker::RepairNet net_;
  attacker::LeafNet leaf_net_;
  attacker::RepairScratch places_;
  std::vector<BackEnd> back_ends_;
  std::optional<attacker::NetworkSearch<Wide>> exact_;
};

void compare(std::size_t shape, std::uint64_t seed, Tally& tally) {
  base::Random random(1000 * (shape + 1) + seed);
  const auto drawn = draw_table(shape, seed, random);
  const Table& table = drawn->table();
  std::vector<bool> may_move(at(table.num_cells()));
  const bool all = random.chance(1, 3);
  for (std::size_t c = 0; c < may_move.size(); ++c)
    may_move[c] = all || random.chance(4, 5);
  const attacker::AttackerProblem problem(table, may_move);
  if (problem.num_cells() == 0)
    return;
  Everyone everyone(problem);
  for (int round = 0; round < 6; ++round) {
    const bool limits = random.chance(1, 2);
    Question question{static_cast<std::int32_t>(random.between(0, problem.num_cells() - 1)),
                      random.chance(1, 2) ? 1 : -1,
                      static_cast<double>(random.between(1, 30))};
    if (!limits && random.chance(1, 2))
      question.most = kEndless;
    SCOPED_TRACE("round " + std::to_string(round) + ", cell " + std::to_string(question.cell) +
                 ", sign " + std::to_string(question.sign) + ", most " +
                 std::to_string(question.most));
    DrawnSlacks slacks(problem.num_cells(), limits, random.chance(1, 2), random);
    for (const bool again : {false, true}) {
      SCOPED_TRACE(again ? "again" : "first");
      if (again)
        slacks.draw_again(random);
      everyone.ask({problem, question, slacks, kernel(problem, random)}, again, tally);
      if (::testing::Test::HasFailure())
        return;
      ++tally.by_shape[kShapes[shape]];
    }
  }
}

TEST(Attacker, WhoeverAnswersSaysTheSame) {
  Tally tally;
  testing::for_each_seed(1, 60, [&](std::uint64_t seed) {
    for (std::size_t shape = 0; shape < kShapes.size() && !HasFailure(); ++shape) {
      SCOPED_TRACE(kShapes[shape]);
      compare(shape, seed, tally);
    }
  });
  if (std::getenv("LACUNA_SEED") != nullptr)
    return;
  for (const std::string& shape : kShapes)
    EXPECT_GT(tally.by_shape[shape], 400) << shape;
  for (const char* name : {"equations", "leaves", "lazy", "chosen", "audit"})
    EXPECT_GT(tally.asked[name], 4000) << name;
  for (const char* name : {"warm", "flow", "exact flow"})
    EXPECT_GT(tally.asked[name], 1000) << name;
  EXPECT_GT(tally.rays, 100);
  EXPECT_GT(tally.finite, 3000);
  EXPECT_GT(tally.own_bound, 300);
  EXPECT_GT(tally.stuck, 300);
  EXPECT_GT(tally.widened, 3000);
  EXPECT_LT(tally.given_up, 50);
  EXPECT_LT(tally.fixed, 500);
}

}  // namespace
}  // namespace lacuna
