// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/report/outsider_ends.h"
#include "core/base/rational.h"
#include "lacuna/report.h"

namespace lacuna {
namespace {

// The deviation of the middle of what can be inferred from the value, in units; the ends are exact.
std::optional<double> off_middle(const report::Ends& range) {
  if (range.low->unbounded || range.high->unbounded)
    return std::nullopt;
  const Fraction difference = range.high->reached - range.low->reached;
  return std::abs(difference.to_double()) / 2;
}

// The level that an adjusted number had to keep away from the truth, on the side where it is.
Units adjusted_level(const Question& need, bool up) {
  const Units half = need.half_sliding();
  return std::max(up ? need.upper : need.lower, half);
}

}  // namespace

Utility release_utility(const Problem& problem, const Draft& draft, const AuditReport& report) {
  constexpr double kPercent = 100;
  const std::map<CellId, report::Ends> ranges = report::outsider_ends(report);
  Utility utility;
  double sum = 0;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const CellId id{c};
    const Cell& cell = problem.table().cell(id);
    if (cell.value == 0)
      continue;
    const auto entry = draft.find(id);
    std::optional<double> off = 0.0;
    if (entry != nullptr && entry->number()) {
      off = std::abs(static_cast<double>(Wide{*entry->number()} - cell.value));
    } else if (entry != nullptr) {
      const auto at = ranges.find(id);
      const bool known = at != ranges.end() && at->second.exact();
      utility.not_computed += known ? 0 : 1;
      off = known ? off_middle(at->second) : std::nullopt;
    }
    if (!off) {
      ++utility.without;
      continue;
    }
    const double percent = kPercent * *off / std::abs(static_cast<double>(cell.value));
    ++utility.cells;
    utility.changed += percent > 0 ? 1 : 0;
    utility.max_percent = std::max(utility.max_percent, percent);
    sum += percent;
  }
  if (utility.cells > 0)
    utility.mean_percent = sum / static_cast<double>(utility.cells);
  return utility;
}

FigureState Utility::state() const {
  if (not_computed > 0)
    return FigureState::kNotComputed;
  return cells > 0 ? FigureState::kComputed : FigureState::kNotAsked;
}

FigureState Risk::state() const {
  if (requirements == unbounded)
    return FigureState::kNotAsked;
  return not_computed > 0 ? FigureState::kBounded : FigureState::kComputed;
}

Units required_width(const Question& requirement) {
  return std::max(requirement.lower + requirement.upper, requirement.sliding);
}

ShownWidth shown_width(const Finding& finding) {
  if (finding.low.unbounded || finding.high.unbounded)
    return {true, 0};
  const Fraction width = finding.low.reached + finding.high.reached;
  return {false, width.to_double()};
}

Risk release_risk(const Problem&, const Draft& draft, const AuditReport& report) {
  Risk risk;
  double sum = 0;
  std::int64_t bounded = 0;
  for (const Finding& finding : report.of(Domain::kRational)) {
    const Question& need = finding.question;
    const bool up = finding.high.reached > 0;
    const Units asked = draft.adjusted() ? adjusted_level(need, up) : required_width(need);
    if (asked <= 0)
      continue;
    ++risk.requirements;
    const ShownWidth shown = shown_width(finding);
    if (shown.unbounded) {
      ++risk.unbounded;
      continue;
    }
    const bool exact = draft.adjusted() || (finding.low.exact() && finding.high.exact());
    risk.not_computed += exact ? 0 : 1;
    const Fraction width = finding.low.reached + finding.high.reached;
    risk.tight += exact && width == base::to_integer(asked) ? 1 : 0;
    const double ratio = shown.units / static_cast<double>(asked);
    risk.least_ratio = bounded == 0 ? ratio : std::min(risk.least_ratio, ratio);
    sum += ratio;
    ++bounded;
  }
  if (bounded > 0)
    risk.mean_ratio = sum / static_cast<double>(bounded);
  return risk;
}

}  // namespace lacuna
