// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/unattainable.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "judge/attacker/solver.h"
#include "protect/interval/goal_searches.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {
namespace {

// How far the need's cell can go to one side; nothing if that is not known.
std::optional<double> reach_of(const Model& model,
                               const Need& need,
                               int sign,
                               attacker::AttackerSolver& solver,
                               const RunContext& run) {
  const std::vector<double> slacks = model.slacks(need.attacker, model.most);
  const attacker::SlacksByEnd by_cell(*model.attacked, slacks);
  const std::int32_t cell = model.attacked->local(CellId{need.cell});
  const double level = std::max({need.upper, need.lower, need.sliding});
  const double most = std::min(level, slacks[attacker::end_of(need.cell, sign)]);
  if (cell < 0 || most <= 0)
    return 0;
  const attacker::AttackerSolver::Query query{cell, sign, most, negligible_move(level)};
  auto answer = solver.push(query, by_cell, run);
  if (!answer.solved)
    answer = solver.insist(by_cell, run);
  if (!answer.solved || run.should_stop())
    return std::nullopt;
  return answer.value * (1 + kTuning.loop.satisfied);
}

}  // namespace

std::optional<std::int32_t> unattainable_requirement(const Model& model,
                                                     const std::string& engine,
                                                     const RunContext& run) {
  const std::unique_ptr<attacker::AttackerSolver> solver =
      attacker::make_attacker_solver(*model.attacked, engine);
  for (const Need& need : model.needs) {
    const auto up = reach_of(model, need, 1, *solver, run);
    const auto down = up ? reach_of(model, need, -1, *solver, run) : std::nullopt;
    if (!up || !down)
      return std::nullopt;
    if (*up < need.upper || *down < need.lower || *up + *down < need.sliding)
      return need.requirement;
  }
  return std::nullopt;
}

}  // namespace lacuna::interval
