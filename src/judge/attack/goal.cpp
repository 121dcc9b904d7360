// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/goal.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

using FormMap = std::map<CellId, std::int64_t>;

constexpr int kMostRewrites = 3;

FormMap rewritten(const AttackView& view, const FormMap& form, EquationId equation, Wide factor) {
  FormMap result = form;
  for (const Term& term : view.table().equation(equation)) {
    if (view.free_index(term.cell) < 0)
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
bool rewrite(const AttackView& view, FormMap& form, Goal& goal) {
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
      taken = {incidence.equation, base::to_integer(factor)};
    }
  }
  base::count_work(kAttackTouches.look_term * terms);
  if (!best)
    return false;
  form = *std::move(best);
  goal.offset.push_back(std::move(taken));
  return true;
}

template <class Number>
Multipliers multipliers_of(const std::map<EquationId, Number>& values) {
  std::vector<Number> numbers;
  for (const auto& [equation, value] : values)
    numbers.push_back(value);
  Multipliers result;
  const std::vector<Integer> whole = base::to_common_denominator(numbers, result.denominator);
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

// proof + factor * offset.
Multipliers with_offset(const Goal& goal, const Multipliers& proof, const Fraction& factor) {
  if (goal.offset.empty())
    return proof;
  std::map<EquationId, Fraction> values;
  for (std::size_t j = 0; j < proof.equations.size(); ++j)
    values[proof.equations[j]] = base::make_fraction(proof.values[j], proof.denominator);
  for (const auto& [equation, times] : goal.offset)
    values[equation] += factor * times;
  return multipliers_of(values);
}

Multipliers proof_of(const Goal& goal, const Multipliers& proof) {
  return with_offset(goal, proof, sign(goal.direction));
}

Step step_of(const Goal& goal, const Step& step) {
  return {step.q, with_offset(goal, step.h, base::make_fraction(1, step.q))};
}

// Which narrowed ends evidence leans on.
class NeededEnds {
 public:
  explicit NeededEnds(const AttackView& view) : view_(view) {}

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
      if (!mpz_divisible_p(base::gmp(number).get_mpz_t(), base::gmp(scale).get_mpz_t()))
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
    return view_.chain()->behind(std::vector<CellSide>(ends_.begin(), ends_.end()));
  }

 private:
  void take_off(const Multipliers& values, const Integer& factor, std::map<CellId, Integer>& d) {
    std::int64_t terms = 0;
    for (std::size_t j = 0; j < values.equations.size(); ++j) {
      const auto equation = view_.table().equation(values.equations[j]);
      terms += std::ssize(equation);
      for (const Term& term : equation) {
        if (!view_.given()[base::at(term.cell)].none())
          d[term.cell] -= factor * values.values[j] * term.coefficient;
      }
    }
    base::count_work(kAttackTouches.evidence_cell * terms);
  }
  void need(CellId cell, Direction side) {
    if (view_.chain()->narrowed({cell, side}))
      ends_.insert({cell, side});
  }
  void need_both(CellId cell) {
    need(cell, Direction::kLow);
    need(cell, Direction::kHigh);
  }

  const AttackView& view_;
  std::set<CellSide> ends_;
};

}  // namespace

Goal make_goal(const AttackView& view,
               std::span<const Term> form,
               Direction direction,
               Units level) {
  Goal goal;
  goal.given.assign(form.begin(), form.end());
  goal.direction = direction;
  goal.level = level;
  FormMap left;
  for (const Term& term : form) {
    if (term.coefficient != 0 && view.free_index(term.cell) >= 0)
      left[term.cell] = term.coefficient;
  }
  for (int i = 0; i < kMostRewrites && left.size() > 1; ++i) {
    if (!rewrite(view, left, goal))
      break;
  }
  std::set<std::int32_t> parts;
  for (const auto& [cell, coefficient] : left) {
    goal.form.push_back({cell, static_cast<std::int32_t>(coefficient)});
    goal.free.push_back(view.free_index(cell));
    parts.insert(view.free_cell(goal.free.back()).part);
  }
  goal.parts.assign(parts.begin(), parts.end());
  return goal;
}

std::optional<Wide> slack_of(const AttackView& view,
                             std::span<const Term> form,
                             Direction direction) {
  Wide sum = 0;
  for (const Term& term : form) {
    const int side = term.coefficient > 0 ? sign(direction) : -sign(direction);
    const Units slack = view.slack(term.cell).toward(side);
    if (slack == kUnboundedAbove)
      return std::nullopt;
    sum += (term.coefficient > 0 ? Wide{term.coefficient} : -Wide{term.coefficient}) * slack;
  }
  return sum;
}

Fraction reached_by(const Goal& goal, const Displacement& witness) {
  return displacement_of(witness, goal.given, goal.direction);
}

Reach bounded_by(const AttackView& view,
                 const Goal& goal,
                 const Multipliers& proof,
                 const std::optional<Step>& step) {
  Reach reach;
  reach.proof = proof_of(goal, proof);
  if (view.domain() == Domain::kRational) {
    reach.proof = without_determined(view, goal.given, goal.direction, *reach.proof);
    return reach;
  }
  if (step)
    reach.step = step_of(goal, *step);
  const Step* stepped = step ? &*reach.step : nullptr;
  // Without the chain, if it shows the same.
  const auto bound_under = [&](std::span<const Slack> slacks) {
    return proven_integer_bound(
        view.table(), slacks, goal.given, goal.direction, *reach.proof, stepped);
  };
  const bool step_holds =
      !step || check_step(view.table(), view.given(), goal.given, *reach.step).has_value();
  const auto plain = bound_under(view.given());
  if (step_holds && plain && plain == bound_under(view.slacks()))
    return reach;
  NeededEnds ends(view);
  ends.for_proof(goal.given, goal.direction, *reach.proof);
  if (step)
    ends.for_step(goal.given, *reach.step);
  reach.chain = ends.chain();
  return reach;
}

Reach bounded_by(const AttackView& view,
                 const Goal& goal,
                 const LocalSystem& part,
                 IntegerTreeEvidence tree) {
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
    Multipliers& proof = tree.proofs[base::at(node.proof)];
    if (!node.empty)
      proof = proof_of(goal, proof);
    const std::span<const Term> form = node.empty ? std::span<const Term>() : goal.given;
    ends.for_proof(form, goal.direction, proof);
  }
  Reach reach;
  reach.tree = std::move(tree);
  reach.chain = ends.chain();
  return reach;
}

Multipliers without_determined(const AttackView& view,
                               std::span<const Term> form,
                               Direction direction,
                               const Multipliers& proof) {
  if (view.determined().empty())
    return proof;  // nothing to take out
  const Table& table = view.table();
  std::map<std::int32_t, mpq_class> open;  // determined cells by order, with their d_i
  const auto subtract = [&](EquationId equation, const mpq_class& value) {
    for (const Term& term : table.equation(equation)) {
      const std::int32_t order = view.determined_index(term.cell);
      if (order >= 0)
        open[order] -= value * term.coefficient;
    }
  };
  std::map<EquationId, mpq_class> values;
  for (const Term& term : form) {
    if (const std::int32_t order = view.determined_index(term.cell); order >= 0)
      open[order] += sign(direction) * term.coefficient;
  }
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const Fraction value = base::make_fraction(proof.values[j], proof.denominator);
    values[proof.equations[j]] = value;
    subtract(proof.equations[j], value);
  }
  while (!open.empty()) {
    const auto last = std::prev(open.end());
    const AttackView::Determined& fixed = view.determined()[base::at(last->first)];
    const mpq_class value = last->second / fixed.coefficient;
    if (value != 0) {
      values[fixed.by] += value;
      subtract(fixed.by, value);
    }
    LACUNA_CHECK(last->second == 0);
    open.erase(last);
  }
  return multipliers_of(values);
}

}  // namespace lacuna::attack
