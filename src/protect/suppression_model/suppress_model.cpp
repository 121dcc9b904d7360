// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/suppress_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/table/parts.h"
#include "judge/attack/view.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression_model {
namespace {

double real(Units slack) {
  return slack == kUnboundedAbove ? std::numeric_limits<double>::infinity()
                                  : static_cast<double>(slack);
}

attacker::RealSlack real_slack(Units value, Bounds bounds) {
  const attack::Slack slack = attack::slack_within(value, bounds);
  return {real(slack.down), real(slack.up)};
}

}  // namespace

std::vector<std::vector<CellId>> parts_with_needs(const Problem& problem) {
  const Table& table = problem.table();
  const std::vector<bool> movable = table::movable_cells(table);
  const table::Parts parts = table::connected_parts(table, movable);
  std::vector<std::vector<CellId>> cells(static_cast<std::size_t>(parts.count));
  std::vector<bool> asked(cells.size(), false);
  const std::vector<bool> always = presolve::always_withheld(problem);
  for (std::size_t c = 0; c < movable.size(); ++c) {
    if (parts.part_of[c] < 0)
      continue;
    const auto part = static_cast<std::size_t>(parts.part_of[c]);
    cells[part].push_back(CellId{static_cast<std::int32_t>(c)});
    asked[part] = asked[part] || always[c];
  }
  std::vector<std::vector<CellId>> result;
  for (std::size_t part = 0; part < cells.size(); ++part) {
    if (asked[part])
      result.push_back(std::move(cells[part]));
  }
  return result;
}

SuppressModel::SuppressModel(std::shared_ptr<const Problem> problem,
                             std::vector<CellId> part,
                             const std::vector<bool>& always,
                             double minimum_width)
    : problem_(std::move(problem)), attacked_(problem_->table(), std::move(part)) {
  list_columns(always);
  list_own_slacks();
  list_needs(minimum_width);
}

SuppressModel::SuppressModel(std::shared_ptr<const Problem> problem,
                             std::vector<CellId> part,
                             const std::vector<bool>& always,
                             std::vector<double> weights)
    : SuppressModel(std::move(problem), std::move(part), always, 0.0) {
  weight_ = std::move(weights);
  integral_weights_ = std::all_of(
      weight_.begin(), weight_.end(), [](double weight) { return weight == std::floor(weight); });
}

void SuppressModel::list_columns(const std::vector<bool>& always) {
  for (std::int32_t i = 0; i < num_cells(); ++i) {
    const Cell& cell = problem_->table().cell(this->cell(i));
    outsider_slack_.push_back(real_slack(cell.value, cell.prior));
    if (always[static_cast<std::size_t>(this->cell(i).value)]) {
      column_.push_back(-1);
      always_weight_ += cell.weight;
      continue;
    }
    column_.push_back(num_columns());
    column_cell_.push_back(i);
    weight_.push_back(cell.weight);
    integral_weights_ = integral_weights_ && cell.weight == std::floor(cell.weight);
  }
}

void SuppressModel::list_needs(double minimum_width) {
  for (const PatternRequirement& requirement : all_pattern_requirements(*problem_, minimum_width)) {
    const Requirement& levels = requirement.levels;
    const std::int32_t cell = local(levels.cell);
    if (cell < 0)
      continue;
    Need need;
    need.cell = cell;
    need.attacker = levels.attacker;
    need.upper = static_cast<double>(levels.upper);
    need.lower = static_cast<double>(levels.lower);
    if (Wide{levels.sliding} > Wide{levels.upper} + levels.lower)
      need.sliding = static_cast<double>(levels.sliding);
    if (requirement.conditional)
      need.column = column_of(cell);
    if (need.upper > 0 || need.lower > 0 || need.sliding > 0)
      needs_.push_back(need);
  }
}

// What is known of cells elsewhere, or no better than by the outsider, makes no difference here.
void SuppressModel::list_own_slacks() {
  const auto& attackers = problem_->attackers();
  own_slacks_.resize(attackers.size());
  for (std::size_t k = 1; k < attackers.size(); ++k) {
    for (const Knowledge& known : attackers[k].known) {
      const std::int32_t cell = local(known.cell);
      if (cell < 0)
        continue;
      const attacker::RealSlack slack =
          real_slack(problem_->table().value(known.cell),
                     known_bounds(problem_->table(), attackers[k], known.cell));
      const attacker::RealSlack& common = outsider_slack_[index(cell)];
      if (slack.down < common.down || slack.up < common.up)
        own_slacks_[k].push_back({cell, slack});
    }
  }
}

attacker::RealSlack SuppressModel::slack(std::int32_t local, std::int32_t attacker) const {
  return slack_within(local, own_slacks(attacker));
}

attacker::RealSlack SuppressModel::slack_within(std::int32_t local,
                                                std::span<const OwnSlack> own) const {
  const auto place =
      std::lower_bound(own.begin(), own.end(), local, [](const OwnSlack& each, std::int32_t cell) {
        return each.cell < cell;
      });
  return place == own.end() || place->cell != local ? outsider_slack_[index(local)]
                                                    : place->slack;
}

bool any_has_few_leaves(const std::shared_ptr<const Problem>& problem,
                        const std::vector<std::vector<CellId>>& parts,
                        const std::vector<bool>& always,
                        double minimum_width) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::vector<CellId>& part) {
    return SuppressModel(problem, part, always, minimum_width).attacked().has_few_leaves();
  });
}

}  // namespace lacuna::suppression_model
