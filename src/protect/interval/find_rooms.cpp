// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/find_rooms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/interval/cutting_planes.h"
#include "protect/interval/exact_witness.h"
#include "protect/interval/goal_searches.h"
#include "protect/interval/start.h"

namespace lacuna::interval {
namespace {

// The attacker problems of the requirements at given rooms.
class Showing {
 public:
  Showing(const Model& model, std::span<const double> z) : model_(model), z_(z), searches_(model) {
    for (const Demand& demand : demands_of(model)) {
      if (goal(demand).requirement >= 0)
        demands_.push_back(demand);
    }
    moves_.resize(2 * model.goals.size());
    at_.z.assign(z.begin(), z.end());
    at_.h.assign(2 * model.goals.size(), 0);
  }

  std::vector<Displacement> run(const RunContext& run) {
    const std::size_t lanes = searches_.num_lanes();
    const RunContext part =
        base::share_of_work(run, 1.0 / static_cast<double>(std::max<std::size_t>(1, lanes)));
    base::for_each_lane(run, lanes, [&](std::size_t lane) {
      for (const std::size_t g : searches_.goals_of(lane)) {
        if (model_.goals[g].requirement >= 0 && !part.should_stop())
          show(g, part);
      }
    });
    std::vector<attacker::Move> moves;
    for (const Demand& demand : demands_)
      moves.push_back(std::move(moves_[side(demand)]));
    return exact_witnesses(model_, demands_, moves, at_, run);
  }

 private:
  const Goal& goal(const Demand& demand) const {
    return model_.goals[static_cast<std::size_t>(demand.goal)];
  }
  static std::size_t side(const Demand& demand) {
    return 2 * static_cast<std::size_t>(demand.goal) + (demand.sign > 0 ? 0 : 1);
  }

  // With a sliding level up goes as far as it can, and down has the rest.
  void show(std::size_t g, const RunContext& run) {
    const Goal& own = model_.goals[g];
    const std::vector<double> rooms = model_.rooms(own.attacker, z_);
    const std::vector<double> most = model_.rooms(own.attacker, model_.most);
    base::count_work(4 * rooms.size());
    double up = 0;
    for (const int sign : {1, -1}) {
      const double rest = own.sliding > 0 ? own.sliding - up : 0;
      const double level =
          std::min(std::max(own.level(sign), rest), rooms[attacker::end_of(own.cell, sign)]);
      if (level <= 0)
        continue;
      const auto answer = searches_.ask(g, sign, level, rooms, most, run);
      const std::size_t at = 2 * g + (sign > 0 ? 0 : 1);
      if (!answer.trusted)
        continue;
      moves_[at] = cells_of_table(*model_.attacked, answer.moves);
      // Whole units, so that the other direction knows exactly what is left to it.
      const double units = std::floor(answer.reach * model_.scale + tol::kDecision);
      at_.h[at] = units / model_.scale;
      up = at_.h[at];
    }
  }

  const Model& model_;
  std::span<const double> z_;
  GoalSearches searches_;
  std::vector<Demand> demands_;
  std::vector<attacker::Move> moves_;  // by goal and direction
  Point at_;
};

}  // namespace

Result<RoomsFound> find_rooms(const Model& model, const RoomsAsked& asked, const RunContext& run) {
  LoopOptions options;
  options.keep_cuts = asked.keep_cuts;
  options.gap = asked.gap;
  LACUNA_TRY(const auto planes, CuttingPlanes::make(model, options, asked.engine, asked.threads));
  LoopResult found = planes->run(run);
  RoomsFound rooms;
  rooms.why = found.why;
  rooms.bound = found.bound;
  rooms.cuts = planes->take_cuts();
  if (!found.witnesses.empty() || model.goals.empty())
    rooms.z = std::move(found.safe.z);
  return rooms;
}

std::optional<std::vector<Displacement>> first_evidence(const Model& model,
                                                        const std::string& engine,
                                                        const RunContext& run) {
  std::vector<Demand> demands = demands_of(model);
  std::erase_if(demands, [&](const Demand& demand) {
    return model.goals[static_cast<std::size_t>(demand.goal)].requirement < 0;
  });
  Result<StartMoves> found = start_from_pattern(model, demands, engine, run);
  if (!found || !found->complete)
    return std::nullopt;
  return std::move(found->exact);
}

std::vector<Displacement> evidence_within(const Model& model,
                                          std::span<const double> rooms,
                                          const RunContext& run) {
  return Showing(model, rooms).run(run);
}

}  // namespace lacuna::interval
