// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/threshold_cuts.h"

#include <algorithm>
#include <cmath>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {

ThresholdCuts::ThresholdCuts(const Model& model)
    : model_(model),
      network_(*model.network),
      ground_(network_.nodes.size()),
      arc_of_(model.movable.size(), -1),
      rise_(network_.arcs.size(), 0),
      potential_(ground_ + 1, 0) {
  for (std::size_t a = 0; a < network_.arcs.size(); ++a)
    arc_of_[static_cast<std::size_t>(network_.arcs[a].cell.value)] = static_cast<std::int32_t>(a);
  grow_forest();
}

// The ground first: its potential is 0.
void ThresholdCuts::grow_forest() {
  std::vector<std::vector<std::int32_t>> arcs_at(ground_ + 1);
  for (std::size_t a = 0; a < network_.arcs.size(); ++a) {
    arcs_at[node(network_.arcs[a].from)].push_back(static_cast<std::int32_t>(a));
    arcs_at[node(network_.arcs[a].to)].push_back(static_cast<std::int32_t>(a));
  }
  std::vector<bool> seen(ground_ + 1, false);
  for (std::size_t i = 0; i <= ground_; ++i) {
    const std::size_t root = i == 0 ? ground_ : i - 1;
    if (seen[root])
      continue;
    seen[root] = true;
    std::size_t head = forest_.size();
    forest_.push_back({root, root, -1});
    for (; head < forest_.size(); ++head) {
      const std::size_t parent = forest_[head].node;
      for (const std::int32_t a : arcs_at[parent]) {
        const table::NetworkArc& arc = network_.arcs[static_cast<std::size_t>(a)];
        const std::size_t other = node(arc.from) == parent ? node(arc.to) : node(arc.from);
        if (seen[other])
          continue;
        seen[other] = true;
        forest_.push_back({other, parent, a});
      }
    }
  }
}

void ThresholdCuts::add_rises(std::span<const std::pair<EquationId, double>> multipliers) {
  for (const auto& [equation, factor] : multipliers) {
    for (const Term& term : model_.problem->table().equation(equation)) {
      const std::int32_t arc = arc_of_[static_cast<std::size_t>(term.cell.value)];
      if (arc < 0)
        continue;
      touched_.push_back(static_cast<std::size_t>(arc));
      rise_[touched_.back()] += factor * term.coefficient;
    }
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

// From the rises, because equations that follow from others are no nodes but may have multipliers.
void ThresholdCuts::set_potentials() {
  for (const Step& step : forest_) {
    potential_[step.node] = 0;
    if (step.arc < 0)
      continue;
    const auto arc = static_cast<std::size_t>(step.arc);
    const bool upward = node(network_.arcs[arc].to) == step.node;
    potential_[step.node] = potential_[step.parent] + (upward ? rise_[arc] : -rise_[arc]);
  }
}

// The different potentials above the lower one of the need's arc, up to the higher one.
std::vector<double> ThresholdCuts::thresholds(const table::NetworkArc& own) const {
  const auto [low, high] = std::minmax(potential_[node(own.from)], potential_[node(own.to)]);
  std::vector<double> all;
  for (const std::size_t arc : touched_) {
    for (const std::int32_t end : {network_.arcs[arc].from, network_.arcs[arc].to})
      all.push_back(potential_[node(end)]);
  }
  std::sort(all.begin(), all.end());
  std::vector<double> different;
  for (const double at : all) {
    const double last = different.empty() ? low : different.back();
    if (at > last + tol::kDecision && at <= high + tol::kDecision)
      different.push_back(at);
  }
  return different;
}

Cut ThresholdCuts::cut_at(double threshold,
                          const Goal& goal,
                          const table::NetworkArc& own,
                          std::span<const double> z) const {
  const auto inside = [&](std::int32_t n) {
    return potential_[node(n)] >= threshold - tol::kDecision;
  };
  base::count_work(kTuning.work.move_cell * touched_.size());
  attacker::Move sides;
  for (const std::size_t a : touched_) {
    const table::NetworkArc& arc = network_.arcs[a];
    const bool tail = inside(arc.from);
    if (tail != inside(arc.to) && arc.cell != own.cell)
      sides.emplace_back(arc.cell.value, tail ? 1 : -1);
  }
  return make_cut(model_, goal, sides, z);
}

std::vector<Cut> ThresholdCuts::split(const Goal& goal,
                                      std::span<const std::pair<EquationId, double>> multipliers,
                                      std::span<const double> z) {
  const Need& need = model_.needs[static_cast<std::size_t>(goal.need)];
  const std::int32_t own = arc_of_[static_cast<std::size_t>(need.cell)];
  std::vector<Cut> cuts;
  if (own < 0)
    return cuts;
  add_rises(multipliers);
  base::count_work(kTuning.work.rise * touched_.size());
  const auto arc = static_cast<std::size_t>(own);
  if (std::abs(rise_[arc] - goal.sign) <= tol::kDecision) {
    set_potentials();
    base::count_work(kTuning.work.forest_node * forest_.size());
    for (const double threshold : thresholds(network_.arcs[arc]))
      cuts.push_back(cut_at(threshold, goal, network_.arcs[arc], z));
  }
  for (const std::size_t each : touched_)
    rise_[each] = 0;
  touched_.clear();
  return cuts;
}

}  // namespace lacuna::interval
