// SPDX-License-Identifier: Apache-2.0
// Utility and risk of an adjusted table (docs/adjustment.md, section on the report).
#include <algorithm>
#include <cmath>

#include "core/base/decimal.h"
#include "lacuna/adjust.h"

namespace lacuna {
namespace {

double move_of(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  if (entry == nullptr)
    return 0;
  const Units shown = entry->number().value_or(table.value(cell));
  return base::units_to_double(shown - table.value(cell), table.decimals());
}

double percent(double part, double whole) {
  return 100 * part / whole;
}

}  // namespace

AdjustUtility adjustment_utility(const Problem& problem,
                                 const Draft& draft,
                                 double threshold_percent) {
  const Table& table = problem.table();
  AdjustUtility utility;
  std::vector<double> deviations;
  double sum = 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const double move = std::abs(move_of(table, draft, id));
    const double value = std::abs(base::units_to_double(table.value(id), table.decimals()));
    const bool sensitive = table.cell(id).status == CellStatus::kPrimary;
    utility.changed += move > 0 ? 1 : 0;
    utility.changed_not_sensitive += move > 0 && !sensitive ? 1 : 0;
    utility.unchanged += move > 0 ? 0 : 1;
    if (value == 0)
      continue;
    deviations.push_back(percent(move, value));
    sum += deviations.back();
    utility.chi_square += move * move / value;
  }
  if (deviations.empty())
    return utility;
  utility.mean_percent = sum / static_cast<double>(deviations.size());
  utility.max_percent = *std::max_element(deviations.begin(), deviations.end());
  utility.threshold_percent = threshold_percent < 0 ? utility.max_percent / 4 : threshold_percent;
  utility.large = std::count_if(deviations.begin(), deviations.end(), [&](double deviation) {
    return deviation > utility.threshold_percent;
  });
  return utility;
}

AdjustRisk adjustment_risk(const Problem& problem, const Draft& draft) {
  const Table& table = problem.table();
  AdjustRisk risk;
  double sum = 0;
  for (const Requirement& need : problem.requirements()) {
    if (need.attacker != 0)
      continue;
    const double value = std::abs(base::units_to_double(table.value(need.cell), table.decimals()));
    const double move = move_of(table, draft, need.cell);
    const double up = base::units_to_double(need.upper, table.decimals());
    const double down = base::units_to_double(need.lower, table.decimals());
    // The two estimates: it was raised by its upper level, or lowered by its lower one.
    const double if_raised = std::abs(move - up);
    const double if_lowered = std::abs(move + down);
    const double better = std::min(if_raised, if_lowered);
    const double guessed = up <= down ? if_raised : if_lowered;
    ++risk.cells;
    const auto inside = [&](double distance) { return distance < std::max(up, down); };
    risk.hit += inside(better) ? 1 : 0;
    risk.hit_one += inside(guessed) ? 1 : 0;
    if (value == 0)
      continue;
    const double distance = percent(better, value);
    risk.min_percent = risk.cells == 1 ? distance : std::min(risk.min_percent, distance);
    sum += distance;
  }
  risk.mean_percent = risk.cells > 0 ? sum / static_cast<double>(risk.cells) : 0;
  return risk;
}

}  // namespace lacuna
