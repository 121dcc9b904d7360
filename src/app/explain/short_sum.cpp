// SPDX-License-Identifier: Apache-2.0
#include "app/explain/short_sum.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/explain/tuning.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/view.h"

namespace lacuna::explain {
namespace {

using Slacks = std::vector<attack::Slack>;

// sum of factors times cells = right side.
struct Combination {
  std::map<CellId, mpq_class> factors;
  mpq_class right = 0;
  std::vector<EquationId> used;  // rising
};

void add(Combination& sum, const Table& table, EquationId equation, const mpq_class& times) {
  for (const Term& term : table.equation(equation)) {
    mpq_class& factor = sum.factors[term.cell];
    factor += times * term.coefficient;
    if (factor == 0)
      sum.factors.erase(term.cell);
  }
  sum.right += times * base::to_integer(table.rhs(equation));
  sum.used.insert(std::upper_bound(sum.used.begin(), sum.used.end(), equation), equation);
}

// An end of factor * z where the cell can move by `slack`; absent: any distance.
void widen(std::optional<mpq_class>& end, const mpq_class& size, Units slack) {
  if (slack == kUnboundedAbove)
    end.reset();
  else if (end)
    *end += size * base::to_integer(slack);
}

void narrow(std::optional<mpq_class>& end, Units slack) {
  if (slack != kUnboundedAbove && (!end || *end > base::to_integer(slack)))
    end = base::to_integer(slack);
}

Bounds within(Units value, const attack::Slack& slack) {
  return {slack.down == kUnboundedAbove ? kUnboundedBelow : value - slack.down,
          slack.up == kUnboundedAbove ? kUnboundedAbove : value + slack.up};
}

std::optional<Sum> solved_for(CellId cell,
                              const Combination& combined,
                              const Table& table,
                              const Slacks& slacks) {
  const auto own = combined.factors.find(cell);
  if (own == combined.factors.end())
    return std::nullopt;
  Sum sum;
  sum.cell = cell;
  sum.constant = mpq_class(combined.right / own->second);
  sum.equations = static_cast<std::int32_t>(combined.used.size());
  std::optional<mpq_class> below = mpq_class(0), above = mpq_class(0);
  for (const auto& [other, factor] : combined.factors) {
    if (other == cell)
      continue;
    const mpq_class moved = -factor / own->second;
    const attack::Slack& slack = slacks[base::at(other)];
    sum.terms.push_back({other, moved, within(table.value(other), slack)});
    if (slack.none())
      continue;
    ++sum.unknown;
    const mpq_class size = abs(moved);
    widen(above, size, moved > 0 ? slack.up : slack.down);
    widen(below, size, moved > 0 ? slack.down : slack.up);
  }
  narrow(above, slacks[base::at(cell)].up);
  narrow(below, slacks[base::at(cell)].down);
  if (above)
    sum.above = *above;
  if (below)
    sum.below = *below;
  std::stable_sort(sum.terms.begin(), sum.terms.end(), [](const SumTerm& a, const SumTerm& b) {
    return (a.factor > 0) && !(b.factor > 0);
  });
  return sum;
}

class Search {
 public:
  Search(const Problem& problem, const Draft& draft, const Question& question)
      : table_(problem.table()),
        question_(question),
        slacks_(attack::attacker_slacks(
            problem.table(), draft, problem.attackers()[base::at(question.attacker)])) {}

  std::optional<Sum> run() {
    std::vector<Combination> level;
    for (const Incidence& incidence : table_.equations_of(question_.cell))
      look_at(Combination(), incidence.equation, 1, level);
    for (std::size_t equations = 1; !best_ && equations < kTuning.most_equations; ++equations) {
      std::vector<Combination> next;
      for (const Combination& combined : level)
        extend(combined, next);
      level = std::move(next);
    }
    return std::move(best_);
  }

 private:
  bool is_unknown(CellId cell) const {
    return cell != question_.cell && !slacks_[base::at(cell)].none();
  }

  void look_at(Combination sum,
               EquationId equation,
               const mpq_class& times,
               std::vector<Combination>& kept) {
    if (looked_++ >= kTuning.most_combinations)
      return;
    add(sum, table_, equation, times);
    std::optional<Sum> solved = solved_for(question_.cell, sum, table_, slacks_);
    if (!solved)
      return;
    if (tells_too_much(question_, *solved)) {
      if (!best_ || rank(*solved) < rank(*best_))
        best_ = std::move(solved);
    } else if (solved->unknown <= kTuning.most_unknown) {
      kept.push_back(std::move(sum));
    }
  }

  static std::pair<std::int32_t, std::size_t> rank(const Sum& sum) {
    return {sum.unknown, sum.terms.size()};
  }

  // One more equation, so that a cell which is not published falls out.
  void extend(const Combination& combined, std::vector<Combination>& next) {
    for (const auto& [cell, factor] : combined.factors) {
      if (!is_unknown(cell))
        continue;
      for (const Incidence& incidence : table_.equations_of(cell)) {
        if (std::binary_search(combined.used.begin(), combined.used.end(), incidence.equation))
          continue;
        std::vector<EquationId> key = combined.used;
        key.push_back(incidence.equation);
        std::sort(key.begin(), key.end());
        if (seen_.insert({cell, std::move(key)}).second)
          look_at(combined, incidence.equation, -factor / incidence.coefficient, next);
      }
    }
  }

  const Table& table_;
  const Question& question_;
  Slacks slacks_;
  std::optional<Sum> best_;
  std::size_t looked_ = 0;
  std::set<std::pair<CellId, std::vector<EquationId>>> seen_;
};

mpq_class end_of(const Fraction& end, Domain domain) {
  return domain == Domain::kInteger ? mpq_class(base::rounded_down(base::gmp(end)))
                                    : base::gmp(end);
}

bool is_short(const std::optional<mpq_class>& end, Units level) {
  return end && *end < base::to_integer(level);
}

}  // namespace

bool tells_too_much(const Question& question, const Sum& sum) {
  if (question.form.size() != 1 || question.form[0].cell != sum.cell ||
      question.form[0].coefficient != 1)
    return false;
  std::optional<mpq_class> below, above, width;
  if (sum.below)
    below = end_of(*sum.below, question.domain);
  if (sum.above)
    above = end_of(*sum.above, question.domain);
  if (below && above)
    width = mpq_class(*below + *above);
  const bool low = is_short(below, question.lower), high = is_short(above, question.upper);
  return (question.either ? low && high : low || high) || is_short(width, question.sliding) ||
         (question.values > 0 && width && *width + 1 < base::to_integer(question.values));
}

std::optional<Sum> find_short_sum(const Problem& problem,
                                  const Draft& draft,
                                  const Question& question) {
  return Search(problem, draft, question).run();
}

std::optional<Sum> sum_of_proof(const Problem& problem,
                                const Draft& draft,
                                const Question& question,
                                const Multipliers& proof) {
  Combination combined;
  for (std::size_t i = 0; i < proof.equations.size(); ++i)
    add(combined,
        problem.table(),
        proof.equations[i],
        base::make_fraction(proof.values[i], proof.denominator));
  return solved_for(question.cell,
                    combined,
                    problem.table(),
                    attack::attacker_slacks(
                        problem.table(), draft, problem.attackers()[base::at(question.attacker)]));
}

}  // namespace lacuna::explain
