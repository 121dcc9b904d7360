// SPDX-License-Identifier: Apache-2.0
#include "judge/bound/check_bound.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/slack.h"
#include "judge/bound/check_intervals.h"
#include "judge/bound/check_tables.h"
#include "judge/bound/slopes.h"

namespace lacuna::bound {
namespace {

mpz_class rounded_up(const mpz_class& number, const mpz_class& divisor) {
  mpz_class quotient;
  mpz_cdiv_q(quotient.get_mpz_t(), number.get_mpz_t(), divisor.get_mpz_t());
  return quotient;
}

}  // namespace

Fraction exact_weight(double weight) {
  std::array<char, 64> text{};
  const auto written = std::to_chars(
      text.data(), text.data() + text.size(), weight, std::chars_format::scientific);
  const std::string_view all(text.data(), static_cast<std::size_t>(written.ptr - text.data()));
  const std::size_t e = all.find('e');
  std::string digits(all.substr(0, e));
  int exponent = 0;
  const std::size_t sign = e + 1 + (all[e + 1] == '+' ? 1 : 0);
  std::from_chars(all.data() + sign, all.data() + all.size(), exponent);
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const mpz_class whole(digits);
  if (exponent >= 0)
    return Integer(whole * base::ten_to_the(exponent));
  return {Integer(whole), Integer(base::ten_to_the(-exponent))};
}

std::vector<bool> always_withheld(const Problem& problem) {
  std::vector<bool> always(base::at(problem.table().num_cells()), false);
  for (std::size_t c = 0; c < always.size(); ++c) {
    const CellStatus status = problem.table().cells()[c].status;
    always[c] = status == CellStatus::kPrimary || status == CellStatus::kSecondary;
  }
  for (const Requirement& need : problem.requirements())
    always[base::at(need.cell)] = true;
  return always;
}

std::vector<bool> undecided_cells(const Problem& problem) {
  std::vector<bool> open = always_withheld(problem);
  for (std::size_t c = 0; c < open.size(); ++c)
    open[c] = !open[c] && may_be_withheld(problem.table().cells()[c]);
  return open;
}

Checker::Checker(const Problem& problem)
    : problem_(problem),
      always_(always_withheld(problem)),
      open_(undecided_cells(problem)),
      settled_(always_.size(), -1) {
  for (std::size_t c = 0; c < always_.size(); ++c)
    leader_.push_back(static_cast<std::int32_t>(c));
}

// ---- ties

// (20): the cell and the other one are all that may move.
Status Checker::tie(const BoundTie& tie) {
  const std::int32_t cells = problem_.table().num_cells();
  for (const CellId cell : {tie.cell, tie.with}) {
    if (cell.value < 0 || cell.value >= cells || !open_[base::at(cell)])
      return refuse("a tie is of a cell that is not to be decided");
  }
  if (tie.cell == tie.with || leader(tie.cell.value) != tie.cell.value ||
      leader(tie.with.value) != tie.with.value || !rows_.empty())
    return refuse("a cell is tied twice");
  LACUNA_TRY(const Terms sum, sum_of_equations(problem_.table(), tie.sum));
  int found = 0;
  for (const auto& [cell, factor] : sum) {
    if (cell == tie.cell.value || cell == tie.with.value)
      ++found;
    else if (always_[base::at(cell)] || open_[base::at(cell)])
      return refuse("a tie leaves a third cell that may be withheld");
  }
  if (found != 2)
    return refuse("a tie does not have both its cells");
  for (std::int32_t& leader : leader_) {
    if (leader == tie.cell.value)
      leader = tie.with.value;
  }
  return ok_status();
}

// ---- steps

Inequality Checker::reduced(const Terms& terms, const mpz_class& rhs) const {
  std::map<std::int32_t, mpz_class> sums;
  Inequality row{{}, rhs};
  for (const auto& [cell, value] : terms) {
    const std::int32_t own = leader(cell);
    if (settled(own) < 0)
      sums[own] += value;
    else if (settled(own) == 1)
      row.rhs -= value;
  }
  mpz_class least = row.rhs;
  for (const auto& [cell, value] : sums)
    least -= value < 0 ? value : mpz_class(0);
  if (least <= 0)
    return {};  // it holds anyway
  for (auto& [cell, value] : sums)
    value = std::min(value, least);
  row.terms = in_order(std::move(sums));
  return row;
}

struct Checker::Amounts {
  std::map<std::int32_t, mpz_class> of;
  std::vector<std::int32_t> endless;
  mpz_class given;
};

// (21): what the cells can contribute to s D z_p = sum_i t_i z_i.
Status Checker::add_end(const NeedStep& step,
                        int sign,
                        const Multipliers& proof,
                        const mpz_class& times,
                        Amounts& amounts) const {
  const Requirement& need = problem_.requirements()[base::at(step.requirement)];
  LACUNA_TRY(const Terms t, slopes(problem_.table(), need.cell, sign, proof));
  const Attacker& attacker = problem_.attackers()[base::at(need.attacker)];
  for (const auto& [cell, factor] : t) {
    const bool always = always_[base::at(cell)];
    if (!always && !open_[base::at(cell)])
      continue;
    const CellId id{cell};
    const attack::Slack slack = attack::slack_within(
        problem_.table().value(id), known_bounds(problem_.table(), attacker, id));
    const Units room = slack.toward(sgn(factor));
    if (room == kUnboundedAbove) {
      if (always)
        return refuse("a cell that is always withheld has no limit");
      amounts.endless.push_back(cell);
      continue;
    }
    const mpz_class amount = times * ::abs(factor) * base::to_integer(room);
    if (always)
      amounts.given += amount;
    else
      amounts.of[cell] += amount;
  }
  return ok_status();
}

Result<Inequality> Checker::of(const NeedStep& step) const {
  if (step.requirement < 0 || step.requirement >= std::ssize(problem_.requirements()))
    return refuse("it names a requirement that is not there");
  const Requirement& need = problem_.requirements()[base::at(step.requirement)];
  Amounts amounts;
  mpz_class asked;
  const mpz_class high = step.side == BoundSide::kLow ? 1 : base::gmp(step.high.denominator);
  const mpz_class low = step.side == BoundSide::kHigh ? 1 : base::gmp(step.low.denominator);
  if (step.side != BoundSide::kLow)
    LACUNA_RETURN_IF_ERROR(add_end(step, 1, step.high, low, amounts));
  if (step.side != BoundSide::kHigh)
    LACUNA_RETURN_IF_ERROR(add_end(step, -1, step.low, high, amounts));
  const Units level = step.side == BoundSide::kHigh  ? need.upper
                      : step.side == BoundSide::kLow ? need.lower
                                                     : need.sliding;
  asked = high * low * base::to_integer(level) - amounts.given;
  if (asked > 0) {
    for (const std::int32_t cell : amounts.endless)
      amounts.of[cell] = asked;
  }
  return reduced(in_order(std::move(amounts.of)), asked);
}

// (22): x_h <= sum of the others in the sum of equations.
Result<Inequality> Checker::of(const BridgelessStep& step) const {
  LACUNA_TRY(const Terms sum, sum_of_equations(problem_.table(), step.sum));
  Terms terms;
  bool found = false;
  for (const auto& [cell, factor] : sum) {
    if (cell == step.cell.value) {
      found = open_[base::at(cell)];
      terms.emplace_back(cell, -1);
    } else if (always_[base::at(cell)]) {
      return refuse("a cell that is always withheld is among those that bound another");
    } else if (open_[base::at(cell)]) {
      terms.emplace_back(cell, 1);
    }
  }
  if (!found)
    return refuse("the cell is not in its sum, or is not to be decided");
  return reduced(terms, 0);
}

Status Checker::check_steps(std::span<const std::int32_t> steps,
                            std::span<const Integer> times) const {
  if (steps.size() != times.size())
    return refuse("steps and their factors differ in number");
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k] < 0 || steps[k] >= std::ssize(rows_))
      return refuse("it names a step that is not before it");
    if (times[k].sign() < 0)
      return refuse("a step is subtracted");
  }
  return ok_status();
}

// (23): added up, divided, and rounded up.
Result<Inequality> Checker::of(const SumStep& step) const {
  LACUNA_RETURN_IF_ERROR(check_steps(step.steps, step.times));
  if (step.divisor.sign() <= 0 || step.capped.size() != step.by.size())
    return refuse("a sum is divided by no positive number");
  std::map<std::int32_t, mpz_class> sums;
  mpz_class rhs;
  for (std::size_t k = 0; k < step.steps.size(); ++k) {
    const Inequality& row = rows_[base::at(step.steps[k])];
    for (const auto& [cell, value] : row.terms)
      sums[cell] += base::gmp(step.times[k]) * value;
    rhs += base::gmp(step.times[k]) * row.rhs;
  }
  for (std::size_t k = 0; k < step.capped.size(); ++k) {
    const std::int32_t cell = step.capped[k].value;
    if (cell < 0 || cell >= std::ssize(open_) || !open_[base::at(cell)] || step.by[k].sign() < 0)
      return refuse("it caps a cell that is not to be decided");
    sums[leader(cell)] -= base::gmp(step.by[k]);
    rhs -= base::gmp(step.by[k]);
  }
  const mpz_class& divisor = base::gmp(step.divisor);
  for (auto& [cell, value] : sums)
    value = rounded_up(value, divisor);
  return reduced(in_order(std::move(sums)), rounded_up(rhs, divisor));
}

// ---- trees

Checker::Sum Checker::sum_of(const Inequality& objective,
                             const mpz_class& weight,
                             std::span<const std::int32_t> steps,
                             std::span<const Integer> times,
                             std::span<const std::int8_t> decided) const {
  std::map<std::int32_t, mpz_class> sums;
  Sum sum;
  for (const auto& [cell, value] : objective.terms)
    sums.emplace_hint(sums.end(), cell, weight * value);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Inequality& row = rows_[base::at(steps[k])];
    for (const auto& [cell, value] : row.terms)
      sums[cell] -= base::gmp(times[k]) * value;
    sum.base += base::gmp(times[k]) * row.rhs;
  }
  for (auto& [cell, value] : sums) {
    const std::int8_t there = decided[base::at(cell)];
    if (there == 1 || (there < 0 && value < 0))
      sum.base += value;
    if (value != 0)
      sum.rest.emplace_back(cell, std::move(value));
  }
  return sum;
}

// (25): less than `at_least` is at most `at_least` - 1, in whole numbers.
std::vector<std::pair<std::int32_t, bool>> Checker::settled_by(
    const Sum& sum,
    const mpz_class& weight,
    const mpz_class& at_least,
    std::span<const std::int8_t> decided) {
  std::vector<std::pair<std::int32_t, bool>> found;
  const mpz_class most = weight * (at_least - 1) - sum.base;
  for (const auto& [cell, value] : sum.rest) {
    if (decided[base::at(cell)] < 0 && ::abs(value) > most)
      found.emplace_back(cell, value < 0);
  }
  return found;
}

Result<Inequality> Checker::of(const TreeStep& step) const {
  Terms terms;
  if (step.cells.size() != step.values.size())
    return refuse("cells and values of a tree differ in number");
  for (std::size_t k = 0; k < step.cells.size(); ++k) {
    const std::int32_t cell = step.cells[k].value;
    if (cell < 0 || cell >= std::ssize(open_) || !open_[base::at(cell)])
      return refuse("a tree is about a cell that is not to be decided");
    terms.emplace_back(cell, base::gmp(step.values[k]));
  }
  std::map<std::int32_t, mpz_class> sums;
  for (const auto& [cell, value] : terms)
    sums[leader(cell)] += value;
  const Inequality objective{in_order(std::move(sums)), base::gmp(step.at_least)};
  std::vector<std::vector<std::int8_t>> waiting{settled_};
  for (const BoundNode& node : step.nodes) {
    if (waiting.empty())
      return refuse("a tree has nodes that belong to no case");
    std::vector<std::int8_t> decided = std::move(waiting.back());
    waiting.pop_back();
    if (node.kind == BoundNode::Kind::kCase) {
      const std::int32_t cell = node.cell.value;
      if (cell < 0 || cell >= std::ssize(open_) || leader(cell) != cell)
        return refuse("a case is of a cell that stands for none");
      waiting.push_back(decided);
      waiting.back()[base::at(cell)] = 1;  // after the other
      waiting.push_back(std::move(decided));
      waiting.back()[base::at(cell)] = 0;
      continue;
    }
    LACUNA_RETURN_IF_ERROR(check_steps(node.steps, node.times));
    if (node.weight.sign() < 0)
      return refuse("a weight is negative");
    const mpz_class& weight = base::gmp(node.weight);
    const Sum sum = sum_of(objective, weight, node.steps, node.times, decided);
    if (node.kind == BoundNode::Kind::kLeaf) {
      if (sum.base <= weight * (objective.rhs - 1))
        return refuse("a leaf is not closed by its sum");
      continue;
    }
    for (const auto& [cell, withheld] : settled_by(sum, weight, objective.rhs, decided))
      decided[base::at(cell)] = withheld ? 1 : 0;
    waiting.push_back(std::move(decided));
  }
  if (!waiting.empty())
    return refuse("a case of a tree is missing");
  return reduced(terms, objective.rhs);
}

// A single cell on the left decides it.
void Checker::learn(const Inequality& row) {
  if (row.terms.size() == 1 && row.rhs > 0 && row.terms.front().second > 0)
    settled_[base::at(row.terms.front().first)] = 1;
  else if (row.terms.size() == 1 && row.rhs == 0 && row.terms.front().second < 0)
    settled_[base::at(row.terms.front().first)] = 0;
}

Status Checker::add(const BoundStep& step) {
  LACUNA_TRY(Inequality row, std::visit([this](const auto& each) { return of(each); }, step));
  learn(row);
  rows_.push_back(std::move(row));
  return ok_status();
}

// ---- all of it

Result<std::vector<Integer>> checked_values(const Problem& problem,
                                            const std::vector<bool>& cells,
                                            const Fraction& per_unit,
                                            const BoundLog& log) {
  std::vector<Integer> values(cells.size(), 0);
  if (log.unit.sign() <= 0 || log.cells.size() != log.values.size())
    return refuse("the unit of the weights is not positive");
  std::size_t next = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c])
      continue;
    if (next == log.cells.size() || base::at(log.cells[next]) != c)
      return refuse("it is about other cells than those to be decided");
    const mpq_class weight = base::gmp(log.unit) * mpq_class(base::gmp(log.values[next]));
    if (weight != base::gmp(exact_weight(problem.table().cells()[c].weight)) * base::gmp(per_unit))
      return refuse("the weights are not those of the table");
    values[c] = log.values[next++];
  }
  if (next != log.cells.size())
    return refuse("it is about other cells than those to be decided");
  return values;
}

std::vector<Integer> write_values(const Problem& problem,
                                  const std::vector<bool>& cells,
                                  const Fraction& per_unit,
                                  const Integer& finer,
                                  BoundLog& log) {
  mpz_class denominator = 1, divisor = 0;
  std::vector<mpq_class> exact(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c])
      continue;
    exact[c] = base::gmp(exact_weight(problem.table().cells()[c].weight)) * base::gmp(per_unit);
    mpz_lcm(denominator.get_mpz_t(), denominator.get_mpz_t(), exact[c].get_den_mpz_t());
  }
  std::vector<mpz_class> values(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    values[c] = mpz_class(exact[c] * mpq_class(denominator));
    divisor = gcd(divisor, values[c]);
  }
  if (divisor == 0)
    divisor = 1;
  std::vector<Integer> written(cells.size(), 0);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c])
      continue;
    written[c] = Integer(mpz_class(values[c] / divisor * base::gmp(finer)));
    log.cells.push_back(CellId{static_cast<std::int32_t>(c)});
    log.values.push_back(written[c]);
  }
  log.unit = Fraction(Integer(divisor), Integer(mpz_class(denominator * base::gmp(finer))));
  return written;
}

namespace {

// (27): the last step says no more than the weights do.
Result<Fraction> check_pattern(const Problem& problem, const BoundLog& log) {
  if (const auto values = checked_values(problem, undecided_cells(problem), 1, log); !values)
    return values.error();
  Checker checker(problem);
  for (const BoundTie& tie : log.ties)
    LACUNA_RETURN_IF_ERROR(checker.tie(tie));
  for (std::size_t s = 0; s < log.steps.size(); ++s) {
    if (const Status added = checker.add(log.steps[s]); !added)
      return refuse("step " + std::to_string(s) + ": " + added.error().message);
  }
  std::map<std::int32_t, mpz_class> left;
  mpz_class at_least = base::gmp(log.at_least);
  for (std::size_t k = 0; k < log.cells.size(); ++k) {
    const std::int32_t own = checker.leader(log.cells[k].value);
    if (checker.settled(own) == 1)
      at_least -= base::gmp(log.values[k]);  // it is withheld in any case
    else
      left[own] += base::gmp(log.values[k]);
  }
  if (at_least > 0) {
    if (checker.rows().empty())
      return refuse("there is no step that says the bound");
    const Inequality& last = checker.back();
    for (const auto& [cell, value] : last.terms) {
      if (value > left[cell])
        return refuse("the last step says more of a cell than it weighs");
    }
    if (last.rhs < at_least)
      return refuse("the last step says less than the bound");
  }
  mpq_class sum = base::gmp(log.unit) * mpq_class(base::gmp(log.at_least));
  const std::vector<bool> always = always_withheld(problem);
  for (std::size_t c = 0; c < always.size(); ++c) {
    if (always[c])
      sum += base::gmp(exact_weight(problem.table().cells()[c].weight));
  }
  return Fraction(sum);
}

}  // namespace

Result<Fraction> check(const Problem& problem, const BoundLog& log) {
  if ((log.intervals || log.tables) && !(log.ties.empty() && log.steps.empty()))
    return refuse("it is of more than one kind of release");
  if (log.intervals && log.tables)
    return refuse("it is of more than one kind of release");
  if (log.intervals)
    return check_intervals(problem, log);
  return log.tables ? check_tables(problem, log) : check_pattern(problem, log);
}

std::string bound_in_words(const Fraction& bound) {
  constexpr std::size_t kShort = 15;
  constexpr int kDigits = 12;
  std::string text = base::format_fraction(base::gmp(bound), 0);
  if (text.size() <= kShort || bound.sign() <= 0)
    return text;
  const mpz_class& above = base::gmp(bound).get_num();
  const mpz_class& below = base::gmp(bound).get_den();
  const auto before = static_cast<int>(mpz_sizeinbase(above.get_mpz_t(), 10)) -
                      static_cast<int>(mpz_sizeinbase(below.get_mpz_t(), 10));
  const int places = std::max(0, kDigits - before);
  mpz_class cut;
  mpz_fdiv_q(cut.get_mpz_t(),
             mpz_class(above * base::ten_to_the(places)).get_mpz_t(),
             below.get_mpz_t());
  return base::format_fraction(mpq_class(cut), places);
}

std::optional<Fraction> how_much(const CellEntry& entry,
                                 const Cell& cell,
                                 int decimals,
                                 const BoundLog& log) {
  if (!log.intervals && !log.tables)
    return Fraction(entry.state() == StatementKind::kWithheld ? 1 : 0);
  const mpz_class unit = base::ten_to_the(decimals);
  if (log.tables) {
    const Units shown = entry.number().value_or(cell.value);
    const mpz_class off = ::abs(base::to_integer(shown) - base::to_integer(cell.value));
    const mpz_class power = log.tables->norm == 2 ? mpz_class(off * off) : off;
    mpq_class much(power, log.tables->norm == 2 ? mpz_class(unit * unit) : unit);
    much.canonicalize();
    return Fraction(much);
  }
  if (cell.status == CellStatus::kSecondary || entry.state() == StatementKind::kExact)
    return Fraction(0);
  const attack::Slack slack =
      attack::slack_within(cell.value, intersect(entry.bounds(), cell.prior));
  if (slack.up == kUnboundedAbove || slack.down == kUnboundedAbove)
    return std::nullopt;
  mpq_class width(base::to_integer(slack.up) + base::to_integer(slack.down), unit);
  width.canonicalize();
  return Fraction(width);
}

}  // namespace lacuna::bound
