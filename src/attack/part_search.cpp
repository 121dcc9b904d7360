// SPDX-License-Identifier: Apache-2.0
#include "attack/part_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "attack/evidence_check.h"
#include "attack/touches.h"
#include "base/check.h"
#include "base/rational.h"
#include "base/work.h"

namespace lacuna::inline attack {
namespace {

// How far to look, and for what: witnesses need breadth, proofs are mostly near.
struct Look {
  std::size_t cells;
  std::size_t per_equation;  // at most so many cells from one equation
  bool for_witness, for_proof;
};
constexpr std::size_t kSmallPart = 700;  // its LP is as quick as a look
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr Look kLooks[] = {{160, 8, true, false},
                           {80, kAll, false, true},
                           {640, 12, true, false},
                           {640, kAll, true, true},
                           {2560, kAll, true, true}};
// In a network no simple witness moves a cell by more than the level; elsewhere a few times that.
constexpr Units kCapFactor = 8;
constexpr double kNearlyAll = 1 - tol::kDecision;

Units times(Units level, Units factor) {
  return level > kMaxUnits / factor ? kMaxUnits : level * factor;
}

// Few different scales, so that levels of one size share a loaded model.
double scale_for(Units level) {
  constexpr double kStep = 4;  // powers of 16
  return std::exp2(kStep * std::round(std::log2(static_cast<double>(level)) / kStep));
}

bool reaches(double value, Units level) {
  return value >= static_cast<double>(level) * kNearlyAll;
}

}  // namespace

PartSearch::PartSearch(const AttackView& view,
                       const LpOptions& options,
                       std::string engine,
                       const Network* network)
    : view_(view),
      options_(options),
      engine_(std::move(engine)),
      best_high_(view.free_cells().size()),
      best_low_(view.free_cells().size()) {
  count_work(kAttackTouches.search_cell * std::ssize(view.free_cells()));
  if (network != nullptr)
    flow_ = std::make_unique<FlowSearch>(view, *network);
}

// By the largest flow; with level = 0 the exact end. Nothing if the evidence does not hold, which
// would mean that the network is not the table's: then the LPs are asked.
std::optional<Reach> PartSearch::by_flow(std::int32_t free, Direction direction, Units level) {
  const CellId cell = view_.free_cell(free).cell;
  Reach reach = flow_->push(free, direction, level > 0 ? level : kUnboundedAbove);
  if (reach.witness) {
    const Status holds = reach.unbounded
                             ? check_ray(view_.table(), view_.rooms(), *reach.witness)
                             : check_displacement(view_.table(), view_.rooms(), *reach.witness);
    if (!holds)
      return std::nullopt;
  }
  ++counts_.flows;
  if (reach.unbounded)
    return reach;
  const Fraction reached =
      reach.witness ? displacement_of(*reach.witness, cell, direction) : Fraction{};
  if (level > 0 && reached >= to_integer(level)) {
    reach.proof.reset();  // that it goes no farther than the level is not asked
    return reach;
  }
  if (!reach.proof)
    return std::nullopt;
  reach.proof = complete(cell, direction, *reach.proof);
  const auto bound = proven_bound(view_.table(), view_.rooms(), cell, direction, *reach.proof);
  if (!bound || *bound != reached)
    return std::nullopt;
  return reach;
}

LpSolver& PartSearch::scratch_solver() {
  if (!scratch_) {
    auto made = make_lp_solver(engine_, options_);
    LACUNA_CHECK(made.has_value());
    scratch_ = std::move(made).value();
  }
  return *scratch_;
}

Reach PartSearch::decide(CellId cell, Direction direction, Units level, const RunContext& run) {
  if (auto near = decide_nearby(cell, direction, level, run))
    return *std::move(near);
  return decide_whole(cell, direction, level, run);
}

Reach PartSearch::decide_whole(CellId cell,
                               Direction direction,
                               Units level,
                               const RunContext& run) {
  Reach reach;
  if ((reach.witness = reuse(cell, direction, level))) {
    ++counts_.reused;
    return reach;
  }
  ++counts_.whole_part;
  return whole_part(view_.free_index(cell), direction, level, run);
}

std::optional<Reach> PartSearch::decide_nearby(CellId cell,
                                               Direction direction,
                                               Units level,
                                               const RunContext& run) {
  Reach reach;
  if (view_.room(cell).toward(sign(direction)) < level) {
    reach.proof = Multipliers{};  // the cell's own bounds say it
    return reach;
  }
  const std::int32_t free = view_.free_index(cell);
  if (free < 0) {
    reach.proof = determined_proof(cell, direction);
    return reach;
  }
  if (flow_) {
    if (auto found = by_flow(free, direction, level))
      return found;
  }
  if ((reach.witness = reuse(cell, direction, level))) {
    ++counts_.reused;
    return reach;
  }
  if ((reach.proof = single_equation(cell, direction, level))) {
    ++counts_.one_equation;
    return reach;
  }
  const std::size_t part_size = view_.part(view_.free_cell(free).part).size();
  for (const Look& look : kLooks) {
    if (look.cells >= part_size || run.should_stop())
      break;
    const Neighbourhood near = neighbourhood(view_, std::span(&free, 1), level, look.cells, look.per_equation);
    if (near.whole)
      break;
    if (look.for_witness && (reach.witness = near_witness(near, free, direction, level, run)))
      return reach;
    if (look.for_proof && (reach.proof = near_proof(near, free, direction, level, run)))
      return reach;
  }
  if (part_size > kSmallPart)
    return std::nullopt;
  ++counts_.whole_part;
  return whole_part(free, direction, level, run);
}

Reach PartSearch::extent(CellId cell, Direction direction, const RunContext& run) {
  Reach reach;
  const std::int32_t free = view_.free_index(cell);
  if (free < 0) {
    reach.proof = determined_proof(cell, direction);
    return reach;
  }
  if (flow_) {
    if (auto found = by_flow(free, direction, 0))
      return *std::move(found);
  }
  ++counts_.whole_part;
  return whole_part(free, direction, 0, run);
}

std::optional<Displacement> PartSearch::reuse(CellId cell, Direction direction, Units level) {
  const auto free = static_cast<std::size_t>(view_.free_index(cell));
  const Stored& stored = direction == Direction::kHigh ? best_high_[free] : best_low_[free];
  if (stored.witness < 0 || stored.amount < static_cast<double>(level) * kNearlyAll)
    return std::nullopt;
  Displacement witness = witnesses_[static_cast<std::size_t>(stored.witness)];
  const auto at = std::lower_bound(witness.cells.begin(), witness.cells.end(), cell);
  Integer move =
      witness.moves[static_cast<std::size_t>(at - witness.cells.begin())] * sign(direction);
  const bool mirror = move < 0;
  if (mirror)
    move = -move;
  const Integer factor = (to_integer(level) * witness.denominator + move - 1) / move;
  for (Integer& each : witness.moves) {
    each *= factor;
    if (mirror)
      each = -each;
  }
  if (!check_displacement(view_.table(), view_.rooms(), witness))
    return std::nullopt;
  return witness;
}

// Records how far whole multiples of the witness, and of its mirror image, take each cell.
void PartSearch::remember(const Displacement& witness) {
  double forward = static_cast<double>(kMaxUnits);
  double backward = forward;
  const double denominator = witness.denominator.to_double();
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const Room& room = view_.room(witness.cells[i]);
    const double move = std::abs(witness.moves[i].to_double()) / denominator;
    const Units ahead = witness.moves[i] > 0 ? room.up : room.down;
    const Units behind = witness.moves[i] > 0 ? room.down : room.up;
    if (ahead != kUnboundedAbove)
      forward = std::min(forward, std::floor(static_cast<double>(ahead) / move));
    if (behind != kUnboundedAbove)
      backward = std::min(backward, std::floor(static_cast<double>(behind) / move));
  }
  const auto id = static_cast<std::int32_t>(witnesses_.size());
  bool useful = false;
  const auto offer = [&](Stored& stored, double amount) {
    if (amount <= stored.amount)
      return;
    stored = {amount, id};
    useful = true;
  };
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const auto free = static_cast<std::size_t>(view_.free_index(witness.cells[i]));
    const double move = std::abs(witness.moves[i].to_double()) / denominator;
    const bool up = witness.moves[i] > 0;
    offer(up ? best_high_[free] : best_low_[free], move * forward);
    offer(up ? best_low_[free] : best_high_[free], move * backward);
  }
  if (useful)
    witnesses_.push_back(witness);
}

std::optional<Multipliers> PartSearch::single_equation(CellId cell,
                                                       Direction direction,
                                                       Units level) const {
  for (const Incidence& incidence : view_.table().equations_of(cell)) {
    // Estimated in doubles first, because most equations leave plenty of room.
    double room = 0;
    for (const Term& term : view_.table().equation(incidence.equation)) {
      const std::int32_t free = view_.free_index(term.cell);
      if (free < 0 || term.cell == cell)
        continue;
      const int toward = (term.coefficient > 0) == (incidence.coefficient > 0) ? -sign(direction)
                                                                               : sign(direction);
      const Units side = view_.free_cell(free).room.toward(toward);
      room += std::abs(static_cast<double>(term.coefficient)) *
              (side == kUnboundedAbove ? kLpInfinity : static_cast<double>(side));
    }
    if (reaches(room / std::abs(static_cast<double>(incidence.coefficient)), level))
      continue;
    const int numerator = sign(direction) * (incidence.coefficient > 0 ? 1 : -1);
    const Multipliers one{{incidence.equation}, {numerator}, std::abs(incidence.coefficient)};
    Multipliers proof = complete(cell, direction, one);
    const auto bound = proven_bound(view_.table(), view_.rooms(), cell, direction, proof);
    if (bound && *bound < to_integer(level))
      return proof;
  }
  return std::nullopt;
}

std::optional<Multipliers> PartSearch::determined_proof(CellId cell, Direction direction) const {
  if (view_.room(cell).none())
    return Multipliers{};
  if (view_.determined_index(cell) < 0)
    return std::nullopt;
  return complete(cell, direction, {});
}

// A proof found over the free cells says nothing of determined cells in the same equations. Each
// was fixed by an equation in which all else was free of doubt, so going back in that order, a
// multiple of that equation takes the cell out: g_j = d_i / m_ji.
Multipliers PartSearch::complete(CellId cell, Direction direction, const Multipliers& proof) const {
  if (view_.determined().empty())
    return proof;  // nothing to take out
  const Table& table = view_.table();
  std::map<std::int32_t, mpq_class> open;  // determined cells by order, with their d_i
  const auto subtract = [&](EquationId equation, const mpq_class& value) {
    for (const Term& term : table.equation(equation)) {
      const std::int32_t order = view_.determined_index(term.cell);
      if (order >= 0)
        open[order] -= value * term.coefficient;
    }
  };
  std::map<EquationId, mpq_class> values;
  if (view_.determined_index(cell) >= 0)
    open[view_.determined_index(cell)] = sign(direction);
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const Fraction value = make_fraction(proof.values[j], proof.denominator);
    values[proof.equations[j]] = value;
    subtract(proof.equations[j], value);
  }
  while (!open.empty()) {
    const auto last = std::prev(open.end());
    const AttackView::Determined& fixed = view_.determined()[static_cast<std::size_t>(last->first)];
    const mpq_class value = last->second / fixed.coefficient;
    if (value != 0) {
      values[fixed.by] += value;
      subtract(fixed.by, value);
    }
    LACUNA_CHECK(last->second == 0);
    open.erase(last);
  }
  std::vector<mpq_class> numbers;
  for (const auto& [equation, value] : values)
    numbers.push_back(value);
  Multipliers result;
  const auto common = to_common_denominator(numbers, result.denominator);
  std::size_t i = 0;
  for (const auto& [equation, value] : values) {
    if (common[i] != 0) {
      result.equations.push_back(equation);
      result.values.push_back(common[i]);
    }
    ++i;
  }
  return result;
}

std::optional<Displacement> PartSearch::near_witness(const Neighbourhood& near,
                                                     std::int32_t free,
                                                     Direction direction,
                                                     Units level,
                                                     const RunContext& run) {
  const Core core = movable(view_, near.cells);
  if (core.cells.empty() || core.cells.front() != free)
    return std::nullopt;  // the cell itself cannot move
  LocalLp lp(view_, core.cells, core.equations, scratch_solver());
  lp.load(times(level, kCapFactor), static_cast<double>(level));
  ++counts_.lp_solves;
  const double value = lp.maximize({free, direction, level}, run);
  if (!reaches(value, level))
    return std::nullopt;
  auto witness = lp.witness();
  const CellId cell = view_.free_cell(free).cell;
  if (!witness || displacement_of(*witness, cell, direction) < to_integer(level))
    return std::nullopt;
  remember(*witness);
  return witness;
}

std::optional<Multipliers> PartSearch::near_proof(const Neighbourhood& near,
                                                  std::int32_t free,
                                                  Direction direction,
                                                  Units level,
                                                  const RunContext& run) {
  if (near.complete.empty())
    return std::nullopt;
  LocalLp lp(view_, near.cells, near.complete, scratch_solver());
  lp.load(kUnboundedAbove, static_cast<double>(level));
  ++counts_.lp_solves;
  const double value = lp.maximize({free, direction, level}, run);
  if (!(value < static_cast<double>(level)))
    return std::nullopt;
  const CellId cell = view_.free_cell(free).cell;
  std::optional<Multipliers> completed;
  lp.proof([&](const Multipliers& candidate) {
    Multipliers full = complete(cell, direction, candidate);
    const auto bound = proven_bound(view_.table(), view_.rooms(), cell, direction, full);
    if (!bound || *bound >= to_integer(level))
      return false;
    completed = std::move(full);
    return true;
  });
  return completed;
}

void PartSearch::prepare_whole(std::int32_t part) {
  if (whole_.part == part)
    return;
  const auto cells = view_.part(part);
  std::unordered_set<std::int32_t> seen;
  std::vector<EquationId> rows;
  double largest = 1;
  for (const std::int32_t free : cells) {
    const AttackView::FreeCell& cell = view_.free_cell(free);
    for (const Units room : {cell.room.down, cell.room.up}) {
      if (room != kUnboundedAbove)
        largest = std::max(largest, static_cast<double>(room));
    }
    for (const Incidence& incidence : view_.table().equations_of(cell.cell)) {
      if (seen.insert(incidence.equation.value).second)
        rows.push_back(incidence.equation);
    }
  }
  auto made = make_lp_solver(engine_, options_);
  LACUNA_CHECK(made.has_value());
  whole_.solver = std::move(made).value();
  whole_.lp = std::make_unique<LocalLp>(
      view_, std::vector<std::int32_t>(cells.begin(), cells.end()), rows, *whole_.solver);
  whole_.part = part;
  whole_.scale = std::exp2(std::floor(std::log2(largest)));
}

// A ray whose entries are in no simple ratio to each other, which rounding does not find.
std::optional<Displacement> PartSearch::exact_ray(std::int32_t free,
                                                  Direction direction,
                                                  const RunContext& run) {
  whole_.lp->load_recession();
  ++counts_.lp_solves;
  whole_.lp->maximize({free, direction, 1}, run);
  auto ray = whole_.lp->witness();
  if (!ray || !(Fraction{} < displacement_of(*ray, view_.free_cell(free).cell, direction)))
    return std::nullopt;
  ray->denominator = 1;  // the length of a ray does not matter
  return ray;
}

// A proof, out of the multipliers of the last solve, that the cell does not get to the level, or,
// with level = 0, no farther than the witness.
void PartSearch::prove_whole(CellId cell, Direction direction, Units level, Reach& reach) {
  const Fraction limit = level > 0       ? Fraction(to_integer(level))
                         : reach.witness ? displacement_of(*reach.witness, cell, direction)
                                         : Fraction{};
  whole_.lp->proof([&](const Multipliers& candidate) {
    Multipliers full = complete(cell, direction, candidate);
    const auto bound = proven_bound(view_.table(), view_.rooms(), cell, direction, full);
    const bool good = bound && (level > 0 ? *bound < limit : *bound == limit);
    if (good)
      reach.proof = std::move(full);
    return good;
  });
}

// With level > 0 only the question of decide() is answered; with level = 0 the exact end.
Reach PartSearch::whole_part(std::int32_t free,
                             Direction direction,
                             Units level,
                             const RunContext& run) {
  const AttackView::FreeCell& target = view_.free_cell(free);
  const CellId cell = target.cell;
  prepare_whole(target.part);
  const Units room = target.room.toward(sign(direction));
  const double room_scale = room == kUnboundedAbove || room == 0 ? 1 : static_cast<double>(room);
  const double own_scale = level > 0 ? static_cast<double>(level) : room_scale;
  Reach reach;
  // In a small part a verdict starts from the truth, near which the witness is short, in a scale
  // that fits the level. In a large one, as for exact ends, going on from the last vertex is many
  // times faster.
  const bool small = view_.part(target.part).size() <= kSmallPart;
  const bool from_truth = level > 0 && small;
  const double first = from_truth ? scale_for(level) : whole_.scale;
  bool again = false;
  for (const double scale : {first, own_scale, std::sqrt(whole_.scale * own_scale)}) {
    if (run.should_stop())
      break;
    whole_.lp->load(kUnboundedAbove, scale);
    const bool restart = from_truth || (level > 0 && again);
    if (restart)
      whole_.lp->restart();
    again = true;
    ++counts_.lp_solves;
    const double value =
        whole_.lp->maximize({free, direction, restart ? level : kUnboundedAbove}, run);
    if (std::isnan(value))
      continue;
    if (whole_.lp->status() == LpStatus::kUnbounded) {
      reach.witness = whole_.lp->ray();
      if (!reach.witness)
        reach.witness = exact_ray(free, direction, run);
      if (reach.witness) {
        reach.unbounded = true;
        return reach;
      }
      continue;
    }
    if (auto witness = whole_.lp->witness()) {
      remember(*witness);
      const Fraction reached = displacement_of(*witness, cell, direction);
      if (!reach.witness || displacement_of(*reach.witness, cell, direction) < reached)
        reach.witness = std::move(witness);
      if (level > 0 && reached >= to_integer(level))
        return reach;
    }
    prove_whole(cell, direction, level, reach);
    if (reach.proof) {
      if (level > 0)
        reach.witness.reset();
      return reach;
    }
  }
  if (level > 0)
    reach.witness.reset();
  return reach;
}

}  // namespace lacuna::inline attack
