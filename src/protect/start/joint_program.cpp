// SPDX-License-Identifier: Apache-2.0
#include "protect/start/joint_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/index.h"
#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

constexpr Wide kLargestMove = Wide{1} << 60U;

double in_levels(Units slack, double level, double most) {
  return slack == kUnboundedAbove ? most : std::min(most, static_cast<double>(slack) / level);
}

}  // namespace

Units JointRoute::level() const {
  Units most = 1;
  for (const User& user : users)
    most = std::max(most, user.level);
  return most;
}

JointRoute joint_route_of(const RouteAssignment& assignment, const SharedRoute& shared_route) {
  JointRoute route;
  route.known = shared_route.steps;
  for (const std::int32_t user : shared_route.users) {
    const RouteGoal& goal = assignment.goal(user);
    const int own = move_of(shared_route.steps, goal.cell) > 0 ? 1 : -1;
    const JointRoute::Use use{goal.attacker, own * sign(goal.direction)};
    route.users.push_back({goal.cell, own, goal.level});
    const bool is_known = std::any_of(route.uses.begin(), route.uses.end(), [&](const auto& each) {
      return each.attacker == use.attacker && each.turn == use.turn;
    });
    if (!is_known)
      route.uses.push_back(use);
  }
  return route;
}

attack::Slack JointProgram::slack_of(const JointRoute& route, CellId cell) const {
  attack::Slack least{kUnboundedAbove, kUnboundedAbove};
  for (const JointRoute::Use& use : route.uses) {
    const attack::Slack slack = pattern_state_.slack(cell, use.attacker);
    least.up = std::min(least.up, slack.toward(use.turn));
    least.down = std::min(least.down, slack.toward(-use.turn));
  }
  return least;
}

JointProgram::Column JointProgram::column_of(const JointRoute& route, CellId cell) const {
  const attack::Slack slack = slack_of(route, cell);
  const auto level = static_cast<double>(route.level());
  const double most = may_be_chosen(cell) ? 1 : kTuning.joint.most_moved;
  return {cell, in_levels(slack.up, level, most), in_levels(slack.down, level, most), -1};
}

// The more slack is asked for, the fewer cells there are: as few as are wanted.
JointProgram::Part JointProgram::gather(const JointRoute& route, double budget) const {
  Part part;
  for (const double least_slack : kTuning.joint.least_slacks) {
    part = gather(route, budget, least_slack);
    const auto open =
        std::count_if(part.columns.begin(), part.columns.end(), [&](const Column& column) {
          return may_be_chosen(column.cell);
        });
    if (base::at(open) <= kTuning.joint.open_cells)
      break;
  }
  prune(part);
  return part;
}

// Breadth first over equations from the cells that have to move and those that moved before.
JointProgram::Part JointProgram::gather(const JointRoute& route,
                                        double budget,
                                        double least_slack) const {
  Part part;
  const auto add = [&](CellId cell, bool in_any_case) {
    if (part.place.contains(cell) || overlay_.place(pattern_state_, cell) == CellRole::kNever)
      return;
    const Column column = column_of(route, cell);
    if (!in_any_case && (std::max(column.up, column.down) < least_slack ||
                         (may_be_chosen(cell) && pattern_state_.cost(cell) >= budget)))
      return;
    part.place.emplace(cell, part.columns.size());
    part.columns.push_back(column);
  };
  for (const RouteStep& step : route.known)
    add(step.cell, true);
  std::set<EquationId> seen;
  for (std::size_t next = 0;
       next < part.columns.size() && part.columns.size() < kTuning.joint.most_cells;
       ++next) {
    for (const Incidence& incidence :
         pattern_state_.table().equations_of(part.columns[next].cell)) {
      if (!seen.insert(incidence.equation).second)
        continue;
      base::count_work(kTuning.joint.touches_per_term *
                       pattern_state_.table().equation(incidence.equation).size());
      for (const Term& term : pattern_state_.table().equation(incidence.equation))
        add(term.cell, false);
    }
  }
  return part;
}

// A cell alone in an equation cannot move.
void JointProgram::prune(Part& part) const {
  std::map<EquationId, std::int32_t> count;
  for (const Column& column : part.columns) {
    for (const Incidence& incidence : pattern_state_.table().equations_of(column.cell))
      ++count[incidence.equation];
  }
  std::vector<EquationId> todo;
  for (const auto& [equation, cells] : count) {
    if (cells == 1)
      todo.push_back(equation);
  }
  while (!todo.empty()) {
    const EquationId equation = todo.back();
    todo.pop_back();
    for (const Term& term : pattern_state_.table().equation(equation)) {
      if (part.place.erase(term.cell) == 0)
        continue;
      for (const Incidence& incidence : pattern_state_.table().equations_of(term.cell)) {
        if (--count[incidence.equation] == 1)
          todo.push_back(incidence.equation);
      }
    }
  }
  std::erase_if(part.columns,
                [&](const Column& column) { return !part.place.contains(column.cell); });
  for (std::size_t c = 0; c < part.columns.size(); ++c)
    part.place[part.columns[c].cell] = c;
  for (const auto& [equation, cells] : count) {
    if (cells > 1)
      part.equations.push_back(equation);
  }
}

void JointProgram::list_choices() {
  choices_.clear();
  for (const Part& part : parts_) {
    for (const Column& column : part.columns) {
      if (may_be_chosen(column.cell))
        choices_.push_back(column.cell);
    }
  }
  std::sort(choices_.begin(), choices_.end());
  choices_.erase(std::unique(choices_.begin(), choices_.end()), choices_.end());
  for (Part& part : parts_) {
    for (Column& column : part.columns) {
      const auto found = std::lower_bound(choices_.begin(), choices_.end(), column.cell);
      if (found != choices_.end() && *found == column.cell)
        column.choice = static_cast<std::int32_t>(found - choices_.begin());
    }
  }
}

// Columns: y, then x, then of every part z+ and z- in turn. Costs in budgets.
LpModel JointProgram::model(const std::vector<JointRoute>& asked, double budget) {
  LpModel lp;
  lp.add_column(0, 1, 1, true);
  for (const CellId cell : choices_)
    lp.add_column(0, 1, pattern_state_.cost(cell) / budget, true);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    parts_[k].first = lp.num_columns();
    add_part(parts_[k], lp);
    for (const JointRoute::User& user : asked[k].users) {
      const double level = static_cast<double>(user.level) / static_cast<double>(asked[k].level());
      const std::int32_t z =
          parts_[k].first + 2 * static_cast<std::int32_t>(parts_[k].place.at(user.cell));
      const std::array<std::int32_t, 3> columns{0, z, z + 1};
      const std::array<double, 3> values{
          level, static_cast<double>(user.sign), -static_cast<double>(user.sign)};
      lp.add_row(level, kLpInfinity, columns, values);
    }
  }
  return lp;
}

void JointProgram::add_part(const Part& part, LpModel& lp) const {
  for (const Column& column : part.columns) {
    const std::int32_t z = lp.add_column(0, column.up);
    lp.add_column(0, column.down);
    if (column.choice < 0)
      continue;
    std::vector<std::int32_t> columns{1 + column.choice};
    std::vector<double> values{-1};
    for (const int side : {0, 1}) {
      const double slack = side == 0 ? column.up : column.down;
      if (slack <= 0)
        continue;
      columns.push_back(z + side);
      values.push_back(1 / slack);
    }
    lp.add_row(-kLpInfinity, 0, columns, values);
  }
  add_equations(part, lp);
}

void JointProgram::add_equations(const Part& part, LpModel& lp) const {
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const EquationId equation : part.equations) {
    columns.clear();
    values.clear();
    for (const Term& term : pattern_state_.table().equation(equation)) {
      const auto place = part.place.find(term.cell);
      if (place == part.place.end())
        continue;
      const std::int32_t z = part.first + 2 * static_cast<std::int32_t>(place->second);
      columns.insert(columns.end(), {z, z + 1});
      values.insert(
          values.end(),
          {static_cast<double>(term.coefficient), -static_cast<double>(term.coefficient)});
    }
    lp.add_row(0, 0, columns, values);
  }
}

bool JointProgram::find(const std::vector<JointRoute>& asked,
                        double budget,
                        const RunContext& run) {
  found_.clear();
  auto made = make_lp_solver(engine_,
                             LpOptions{.presolve = true,
                                       .feasibility = kTuning.joint.feasibility,
                                       .mip_gap = kTuning.joint.gap});
  if (!made || !(*made)->supports_integers() || !(budget > 0))
    return false;
  parts_.clear();
  for (const JointRoute& route : asked) {
    parts_.push_back(gather(route, budget));
    for (const JointRoute::User& user : route.users) {
      if (!parts_.back().place.contains(user.cell))
        return false;
    }
  }
  list_choices();
  if (!(*made)->load(model(asked, budget)))
    return false;
  const LpSolution solution = (*made)->minimize(run);
  if (solution.primal.empty() || solution.primal[0] > 0.5)
    return false;
  chosen_.assign(choices_.size(), false);
  for (std::size_t c = 0; c < choices_.size(); ++c)
    chosen_[c] = solution.primal[1 + c] > 0.5;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (!settle(asked[k], parts_[k], run))
      return false;
  }
  return true;
}

bool JointProgram::settle(const JointRoute& route, Part& part, const RunContext& run) {
  LpModel lp;
  part.first = 0;
  const auto level = static_cast<double>(route.level());
  for (const Column& column : part.columns) {
    const bool may_move = column.choice < 0 || chosen_[base::at(column.choice)];
    lp.add_column(0, may_move ? column.up : 0, 1);
    lp.add_column(0, may_move ? column.down : 0, 1);
  }
  for (const JointRoute::User& user : route.users) {
    const std::size_t z = 2 * part.place.at(user.cell);
    const double least = static_cast<double>(user.level) / level;
    if (lp.column_upper[z + (user.sign > 0 ? 0 : 1)] < least)
      return false;
    lp.column_lower[z + (user.sign > 0 ? 0 : 1)] = least;
    lp.column_upper[z + (user.sign > 0 ? 1 : 0)] = 0;
  }
  add_equations(part, lp);
  auto solver = make_lp_solver(engine_, LpOptions{.stays_sparse = true});
  if (!solver || !(*solver)->load(lp))
    return false;
  RunContext at_last = run;  // what was found should not be lost
  at_last.work_end = kNoWorkLimit;
  const LpSolution solution = (*solver)->minimize(at_last);
  if (solution.status != LpStatus::kOptimal)
    return false;
  std::vector<double> moves(part.columns.size());
  for (std::size_t c = 0; c < moves.size(); ++c)
    moves[c] = (solution.primal[2 * c] - solution.primal[2 * c + 1]) * level;
  return make_exact(route, part, moves);
}

// Whole numbers or small fractions that satisfy every equation; slacks are for the assignment to
// check.
bool JointProgram::make_exact(const JointRoute& route,
                              const Part& part,
                              const std::vector<double>& moves) {
  const double at_rest = kTuning.program.moved * static_cast<double>(route.level());
  for (const Units denominator : {1, 2, 3, 4, 6, 12}) {
    Route steps;
    std::map<EquationId, Wide> sums;
    bool fits = true;
    for (std::size_t c = 0; c < moves.size() && fits; ++c) {
      const double move = std::abs(moves[c]) > at_rest
                              ? std::nearbyint(moves[c] * static_cast<double>(denominator))
                              : 0;
      fits = std::abs(move) < static_cast<double>(kLargestMove);
      if (move == 0 || !fits)
        continue;
      steps.push_back({part.columns[c].cell, static_cast<Units>(move)});
      for (const Incidence& incidence : pattern_state_.table().equations_of(part.columns[c].cell))
        sums[incidence.equation] += Wide{steps.back().move} * incidence.coefficient;
    }
    if (!fits || std::any_of(sums.begin(), sums.end(), [](const auto& s) { return s.second != 0; }))
      continue;
    std::sort(steps.begin(), steps.end(), [](const RouteStep& a, const RouteStep& b) {
      return a.cell < b.cell;
    });
    found_.push_back(std::move(steps));
    return true;
  }
  return false;
}

}  // namespace lacuna::start
