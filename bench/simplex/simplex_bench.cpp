// SPDX-License-Identifier: Apache-2.0
// How fast are the searches over the lazy dual simplex? One CSV row per search and table: CPU
// seconds of one thread without clock or limits, so that two builds do the same work; what was
// found says whether they did.
//   route    the needs one after the other, each route taken
//   attacker pushes of the sensitive cells at random points of the master, and again after changes
//   widen    searches for the goals at random slacks, each from the last basis
//   leaf     the same over the leaves
//
//   simplex_bench [route|attacker|widen|leaf|all] CELLS TABLE...   (at most so many sensitive
//   cells)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "data/jobfile/problem_file.h"
#include "judge/attacker/lazy.h"
#include "judge/attacker/leaf_simplex.h"
#include "judge/attacker/repair_simplex.h"
#include "protect/interval/model.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"
#include "protect/suppression_model/capacities.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna {
namespace {

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Row {
  std::string search;
  std::int64_t asked = 0, found = 0;
  double sum = 0;  // cost, reach or excess: equal if the answers are
  double start = cpu_seconds();

  void print(const std::string& table) const {
    std::printf("%s,%s,%lld,%lld,%.9g,%.3f\n",
                table.c_str(),
                search.c_str(),
                static_cast<long long>(asked),
                static_cast<long long>(found),
                sum,
                cpu_seconds() - start);
    std::fflush(stdout);
  }
};

Row run_routes(const Problem& problem) {
  start::PatternState pattern_state(problem, {});
  const start::Overlay overlay(problem.table().num_cells());
  Row row{"route"};
  start::RouteOptions options;
  options.max_steps = 500;
  start::Router router(pattern_state, overlay, options);
  for (const bool mirrored : {true, false}) {
    for (const start::RouteGoal& goal : start::list_goals(pattern_state)) {
      ++row.asked;
      start::RouteQuery query{goal.cell, goal.direction, goal.level, goal.attacker};
      query.mirrored = mirrored;
      if (router.find(query) != start::RouteOutcome::kFound)
        continue;
      ++row.found;
      for (const start::RouteStep& step : router.steps()) {
        if (pattern_state.place(step.cell) == start::CellRole::kPublished)
          row.sum += pattern_state.cost(step.cell);
        pattern_state.withhold(step.cell);
      }
    }
  }
  return row;
}

Row run_attacker(const std::shared_ptr<const Problem>& problem, std::size_t most_targets) {
  Row row{"attacker"};
  base::Random random(1);
  for (const auto& part : suppression_model::parts_with_needs(*problem)) {
    const suppression_model::SuppressModel model(
        problem, part, presolve::always_withheld(*problem), {});
    attacker::AttackerLazy lazy(model.attacked(), "");
    const auto columns = static_cast<std::size_t>(model.num_columns());
    std::size_t targets = 0;
    for (const Requirement& requirement : problem->requirements()) {
      const std::int32_t cell = model.local(requirement.cell);
      if (cell < 0 || ++targets > most_targets)
        continue;
      std::vector<double> x(columns, 0);
      for (double& each : x) {
        if (!random.chance(2, 3))
          each = static_cast<double>(random.between(1, 1000)) / 1000;
      }
      const auto add = [&](const attacker::AttackerSolver::Answer& answer) {
        ++row.asked;
        row.found += answer.solved ? 1 : 0;
        row.sum += answer.value;
      };
      const auto plain = suppression_model::Capacities::without_slacks(model, 0, x);
      add(lazy.push({cell, targets % 2 == 0 ? 1 : -1, 1}, plain, {}));
      const auto lifted = suppression_model::Capacities::without_slacks(model, 1.0 / 64, x);
      add(lazy.push_again(lifted, {}));
    }
  }
  return row;
}

std::vector<double> random_slacks(const interval::Model& model, base::Random& random) {
  std::vector<double> z(model.num_ends(), 0);
  for (std::size_t e = 0; e < z.size(); ++e) {
    const double share = static_cast<double>(random.between(0, 8)) / 4 - 0.5;
    const double slack = model.least[e] + std::max(0.0, share) * 8;
    z[e] = model.role[e] == interval::EndRole::kPriced ? std::min(slack, model.most[e]) : 0;
  }
  return z;
}

Row run_interval(const Problem& problem, bool leaves, std::size_t most_targets) {
  Row row{leaves ? "leaf" : "widen"};
  const auto model = interval::make_model(problem, {});
  if (!model)
    return row;
  const attacker::RepairNet net(*model->attacked, model->weight, {});
  const attacker::LeafNet leaf_net(net);
  attacker::RepairScratch scratch(net);
  base::Random random(1);
  std::vector<std::vector<double>> points;
  for (int point = 0; point < 4; ++point)
    points.push_back(random_slacks(*model, random));
  std::size_t targets = 0;
  for (const interval::Goal& goal : interval::goals_of(*model)) {
    const interval::Need& need = model->needs[static_cast<std::size_t>(goal.need)];
    const double level = std::max(need.level(goal.sign), need.sliding);
    const std::vector<double> most = model->slacks(need.attacker, model->most);
    if (level <= 0 || most[attacker::end_of(need.cell, goal.sign)] < level)
      continue;
    if (++targets > most_targets)
      break;
    attacker::RepairSimplex widen(net, need.cell, goal.sign);
    attacker::LeafSimplex leaf(leaf_net, need.cell, goal.sign);
    for (const std::vector<double>& z : points) {
      const std::vector<double> slacks = model->slacks(need.attacker, z);
      const attacker::SlacksByEnd now(*model->attacked, slacks, most);
      const attacker::SlacksByEnd widest(*model->attacked, most);
      const attacker::RepairOutcome outcome = leaves ? leaf.solve(level, now, widest, RunContext{})
                                                     : widen.solve(level, now, widest, scratch);
      ++row.asked;
      row.found += outcome == attacker::RepairOutcome::kFound ? 1 : 0;
      if (outcome == attacker::RepairOutcome::kFound)
        row.sum += leaves ? leaf.excess() : widen.excess();
    }
  }
  return row;
}

int run(int count, char** arguments) {
  std::printf("table,search,asked,found,sum,cpu_seconds\n");
  const std::string what = count > 1 ? arguments[1] : "all";
  const auto targets = static_cast<std::size_t>(count > 2 ? std::stoi(arguments[2]) : 0);
  for (int i = 3; i < count; ++i) {
    auto read = jobfile::read_problem(arguments[i]);
    if (!read) {
      std::fprintf(stderr, "%s\n", read.error().message.c_str());
      return 1;
    }
    const auto problem = std::make_shared<const Problem>(std::move(read).value());
    const std::string path = arguments[i];
    const std::string name = path.substr(path.rfind('/') + 1);
    const auto wanted = [&](const char* search) { return what == "all" || what == search; };
    if (wanted("route"))
      run_routes(*problem).print(name);
    if (wanted("attacker"))
      run_attacker(problem, targets).print(name);
    if (wanted("widen"))
      run_interval(*problem, false, targets).print(name);
    if (wanted("leaf"))
      run_interval(*problem, true, targets).print(name);
  }
  return 0;
}

}  // namespace
}  // namespace lacuna

int main(int count, char** arguments) {
  return lacuna::run(count, arguments);
}
