// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/checker.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/equation_line.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

Error refuse(std::string message) {
  return {ErrorCode::kWrongEvidence, std::move(message), "evidence"};
}

bool is_wide(Units value) {
  return value > kMaxUnits || value < -kMaxUnits;
}

template <class Item>
Result<const Item*> listed(const std::vector<Item>& list, std::int32_t index, const char* what) {
  if (index < 0)
    return static_cast<const Item*>(nullptr);
  if (index >= std::ssize(list))
    return refuse(std::string("an end names a ") + what + " that does not exist");
  return &list[base::at(index)];
}

// The end of a line as a slack; nothing if the number is out of range.
std::optional<Units> slack_of(const Table& table, const ChainLine& line) {
  if (is_wide(line.value))
    return std::nullopt;
  const Wide slack = (Wide{line.value} - table.value(line.cell)) * sign(line.side);
  if (slack > kMaxUnits || slack < -kMaxUnits)
    return std::nullopt;
  return static_cast<Units>(slack);
}

Status check_line(const Table& table, std::span<const Slack> slacks, const ChainLine& line) {
  if (line.cell.value < 0 || line.cell.value >= table.num_cells())
    return refuse("a chain names a cell that does not exist");
  if (line.equation.value < 0 || line.equation.value >= table.num_equations())
    return refuse("a chain names an equation that does not exist");
  const auto claimed = slack_of(table, line);
  if (!claimed)
    return refuse("a chain has a number out of range");
  const auto follows = slack_by_equation(table, slacks, line.equation, line.cell, line.side);
  if (!follows || *follows > Wide{*claimed}) {
    return refuse("an end of " + table.label(line.cell) + " does not follow from " +
                  table.label(line.equation));
  }
  return ok_status();
}

Slack narrowed(const Table& table, const Slack& slack, const ChainLine& line) {
  Slack result = slack;
  Units& end = line.side == Direction::kHigh ? result.up : result.down;
  end = std::min(end, *slack_of(table, line));
  return result;
}

}  // namespace

Checker::Checker(const Table& table, std::vector<Slack> slacks, Domain domain, Holes holes)
    : table_(table), slacks_(std::move(slacks)), domain_(domain), holes_(std::move(holes)) {}

void Checker::know(const std::vector<KnownSlack>& slacks) {
  restore(0);
  for (const KnownSlack& known : slacks)
    set(known.cell, known.slack);
}

void Checker::set(CellId cell, const Slack& slack) {
  undo_.emplace_back(cell, slacks_[base::at(cell)]);
  slacks_[base::at(cell)] = slack;
}

void Checker::restore(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back())
    slacks_[base::at(undo_.back().first)] = undo_.back().second;
}

Status Checker::narrow(const Chain& chain) {
  for (const ChainLine& line : chain) {
    LACUNA_RETURN_IF_ERROR(check_line(table_, slacks_, line));
    set(line.cell, holes_.snapped(line.cell, narrowed(table_, slacks_[base::at(line.cell)], line)));
  }
  return ok_status();
}

Status Checker::confirm(std::span<const Term> form,
                        Direction direction,
                        const Evidence& evidence,
                        End& end) {
  LACUNA_RETURN_IF_ERROR(check_form(table_, form));
  const Sought sought{form, direction, evidence};
  LACUNA_RETURN_IF_ERROR(confirm_reached(sought, end));
  end.has_bound = false;
  end.bound = 0;
  if (end.proof < 0 && end.step < 0 && end.chain < 0 && end.tree < 0)
    return ok_status();
  if (domain_ == Domain::kRational && (end.step >= 0 || end.chain >= 0 || end.tree >= 0))
    return refuse("evidence in whole numbers does not prove a bound in rational numbers");
  LACUNA_TRY(const Chain* chain, listed(evidence.chains, end.chain, "chain"));
  LACUNA_TRY(const IntegerTree* tree, listed(evidence.trees, end.tree, "tree"));
  const std::size_t mark = undo_.size();
  Status status = chain != nullptr ? narrow(*chain) : ok_status();
  Result<Fraction> bound = Fraction(0);
  if (status) {
    TreeNode leaf;
    leaf.proof = end.proof;
    leaf.step = end.step;
    bound = tree != nullptr ? check_tree(sought, *tree) : bound_here(sought, leaf);
    if (!bound)
      status = bound.error();
  }
  restore(mark);
  LACUNA_RETURN_IF_ERROR(status);
  end.has_bound = true;
  end.bound = *bound;
  return ok_status();
}

Status Checker::confirm_reached(const Sought& sought, End& end) {
  end.reached = 0;
  LACUNA_TRY(const Displacement* witness,
             listed(sought.evidence.witnesses, end.witness, "witness"));
  if (witness == nullptr) {
    end.unbounded = false;
    return ok_status();
  }
  if (end.unbounded) {
    LACUNA_RETURN_IF_ERROR(check_ray(table_, slacks_, *witness));
    if (displacement_of(*witness, sought.form, sought.direction) <= 0)
      return refuse("a ray does not move its cell");
    return ok_status();
  }
  LACUNA_RETURN_IF_ERROR(domain_ == Domain::kRational
                             ? check_displacement(table_, slacks_, *witness)
                             : check_integer_witness(table_, slacks_, *witness, holes_));
  end.reached = displacement_of(*witness, sought.form, sought.direction);
  return ok_status();
}

Result<Fraction> Checker::bound_here(const Sought& sought, const TreeNode& leaf) {
  LACUNA_TRY(const Multipliers* proof, listed(sought.evidence.proofs, leaf.proof, "proof"));
  LACUNA_TRY(const Step* step, listed(sought.evidence.steps, leaf.step, "step"));
  if (step != nullptr)
    LACUNA_RETURN_IF_ERROR(check_step(table_, slacks_, sought.form, *step));
  static const Multipliers kNone;
  const auto bound = proven_bound(
      table_, slacks_, sought.form, sought.direction, proof != nullptr ? *proof : kNone);
  if (!bound)
    return refuse("a proof gives no bound");
  if (domain_ == Domain::kRational)
    return *bound;
  const Integer whole = base::rounded_down(*bound);
  return Fraction(step != nullptr ? rounded_to_step(whole, step->q) : whole);
}

Result<Checker::Settled> Checker::settle(const Sought& sought, const TreeNode& leaf) {
  LACUNA_TRY(const Chain* chain, listed(sought.evidence.chains, leaf.chain, "chain"));
  const std::size_t mark = undo_.size();
  const Status status = chain != nullptr ? narrow(*chain) : ok_status();
  Result<Settled> settled = status ? settle_here(sought, leaf) : Result<Settled>(status.error());
  restore(mark);
  return settled;
}

// Under the slacks as they are; those of the cells on the way here and in the chain are in undo_.
Result<Checker::Settled> Checker::settle_here(const Sought& sought, const TreeNode& leaf) {
  if (!leaf.empty) {
    LACUNA_TRY(Fraction bound, bound_here(sought, leaf));
    return Settled{false, std::move(bound)};
  }
  for (const auto& [cell, before] : undo_) {
    if (is_empty(slacks_[base::at(cell)]))
      return Settled{true, 0};
  }
  LACUNA_TRY(const Multipliers* proof, listed(sought.evidence.proofs, leaf.proof, "proof"));
  if (proof != nullptr) {
    const auto sum =
        proven_bound(table_, slacks_, std::span<const Term>(), sought.direction, *proof);
    if (sum && *sum < 0)
      return Settled{true, 0};
  }
  return refuse("a leaf of a tree is not shown to be empty");
}

Result<Fraction> Checker::check_tree(const Sought& sought, const IntegerTree& tree) {
  const std::size_t mark = undo_.size();
  std::optional<Fraction> bound;
  const Status status = walk(sought, tree, bound);
  restore(mark);
  LACUNA_RETURN_IF_ERROR(status);
  // The truth is in one of the leaves, so that not all can be empty.
  if (!bound)
    return refuse("a tree bounds nothing");
  return *bound;
}

// Depth first without recursion: hostile trees can be deep. Each node is visited once.
Status Checker::walk(const Sought& sought,
                     const IntegerTree& tree,
                     std::optional<Fraction>& bound) {
  struct Visit {
    std::int32_t node;
    std::size_t mark;  // of undo_, before the slack of this node was set
    CellId cell{-1};
    Slack slack{};
  };
  std::vector<Visit> open{{0, undo_.size()}};
  std::vector<bool> seen(tree.size(), false);
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    restore(visit.mark);
    if (visit.cell.value >= 0)
      set(visit.cell, visit.slack);
    if (visit.node < 0 || visit.node >= std::ssize(tree) || seen[base::at(visit.node)])
      return refuse("a tree has a branch that leads nowhere");
    seen[base::at(visit.node)] = true;
    const TreeNode& node = tree[base::at(visit.node)];
    if (node.cell.value < 0) {
      LACUNA_TRY(const Settled settled, settle(sought, node));
      if (!settled.empty && (!bound || *bound < settled.bound))
        bound = settled.bound;
      continue;
    }
    if (node.cell.value >= table_.num_cells() || is_wide(node.at))
      return refuse("a tree divides by a cell that does not exist or a number out of range");
    Slack low = slacks_[base::at(node.cell)];
    Slack high = low;
    low.up = std::min(low.up, node.at);
    high.down = std::min(high.down, -(node.at + 1));
    const std::size_t mark = undo_.size();
    open.push_back({node.high, mark, node.cell, holes_.snapped(node.cell, high)});
    open.push_back({node.low, mark, node.cell, holes_.snapped(node.cell, low)});
  }
  return ok_status();
}

}  // namespace lacuna::attack
