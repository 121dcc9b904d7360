// SPDX-License-Identifier: Apache-2.0
#include "attack/whole_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attack/evidence_check.h"
#include "attack/neighbourhood.h"
#include "attack/touches.h"
#include "attack/whole_check.h"
#include "attack/whole_move.h"
#include "base/check.h"
#include "base/index.h"
#include "base/rational.h"
#include "base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::inline attack {
namespace {

// How far to look, and for what: witnesses need breadth, proofs are mostly near.
struct Look {
  std::size_t cells;
  std::size_t per_equation;  // at most so many cells from one equation
  bool for_witness, for_proof;
};
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kSmallPart = 700;  // its LP is as quick as a look
constexpr Look kLooks[] = {{160, 8, true, false},
                           {80, kAll, false, true},
                           {640, 12, true, false},
                           {640, kAll, true, true},
                           {2560, kAll, true, true}};
constexpr Units kCapFactor = 8;         // how much farther than the level other cells may move
constexpr std::int64_t kFewCases = 40;  // around a cell: the next look may need none
// Units of work for a whole move by the engine; the first is for a look, the second for all.
constexpr std::int64_t kLookWork = 200'000;
constexpr std::int64_t kMoveWork = 2'000'000;

bool surely_below(double value, Units level) {
  return tol::compare(value, static_cast<double>(level)) == tol::Order::kSurelyLess;
}

std::vector<Room> capped(std::span<const Room> rooms, Units level) {
  const Units cap = level > kMaxUnits / kCapFactor ? kMaxUnits : level * kCapFactor;
  std::vector<Room> result(rooms.begin(), rooms.end());
  for (Room& room : result)
    room = {std::min(room.down, cap), std::min(room.up, cap)};
  return result;
}

}  // namespace

WholeSearch::WholeSearch(const WholeView& view, WholeOptions options, const WitnessStore* known)
    : view_(view), options_(std::move(options)), own_(view.core()), known_(known) {
  if (view.network() != nullptr)
    flow_ = std::make_unique<FlowSearch>(view.core(), *view.network());
}

std::unique_ptr<LpSolver> WholeSearch::make_solver() const {
  auto made = make_lp_solver(options_.engine, LpOptions{});
  LACUNA_CHECK(made.has_value());
  return std::move(made).value();
}

LpSolver& WholeSearch::scratch_solver() {
  if (!scratch_)
    scratch_ = make_solver();
  return *scratch_;
}

WholeReach WholeSearch::with_witness(Displacement witness) {
  remember(witness);
  WholeReach reach;
  reach.witness = std::move(witness);
  return reach;
}

// The same move several times, as often as the level takes; a fraction is made whole that way too.
std::optional<Displacement> WholeSearch::scaled(const WholeGoal& goal,
                                                const Displacement& witness) const {
  Displacement whole = witness;
  whole.denominator = 1;
  const Integer once = reached_by(goal, whole);
  if (once <= 0)
    return std::nullopt;
  Integer times;
  const Integer level = to_integer(goal.level);
  mpz_cdiv_q(gmp(times).get_mpz_t(), gmp(level).get_mpz_t(), gmp(once).get_mpz_t());
  for (Integer& move : whole.moves)
    move *= times;
  if (!view_.admits(whole))
    return std::nullopt;
  return whole;
}

std::optional<Displacement> WholeSearch::reuse(const WholeGoal& goal) {
  for (std::size_t i = 0; i < goal.form.size(); ++i) {
    const int side = goal.form[i].coefficient > 0 ? sign(goal.direction) : -sign(goal.direction);
    for (const WitnessStore* store : {static_cast<const WitnessStore*>(&own_), known_}) {
      auto found = store == nullptr ? std::nullopt : store->farthest(goal.free[i], side);
      if (!found)
        continue;
      if (reached_by(goal, *found) >= to_integer(goal.level))
        return found;
      if (auto several = scaled(goal, *found))
        return several;
    }
  }
  return std::nullopt;
}

// By the largest flow, no farther than `stop`. Nothing if the form is not one cell or the evidence
// does not hold, which would mean that the network is not the table's.
std::optional<WholeReach> WholeSearch::by_flow(const WholeGoal& goal, Units stop) {
  if (!flow_ || goal.form.size() != 1 || std::abs(goal.form.front().coefficient) != 1)
    return std::nullopt;
  const bool up = (goal.form.front().coefficient > 0) == (goal.direction == Direction::kHigh);
  Reach found = flow_->push(goal.free.front(), up ? Direction::kHigh : Direction::kLow, stop);
  const auto rooms = view_.core().rooms();
  Integer reached = 0;
  if (found.witness) {
    const bool holds = found.unbounded ? check_ray(view_.table(), rooms, *found.witness).has_value()
                                       : view_.admits(*found.witness);
    if (!holds)
      return std::nullopt;
    reached = reached_by(goal, *found.witness);
  }
  WholeReach reach;
  if (!found.unbounded && reached < to_integer(stop)) {
    if (!found.proof)
      return std::nullopt;
    const auto bound =
        proven_whole_bound(view_.table(), rooms, goal.form, goal.direction, *found.proof);
    if (!bound || *bound != reached)
      return std::nullopt;
    reach = bounded_by(view_, goal, *found.proof, std::nullopt);
  }
  ++counts_.flows;
  if (found.witness && !found.unbounded)
    remember(*found.witness);
  reach.unbounded = found.unbounded;
  reach.witness = std::move(found.witness);
  return reach;
}

std::optional<WholeReach> WholeSearch::at_once(const WholeGoal& goal) {
  const auto room = room_of(view_, goal);
  if (room && *room < Wide{goal.level}) {
    ++counts_.by_room;
    return bounded_by(view_, goal, {}, std::nullopt);
  }
  if (auto known = reuse(goal)) {
    ++counts_.reused;
    WholeReach reach;
    reach.witness = std::move(known);
    return reach;
  }
  return by_flow(goal, goal.level);
}

std::optional<WholeReach> WholeSearch::in_parts(const WholeGoal& goal, const RunContext& run) {
  if (run.should_stop())
    return std::nullopt;
  return settle(parts_of(goal), goal, {true, true, options_.node_limit, kMoveWork}, run);
}

WholeReach WholeSearch::decide(std::span<const Term> form,
                               Direction direction,
                               Units level,
                               const RunContext& run) {
  LACUNA_CHECK(level > 0);
  const WholeGoal goal = make_goal(view_, form, direction, level);
  if (auto found = at_once(goal))
    return *std::move(found);
  const RunContext limited = with_work(run, options_.work_limit);
  for (std::size_t look = 0; look < std::size(kLooks); ++look) {
    if (auto found = nearby(goal, look, limited))
      return *std::move(found);
  }
  if (auto found = in_parts(goal, limited))
    return *std::move(found);
  ++counts_.undecided;
  return {};
}

WholeSearch::Ends WholeSearch::decide_either(std::span<const Term> form,
                                             Units low_level,
                                             Units high_level,
                                             const RunContext& run) {
  LACUNA_CHECK(low_level > 0 && high_level > 0);
  Ends ends;
  struct Side {
    WholeGoal goal;
    bool settled = false;
  };
  Side sides[] = {{make_goal(view_, form, Direction::kHigh, high_level)},
                  {make_goal(view_, form, Direction::kLow, low_level)}};
  if (low_level < high_level)  // the shorter way first
    std::swap(sides[0], sides[1]);
  const auto ask = [&](auto&& search) {  // true: nothing is left to ask
    for (Side& side : sides) {
      std::optional<WholeReach> found = side.settled ? std::nullopt : search(side.goal);
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
  if (ask([&](const WholeGoal& goal) { return at_once(goal); }))
    return ends;
  const RunContext limited = with_work(run, options_.work_limit);
  for (std::size_t look = 0; look < std::size(kLooks); ++look) {
    if (ask([&](const WholeGoal& goal) { return nearby(goal, look, limited); }))
      return ends;
  }
  if (!ask([&](const WholeGoal& goal) {
        return in_parts(goal, with_work(run, options_.work_limit));
      }))
    ++counts_.undecided;
  return ends;
}

// In the neighbourhood of one size.
std::optional<WholeReach> WholeSearch::nearby(const WholeGoal& goal,
                                              std::size_t number,
                                              const RunContext& run) {
  if (goal.parts.size() != 1 || run.should_stop())
    return std::nullopt;
  const Look& look = kLooks[number];
  const std::size_t part_size = view_.core().part(goal.parts.front()).size();
  if (look.cells >= part_size || part_size <= kSmallPart)
    return std::nullopt;
  const Neighbourhood near =
      neighbourhood(view_.core(), goal.free, goal.level, look.cells, look.per_equation);
  if (near.whole)
    return std::nullopt;
  Ground ground;
  const Core core = look.for_witness ? movable(view_.core(), near.cells) : Core{};
  if (!core.cells.empty()) {
    ground.table = std::make_unique<SubTable>(view_.core(), core.cells, core.equations);
    ground.lp = std::make_unique<WholeLp>(ground.table->table(),
                                          capped(ground.table->rooms(), goal.level),
                                          scratch_solver(),
                                          &ground.table->holes());
    if (auto found = settle(ground, goal, {true, false, 0, kLookWork}, run))
      return found;
  }
  if (!look.for_proof || near.complete.empty())
    return std::nullopt;
  ground.kernel.reset();
  ground.table = std::make_unique<SubTable>(view_.core(), near.cells, near.complete);
  ground.lp = std::make_unique<WholeLp>(
      ground.table->table(), ground.table->rooms(), scratch_solver(), &ground.table->holes());
  return settle(ground, goal, {false, true, kFewCases, 0}, run);
}

WholeSearch::Ground& WholeSearch::parts_of(const WholeGoal& goal) {
  if (whole_.table && whole_parts_ == goal.parts)
    return whole_;
  std::vector<std::int32_t> cells;
  for (const std::int32_t part : goal.parts) {
    const auto more = view_.core().part(part);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  if (!whole_solver_)
    whole_solver_ = make_solver();
  whole_parts_ = goal.parts;
  whole_.lp.reset();
  whole_.kernel.reset();
  whole_.table =
      std::make_unique<SubTable>(view_.core(), cells, equations_through(view_.core(), cells));
  whole_.lp = std::make_unique<WholeLp>(
      whole_.table->table(), whole_.table->rooms(), *whole_solver_, &whole_.table->holes());
  return whole_;
}

std::optional<Step> WholeSearch::step_on(Ground& ground, const WholeGoal& goal) {
  if (!ground.kernel)
    ground.kernel.emplace(ground.table->table());
  const LinearForm form = ground.table->local(goal.form);
  auto step = ground.kernel->step(form);
  if (!step || !check_step(ground.table->table(), ground.lp->rooms(), form, *step))
    return std::nullopt;
  return step;
}

// The question on one ground: the linear program, then the step, then cases.
std::optional<WholeReach> WholeSearch::settle(Ground& ground,
                                              const WholeGoal& goal,
                                              const Sought& sought,
                                              const RunContext& run) {
  const LinearForm form = ground.table->local(goal.form);
  if (form.empty() || (sought.proof && form.size() != goal.form.size()))
    return std::nullopt;
  if (ground.table->cells() <= kSmallPart)
    ground.lp->restart();
  ++counts_.lp_solves;
  const double value = ground.lp->maximize(form, goal.direction, goal.level, run);
  if (std::isnan(value))
    return std::nullopt;
  if (surely_below(value, goal.level))
    return sought.proof ? by_proof(ground, goal, std::nullopt) : std::nullopt;
  if (sought.witness) {
    if (auto found = by_vertex(ground, goal))
      return found;
  }
  if (value == kLpInfinity)
    return std::nullopt;
  std::optional<Step> step;
  if (sought.proof && (step = step_on(ground, goal))) {
    ++counts_.lp_solves;
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

LpSolver& WholeSearch::move_solver() {
  if (!mover_) {
    auto made = make_lp_solver(options_.engine, LpOptions{.presolve = true});
    LACUNA_CHECK(made.has_value());
    mover_ = std::move(made).value();
  }
  return *mover_;
}

std::optional<WholeReach> WholeSearch::by_move(const Ground& ground,
                                               const WholeGoal& goal,
                                               const Sought& sought,
                                               const RunContext& run) {
  if (!sought.witness || sought.move_work == 0 || run.should_stop())
    return std::nullopt;
  const LinearForm form = ground.table->local(goal.form);
  const MoveQuestion question{
      ground.table->table(), ground.lp->rooms(), form, goal.direction, goal.level};
  ++counts_.lp_solves;
  auto move = shortest_move(question, move_solver(), run);
  if (!move) {
    ++counts_.moves;
    move = any_whole_move(question, move_solver(), with_work(run, sought.move_work));
  }
  if (!move || !ground.table->holes().admit(*move))
    return std::nullopt;
  return with_witness(ground.table->lift(*std::move(move)));
}

std::optional<WholeReach> WholeSearch::by_proof(const Ground& ground,
                                                const WholeGoal& goal,
                                                const std::optional<Step>& step) {
  const LinearForm form = ground.table->local(goal.form);
  auto proof = ground.lp->proof([&](const Multipliers& candidate) {
    const auto bound = proven_whole_bound(ground.table->table(),
                                          ground.lp->rooms(),
                                          form,
                                          goal.direction,
                                          candidate,
                                          step ? &*step : nullptr);
    return bound && *bound < to_integer(goal.level);
  });
  if (!proof)
    return std::nullopt;
  std::optional<Step> lifted;
  if (step)
    lifted = ground.table->lift(*step);
  return bounded_by(view_, goal, ground.table->lift(*std::move(proof)), lifted);
}

// The solution of the linear program as a witness: a ray, whole, or a fraction several times.
std::optional<WholeReach> WholeSearch::by_vertex(const Ground& ground, const WholeGoal& goal) {
  if (auto ray = ground.lp->ray()) {
    WholeReach reach;
    reach.witness = ground.table->lift(*std::move(ray));
    reach.unbounded = true;
    return reach;
  }
  if (auto whole = ground.lp->whole_witness()) {
    Displacement witness = ground.table->lift(*std::move(whole));
    if (reached_by(goal, witness) >= to_integer(goal.level))
      return with_witness(std::move(witness));
  }
  if (const auto vertex = ground.lp->witness()) {
    if (auto whole = scaled(goal, ground.table->lift(*vertex)))
      return with_witness(*std::move(whole));
  }
  return std::nullopt;
}

std::optional<WholeReach> WholeSearch::by_cases(Ground& ground,
                                                const WholeGoal& goal,
                                                const std::optional<Step>& step,
                                                const Sought& sought,
                                                const RunContext& run) {
  if (sought.nodes == 0)
    return std::nullopt;
  WholeBranching branching(*ground.lp, step ? &*step : nullptr);
  auto found = branching.search(
      ground.table->local(goal.form), goal.direction, goal.level, sought.nodes, run);
  counts_.nodes += found.nodes;
  counts_.lp_solves += found.nodes;
  if (sought.witness && found.witness)
    return with_witness(ground.table->lift(*std::move(found.witness)));
  if (!sought.proof || !found.tree)
    return std::nullopt;
  ++counts_.trees;
  return bounded_by(view_, goal, *ground.table, *std::move(found.tree));
}

WholeReach WholeSearch::extent(std::span<const Term> form,
                               Direction direction,
                               const RunContext& run) {
  const WholeGoal goal = make_goal(view_, form, direction, 0);
  const auto room = room_of(view_, goal);
  if (room && *room == 0)
    return bounded_by(view_, goal, {}, std::nullopt);
  if (auto found = by_flow(goal, kUnboundedAbove))
    return *std::move(found);
  WholeReach reach;
  if (!bound_in_parts(goal, reach, with_work(run, options_.work_limit)))
    ++counts_.undecided;
  return reach;
}

// The real end, rounded down; then whether it is reached, and if not, one less, and so on.
bool WholeSearch::bound_in_parts(WholeGoal goal, WholeReach& reach, const RunContext& run) {
  Ground& ground = parts_of(goal);
  const LinearForm local = ground.table->local(goal.form);
  ++counts_.lp_solves;
  const double value = ground.lp->maximize(local, goal.direction, kUnboundedAbove, run);
  if (value == kLpInfinity) {
    if (auto found = by_vertex(ground, goal))
      reach = *std::move(found);
    return reach.unbounded;
  }
  if (!(std::abs(value) < static_cast<double>(kMaxUnits)))
    return false;
  goal.level = static_cast<Units>(std::floor(value + tol::kDecision * std::max(1.0, value))) + 1;
  const std::optional<Step> step = step_on(ground, goal);
  auto whole = ground.lp->whole_witness();
  auto bounded = by_proof(ground, goal, step);
  if (!bounded)
    return false;
  reach = *std::move(bounded);
  if (whole) {
    whole = ground.table->lift(*std::move(whole));
    remember(*whole);
    if (reached_by(goal, *whole) > 0)
      reach.witness = std::move(whole);
  }
  Integer bound = to_integer(goal.level) - 1;
  if (step)
    bound -= bound % step->q;
  return close_gap(std::move(goal), std::move(bound), reach, run);
}

bool WholeSearch::close_gap(WholeGoal goal,
                            Integer bound,
                            WholeReach& reach,
                            const RunContext& run) {
  Ground& ground = parts_of(goal);
  const std::optional<Step> step = step_on(ground, goal);
  std::int64_t nodes = options_.node_limit;
  while (!run.should_stop()) {
    const Integer reached = reach.witness ? reached_by(goal, *reach.witness) : Integer(0);
    if (reached >= bound)
      return true;
    goal.level = to_units(bound);
    if (auto known = reuse(goal)) {
      reach.witness = std::move(known);
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

std::optional<std::vector<WholeValue>> WholeSearch::values(std::span<const Term> form,
                                                           Units lowest,
                                                           Units highest,
                                                           const RunContext& run) {
  const WholeGoal goal = make_goal(view_, form, Direction::kHigh, 1);
  std::vector<WholeValue> result;
  if (goal.form.empty()) {
    if (lowest <= 0 && 0 <= highest)
      result.push_back({0, {}});
    return result;
  }
  std::vector<std::int32_t> cells;
  for (const std::int32_t part : goal.parts) {
    const auto more = view_.core().part(part);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  const SubTable table(view_.core(), cells, equations_through(view_.core(), cells), goal.form);
  WholeLp lp(table.table(), table.rooms(), scratch_solver(), &table.holes());
  const LinearForm own{{table.form_cell(), 1}};
  for (Units value = lowest; value <= highest; ++value) {
    if (value == 0) {
      result.push_back({0, {}});
      continue;
    }
    lp.set_room(table.form_cell(), {-value, value});
    const RunContext limited = with_work(run, options_.work_limit);
    auto found = WholeBranching(lp, nullptr)
                     .search(own, Direction::kHigh, value, options_.node_limit, limited);
    counts_.nodes += found.nodes;
    if (found.witness)
      result.push_back({value, table.lift(*std::move(found.witness))});
    else if (!found.tree)
      return std::nullopt;
  }
  return result;
}

}  // namespace lacuna::inline attack
