// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/integer_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/evidence_check.h"
#include "lacuna/tolerance.h"

namespace lacuna::attack {

void IntegerBranching::set(CellId cell, const Slack& slack) {
  undo_.emplace_back(cell, lp_.slacks()[base::at(cell)]);
  lp_.set_slack(cell, slack);
}

void IntegerBranching::restore(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back())
    lp_.set_slack(undo_.back().first, undo_.back().second);
}

bool IntegerBranching::close_by_chain(TreeNode& node) {
  if (undo_.empty())
    return false;  // at the root everything is propagated already
  Propagation chain(lp_.table(), {lp_.slacks().begin(), lp_.slacks().end()}, lp_.holes());
  std::vector<CellId> changed;
  for (const auto& [cell, before] : undo_)
    changed.push_back(cell);
  chain.run_from(changed);
  const CellId empty = chain.empty_cell();
  if (empty.value < 0)
    return false;
  const std::array<CellSide, 2> both{{{empty, Direction::kLow}, {empty, Direction::kHigh}}};
  node.empty = true;
  node.chain = static_cast<std::int32_t>(found_.chains.size());
  found_.chains.push_back(chain.behind(both));
  return true;
}

bool IntegerBranching::close_empty(TreeNode& node) {
  auto proof = lp_.emptiness([&](const Multipliers& candidate) {
    const auto sum = proven_bound(
        lp_.table(), lp_.slacks(), std::span<const Term>(), Direction::kHigh, candidate);
    return sum && *sum < 0;
  });
  if (!proof)
    return false;
  node.empty = true;
  node.proof = static_cast<std::int32_t>(found_.proofs.size());
  found_.proofs.push_back(*std::move(proof));
  return true;
}

bool IntegerBranching::close_by_bound(TreeNode& node) {
  bool stepped = false;
  auto proof = lp_.proof([&](const Multipliers& candidate) {
    const auto bound = proven_integer_bound(
        lp_.table(), lp_.slacks(), question_.form, question_.direction, candidate, step_);
    if (!bound || *bound >= base::to_integer(question_.level))
      return false;
    const auto plain = proven_integer_bound(
        lp_.table(), lp_.slacks(), question_.form, question_.direction, candidate);
    stepped = !plain || *plain >= base::to_integer(question_.level);
    return true;
  });
  if (!proof)
    return false;
  if (stepped) {
    node.step = 0;
    if (found_.steps.empty())
      found_.steps.push_back(*step_);
  }
  node.proof = static_cast<std::int32_t>(found_.proofs.size());
  found_.proofs.push_back(*std::move(proof));
  return true;
}

// The cell that is farthest from a whole number, the first of several.
bool IntegerBranching::divide(TreeNode& node) const {
  double farthest = tol::kIntegrality;
  for (std::int32_t c = 0; c < lp_.table().num_cells(); ++c) {
    const double value = lp_.value(CellId{c});
    const double distance = std::abs(value - std::nearbyint(value));
    if (!(distance > farthest) || !(std::abs(value) < static_cast<double>(kMaxUnits)))
      continue;
    farthest = distance;
    node.cell = CellId{c};
    node.at = static_cast<Units>(std::floor(value));
  }
  return node.cell.value >= 0 || divide_at_hole(node);
}

// The first cell of a whole solution that lies in a hole: below it or above it.
bool IntegerBranching::divide_at_hole(TreeNode& node) const {
  for (std::int32_t c = 0; lp_.holes() != nullptr && c < lp_.table().num_cells(); ++c) {
    const double value = lp_.value(CellId{c});
    if (!(std::abs(value) < static_cast<double>(kMaxUnits)))
      continue;
    const Integer move = base::to_integer(static_cast<Units>(std::nearbyint(value)));
    if (const Hole* hole = lp_.holes()->around(CellId{c}, move)) {
      node.cell = CellId{c};
      node.at = hole->from - 1;
      return true;
    }
  }
  return false;
}

// Where the engine's multipliers do not show that a case is empty, smaller cases may: the cell with
// the longest slack, in the middle of it.
bool IntegerBranching::divide_in_half(TreeNode& node) const {
  Wide longest = 0;
  for (std::int32_t c = 0; c < lp_.table().num_cells(); ++c) {
    const Slack& slack = lp_.slacks()[base::at(CellId{c})];
    if (slack.up == kUnboundedAbove || slack.down == kUnboundedAbove ||
        Wide{slack.up} + slack.down <= longest)
      continue;
    longest = Wide{slack.up} + slack.down;
    node.cell = CellId{c};
    node.at = -slack.down + static_cast<Units>((longest - 1) / 2);
  }
  return longest > 0;
}

IntegerCaseResult::Kind IntegerBranching::look_at(TreeNode& node, const RunContext& run) {
  if (close_by_chain(node))
    return Kind::kClosed;
  const Units stop = stop_here();
  const double value = lp_.maximize(question_.form, question_.direction, stop, run);
  if (value == -kLpInfinity) {
    if (close_empty(node))
      return Kind::kClosed;
    return divide_in_half(node) ? Kind::kDivide : Kind::kStuck;
  }
  if (!std::isfinite(value))
    return Kind::kStuck;
  const bool short_of = tol::compare(value, static_cast<double>(stop)) == tol::Order::kSurelyLess;
  if (short_of && close_by_bound(node))
    return Kind::kClosed;
  auto whole = lp_.integer_witness();
  if (whole && displacement_of(*whole, question_.form, question_.direction) >=
                   base::to_integer(question_.level)) {
    witness_ = std::move(whole);
    return Kind::kWitness;
  }
  return divide(node) ? Kind::kDivide : Kind::kStuck;
}

// A case may leave a single cell nothing but numbers beyond the stop.
Units IntegerBranching::stop_here() const {
  if (question_.form.size() != 1 || question_.stop == kUnboundedAbove)
    return question_.stop;
  const Term& term = question_.form.front();
  const bool up = (term.coefficient > 0) == (question_.direction == Direction::kHigh);
  const Units least = lp_.slacks()[base::at(term.cell)].toward(up ? -1 : 1);
  return least == kUnboundedAbove ? question_.stop : std::max(question_.stop, -least);
}

bool IntegerBranching::in_hole(std::span<const Term> form,
                               Direction direction,
                               const Integer& move) const {
  if (lp_.holes() == nullptr || form.size() != 1)
    return false;
  const bool up = (form.front().coefficient > 0) == (direction == Direction::kHigh);
  return lp_.holes()->around(form.front().cell, up ? move : Integer(-move)) != nullptr;
}

// The first number from the level on that the step and the holes of a single cell allow: no case
// needs to go farther.
Units IntegerBranching::stop_for(std::span<const Term> form,
                                 Direction direction,
                                 Units level) const {
  if (step_ == nullptr && lp_.holes() == nullptr)
    return level;
  const Integer q = step_ != nullptr ? step_->q : Integer(1);
  Integer times;
  const Integer least = base::to_integer(level);
  mpz_cdiv_q(base::gmp(times).get_mpz_t(), base::gmp(least).get_mpz_t(), base::gmp(q).get_mpz_t());
  while (in_hole(form, direction, times * q))
    ++times;
  const Integer stop = times * q;
  return stop < base::to_integer(kMaxUnits) ? base::to_units(stop) : kUnboundedAbove;
}

// Two cases more, the one nearer to the solution on top.
void IntegerBranching::open_cases(TreeNode& node) {
  node.low = static_cast<std::int32_t>(found_.tree.size());
  node.high = node.low + 1;
  found_.tree.resize(found_.tree.size() + 2);
  Slack below = lp_.slacks()[base::at(node.cell)];
  Slack above = below;
  below.up = std::min(below.up, node.at);
  above.down = std::min(above.down, -(node.at + 1));
  if (lp_.holes() != nullptr) {
    below = lp_.holes()->snapped(node.cell, below);
    above = lp_.holes()->snapped(node.cell, above);
  }
  IntegerCase near{{}, base::at(node.high), undo_.size(), node.cell, above};
  IntegerCase far{{}, base::at(node.low), undo_.size(), node.cell, below};
  if (lp_.has_values() && std::nearbyint(lp_.value(node.cell)) <= static_cast<double>(node.at))
    std::swap(near, far);
  open_.open(far);
  open_.open(near);
}

IntegerCaseResult IntegerBranching::work_on(IntegerCase& next, std::size_t, const RunContext& run) {
  restore(next.mark);
  if (next.cell.value >= 0)
    set(next.cell, next.slack);
  IntegerCaseResult found;
  found.kind = look_at(found.node, run);
  return found;
}

branching::NodeFate IntegerBranching::merge(IntegerCase& next, IntegerCaseResult found) {
  if (found.kind == Kind::kDivide)
    open_cases(found.node);
  found_.tree[next.place] = found.node;
  return found.kind == Kind::kClosed || found.kind == Kind::kDivide ? branching::NodeFate::kDone
                                                                    : branching::NodeFate::kEnds;
}

IntegerBranching::Outcome IntegerBranching::search(std::span<const Term> form,
                                                   Direction direction,
                                                   Units level,
                                                   std::int64_t node_limit,
                                                   const RunContext& run) {
  found_ = {};
  witness_.reset();
  found_.tree.emplace_back();
  question_ = {form, direction, level, stop_for(form, direction, level)};
  open_ = branching::BranchTree<IntegerCase, IntegerCaseResult>({branching::NodeOrder::kNewest});
  open_.open({});
  const branching::TreeEnding ending = open_.run(*this, std::max<std::int64_t>(0, node_limit), run);
  restore(0);
  Outcome outcome;
  outcome.nodes = open_.taken();
  if (ending == branching::TreeEnding::kStopped || ending == branching::TreeEnding::kNodes)
    ++outcome.nodes;  // the case that was next
  outcome.witness = std::move(witness_);
  if (ending == branching::TreeEnding::kNothingOpen)
    outcome.tree = std::move(found_);
  return outcome;
}

}  // namespace lacuna::attack
