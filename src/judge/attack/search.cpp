// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/held_network.h"
#include "judge/attack/integer_move.h"
#include "judge/attack/integer_tree.h"
#include "judge/attack/search_effort.h"
#include "lacuna/tolerance.h"

namespace lacuna::attack {
namespace {

// Units of work for a whole move by the engine in the whole parts.
constexpr std::int64_t kMoveWork = 2'000'000;
// Above it the fractions of a basis are seldom few enough for a witness to be scaled by.
constexpr std::size_t kMostBasisCells = 700;

bool surely_below(double value, Units level) {
  return tol::compare(value, static_cast<double>(level)) == tol::Order::kSurelyLess;
}

bool reaches(double value, Units level) {
  return value >= static_cast<double>(level) * (1 - tol::kDecision);
}

// Few different scales, so that levels of one size share a loaded model.
double scale_for(Units level) {
  constexpr double kStep = 4;  // powers of 16
  return std::exp2(kStep * std::round(std::log2(static_cast<double>(level)) / kStep));
}

}  // namespace

Search::Search(const AttackView& view, SearchOptions options, const WitnessStore* known)
    : view_(view), options_(std::move(options)), own_(view), known_(known) {
  if (view.network() != nullptr)
    flow_ = std::make_unique<FlowSearch>(view, *view.network());
  if (const HeldNetwork* held = view.held())
    held_flow_ = std::make_unique<FlowSearch>(held->view(), held->network());
}

std::unique_ptr<LpSolver> Search::make_solver() const {
  auto made = make_lp_solver(options_.engine, LpOptions{});
  LACUNA_CHECK(made.has_value());
  return std::move(made).value();
}

LpSolver& Search::scratch_solver() {
  if (!scratch_)
    scratch_ = make_solver();
  return *scratch_;
}

LpSolver& Search::move_solver() {
  if (!mover_) {
    auto made = make_lp_solver(options_.engine, LpOptions{.presolve = true});
    LACUNA_CHECK(made.has_value());
    mover_ = std::move(made).value();
  }
  return *mover_;
}

Reach Search::with_witness(Displacement witness) {
  remember(witness);
  Reach reach;
  reach.witness = std::move(witness);
  return reach;
}

RunContext Search::limited(const RunContext& run) const {
  return in_fractions() ? run : with_work(run, options_.work_limit);
}

// ---- what is told at once

// In a network a flow costs less than the check of a witness in fractions; in whole numbers the
// chain has said already what single equations would.
Search::Found Search::at_once(const Goal& goal) {
  using Strategy = Found (Search::*)(const Goal&);
  constexpr Strategy kFractions[] = {&Search::by_slack,
                                     &Search::by_flow,
                                     &Search::by_witness,
                                     &Search::by_held_flow,
                                     &Search::by_equation};
  constexpr Strategy kIntegers[] = {
      &Search::by_slack, &Search::by_witness, &Search::by_flow, &Search::by_held_flow};
  const auto strategies =
      in_fractions() ? std::span<const Strategy>(kFractions) : std::span<const Strategy>(kIntegers);
  for (const Strategy strategy : strategies) {
    if (auto found = (this->*strategy)(goal))
      return found;
  }
  return std::nullopt;
}

Search::Found Search::by_slack(const Goal& goal) {
  const auto falls_short = [&](std::span<const Term> form) {
    const auto slack = slack_of(view_, form, goal.direction);
    return slack && *slack < Wide{goal.level};
  };
  if (in_fractions() && falls_short(goal.given)) {
    ++counts_.by_slack;
    Reach reach;
    reach.proof = Multipliers{};  // the bounds of the cells say it
    return reach;
  }
  if (!falls_short(goal.form))
    return std::nullopt;
  ++counts_.by_slack;
  return bounded_by(view_, goal, {});
}

Search::Found Search::by_witness(const Goal& goal) {
  for (const WitnessStore* store : {static_cast<const WitnessStore*>(&own_), known_}) {
    auto found =
        store == nullptr ? std::nullopt : store->reaching(goal.form, goal.direction, goal.level);
    if (!found)
      continue;
    ++counts_.reused;
    Reach reach;
    reach.witness = std::move(found);
    return reach;
  }
  return std::nullopt;
}

Search::Found Search::by_flow(const Goal& goal) {
  return by_flow(goal, goal.level);
}

// Whether the multipliers show that the form does not pass this number.
bool Search::proves(const Goal& goal, const Reach& reach, const Fraction& end) const {
  if (in_fractions()) {
    const auto bound =
        proven_bound(view_.table(), view_.slacks(), goal.given, goal.direction, *reach.proof);
    return bound && *bound == end;
  }
  const auto bound =
      proven_integer_bound(view_.table(), view_.slacks(), goal.given, goal.direction, *reach.proof);
  return bound && end == *bound;
}

// By the largest flow, no farther than `stop`. Nothing if the form is not one cell or the evidence
// does not hold, which would mean that the network is not the table's: then the programs are asked.
Search::Found Search::by_flow(const Goal& goal, Units stop) {
  if (!flow_ || goal.form.size() != 1 || std::abs(goal.form.front().coefficient) != 1)
    return std::nullopt;
  const bool up = (goal.form.front().coefficient > 0) == (goal.direction == Direction::kHigh);
  Reach found = flow_->push(goal.free.front(), up ? Direction::kHigh : Direction::kLow, stop);
  if (found.witness) {
    const bool holds = found.unbounded
                           ? check_ray(view_.table(), view_.slacks(), *found.witness).has_value()
                           : view_.admits(*found.witness);
    if (!holds)
      return std::nullopt;
  }
  const Fraction reached = found.witness ? reached_by(goal, *found.witness) : Fraction{};
  Reach reach;
  if (!found.unbounded && reached < base::to_integer(stop)) {
    if (!found.proof)
      return std::nullopt;
    reach = bounded_by(view_, goal, *found.proof);
    if (!proves(goal, reach, reached))
      return std::nullopt;
  }
  ++counts_.flows;
  if (!in_fractions() && found.witness && !found.unbounded)
    remember(*found.witness);
  reach.unbounded = found.unbounded;
  reach.witness = std::move(found.witness);
  return reach;
}

// A witness or nothing: what is held could have moved.
Search::Found Search::by_held_flow(const Goal& goal) {
  if (!held_flow_ || goal.form.size() != 1 || std::abs(goal.form.front().coefficient) != 1)
    return std::nullopt;
  const HeldNetwork& held = *view_.held();
  const std::int32_t free = held.view().free_index(goal.form.front().cell);
  if (free < 0)
    return std::nullopt;
  const bool up = (goal.form.front().coefficient > 0) == (goal.direction == Direction::kHigh);
  const Reach found = held_flow_->push(free, up ? Direction::kHigh : Direction::kLow, goal.level);
  if (!found.witness)
    return std::nullopt;
  Displacement witness = held.with_followers(*found.witness);
  if (found.unbounded) {
    if (!check_ray(view_.table(), view_.slacks(), witness))
      return std::nullopt;
    ++counts_.flows;
    Reach reach;
    reach.unbounded = true;
    reach.witness = std::move(witness);
    return reach;
  }
  if (reached_by(goal, witness) < base::to_integer(goal.level) || !view_.admits(witness))
    return std::nullopt;
  ++counts_.flows;
  return with_witness(std::move(witness));
}

Search::Found Search::by_equation(const Goal& goal) {
  if (goal.given.size() != 1 || std::abs(goal.given.front().coefficient) != 1)
    return std::nullopt;
  for (const Incidence& incidence : view_.table().equations_of(goal.given.front().cell)) {
    if (auto found = by_equation(goal, incidence)) {
      ++counts_.one_equation;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Search::AtHand> Search::bound_at_hand(std::span<const Term> form,
                                                    Direction direction) {
  const Goal goal = make_goal(view_, form, direction, 1);
  const bool large =
      goal.parts.size() == 1 && view_.part(goal.parts.front()).size() > kSmallPart;
  if (!in_fractions() || !large || form.size() != 1 || std::abs(form.front().coefficient) != 1)
    return std::nullopt;
  std::optional<AtHand> best;
  const auto take = [&](Reach reach) {
    const auto bound = proven_bound(view_.table(), view_.slacks(), form, direction, *reach.proof);
    if (bound && (!best || *bound < best->bound))
      best = AtHand{std::move(reach), *bound};
  };
  take(bounded_by(view_, goal, {}));
  const int side = sign(direction) * form.front().coefficient;
  for (const Incidence& incidence : view_.table().equations_of(form.front().cell)) {
    const int numerator = side * (incidence.coefficient > 0 ? 1 : -1);
    take(bounded_by(
        view_, goal, {{incidence.equation}, {numerator}, std::abs(incidence.coefficient)}));
  }
  return best;
}

// Estimated in doubles first, because most equations leave plenty of slack.
Search::Found Search::by_equation(const Goal& goal, const Incidence& incidence) {
  const CellId cell = goal.given.front().cell;
  const int side = sign(goal.direction) * goal.given.front().coefficient;
  double slack = 0;
  for (const Term& term : view_.table().equation(incidence.equation)) {
    const std::int32_t free = view_.free_index(term.cell);
    if (free < 0 || term.cell == cell)
      continue;
    const bool alike = (term.coefficient > 0) == (incidence.coefficient > 0);
    const Units toward = view_.free_cell(free).slack.toward(alike ? -side : side);
    slack += std::abs(static_cast<double>(term.coefficient)) *
             (toward == kUnboundedAbove ? kLpInfinity : static_cast<double>(toward));
  }
  if (reaches(slack / std::abs(static_cast<double>(incidence.coefficient)), goal.level))
    return std::nullopt;
  const int numerator = side * (incidence.coefficient > 0 ? 1 : -1);
  Reach reach =
      bounded_by(view_, goal, {{incidence.equation}, {numerator}, std::abs(incidence.coefficient)});
  const auto bound =
      proven_bound(view_.table(), view_.slacks(), goal.given, goal.direction, *reach.proof);
  if (!bound || *bound >= base::to_integer(goal.level))
    return std::nullopt;
  return reach;
}

// ---- linear programs around the cells

bool Search::worth_a_look(const Goal& goal, const Look& how) const {
  if (goal.parts.size() != 1)
    return false;
  const std::size_t part = view_.part(goal.parts.front()).size();
  return how.cells < part && (in_fractions() || part > kSmallPart);
}

// False if there is nothing beyond what the look would see.
bool Search::look(const Goal& goal, const Look& how, const RunContext& run, Found& found) {
  if (!worth_a_look(goal, how) || run.should_stop())
    return false;
  const Neighborhood near = neighborhood(view_, goal.free, goal.level, how.cells, how.per_equation);
  if (near.entire)
    return false;
  if (how.for_witness)
    found = look_for_witness(goal, near, run);
  if (!found && how.for_proof)
    found = look_for_proof(goal, near, run);
  return true;
}

Search::Found Search::look_for_witness(const Goal& goal,
                                       const Neighborhood& near,
                                       const RunContext& run) {
  const Core core = movable(view_, near.cells);
  // The cells of the form come first, if one of them can move at all.
  if (core.cells.empty() ||
      std::find(goal.free.begin(), goal.free.end(), core.cells.front()) == goal.free.end())
    return std::nullopt;
  Ground ground;
  ground.system = std::make_unique<LocalSystem>(view_, core.cells, core.equations);
  ground.lp = std::make_unique<FormLp>(*ground.system, view_.domain(), scratch_solver());
  const Units cap = goal.level > kMaxUnits / kCapFactor ? kMaxUnits : goal.level * kCapFactor;
  ground.lp->load(cap, in_fractions() ? static_cast<double>(goal.level) : 1);
  return settle(ground, goal, {true, false, 0, kLookWork}, run);
}

Search::Found Search::look_for_proof(const Goal& goal,
                                     const Neighborhood& near,
                                     const RunContext& run) {
  if (near.complete.empty())
    return std::nullopt;
  Ground ground;
  ground.system = std::make_unique<LocalSystem>(view_, near.cells, near.complete);
  ground.lp = std::make_unique<FormLp>(*ground.system, view_.domain(), scratch_solver());
  ground.lp->load(kUnboundedAbove, in_fractions() ? static_cast<double>(goal.level) : 1);
  return settle(ground, goal, {false, true, kFewCases, 0}, run);
}

Search::Ground& Search::parts_of(const Goal& goal) {
  if (whole_.system && full_parts_ == goal.parts)
    return whole_;
  std::vector<std::int32_t> cells;
  for (const std::int32_t part : goal.parts) {
    const auto more = view_.part(part);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  full_parts_ = goal.parts;
  whole_ = {};
  whole_.system = std::make_unique<LocalSystem>(view_, cells, equations_through(view_, cells));
  whole_.solver = make_solver();
  whole_.lp = std::make_unique<FormLp>(*whole_.system, view_.domain(), *whole_.solver);
  if (!in_fractions()) {
    whole_.lp->load();
    return whole_;
  }
  double largest = 1;
  for (const Slack& slack : whole_.system->slacks()) {
    for (const Units side : {slack.down, slack.up}) {
      if (side != kUnboundedAbove)
        largest = std::max(largest, static_cast<double>(side));
    }
  }
  whole_.scale = std::exp2(std::floor(std::log2(largest)));
  return whole_;
}

Search::Found Search::in_parts(const Goal& goal, const RunContext& run) {
  if (in_fractions())
    return solve_parts(goal, run);
  if (run.should_stop())
    return std::nullopt;
  ++counts_.full_part;
  return settle(parts_of(goal), goal, {true, true, options_.node_limit, kMoveWork}, run);
}

// ---- a question on one ground

Search::Found Search::settle(Ground& ground,
                             const Goal& goal,
                             const Sought& sought,
                             const RunContext& run) {
  const LinearForm form = ground.system->local(goal.form);
  if (form.empty() || (sought.proof && form.size() != goal.form.size()))
    return std::nullopt;
  if (!in_fractions() && ground.system->num_cells() <= kSmallPart)
    ground.lp->restart();
  ++counts_.lp_solves;
  const double value = ground.lp->maximize(form, goal.direction, goal.level, run);
  if (std::isnan(value))
    return std::nullopt;
  if (in_fractions()) {
    if (sought.witness)
      return reaches(value, goal.level) ? by_vertex(ground, goal) : std::nullopt;
    return value < static_cast<double>(goal.level) ? by_proof(ground, goal) : std::nullopt;
  }
  if (surely_below(value, goal.level))
    return sought.proof ? by_proof(ground, goal) : std::nullopt;
  if (sought.witness) {
    if (auto found = by_vertex(ground, goal))
      return found;
  }
  if (value == kLpInfinity)
    return std::nullopt;
  return settle_integers(ground, goal, sought, run);
}

// What the linear program leaves open in whole numbers: the step, whole moves, then cases.
Search::Found Search::settle_integers(Ground& ground,
                                      const Goal& goal,
                                      const Sought& sought,
                                      const RunContext& run) {
  std::optional<Step> step;
  if (sought.proof && (step = step_on(ground, goal))) {
    ++counts_.lp_solves;
    const LinearForm form = ground.system->local(goal.form);
    ground.lp->maximize(form, goal.direction, kUnboundedAbove, run);
    if (auto found = by_proof(ground, goal, step)) {
      ++counts_.steps;
      return found;
    }
  }
  if (auto found = by_move(ground, goal, sought, run))
    return found;
  return by_cases(ground, goal, step, sought, run);
}

// Multipliers of the last solve that show that the form does not get to the level, or, with level =
// 0, no farther than the witness.
Search::Found Search::by_proof(const Ground& ground,
                               const Goal& goal,
                               const std::optional<Step>& step) {
  if (in_fractions()) {
    Reach reach;
    return prove_end(ground, goal, reach) ? Found(std::move(reach)) : std::nullopt;
  }
  const LinearForm form = ground.system->local(goal.form);
  auto proof = ground.lp->proof([&](const Multipliers& candidate) {
    const auto bound = proven_integer_bound(ground.system->table(),
                                            ground.lp->slacks(),
                                            form,
                                            goal.direction,
                                            candidate,
                                            step ? &*step : nullptr);
    return bound && *bound < base::to_integer(goal.level);
  });
  if (!proof)
    return std::nullopt;
  std::optional<Step> lifted;
  if (step)
    lifted = ground.system->lift(*step);
  return bounded_by(view_, goal, ground.system->lift(*std::move(proof)), lifted);
}

bool Search::prove_end(const Ground& ground, const Goal& goal, Reach& reach) {
  const Fraction limit = goal.level > 0  ? Fraction(base::to_integer(goal.level))
                         : reach.witness ? reached_by(goal, *reach.witness)
                                         : Fraction{};
  const auto proof = ground.lp->proof([&](const Multipliers& candidate) {
    Reach full = bounded_by(view_, goal, ground.system->lift(candidate));
    const auto bound =
        proven_bound(view_.table(), view_.slacks(), goal.given, goal.direction, *full.proof);
    const bool good = bound && (goal.level > 0 ? *bound < limit : *bound == limit);
    if (good)
      reach.proof = std::move(full.proof);
    return good;
  });
  return proof.has_value();
}

// The solution of the linear program as a witness of the level: as it is, or, in whole numbers, a
// ray, whole, or a fraction several times.
Search::Found Search::by_vertex(const Ground& ground, const Goal& goal) {
  const auto reaching = [&](const Displacement& witness) {
    return reached_by(goal, witness) >= base::to_integer(goal.level);
  };
  if (in_fractions()) {
    auto found = ground.lp->witness();
    if (!found)
      return std::nullopt;
    Displacement witness = ground.system->lift(*std::move(found));
    return reaching(witness) ? Found(with_witness(std::move(witness))) : std::nullopt;
  }
  if (auto ray = ground.lp->ray()) {
    Reach reach;
    reach.witness = ground.system->lift(*std::move(ray));
    reach.unbounded = true;
    return reach;
  }
  if (auto whole = ground.lp->integer_witness()) {
    Displacement witness = ground.system->lift(*std::move(whole));
    if (reaching(witness))
      return with_witness(std::move(witness));
  }
  if (auto vertex = ground.lp->witness(ground.system->num_cells() <= kMostBasisCells)) {
    auto whole = stretched(
        view_, ground.system->lift(*std::move(vertex)), goal.form, goal.direction, goal.level);
    if (whole)
      return with_witness(*std::move(whole));
  }
  return std::nullopt;
}

std::optional<Step> Search::step_on(Ground& ground, const Goal& goal) {
  if (!ground.kernel)
    ground.kernel.emplace(ground.system->table());
  const LinearForm form = ground.system->local(goal.form);
  auto step = ground.kernel->step(form);
  if (!step || !check_step(ground.system->table(), ground.lp->slacks(), form, *step))
    return std::nullopt;
  return step;
}

Search::Found Search::by_move(const Ground& ground,
                              const Goal& goal,
                              const Sought& sought,
                              const RunContext& run) {
  if (!sought.witness || sought.move_work == 0 || run.should_stop())
    return std::nullopt;
  const LinearForm form = ground.system->local(goal.form);
  const MoveQuery question{
      ground.system->table(), ground.lp->slacks(), form, goal.direction, goal.level};
  ++counts_.lp_solves;
  auto move = shortest_move(question, move_solver(), run);
  if (!move) {
    ++counts_.moves;
    move = any_integer_move(question, move_solver(), with_work(run, sought.move_work));
  }
  if (!move || !ground.system->holes().admit(*move))
    return std::nullopt;
  return with_witness(ground.system->lift(*std::move(move)));
}

Search::Found Search::by_cases(Ground& ground,
                               const Goal& goal,
                               const std::optional<Step>& step,
                               const Sought& sought,
                               const RunContext& run) {
  if (sought.nodes == 0)
    return std::nullopt;
  IntegerBranching branching(*ground.lp, step ? &*step : nullptr);
  auto found = branching.search(
      ground.system->local(goal.form), goal.direction, goal.level, sought.nodes, run);
  counts_.nodes += found.nodes;
  counts_.lp_solves += found.nodes;
  if (sought.witness && found.witness)
    return with_witness(ground.system->lift(*std::move(found.witness)));
  if (!sought.proof || !found.tree)
    return std::nullopt;
  ++counts_.trees;
  return bounded_by(view_, goal, *ground.system, *std::move(found.tree));
}

// ---- whole parts in fractions

// A ray whose entries are in no simple ratio to each other, which rounding does not find.
std::optional<Displacement> Search::exact_ray(Ground& ground,
                                              const Goal& goal,
                                              const RunContext& run) {
  ground.lp->load_recession();
  ++counts_.lp_solves;
  ground.lp->maximize(ground.system->local(goal.form), goal.direction, 1, run);
  auto found = ground.lp->witness();
  if (!found)
    return std::nullopt;
  Displacement ray = ground.system->lift(*std::move(found));
  if (!(Fraction{} < reached_by(goal, ray)))
    return std::nullopt;
  ray.denominator = 1;  // the length of a ray does not matter
  return ray;
}

// With level > 0 only the question of decide() is answered; with level = 0 the exact end.
Reach Search::solve_parts(const Goal& goal, const RunContext& run) {
  ++counts_.full_part;
  Ground& ground = parts_of(goal);
  const LinearForm form = ground.system->local(goal.form);
  const auto slack = slack_of(view_, goal.form, goal.direction);
  const double slack_scale = !slack || *slack == 0 ? 1 : static_cast<double>(*slack);
  const double own_scale = goal.level > 0 ? static_cast<double>(goal.level) : slack_scale;
  // In a small part a verdict starts from the truth, near which the witness is short, in a scale
  // that fits the level. In a large one, as for exact ends, going on from the last vertex is many
  // times faster.
  const bool from_truth = goal.level > 0 && ground.system->num_cells() <= kSmallPart;
  const double first = from_truth ? scale_for(goal.level) : ground.scale;
  Reach reach;
  bool again = false;
  for (const double scale : {first, own_scale, std::sqrt(ground.scale * own_scale)}) {
    if (run.should_stop())
      break;
    ground.lp->load(kUnboundedAbove, scale);
    const bool restart = from_truth || (goal.level > 0 && again);
    if (restart)
      ground.lp->restart();
    again = true;
    ++counts_.lp_solves;
    const double value =
        ground.lp->maximize(form, goal.direction, restart ? goal.level : kUnboundedAbove, run);
    if (ground.lp->status() == LpStatus::kUnbounded) {
      if (auto ray = ground.lp->ray())
        reach.witness = ground.system->lift(*std::move(ray));
      else
        reach.witness = exact_ray(ground, goal, run);
      if (reach.witness) {
        reach.unbounded = true;
        return reach;
      }
      continue;
    }
    if (!std::isfinite(value))
      continue;
    if (take_vertex(ground, goal, reach))
      return reach;
    if (prove_end(ground, goal, reach)) {
      if (goal.level > 0)
        reach.witness.reset();
      return reach;
    }
  }
  if (goal.level > 0)
    reach.witness.reset();
  return reach;
}

// The farthest witness so far; true if it answers the question.
bool Search::take_vertex(const Ground& ground, const Goal& goal, Reach& reach) {
  auto found = ground.lp->witness();
  if (!found)
    return false;
  Displacement witness = ground.system->lift(*std::move(found));
  remember(witness);
  const Fraction reached = reached_by(goal, witness);
  if (!reach.witness || reached_by(goal, *reach.witness) < reached)
    reach.witness = std::move(witness);
  return goal.level > 0 && reached >= base::to_integer(goal.level);
}

// ---- whole parts in whole numbers

// The real end, rounded down; then whether it is reached, and if not, one less, and so on.
bool Search::bound_in_parts(Goal goal, Reach& reach, const RunContext& run) {
  Ground& ground = parts_of(goal);
  ++counts_.lp_solves;
  const double value =
      ground.lp->maximize(ground.system->local(goal.form), goal.direction, kUnboundedAbove, run);
  if (value == kLpInfinity) {
    if (auto found = by_vertex(ground, goal))
      reach = *std::move(found);
    return reach.unbounded;
  }
  if (!(std::abs(value) < static_cast<double>(kMaxUnits)))
    return false;
  goal.level = static_cast<Units>(std::floor(value + tol::kDecision * std::max(1.0, value))) + 1;
  const std::optional<Step> step = step_on(ground, goal);
  auto whole = ground.lp->integer_witness();
  auto bounded = by_proof(ground, goal, step);
  if (!bounded)
    return false;
  reach = *std::move(bounded);
  if (whole) {
    whole = ground.system->lift(*std::move(whole));
    remember(*whole);
    if (reached_by(goal, *whole) > 0)
      reach.witness = std::move(whole);
  }
  Integer bound = base::to_integer(goal.level) - 1;
  if (step)
    bound -= bound % step->q;
  return close_gap(std::move(goal), std::move(bound), reach, run);
}

bool Search::close_gap(Goal goal, Integer bound, Reach& reach, const RunContext& run) {
  Ground& ground = parts_of(goal);
  const std::optional<Step> step = step_on(ground, goal);
  std::int64_t nodes = options_.node_limit;
  while (!run.should_stop()) {
    if ((reach.witness ? reached_by(goal, *reach.witness) : Fraction{}) >= bound)
      return true;
    goal.level = base::to_units(bound);
    if (auto known = by_witness(goal)) {
      reach.witness = std::move(known->witness);
      return true;
    }
    const Sought sought{true, true, nodes, kMoveWork};
    const std::int64_t before = counts_.nodes;
    auto found = by_move(ground, goal, sought, run);
    if (!found)
      found = by_cases(ground, goal, step, sought, run);
    nodes -= counts_.nodes - before;
    if (!found)
      return false;
    if (found->witness) {
      reach.witness = std::move(found->witness);
      return true;
    }
    found->witness = std::move(reach.witness);
    reach = *std::move(found);
    bound -= step ? step->q : Integer(1);
  }
  return false;
}

// ---- questions

Search::Found Search::decide_nearby(const Goal& goal, const RunContext& run) {
  if (auto found = at_once(goal))
    return found;
  Found found;
  for (const Look& how : kLooks) {
    if (!look(goal, how, run, found))
      break;
    if (found)
      return found;
  }
  const bool quick = in_fractions() && goal.parts.size() == 1 &&
                     view_.part(goal.parts.front()).size() <= kSmallPart;
  return quick ? Found(solve_parts(goal, run)) : std::nullopt;
}

Reach Search::decide_on_parts(const Goal& goal, const RunContext& run) {
  if (in_fractions()) {
    if (auto known = by_witness(goal))
      return *std::move(known);
  }
  if (auto found = in_parts(goal, run))
    return *std::move(found);
  ++counts_.undecided;
  return {};
}

std::optional<Reach> Search::decide_nearby(std::span<const Term> form,
                                           Direction direction,
                                           Units level,
                                           const RunContext& run) {
  LACUNA_CHECK(level > 0);
  return decide_nearby(make_goal(view_, form, direction, level), limited(run));
}

Reach Search::decide_on_parts(std::span<const Term> form,
                              Direction direction,
                              Units level,
                              const RunContext& run) {
  LACUNA_CHECK(level > 0);
  return decide_on_parts(make_goal(view_, form, direction, level), limited(run));
}

Reach Search::decide(std::span<const Term> form,
                     Direction direction,
                     Units level,
                     const RunContext& run) {
  LACUNA_CHECK(level > 0);
  const Goal goal = make_goal(view_, form, direction, level);
  const RunContext within = limited(run);
  if (auto near = decide_nearby(goal, within))
    return *std::move(near);
  return decide_on_parts(goal, within);
}

Search::Ends Search::decide_either(std::span<const Term> form,
                                   Units low_level,
                                   Units high_level,
                                   const RunContext& run) {
  LACUNA_CHECK(low_level > 0 && high_level > 0);
  Ends ends;
  struct Side {
    Goal goal;
    bool settled = false;
  };
  Side sides[] = {{make_goal(view_, form, Direction::kHigh, high_level)},
                  {make_goal(view_, form, Direction::kLow, low_level)}};
  if (low_level < high_level)  // the shorter way first
    std::swap(sides[0], sides[1]);
  const auto ask = [&](auto&& search) {  // true: nothing is left to ask
    for (Side& side : sides) {
      Found found = side.settled ? std::nullopt : search(side.goal);
      if (!found)
        continue;
      side.settled = true;
      const bool reached = found->witness.has_value();
      (side.goal.direction == Direction::kHigh ? ends.high : ends.low) = *std::move(found);
      if (reached)
        return true;
    }
    return sides[0].settled && sides[1].settled;
  };
  if (ask([&](const Goal& goal) { return at_once(goal); }))
    return ends;
  const RunContext within = limited(run);
  for (const Look& how : kLooks) {
    const bool done = ask([&](const Goal& goal) {
      Found found;
      look(goal, how, within, found);
      return found;
    });
    if (done)
      return ends;
  }
  if (!ask([&](const Goal& goal) { return in_parts(goal, limited(run)); }))
    ++counts_.undecided;
  return ends;
}

Reach Search::extent(std::span<const Term> form, Direction direction, const RunContext& run) {
  const Goal goal = make_goal(view_, form, direction, 0);
  const auto slack = slack_of(view_, goal.form, direction);
  if (goal.form.empty() || (!in_fractions() && slack && *slack == 0))
    return bounded_by(view_, goal, {});
  if (auto found = by_flow(goal, kUnboundedAbove))
    return *std::move(found);
  if (in_fractions())
    return solve_parts(goal, run);
  Reach reach;
  if (!bound_in_parts(goal, reach, limited(run)))
    ++counts_.undecided;
  return reach;
}

std::optional<std::vector<FormValue>> Search::values(std::span<const Term> form,
                                                     Units lowest,
                                                     Units highest,
                                                     const RunContext& run) {
  LACUNA_CHECK(!in_fractions());
  const Goal goal = make_goal(view_, form, Direction::kHigh, 1);
  std::vector<FormValue> result;
  if (goal.form.empty()) {
    if (lowest <= 0 && 0 <= highest)
      result.push_back({0, {}});
    return result;
  }
  std::vector<std::int32_t> cells;
  for (const std::int32_t part : goal.parts) {
    const auto more = view_.part(part);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  const LocalSystem system(view_, cells, equations_through(view_, cells), goal.form);
  FormLp lp(system, view_.domain(), scratch_solver());
  lp.load();
  const LinearForm own{{system.form_cell(), 1}};
  for (Units value = lowest; value <= highest; ++value) {
    if (value == 0) {
      result.push_back({0, {}});
      continue;
    }
    lp.set_slack(system.form_cell(), {-value, value});
    auto found = IntegerBranching(lp, nullptr)
                     .search(own, Direction::kHigh, value, options_.node_limit, limited(run));
    counts_.nodes += found.nodes;
    if (found.witness)
      result.push_back({value, system.lift(*std::move(found.witness))});
    else if (!found.tree)
      return std::nullopt;
  }
  return result;
}

}  // namespace lacuna::attack
