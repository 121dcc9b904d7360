// SPDX-License-Identifier: Apache-2.0
#include "protect/small_counts/exact.h"

#include <algorithm>
#include <cmath>

#include "core/base/index.h"
#include "lacuna/lp.h"

namespace lacuna::small_counts {
namespace {

double number(Units units) {
  return static_cast<double>(units);
}

class Model {
 public:
  explicit Model(const Program& program) : program_(program) {
    for (const Small& small : program.small)
      add_choices(small);
    for (std::size_t r = 0; r < program.rows.size(); ++r) {
      add_deviation(r);
      if (program.rows[r].guarded)
        add_guard(r);
    }
  }

  // At most this cost.
  void cut_off(double cost) {
    Sum sum;
    for (std::int32_t j = 0; j < lp_.num_columns(); ++j) {
      if (lp_.cost[base::at(j)] != 0)
        sum.add(j, lp_.cost[base::at(j)]);
    }
    lp_.add_row(-kLpInfinity, cost - fixed_, sum.columns, sum.values);
  }

  const LpModel& lp() const { return lp_; }
  double fixed() const { return fixed_; }

  std::vector<Units> values(const std::vector<double>& primal) const {
    std::vector<Units> x;
    for (std::size_t i = 0; i < program_.small.size(); ++i) {
      const bool up = primal[base::at(up_[i])] > 0.5;
      const bool down = down_[i] < 0 || primal[base::at(down_[i])] > 0.5;
      x.push_back(up ? program_.base : down ? 0 : program_.small[i].value);
    }
    return x;
  }

 private:
  struct Sum {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    double constant = 0;
    void add(std::int32_t column, double value) {
      columns.push_back(column);
      values.push_back(value);
    }
  };

  void add_choices(const Small& small) {
    const double least = small.must && !small.may_drop ? 1 : 0;
    up_.push_back(lp_.add_column(least, small.may_rise ? 1 : 0, 0, true));
    down_.push_back(-1);
    if (small.must)
      return;
    down_.back() = lp_.add_column(0, small.may_drop ? 1 : 0, 0, true);
    Sum one;
    one.add(up_.back(), 1);
    one.add(down_.back(), 1);
    lp_.add_row(-kLpInfinity, 1, one.columns, one.values);
  }

  // Of the members' x, times a factor.
  Sum sum_of(std::size_t row, double factor) const {
    Sum sum;
    for (const std::int32_t i : program_.members(row)) {
      const double value = number(program_.small[base::at(i)].value);
      if (down_[base::at(i)] < 0) {
        sum.add(up_[base::at(i)], factor * number(program_.base));
        continue;
      }
      sum.constant += factor * value;
      sum.add(up_[base::at(i)], factor * (number(program_.base) - value));
      sum.add(down_[base::at(i)], -factor * value);
    }
    return sum;
  }

  bool all_must(std::size_t row) const {
    return std::ranges::all_of(program_.members(row),
                               [&](std::int32_t i) { return program_.small[base::at(i)].must; });
  }

  void add_deviation(std::size_t row) {
    const auto members = program_.members(row);
    const double weight = program_.rows[row].weight;
    const double target = number(program_.rows[row].target), base = number(program_.base);
    if (weight == 0)
      return;
    if (members.size() == 1 && all_must(row)) {  // f if it drops, b - f if it rises
      fixed_ += weight * target;
      lp_.cost[base::at(up_[base::at(members[0])])] += weight * (base - 2 * target);
      return;
    }
    const std::int32_t deviation = lp_.add_column(0, kLpInfinity, weight);
    for (const double sign : {1.0, -1.0}) {
      Sum sum = sum_of(row, sign);
      sum.add(deviation, -1);
      lp_.add_row(-kLpInfinity, sign * target - sum.constant, sum.columns, sum.values);
    }
    if (all_must(row) && program_.rows[row].target % program_.base != 0)
      add_third_piece(row, deviation);
  }

  void add_third_piece(std::size_t row, std::int32_t deviation) {
    const Units target = program_.rows[row].target, base = program_.base;
    const Units whole = target / base;
    const auto slope = number(base * (2 * whole + 1) - 2 * target);
    Sum sum;
    sum.add(deviation, 1);
    for (const std::int32_t i : program_.members(row)) {
      if (slope != 0)
        sum.add(up_[base::at(i)], -slope);
    }
    lp_.add_row(number(target - base * whole) - number(whole) * slope,
                kLpInfinity,
                sum.columns,
                sum.values);
  }

  void add_guard(std::size_t row) {
    const auto members = program_.members(row);
    const std::int32_t present = lp_.add_column(0, 1, 0, true);
    Sum least = sum_of(row, 1);
    least.add(present, -number(program_.base));
    lp_.add_row(-least.constant, kLpInfinity, least.columns, least.values);
    Sum most = sum_of(row, 1);
    most.add(present, -number(program_.base) * static_cast<double>(members.size()));
    lp_.add_row(-kLpInfinity, -most.constant, most.columns, most.values);
  }

  const Program& program_;
  LpModel lp_;
  std::vector<std::int32_t> up_, down_;  // columns by small inner cell
  double fixed_ = 0;                     // cost if every cell that may not stay drops
};

}  // namespace

Result<ExactAnswer> round_exactly(const Program& program,
                                  const std::vector<Units>& start,
                                  double gap,
                                  const std::string& engine,
                                  const RunContext& run) {
  const double cost = cost_of(program, start);
  Model model(program);
  model.cut_off(cost);
  LpOptions options;
  options.presolve = true;
  options.mip_gap = gap;
  LACUNA_TRY(const std::unique_ptr<LpSolver> solver, make_lp_solver(engine, options));
  LACUNA_RETURN_IF_ERROR(solver->load(model.lp()));
  const LpSolution solved = solver->minimize(run);
  ExactAnswer answer;
  if (std::isfinite(solved.bound))
    answer.bound = std::min(cost, std::max(0.0, model.fixed() + solved.bound));
  if (solved.primal.empty() || solved.status == LpStatus::kInfeasible)
    return answer;
  answer.x = model.values(solved.primal);
  answer.found = is_feasible(program, answer.x) && cost_of(program, answer.x) < cost;
  return answer;
}

}  // namespace lacuna::small_counts
