// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/pattern_requirements.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lacuna::suppression_model {
namespace {

constexpr std::int64_t kPartsOfPercent = 1'000'000;

auto key_of(const Requirement& need) {
  return std::tie(need.cell, need.attacker);
}

}  // namespace

Units least_width(const Cell& cell, double minimum_width) {
  if (minimum_width <= 0)
    return 0;
  const auto parts = static_cast<Wide>(std::llround(minimum_width * kPartsOfPercent));
  const Wide size = cell.value < 0 ? -Wide{cell.value} : Wide{cell.value};
  const Wide whole = Wide{100} * kPartsOfPercent;
  const Wide width = (size * parts + whole - 1) / whole;
  return static_cast<Units>(std::clamp<Wide>(width, 1, kMaxUnits));
}

std::vector<PatternRequirement> all_pattern_requirements(const Problem& problem,
                                                         double minimum_width) {
  std::vector<PatternRequirement> requirements;
  for (const Requirement& need : problem.requirements())
    requirements.push_back({need, false});
  if (minimum_width <= 0)
    return requirements;
  const std::vector<bool> always = presolve::always_withheld(problem);
  const std::size_t stated = requirements.size();
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const Cell& cell = problem.table().cell(CellId{c});
    if (!may_be_withheld(cell))
      continue;
    const Requirement width{.cell = CellId{c}, .sliding = least_width(cell, minimum_width)};
    const auto end = requirements.begin() + static_cast<std::ptrdiff_t>(stated);
    const auto same =
        std::lower_bound(requirements.begin(),
                         end,
                         width,
                         [](const PatternRequirement& requirement, const Requirement& wanted) {
                           return key_of(requirement.levels) < key_of(wanted);
                         });
    if (same != end && key_of(same->levels) == key_of(width))
      same->levels.sliding = std::max(same->levels.sliding, width.sliding);
    else
      requirements.push_back({width, !always[static_cast<std::size_t>(c)]});
  }
  std::sort(requirements.begin(),
            requirements.end(),
            [](const PatternRequirement& a, const PatternRequirement& b) {
              return key_of(a.levels) < key_of(b.levels);
            });
  return requirements;
}

Problem problem_of_pattern(const Problem& problem, double minimum_width, const Draft& pattern) {
  ProblemParts parts = problem.parts();
  parts.requirements.clear();
  for (const PatternRequirement& requirement : all_pattern_requirements(problem, minimum_width)) {
    if (!requirement.conditional ||
        pattern.state(requirement.levels.cell) == StatementKind::kWithheld)
      parts.requirements.push_back(requirement.levels);
  }
  return assemble_problem(std::move(parts)).value();  // requirements are of its own cells, in order
}

double withheld_weight(const Table& table, const Draft& draft) {
  double total = 0;
  for (const CellEntry& entry : draft.each()) {
    if (entry.state() == StatementKind::kWithheld)
      total += table.cell(entry.cell).weight;
  }
  return total;
}

}  // namespace lacuna::suppression_model
