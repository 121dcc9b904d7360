// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/goal_probes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "protect/combined/tuning.h"
#include "protect/interval/cut.h"

namespace lacuna::combined {

using interval::Need;

GoalProbes::Outcome GoalProbes::ask(Depth depth,
                                    const Point& point,
                                    const RowFinder& finder,
                                    const RunContext& run) {
  std::vector<Outcome> by_need(model_.needs.size());
  const std::size_t lanes = std::max<std::size_t>(1, searches_.num_lanes());
  const RunContext part = base::share_of_work(run, 1.0 / static_cast<double>(lanes));
  base::for_each_lane(run, searches_.num_lanes(), threads_, [&](std::size_t lane) {
    for (const std::size_t g : searches_.needs_of(lane)) {
      if (part.should_stop())
        return;
      by_need[g] = ask_of(g, depth, point, finder, part);
    }
  });
  Outcome all;
  all.all_met = depth == Depth::kFull;
  for (Outcome& each : by_need) {
    all.asked += each.asked;
    all.all_met = all.all_met && each.all_met;
    std::move(each.rows.begin(), each.rows.end(), std::back_inserter(all.rows));
  }
  return all;
}

// First with slacks that give stronger cuts; as the point is only where these find none.
GoalProbes::Outcome GoalProbes::ask_of(std::size_t need,
                                       Depth depth,
                                       const Point& point,
                                       const RowFinder& finder,
                                       const RunContext& run) {
  Outcome outcome;
  outcome.rows = rows_of(need, probe(need, Depth::kQuick, point, run), point, finder);
  outcome.asked = 2;
  if (!outcome.rows.empty() || depth != Depth::kFull)
    return outcome;
  const TwoSided<Probe> probes = probe(need, Depth::kFull, point, run);
  outcome.rows = rows_of(need, probes, point, finder);
  outcome.asked += 2;
  outcome.all_met = outcome.rows.empty() && probes.up.is_fine() && probes.down.is_fine();
  return outcome;
}

GoalProbes::View GoalProbes::view_at(const Need& need, Depth depth, const Point& point) const {
  const double size = std::max({need.upper, need.lower, need.sliding});
  std::vector<double> z = point.z;
  if (depth == Depth::kQuick) {
    // What x allows, if each cell with an interval gave an entire level.
    for (std::size_t e = 0; e < z.size(); ++e) {
      const std::size_t c = EndId{e}.cell();
      if (columns_.width(EndId{e}) >= 0 && columns_.choice(c) >= 0)
        z[e] = std::min(z[e], size * point.x[c]);
    }
  }
  View view{model_.slacks(need.attacker, z), model_.slacks(need.attacker, model_.most)};
  base::count_work(8 * view.slacks.size());
  if (depth == Depth::kQuick) {
    // Of the cuts that the point violates alike, one that is strong elsewhere too.
    for (std::size_t e = 0; e < view.slacks.size(); ++e)
      view.slacks[e] =
          std::min(view.most[e], std::max(view.slacks[e], kTuning.relaxation.widening * size));
  }
  return view;
}

TwoSided<GoalProbes::Probe> GoalProbes::probe(std::size_t g,
                                              Depth depth,
                                              const Point& point,
                                              const RunContext& run) {
  const Need& need = model_.needs[g];
  const View view = view_at(need, depth, point);
  const double tolerance =
      kTuning.relaxation.satisfied * std::max({need.upper, need.lower, need.sliding});
  const double both = point.share(ShareId::of(g, 1)) + point.share(ShareId::of(g, -1));
  const bool sliding = need.sliding > 0 && depth == Depth::kQuick;
  TwoSided<Probe> probes;
  for (const int sign : kSigns) {
    Probe& probe = probes.of(sign);
    const double level = point.share(ShareId::of(g, sign));
    // The sum of both directions of a sliding level is cut even where one is not used.
    probe.asked = level > tolerance || (sliding && both > tolerance);
    if (!probe.asked)
      continue;
    const auto answer =
        searches_.ask(g, sign, sliding ? need.sliding : level, view.slacks, view.most, run);
    probe.trusted = answer.trusted;
    if (!probe.trusted)
      continue;
    const double own = view.slacks[attacker::end_of(need.cell, sign)];
    probe.met = std::min(own, answer.reach) >= level - tolerance;
    if (own >= answer.reach)  // else the need's own end is the narrowest place
      probe.multipliers.assign(answer.multipliers.begin(), answer.multipliers.end());
  }
  return probes;
}

std::vector<Row> GoalProbes::rows_of(std::size_t need,
                                     const TwoSided<Probe>& probes,
                                     const Point& point,
                                     const RowFinder& finder) const {
  TwoSided<std::optional<interval::Cut>> cuts;
  TwoSided<const interval::Cut*> found;
  for (const int sign : kSigns) {
    const Probe& probe = probes.of(sign);
    if (!probe.has_cut())
      continue;
    const interval::Goal goal{static_cast<std::int32_t>(need), sign};
    cuts.of(sign) = interval::make_cut(model_, goal, probe.multipliers, point.z);
    found.of(sign) = &*cuts.of(sign);
  }
  std::vector<Row> rows;
  finder.find_mixed(found, point, rows);
  return rows;
}

}  // namespace lacuna::combined
