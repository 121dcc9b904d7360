// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/find_slacks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/interval/cutting_planes.h"
#include "protect/interval/exact_witness.h"
#include "protect/interval/need_searches.h"
#include "protect/interval/start.h"

namespace lacuna::interval {
namespace {

// The attacker problems of the requirements at given slacks.
class Showing {
 public:
  Showing(const Model& model, std::span<const double> z) : model_(model), z_(z), searches_(model) {
    for (const Goal& goal : goals_of(model)) {
      if (need(goal).requirement >= 0)
        goals_.push_back(goal);
    }
    moves_.resize(2 * model.needs.size());
    at_.z.assign(z.begin(), z.end());
    at_.h.assign(2 * model.needs.size(), 0);
  }

  std::vector<Displacement> run(const RunContext& run) {
    const std::size_t lanes = searches_.num_lanes();
    const RunContext part =
        base::share_of_work(run, 1.0 / static_cast<double>(std::max<std::size_t>(1, lanes)));
    base::for_each_lane(run, lanes, [&](std::size_t lane) {
      for (const std::size_t g : searches_.needs_of(lane)) {
        if (model_.needs[g].requirement >= 0 && !part.should_stop())
          show(g, part);
      }
    });
    std::vector<attacker::Move> moves;
    for (const Goal& goal : goals_)
      moves.push_back(std::move(moves_[side(goal)]));
    return exact_witnesses(model_, goals_, moves, at_, run);
  }

 private:
  const Need& need(const Goal& goal) const {
    return model_.needs[static_cast<std::size_t>(goal.need)];
  }
  static std::size_t side(const Goal& goal) {
    return 2 * static_cast<std::size_t>(goal.need) + (goal.sign > 0 ? 0 : 1);
  }

  // With a sliding level up goes as far as it can, and down has the rest.
  void show(std::size_t g, const RunContext& run) {
    const Need& own = model_.needs[g];
    const std::vector<double> slacks = model_.slacks(own.attacker, z_);
    const std::vector<double> most = model_.slacks(own.attacker, model_.most);
    base::count_work(4 * slacks.size());
    double up = 0;
    for (const int sign : {1, -1}) {
      const double rest = own.sliding > 0 ? own.sliding - up : 0;
      const double level =
          std::min(std::max(own.level(sign), rest), slacks[attacker::end_of(own.cell, sign)]);
      if (level <= 0)
        continue;
      const auto answer = searches_.ask(g, sign, level, slacks, most, run);
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
  NeedSearches searches_;
  std::vector<Goal> goals_;
  std::vector<attacker::Move> moves_;  // by need and direction
  Point at_;
};

}  // namespace

Result<CheapestSlacks> find_cheapest_slacks(const Model& model,
                                            const CheapestSlacksOptions& asked,
                                            const RunContext& run) {
  LoopOptions options;
  options.keep_cuts = asked.keep_cuts;
  options.gap = asked.gap;
  options.engine = asked.engine;
  options.threads = asked.threads;
  LACUNA_TRY(const auto planes, CuttingPlanes::make(model, options));
  LoopResult found = planes->run(run);
  CheapestSlacks slacks;
  slacks.why = found.why;
  slacks.bound = found.bound;
  slacks.cuts = planes->take_cuts();
  if (!found.witnesses.empty() || model.needs.empty())
    slacks.z = std::move(found.safe.z);
  return slacks;
}

std::optional<std::vector<Displacement>> first_evidence(const Model& model,
                                                        const std::string& engine,
                                                        const RunContext& run) {
  std::vector<Goal> goals = goals_of(model);
  std::erase_if(goals, [&](const Goal& goal) {
    return model.needs[static_cast<std::size_t>(goal.need)].requirement < 0;
  });
  Result<StartMoves> found = start_from_pattern(model, goals, engine, run);
  if (!found || !found->complete)
    return std::nullopt;
  return std::move(found->exact);
}

std::vector<Displacement> evidence_within(const Model& model,
                                          std::span<const double> slacks,
                                          const RunContext& run) {
  return Showing(model, slacks).run(run);
}

}  // namespace lacuna::interval
