// SPDX-License-Identifier: Apache-2.0
#include "protect/start/program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/index.h"
#include "judge/attack/search.h"
#include "judge/attack/view.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr Wide kLargestMove = Wide{1} << 60U;

}  // namespace

ProgramRouter::ProgramRouter(const PatternState& pattern_state,
                             const Overlay& overlay,
                             std::string engine,
                             ProgramOptions options)
    : pattern_state_(pattern_state),
      overlay_(overlay),
      engine_(std::move(engine)),
      options_(std::move(options)),
      column_of_(base::at(pattern_state.table().num_cells()), -1),
      seen_(base::at(pattern_state.table().num_equations()), 0) {}

attack::Slack ProgramRouter::slack_of(CellId cell) const {
  attack::Slack slack = pattern_state_.slack(cell, goal_.attacker);
  if (mirrored_)
    slack.up = slack.down = std::min(slack.up, slack.down);
  return slack;
}

double ProgramRouter::charge(CellId cell) const {
  return overlay_.place(pattern_state_, cell) == CellRole::kWithheld ? 0
                                                                     : pattern_state_.cost(cell);
}

void ProgramRouter::add(CellId cell) {
  column_of_[base::at(cell.value)] = static_cast<std::int32_t>(columns_.size());
  const attack::Slack slack = slack_of(cell);
  columns_.push_back({cell,
                      static_cast<double>(slack.up) / level_,
                      static_cast<double>(slack.down) / level_,
                      charge(cell)});
}

void ProgramRouter::gather_equation(EquationId equation,
                                    double least_slack,
                                    std::size_t per_equation) {
  std::vector<std::pair<double, CellId>> taken;
  std::vector<std::pair<double, CellId>> open;
  for (const Term& term : pattern_state_.table().equation(equation)) {
    const CellRole place = overlay_.place(pattern_state_, term.cell);
    if (column_of_[base::at(term.cell.value)] >= 0 || place == CellRole::kNever)
      continue;
    const attack::Slack slack = slack_of(term.cell);
    const double most = static_cast<double>(std::max(slack.up, slack.down)) / level_;
    const double both = static_cast<double>(std::min(slack.up, slack.down)) / level_;
    if (!(most > 0) || both < least_slack)
      continue;
    if (place == CellRole::kWithheld)
      taken.emplace_back(-std::min(1.0, both), term.cell);
    else
      open.emplace_back(charge(term.cell) / std::min(1.0, both > 0 ? both : most), term.cell);
  }
  const auto add_first = [&](auto& list, std::size_t most) {
    const std::size_t count = std::min(most, list.size());
    std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count), list.end());
    for (std::size_t i = 0; i < count; ++i)
      add(list[i].second);
  };
  add_first(taken, per_equation * options_.withheld_factor);
  add_first(open, per_equation);
}

void ProgramRouter::gather(std::size_t wanted,
                           double least_slack,
                           std::size_t per_equation,
                           const Route& known) {
  for (const Column& column : columns_)
    column_of_[base::at(column.cell.value)] = -1;
  for (const EquationId equation : equations_)
    seen_[base::at(equation.value)] = 0;
  columns_.clear();
  equations_.clear();
  add(goal_.cell);
  for (const RouteStep& step : known) {
    if (step.cell != goal_.cell)
      add(step.cell);
  }
  wanted += columns_.size() - 1;
  for (std::size_t next = 0; next < columns_.size() && columns_.size() < wanted; ++next) {
    for (const Incidence& incidence : pattern_state_.table().equations_of(columns_[next].cell)) {
      if (seen_[base::at(incidence.equation.value)] != 0)
        continue;
      seen_[base::at(incidence.equation.value)] = 1;
      equations_.push_back(incidence.equation);
      gather_equation(incidence.equation, least_slack, per_equation);
    }
  }
  prune();
}

// A cell alone in an equation cannot move.
void ProgramRouter::prune() {
  for (const EquationId equation : equations_)
    seen_[base::at(equation.value)] = 0;
  equations_.clear();
  std::map<EquationId, std::int32_t> count;
  for (const Column& column : columns_) {
    for (const Incidence& incidence : pattern_state_.table().equations_of(column.cell))
      ++count[incidence.equation];
  }
  std::vector<EquationId> todo;
  for (const auto& [equation, cells] : count) {
    if (cells == 1)
      todo.push_back(equation);
  }
  std::vector<std::uint8_t> gone(columns_.size(), 0);
  while (!todo.empty()) {
    const EquationId equation = todo.back();
    todo.pop_back();
    if (count[equation] != 1)
      continue;
    for (const Term& term : pattern_state_.table().equation(equation)) {
      const std::int32_t column = column_of_[base::at(term.cell.value)];
      if (column < 0 || gone[base::at(column)] != 0)
        continue;
      gone[base::at(column)] = 1;
      for (const Incidence& incidence : pattern_state_.table().equations_of(term.cell)) {
        if (--count[incidence.equation] == 1)
          todo.push_back(incidence.equation);
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::int32_t& place = column_of_[base::at(columns_[c].cell.value)];
    place = gone[c] != 0 ? -1 : static_cast<std::int32_t>(kept);
    if (gone[c] == 0)
      columns_[kept++] = columns_[c];
  }
  columns_.resize(kept);
  for (const auto& [equation, cells] : count) {
    if (cells < 2)
      continue;
    equations_.push_back(equation);
    seen_[base::at(equation.value)] = 1;
  }
}

// Column c is z_c = x_{2c} - x_{2c+1}.
bool ProgramRouter::load() {
  auto made = make_lp_solver(engine_, LpOptions{.stays_sparse = true});
  if (!made)
    return false;
  solver_ = std::move(made).value();
  LpModel lp;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (c == 0) {  // the goal's own cell
      const bool up = goal_.direction == Direction::kHigh;
      lp.add_column(up ? 1 : 0, up ? 1 : 0);
      lp.add_column(up ? 0 : 1, up ? 0 : 1);
      continue;
    }
    lp.add_column(0, std::min(columns_[c].up, kTuning.program.highest_price));
    lp.add_column(0, std::min(columns_[c].down, kTuning.program.highest_price));
  }
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  for (const EquationId equation : equations_) {
    indices.clear();
    values.clear();
    for (const Term& term : pattern_state_.table().equation(equation)) {
      const std::int32_t column = column_of_[base::at(term.cell.value)];
      if (column < 0)
        continue;
      indices.push_back(2 * column);
      values.push_back(term.coefficient);
      indices.push_back(2 * column + 1);
      values.push_back(-term.coefficient);
    }
    lp.add_row(0, 0, indices, values);
  }
  return solver_->load(lp).has_value();
}

void ProgramRouter::set_first_costs() {
  std::vector<double> charges;
  for (const Column& column : columns_) {
    if (column.charge > 0)
      charges.push_back(column.charge);
  }
  typical_ = 1;
  if (!charges.empty()) {
    const auto middle = charges.begin() + static_cast<std::ptrdiff_t>(charges.size() / 2);
    std::nth_element(charges.begin(), middle, charges.end());
    typical_ = *middle;
  }
  for (std::size_t c = 1; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const double price = std::max(column.charge / typical_, options_.step_share);
    const auto column_index = static_cast<std::int32_t>(2 * c);
    solver_->set_cost(column_index,
                      std::min(kTuning.program.highest_price, price / std::min(1.0, column.up)));
    solver_->set_cost(column_index + 1,
                      std::min(kTuning.program.highest_price, price / std::min(1.0, column.down)));
  }
}

std::vector<double> ProgramRouter::moves_of(const LpSolution& solution) const {
  std::vector<double> moves(columns_.size());
  for (std::size_t c = 0; c < moves.size(); ++c)
    moves[c] = solution.primal[2 * c] - solution.primal[2 * c + 1];
  return moves;
}

double ProgramRouter::pay(const std::vector<double>& moves) const {
  double total = 0;
  for (std::size_t c = 1; c < moves.size(); ++c)
    total += std::abs(moves[c]) > options_.moved ? columns_[c].charge : 0;
  return total;
}

// What is used pays what it costs; open cells that are not used are held where they are.
void ProgramRouter::rescale(const std::vector<double>& moves) {
  for (std::size_t c = 1; c < moves.size(); ++c) {
    if (columns_[c].charge <= 0)
      continue;
    const auto column = static_cast<std::int32_t>(2 * c);
    const double size = std::abs(moves[c]);
    if (size <= options_.moved) {
      solver_->set_column_bounds(column, 0, 0);
      solver_->set_column_bounds(column + 1, 0, 0);
      continue;
    }
    const double price =
        std::min(kTuning.program.highest_price,
                 std::max(columns_[c].charge / typical_, options_.step_share) / size);
    solver_->set_cost(column, price);
    solver_->set_cost(column + 1, price);
  }
}

// z = 0 is dual feasible, the last solution under other costs is not.
void ProgramRouter::restart() {
  LpBasis basis;
  basis.columns.assign(2 * columns_.size(), BasisStatus::kAtLower);
  basis.rows.assign(equations_.size(), BasisStatus::kBasic);
  solver_->set_basis(basis);
}

// True if a route within the budget was found.
bool ProgramRouter::solve(double budget, const RunContext& run) {
  set_first_costs();
  double least = kInfinite;
  std::vector<double> best;
  for (std::int32_t round = 0; round < options_.rounds && !run.should_stop(); ++round) {
    restart();
    const LpSolution solution = solver_->minimize(run);
    if (solution.status != LpStatus::kOptimal)
      break;
    const std::vector<double> moves = moves_of(solution);
    const double paid = pay(moves);
    if (paid >= least)
      break;
    least = paid;
    best = moves;
    if (paid == 0)
      break;
    rescale(moves);
  }
  return least <= budget && !best.empty() && make_exact(best, run);
}

bool ProgramRouter::find(const RouteGoal& goal,
                         bool mirrored,
                         double budget,
                         const RunContext& run,
                         const Route& known) {
  goal_ = goal;
  mirrored_ = mirrored;
  level_ = static_cast<double>(goal.level);
  const attack::Slack own = pattern_state_.slack(goal.cell, goal.attacker);
  if (own.toward(sign(goal.direction)) < goal.level ||
      (mirrored && own.toward(-sign(goal.direction)) < goal.level))
    return false;
  std::size_t before = 0;
  for (const std::size_t size : options_.sizes) {
    if (run.should_stop())
      return false;
    gather(size, options_.least_slack, options_.per_equation, known);
    if (columns_.size() == before)
      continue;
    before = columns_.size();
    if (columns_.empty() || columns_[0].cell != goal.cell || !load())
      continue;
    if (solve(budget, run))
      return true;
  }
  return false;
}

bool ProgramRouter::round(const std::vector<double>& moves, Units denominator) {
  std::map<EquationId, Wide> sums;
  steps_.clear();
  for (std::size_t c = 0; c < moves.size(); ++c) {
    const double value = moves[c] * level_ * static_cast<double>(denominator);
    if (!(std::abs(value) < static_cast<double>(kLargestMove)))
      return false;
    const Wide move =
        c == 0 ? Wide{goal_.level} * sign(goal_.direction) * denominator
               : static_cast<Wide>(std::nearbyint(std::abs(moves[c]) > options_.moved ? value : 0));
    if (move == 0)
      continue;
    const attack::Slack slack = slack_of(columns_[c].cell);
    const Units side = slack.toward(move > 0 ? 1 : -1);
    if ((move > 0 ? move : -move) > Wide{side} * denominator)
      return false;
    for (const Incidence& incidence : pattern_state_.table().equations_of(columns_[c].cell))
      sums[incidence.equation] += move * incidence.coefficient;
    steps_.push_back({columns_[c].cell, static_cast<Units>(move)});
  }
  std::sort(steps_.begin(), steps_.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  return std::all_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second == 0; });
}

bool ProgramRouter::make_exact(const std::vector<double>& moves, const RunContext& run) {
  for (const Units denominator : {1, 2, 3, 4, 6, 12}) {
    if (round(moves, denominator))
      return true;
  }
  // Over the cells that move alone: few, so that exact arithmetic is cheap.
  std::vector<CellId> support{goal_.cell};
  for (std::size_t c = 1; c < moves.size(); ++c) {
    if (std::abs(moves[c]) > options_.moved)
      support.push_back(columns_[c].cell);
  }
  std::sort(support.begin(), support.end());
  const Problem& problem = pattern_state_.problem();
  const attack::AttackView view(problem.table(),
                                Draft::withholding(support),
                                problem.attackers()[static_cast<std::size_t>(goal_.attacker)]);
  attack::Search search(view, {.engine = engine_});
  const Term cell{goal_.cell, 1};
  const attack::Reach reach = search.decide({&cell, 1}, goal_.direction, goal_.level, run);
  auto steps = reach.witness ? route_of_displacement(*reach.witness) : std::nullopt;
  if (!steps)
    return false;
  steps_ = *std::move(steps);
  return true;
}

}  // namespace lacuna::start
