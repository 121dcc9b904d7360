// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/bound_proof.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/bound/check_bound.h"
#include "judge/bound/check_intervals.h"
#include "judge/bound/equation_solver.h"
#include "judge/bound/slopes.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {
namespace {

// How often each cut is taken: the dual of the linear program over those that are needed.
class CutPrices {
 public:
  explicit CutPrices(const BoundTask& task) : task_(task), model_(task.model) {}

  std::vector<double> find(const std::vector<bool>& usable, const RunContext& run) {
    std::vector<double> prices(task_.cuts.size(), 0);
    auto solver = make_lp_solver(task_.engine);
    if (!solver || !(*solver)->load(program()))
      return prices;
    std::vector<std::size_t> rows;  // the cuts that are in
    std::vector<bool> in(task_.cuts.size(), false);
    for (;;) {
      const LpSolution found = (*solver)->minimize(run);
      if (found.status != LpStatus::kOptimal)
        return prices;
      const std::vector<std::size_t> more = violated(found.primal, usable, in);
      if (more.empty() || run.should_stop()) {
        for (std::size_t r = 0; r < rows.size(); ++r)
          prices[rows[r]] = found.dual[base::at(fixed_rows_) + r] * price_;
        return prices;
      }
      LpModel added;
      for (const std::size_t c : more) {
        add(task_.cuts[c], added);
        rows.push_back(c);
        in[c] = true;
      }
      (*solver)->add_rows(added);
    }
  }

 private:
  LpModel program() {
    double heaviest = 0;
    for (const double weight : model_.weight)
      heaviest = std::max(heaviest, weight);
    price_ = heaviest > 0 ? heaviest : 1;
    LpModel lp;
    column_of_end_.assign(model_.num_ends(), -1);
    for (std::size_t e = 0; e < model_.num_ends(); ++e) {
      if (model_.role[e] == EndRole::kPriced)
        column_of_end_[e] = lp.add_column(0, model_.most[e], model_.weight[e] / price_);
    }
    share_.assign(2 * model_.needs.size(), -1);
    for (std::size_t g = 0; g < model_.needs.size(); ++g) {
      const Need& need = model_.needs[g];
      if (need.sliding == 0)
        continue;
      share_[2 * g] = lp.add_column(need.upper, kLpInfinity);
      share_[2 * g + 1] = lp.add_column(need.lower, kLpInfinity);
      const std::int32_t both[] = {share_[2 * g], share_[2 * g + 1]};
      const double ones[] = {1, 1};
      lp.add_row(need.sliding, kLpInfinity, both, ones);
    }
    fixed_rows_ = lp.num_rows();
    return lp;
  }

  std::int32_t share_of(const Cut& cut) const {
    return share_[2 * base::at(cut.goal.need) + (cut.goal.sign > 0 ? 0 : 1)];
  }
  double right_side(const Cut& cut) const {
    const Need& need = model_.needs[base::at(cut.goal.need)];
    return (share_of(cut) >= 0 ? 0 : need.level(cut.goal.sign)) - cut.constant;
  }

  void add(const Cut& cut, LpModel& lp) const {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (const auto& [end, value] : cut.terms) {
      columns.push_back(column_of_end_[end]);
      values.push_back(value);
    }
    if (share_of(cut) >= 0) {
      columns.push_back(share_of(cut));
      values.push_back(-1);
    }
    lp.add_row(right_side(cut), kLpInfinity, columns, values);
  }

  // The most violated ones, as many as there are needs.
  std::vector<std::size_t> violated(const std::vector<double>& x,
                                    const std::vector<bool>& usable,
                                    const std::vector<bool>& in) const {
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t c = 0; c < task_.cuts.size(); ++c) {
      const Cut& cut = task_.cuts[c];
      if (!usable[c] || in[c])
        continue;
      double missing = right_side(cut);
      for (const auto& [end, value] : cut.terms)
        missing -= value * x[base::at(column_of_end_[end])];
      if (share_of(cut) >= 0)
        missing += x[base::at(share_of(cut))];
      if (missing > tol::kViolation * std::max(1.0, std::abs(right_side(cut))))
        found.emplace_back(-missing, c);
    }
    const std::size_t most = std::max<std::size_t>(100, 2 * model_.needs.size());
    if (found.size() > most) {
      std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
      found.resize(most);
    }
    std::vector<std::size_t> cuts;
    for (const auto& [missing, c] : found)
      cuts.push_back(c);
    std::sort(cuts.begin(), cuts.end());
    return cuts;
  }

  const BoundTask& task_;
  const Model& model_;
  double price_ = 1;
  std::int32_t fixed_rows_ = 0;
  std::vector<std::int32_t> column_of_end_, share_;
};

struct Member {  // a cell of the given problem, which moves with the cell of the model or against it
  CellId cell;
  int sense = 1;
};

// A sum of equations and what it leaves of every cell: slopes t with M'g = s D e_p - t.
struct Summed {
  std::map<std::int32_t, mpz_class> g, t;
  mpz_class taken;  // D
};

class Writer {
 public:
  explicit Writer(const BoundTask& task)
      : task_(task),
        given_(task.given),
        priced_(bound::priced_cells(given_)),
        movable_(movable_cells()),
        solver_(given_.table(), movable_) {
    const mpq_class per_unit(1, base::ten_to_the(given_.table().decimals()));
    values_ = bound::write_values(given_, priced_, Fraction(per_unit), 1, log_);
    choose_weight();
    list_requirements();
  }

  std::optional<BoundLog> write(const RunContext& run) {
    std::vector<bool> usable;
    for (const Cut& cut : task_.cuts)
      usable.push_back(std::isfinite(cut.constant));
    exact_.resize(task_.cuts.size());
    for (;;) {
      const std::vector<double> prices = CutPrices(task_).find(usable, run);
      bool all = true;
      for (std::size_t c = 0; c < prices.size(); ++c) {
        if (!(prices[c] > 0) || exact_[c])
          continue;
        exact_[c] = exactly(task_.cuts[c]);
        if (!exact_[c])
          exact_[c] = rounded(task_.cuts[c]);
        usable[c] = exact_[c].has_value();
        all = all && usable[c];
      }
      if (all)
        return finish(prices);
      if (run.should_stop())
        return std::nullopt;
    }
  }

 private:
  struct Exact {  // a cut, in the first members of its cells
    bound::EquationSolver::Found g;
    std::vector<std::pair<std::int32_t, mpq_class>> t;
    std::int32_t requirement = -1;
    int sign = 1;
    mpz_class denominator = 1;  // of g and t
  };

  std::vector<bool> movable_cells() const {
    std::vector<bool> counts = bound::withheld_cells(given_);
    for (std::size_t c = 0; c < counts.size(); ++c)
      counts[c] = (counts[c] || priced_[c]) && !given_.table().cells()[c].prior.is_point();
    return counts;
  }

  std::vector<Member> members_of(std::int32_t cell) const {
    if (task_.merged == nullptr)
      return {{CellId{cell}, 1}};
    std::vector<Member> members;
    for (const CellId each : task_.merged->members_of(CellId{cell}))
      members.push_back({each, task_.merged->sense_of(each)});
    // Cells that pay come first.
    std::stable_sort(members.begin(), members.end(), [&](const Member& a, const Member& b) {
      return values_[base::at(a.cell)] > values_[base::at(b.cell)];
    });
    return members;
  }

  // W: so large that rounding a multiple to a whole number costs next to nothing.
  void choose_weight() {
    constexpr std::size_t kBits = 72;
    std::size_t least = kBits;
    for (const Integer& value : values_) {
      if (value.sign() > 0)
        least = std::min(least, mpz_sizeinbase(base::gmp(value).get_mpz_t(), 2));
    }
    weight_ = mpz_class(1) << static_cast<mp_bitcnt_t>(kBits - least);
  }

  void list_requirements() {
    for (std::size_t r = 0; r < given_.requirements().size(); ++r) {
      const Requirement& need = given_.requirements()[r];
      const std::int32_t own =
          task_.merged != nullptr ? task_.merged->class_of(need.cell) : need.cell.value;
      if (own >= 0)
        behind_[{own, need.attacker}].push_back(static_cast<std::int32_t>(r));
    }
  }

  int sense_of(CellId cell) const {
    return task_.merged != nullptr ? task_.merged->sense_of(cell) : 1;
  }

  // Of the requirements behind a need the one that asks for most on this side, or of both sides
  // together.
  std::int32_t requirement_of(const Need& need, int sign) const {
    const auto found = behind_.find({need.cell, need.attacker});
    std::int32_t best = -1;
    Units most = -1;
    for (const std::int32_t r :
         found == behind_.end() ? std::vector<std::int32_t>() : found->second) {
      const Requirement& own = given_.requirements()[base::at(r)];
      const Units level = need.sliding > 0                  ? own.sliding
                          : sign * sense_of(own.cell) > 0 ? own.upper
                                                            : own.lower;
      if (level > most) {
        most = level;
        best = r;
      }
    }
    return best;
  }

  std::optional<Exact> exactly(const Cut& cut) const {
    const Need& need = task_.model.needs[base::at(cut.goal.need)];
    Exact made;
    made.requirement = requirement_of(need, cut.goal.sign);
    if (made.requirement < 0)
      return std::nullopt;
    const CellId about = given_.requirements()[base::at(made.requirement)].cell;
    made.sign = cut.goal.sign * sense_of(about);
    mpz_class scale = 1;
    std::map<std::int32_t, mpq_class> target;
    for (const auto& [cell, value] : cut.slopes) {
      const auto near = bound::fraction_near(value);
      const std::vector<Member> members = members_of(cell);
      if (!near || members.empty())
        return std::nullopt;
      const mpq_class slope = *near * members.front().sense;
      if (slope == 0)
        continue;
      made.t.emplace_back(members.front().cell.value, slope);
      target[members.front().cell.value] -= slope;
      mpz_lcm(scale.get_mpz_t(), scale.get_mpz_t(), slope.get_den_mpz_t());
    }
    target[about.value] += made.sign;
    bound::EquationSolver::Target whole;
    for (const auto& [cell, value] : target) {
      if (value != 0)
        whole.emplace_back(cell, mpz_class(value * mpq_class(scale)));
    }
    auto found = solver_.solve(whole);
    if (!found)
      return std::nullopt;
    made.denominator = scale;
    for (auto& [equation, value] : *found) {
      value /= scale;
      mpz_lcm(made.denominator.get_mpz_t(), made.denominator.get_mpz_t(), value.get_den_mpz_t());
    }
    made.g = *std::move(found);
    if (!comes_to(made.g, std::move(target)))
      return std::nullopt;
    return made;
  }

  // The solver gives hints: of what is no sum of equations, too.
  bool comes_to(const bound::EquationSolver::Found& g,
                std::map<std::int32_t, mpq_class> target) const {
    for (const auto& [equation, value] : g) {
      for (const Term& term : given_.table().equation(EquationId{equation}))
        target[term.cell.value] -= value * term.coefficient;
    }
    return std::all_of(target.begin(), target.end(), [&](const auto& entry) {
      return entry.second == 0 || !movable_[base::at(entry.first)];
    });
  }

  struct EquationInFirsts {  // an equation of the model: in first members, and as a sum of given ones
    std::vector<std::pair<std::int32_t, std::int32_t>> terms;
    bound::EquationSolver::Found g;
  };
  // The multipliers of a cut, rounded: the slopes are what comes of that, exactly.
  std::optional<Exact> rounded(const Cut& cut) {
    constexpr int kBits = 24;
    const Need& need = task_.model.needs[base::at(cut.goal.need)];
    Exact made;
    made.requirement = requirement_of(need, cut.goal.sign);
    if (made.requirement < 0 || cut.multipliers.empty())
      return std::nullopt;
    const CellId about = given_.requirements()[base::at(made.requirement)].cell;
    made.sign = cut.goal.sign * sense_of(about);
    made.denominator = mpz_class(1) << static_cast<mp_bitcnt_t>(kBits);
    std::map<std::int32_t, mpq_class> slopes, g;
    const std::vector<Member> own = members_of(need.cell);
    if (own.empty())
      return std::nullopt;
    const CellId first = own.front().cell;
    const int along = sense_of(about) * own.front().sense;
    slopes[first.value] = made.sign * along;
    if (about != first) {
      const auto tie = solver_.solve({{about.value, 1}, {first.value, -along}});
      if (!tie)
        return std::nullopt;
      for (const auto& [given, share] : *tie)
        g[given] += made.sign * share;
    }
    for (const auto& [equation, value] : cut.multipliers) {
      const EquationInFirsts* row = in_firsts(equation);
      if (row == nullptr)
        return std::nullopt;
      mpq_class factor(mpz_class(std::round(std::ldexp(value, kBits))), made.denominator);
      factor.canonicalize();
      for (const auto& [cell, coefficient] : row->terms)
        slopes[cell] -= factor * coefficient;
      for (const auto& [given, share] : row->g)
        g[given] += factor * share;
    }
    for (const auto& [cell, value] : slopes) {
      if (value != 0)
        made.t.emplace_back(cell, value);
    }
    for (const auto& [equation, value] : g) {
      if (value == 0)
        continue;
      made.g.emplace_back(equation, value);
      mpz_lcm(
          made.denominator.get_mpz_t(), made.denominator.get_mpz_t(), value.get_den_mpz_t());
    }
    return made;
  }

  const EquationInFirsts* in_firsts(EquationId equation) {
    const auto known = equations_.find(equation.value);
    if (known != equations_.end())
      return known->second ? &*known->second : nullptr;
    std::optional<EquationInFirsts>& made = equations_[equation.value];
    EquationInFirsts row;
    bound::EquationSolver::Target target;
    for (const Term& term : task_.model.problem->table().equation(equation)) {
      if (!task_.model.movable[base::at(term.cell)])
        continue;
      const std::vector<Member> members = members_of(term.cell.value);
      if (members.empty())
        return nullptr;
      const std::int32_t coefficient = term.coefficient * members.front().sense;
      row.terms.emplace_back(members.front().cell.value, coefficient);
      target.emplace_back(members.front().cell.value, coefficient);
    }
    auto found = solver_.solve(target);
    if (!found)
      return nullptr;
    row.g = *std::move(found);
    made = std::move(row);
    return &*made;
  }

  // y in units of the log, times W, as a multiple of the cut's denominator.
  mpz_class multiple(double price, const mpz_class& denominator) const {
    const mpq_class exact = mpq_class(price) * mpq_class(weight_) /
                            (base::gmp(log_.unit) * base::ten_to_the(given_.table().decimals()));
    const mpq_class share = exact / mpq_class(denominator);
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), share.get_num_mpz_t(), share.get_den_mpz_t());
    return whole * denominator;
  }

  std::optional<BoundLog> finish(const std::vector<double>& prices) {
    std::map<std::pair<std::int32_t, int>, Summed> sums;
    for (std::size_t c = 0; c < prices.size(); ++c) {
      if (!(prices[c] > 0) || !exact_[c])
        continue;
      const Exact& cut = *exact_[c];
      const mpz_class times = multiple(prices[c], cut.denominator);
      if (times == 0)
        continue;
      Summed& sum = sums[{cut.requirement, cut.sign}];
      sum.taken += times;
      for (const auto& [equation, value] : cut.g)
        sum.g[equation] += mpz_class(value * mpq_class(times));
      for (const auto& [cell, value] : cut.t)
        sum.t[cell] += mpz_class(value * mpq_class(times));
    }
    for (auto& [key, sum] : sums)
      share_out(sum);
    log_.intervals.emplace();
    log_.intervals->needs = needs_of(sums);
    return with_weight();
  }

  // Of parallel cells each pays in proportion to what it costs.
  void share_out(Summed& sum) {
    if (task_.merged == nullptr)
      return;
    const std::map<std::int32_t, mpz_class> slopes = sum.t;
    for (const auto& [first, slope] : slopes) {
      const std::vector<Member> members = members_of(task_.merged->class_of(CellId{first}));
      mpz_class all;
      for (const Member& member : members)
        all += base::gmp(values_[base::at(member.cell)]);
      if (all == 0)
        continue;
      for (std::size_t k = 1; k < members.size(); ++k) {
        const mpz_class& own = base::gmp(values_[base::at(members[k].cell)]);
        const auto tie = own == 0 ? nullptr : tie_of(members.front(), members[k]);
        if (tie == nullptr)
          continue;
        const mpz_class share = slope * own / all / tie->denominator * tie->denominator;
        sum.t[first] -= share;
        sum.t[members[k].cell.value] += share * members.front().sense * members[k].sense;
        for (const auto& [equation, value] : tie->g)
          sum.g[equation] += mpz_class(value * mpq_class(share));
      }
    }
  }

  // Of equations that say that the two cells move together, or against each other.
  const Exact* tie_of(const Member& first, const Member& other) {
    const auto known = ties_.find(other.cell.value);
    if (known != ties_.end())
      return known->second ? &*known->second : nullptr;
    std::optional<Exact>& tie = ties_[other.cell.value];
    auto found = solver_.solve(
        {{first.cell.value, 1}, {other.cell.value, -first.sense * other.sense}});
    if (!found)
      return nullptr;
    tie.emplace();
    for (const auto& [equation, value] : *found)
      mpz_lcm(tie->denominator.get_mpz_t(), tie->denominator.get_mpz_t(), value.get_den_mpz_t());
    tie->g = *std::move(found);
    return &*tie;
  }

  static Multipliers multipliers(const Summed& sum) {
    Multipliers made;
    made.denominator = Integer(sum.taken);
    for (const auto& [equation, value] : sum.g) {
      if (value == 0)
        continue;
      made.equations.push_back(EquationId{equation});
      made.values.push_back(Integer(value));
    }
    return made;
  }

  // Attackers who know more come last: their own limits pay for what is left.
  std::vector<NeedStep> needs_of(const std::map<std::pair<std::int32_t, int>, Summed>& sums) const {
    std::vector<NeedStep> needs;
    for (const auto& [key, sum] : sums) {
      const auto& [requirement, sign] = key;
      if (needs.empty() || needs.back().requirement != requirement) {
        needs.emplace_back();
        needs.back().requirement = requirement;
        needs.back().side = sign > 0 ? BoundSide::kHigh : BoundSide::kLow;
      } else {
        needs.back().side = BoundSide::kBoth;
      }
      (sign > 0 ? needs.back().high : needs.back().low) = multipliers(sum);
    }
    const auto knows = [&](const NeedStep& step) {
      const Requirement& need = given_.requirements()[base::at(step.requirement)];
      return given_.attackers()[base::at(need.attacker)].known.size();
    };
    std::stable_sort(needs.begin(), needs.end(), [&](const NeedStep& a, const NeedStep& b) {
      return knows(a) < knows(b);
    });
    return needs;
  }

  // The weight for which least has to be paid beyond it, or for which nothing has.
  std::optional<BoundLog> with_weight() {
    std::vector<mpz_class> paid(2 * priced_.size());
    for (const NeedStep& step : log_.intervals->needs) {
      const CellId about = given_.requirements()[base::at(step.requirement)].cell;
      for (const int sign : {1, -1}) {
        const Multipliers& proof = sign > 0 ? step.high : step.low;
        if (step.side == (sign > 0 ? BoundSide::kLow : BoundSide::kHigh))
          continue;
        const auto t = bound::slopes(given_.table(), about, sign, proof);
        if (!t)
          return std::nullopt;
        for (const auto& [cell, slope] : *t)
          paid[2 * base::at(cell) + (slope > 0 ? 0 : 1)] += ::abs(slope);
      }
    }
    mpz_class enough = weight_;
    for (std::size_t e = 0; e < paid.size(); ++e) {
      const mpz_class& value = base::gmp(values_[e / 2]);
      mpz_class weight;
      if (value == 0 || paid[e] <= weight_ * value)
        continue;
      mpz_cdiv_q(weight.get_mpz_t(), paid[e].get_mpz_t(), value.get_mpz_t());
      enough = std::max(enough, weight);
    }
    std::optional<BoundLog> best;
    for (const mpz_class& weight : {weight_, enough}) {
      log_.intervals->weight = Integer(weight);
      const auto total = bound::sum_of_needs(given_, values_, *log_.intervals);
      if (!total || total->sign() <= 0)
        continue;
      mpz_class least;
      mpz_cdiv_q(least.get_mpz_t(), base::gmp(*total).get_mpz_t(), weight.get_mpz_t());
      log_.at_least = Integer(least);
      if (!best || best->at_least < log_.at_least)
        best = log_;
    }
    return best;
  }

  const BoundTask& task_;
  const Problem& given_;
  std::vector<bool> priced_, movable_;
  bound::EquationSolver solver_;
  BoundLog log_;
  std::vector<Integer> values_;  // by cell
  mpz_class weight_ = 1;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> behind_;
  std::vector<std::optional<Exact>> exact_;  // by cut
  std::map<std::int32_t, std::optional<Exact>> ties_;
  std::map<std::int32_t, std::optional<EquationInFirsts>> equations_;
};

}  // namespace

std::optional<BoundLog> prove_bound(const BoundTask& task, const RunContext& run) {
  return Writer(task).write(run);
}

}  // namespace lacuna::interval
