// SPDX-License-Identifier: Apache-2.0
#include "attack/whole_goal.h"

#include <algorithm>
#include <map>
#include <set>

#include "attack/evidence_check.h"
#include "attack/touches.h"
#include "attack/whole_check.h"
#include "base/index.h"
#include "base/rational.h"
#include "base/work.h"

namespace lacuna::inline attack {
namespace {

using FormMap = std::map<CellId, std::int64_t>;

constexpr int kMostRewrites = 3;

FormMap rewritten(const WholeView& view, const FormMap& form, EquationId equation, Wide factor) {
  FormMap result = form;
  for (const Term& term : view.table().equation(equation)) {
    if (view.core().free_index(term.cell) < 0)
      continue;
    std::int64_t& entry = result[term.cell];
    entry -= static_cast<std::int64_t>(factor * term.coefficient);
    if (entry == 0)
      result.erase(term.cell);
  }
  return result;
}

bool fits(const FormMap& form) {
  constexpr std::int64_t kLargest = 1 << 30;
  return std::all_of(form.begin(), form.end(), [](const auto& entry) {
    return -kLargest < entry.second && entry.second < kLargest;
  });
}

// Takes off the multiple of an equation that leaves the fewest cells, if that is fewer than now.
bool rewrite(const WholeView& view, FormMap& form, WholeGoal& goal) {
  std::optional<FormMap> best;
  std::pair<EquationId, Integer> taken;
  std::int64_t terms = 0;
  for (const auto& [cell, coefficient] : form) {
    for (const Incidence& incidence : view.table().equations_of(cell)) {
      if (coefficient % incidence.coefficient != 0)
        continue;
      terms += std::ssize(view.table().equation(incidence.equation));
      const std::int64_t factor = coefficient / incidence.coefficient;
      FormMap candidate = rewritten(view, form, incidence.equation, factor);
      if (candidate.size() >= (best ? best->size() : form.size()) || !fits(candidate))
        continue;
      best = std::move(candidate);
      taken = {incidence.equation, to_integer(factor)};
    }
  }
  count_work(kAttackTouches.look_term * terms);
  if (!best)
    return false;
  form = *std::move(best);
  goal.offset.push_back(std::move(taken));
  return true;
}

// proof + factor * offset.
Multipliers with_offset(const WholeGoal& goal, const Multipliers& proof, const Fraction& factor) {
  if (goal.offset.empty())
    return proof;
  std::map<EquationId, Fraction> values;
  for (std::size_t j = 0; j < proof.equations.size(); ++j)
    values[proof.equations[j]] = make_fraction(proof.values[j], proof.denominator);
  for (const auto& [equation, times] : goal.offset)
    values[equation] += factor * times;
  std::vector<Fraction> numbers;
  for (const auto& [equation, value] : values)
    numbers.push_back(value);
  Multipliers result;
  const auto whole = to_common_denominator(numbers, result.denominator);
  std::size_t i = 0;
  for (const auto& [equation, value] : values) {
    if (whole[i] != 0) {
      result.equations.push_back(equation);
      result.values.push_back(whole[i]);
    }
    ++i;
  }
  return result;
}

Multipliers proof_of(const WholeGoal& goal, const Multipliers& proof) {
  return with_offset(goal, proof, sign(goal.direction));
}

Step step_of(const WholeGoal& goal, const Step& step) {
  return {step.q, with_offset(goal, step.h, make_fraction(1, step.q))};
}

// Which narrowed ends evidence leans on.
class NeededEnds {
 public:
  explicit NeededEnds(const WholeView& view) : view_(view) {}

  void for_proof(std::span<const Term> form, Direction direction, const Multipliers& proof) {
    std::map<CellId, Integer> d;
    for (const Term& term : form)
      d[term.cell] += proof.denominator * (sign(direction) * term.coefficient);
    take_off(proof, 1, d);
    for (const auto& [cell, number] : d) {
      if (number != 0)
        need(cell, number > 0 ? Direction::kHigh : Direction::kLow);
    }
  }

  void for_step(std::span<const Term> form, const Step& step) {
    std::map<CellId, Integer> d;
    for (const Term& term : form)
      d[term.cell] += step.h.denominator * term.coefficient;
    take_off(step.h, step.q, d);
    const Integer scale = step.q * step.h.denominator;
    for (const auto& [cell, number] : d) {
      if (!mpz_divisible_p(gmp(number).get_mpz_t(), gmp(scale).get_mpz_t()))
        need_both(cell);
    }
  }

  void for_chain(const Chain& chain) {
    for (const ChainLine& line : chain) {
      for (const Term& term : view_.table().equation(line.equation))
        need_both(term.cell);
    }
  }

  std::optional<Chain> chain() const {
    if (ends_.empty())
      return std::nullopt;
    return view_.chain().behind(std::vector<CellSide>(ends_.begin(), ends_.end()));
  }

 private:
  void take_off(const Multipliers& values, const Integer& factor, std::map<CellId, Integer>& d) {
    std::int64_t terms = 0;
    for (std::size_t j = 0; j < values.equations.size(); ++j) {
      const auto equation = view_.table().equation(values.equations[j]);
      terms += std::ssize(equation);
      for (const Term& term : equation) {
        if (!view_.rooms()[at(term.cell)].none())
          d[term.cell] -= factor * values.values[j] * term.coefficient;
      }
    }
    count_work(kAttackTouches.evidence_cell * terms);
  }
  void need(CellId cell, Direction side) {
    if (view_.chain().narrowed({cell, side}))
      ends_.insert({cell, side});
  }
  void need_both(CellId cell) {
    need(cell, Direction::kLow);
    need(cell, Direction::kHigh);
  }

  const WholeView& view_;
  std::set<CellSide> ends_;
};

}  // namespace

WholeGoal make_goal(const WholeView& view,
                    std::span<const Term> form,
                    Direction direction,
                    Units level) {
  WholeGoal goal;
  goal.given.assign(form.begin(), form.end());
  goal.direction = direction;
  goal.level = level;
  FormMap left;
  for (const Term& term : form) {
    if (term.coefficient != 0 && view.core().free_index(term.cell) >= 0)
      left[term.cell] = term.coefficient;
  }
  for (int i = 0; i < kMostRewrites && left.size() > 1; ++i) {
    if (!rewrite(view, left, goal))
      break;
  }
  std::set<std::int32_t> parts;
  for (const auto& [cell, coefficient] : left) {
    goal.form.push_back({cell, static_cast<std::int32_t>(coefficient)});
    goal.free.push_back(view.core().free_index(cell));
    parts.insert(view.core().free_cell(goal.free.back()).part);
  }
  goal.parts.assign(parts.begin(), parts.end());
  return goal;
}

std::optional<Wide> room_of(const WholeView& view, const WholeGoal& goal) {
  Wide sum = 0;
  for (const Term& term : goal.form) {
    const int side = term.coefficient > 0 ? sign(goal.direction) : -sign(goal.direction);
    const Units room = view.core().room(term.cell).toward(side);
    if (room == kUnboundedAbove)
      return std::nullopt;
    sum += (term.coefficient > 0 ? Wide{term.coefficient} : -Wide{term.coefficient}) * room;
  }
  return sum;
}

Integer reached_by(const WholeGoal& goal, const Displacement& witness) {
  return rounded_down(displacement_of(witness, goal.given, goal.direction));
}

WholeReach bounded_by(const WholeView& view,
                      const WholeGoal& goal,
                      const Multipliers& proof,
                      const std::optional<Step>& step) {
  WholeReach reach;
  reach.proof = proof_of(goal, proof);
  if (step)
    reach.step = step_of(goal, *step);
  const Step* stepped = step ? &*reach.step : nullptr;
  // Without the chain, if it shows the same.
  const auto bound_under = [&](std::span<const Room> rooms) {
    return proven_whole_bound(
        view.table(), rooms, goal.given, goal.direction, *reach.proof, stepped);
  };
  const bool step_holds =
      !step || check_step(view.table(), view.rooms(), goal.given, *reach.step).has_value();
  const auto plain = bound_under(view.rooms());
  if (step_holds && plain && plain == bound_under(view.core().rooms()))
    return reach;
  NeededEnds ends(view);
  ends.for_proof(goal.given, goal.direction, *reach.proof);
  if (step)
    ends.for_step(goal.given, *reach.step);
  reach.chain = ends.chain();
  return reach;
}

WholeReach bounded_by(const WholeView& view,
                      const WholeGoal& goal,
                      const SubTable& part,
                      WholeTreeEvidence tree) {
  NeededEnds ends(view);
  for (Multipliers& proof : tree.proofs)
    proof = part.lift(std::move(proof));
  for (Step& step : tree.steps) {
    step = step_of(goal, part.lift(std::move(step)));
    ends.for_step(goal.given, step);
  }
  for (Chain& chain : tree.chains) {
    chain = part.lift(std::move(chain), view.table());
    ends.for_chain(chain);
  }
  for (TreeNode& node : tree.tree) {
    if (node.cell.value >= 0)
      node.cell = part.cell(node.cell);
    if (node.proof < 0)
      continue;
    Multipliers& proof = tree.proofs[at(node.proof)];
    if (!node.empty)
      proof = proof_of(goal, proof);
    const std::span<const Term> form = node.empty ? std::span<const Term>() : goal.given;
    ends.for_proof(form, goal.direction, proof);
  }
  WholeReach reach;
  reach.tree = std::move(tree);
  reach.chain = ends.chain();
  return reach;
}

}  // namespace lacuna::inline attack
