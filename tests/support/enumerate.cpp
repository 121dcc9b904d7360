// SPDX-License-Identifier: Apache-2.0
#include "support/enumerate.h"

#include <algorithm>
#include <bit>

#include "support/oracle.h"

namespace lacuna::testing {
namespace {

PatternEnumeration::Mask bit(std::size_t index) {
  return PatternEnumeration::Mask{1} << index;
}

}  // namespace

PatternEnumeration::PatternEnumeration(const Problem& problem, const SuppressOptions& options)
    : problem_(problem), options_(options) {
  const std::vector<bool> always = presolve::always_withheld(problem);
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (always[static_cast<std::size_t>(c)])
      fixed_.push_back(CellId{c});
    else if (may_be_withheld(problem.table().cell(CellId{c})))
      candidates_.push_back(CellId{c});
  }
  for (const suppression_model::PatternRequirement& requirement :
       suppression_model::all_pattern_requirements(problem, options.minimum_width)) {
    Judged judged{requirement, 0, {}, {}};
    if (requirement.conditional) {
      const auto own = std::find(candidates_.begin(), candidates_.end(), requirement.levels.cell);
      judged.own = bit(static_cast<std::size_t>(own - candidates_.begin()));
    }
    requirements_.push_back(std::move(judged));
  }
}

Draft PatternEnumeration::draft_of(Mask mask) const {
  Draft draft;
  for (const CellId cell : fixed_)
    draft.withhold(cell);
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if ((mask & bit(k)) != 0)
      draft.withhold(candidates_[k]);
  }
  return draft;
}

double PatternEnumeration::cost_of(Mask mask) const {
  double cost = 0;
  for (const CellEntry& entry : draft_of(mask).entries())
    cost += problem_.table().cell(entry.cell).weight;
  return cost;
}

std::int32_t PatternEnumeration::count_withheld(Mask mask) const {
  return static_cast<std::int32_t>(fixed_.size()) + std::popcount(mask);
}

bool PatternEnumeration::attack(const Judged& judged, Mask mask) {
  ++attacked_;
  const Requirement& levels = judged.requirement.levels;
  const Draft draft = draft_of(mask);
  const Attacker& attacker = problem_.attackers()[static_cast<std::size_t>(levels.attacker)];
  return Oracle(problem_.table(), draft, attacker).verdict(levels) == Verdict::kProtected;
}

bool PatternEnumeration::is_met(Judged& judged, Mask mask) {
  if ((judged.own & ~mask) != 0)
    return true;
  for (const Mask part : judged.holds) {
    if ((part & ~mask) == 0)
      return true;
  }
  for (const Mask whole : judged.fails) {
    if ((mask & ~whole) == 0)
      return false;
  }
  const bool holds = attack(judged, mask);
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const bool withheld = (mask & bit(k)) != 0;
    if (withheld == holds && bit(k) != judged.own && attack(judged, mask ^ bit(k)) == holds)
      mask ^= bit(k);
  }
  (holds ? judged.holds : judged.fails).push_back(mask);
  return holds;
}

bool PatternEnumeration::is_safe(Mask mask) {
  if (options_.max_withheld >= 0 && count_withheld(mask) > options_.max_withheld)
    return false;
  return std::all_of(requirements_.begin(), requirements_.end(), [&](Judged& judged) {
    return is_met(judged, mask);
  });
}

std::vector<PatternEnumeration::Mask> PatternEnumeration::safe_patterns() {
  std::vector<Mask> safe;
  for (Mask mask = 0; mask < bit(candidates_.size()); ++mask) {
    if (is_safe(mask))
      safe.push_back(mask);
  }
  return safe;
}

std::optional<PatternEnumeration::Mask> PatternEnumeration::cheapest() {
  std::vector<std::pair<double, Mask>> order;
  for (Mask mask = 0; mask < bit(candidates_.size()); ++mask)
    order.emplace_back(cost_of(mask), mask);
  std::sort(order.begin(), order.end());
  for (const auto& [cost, mask] : order) {
    if (is_safe(mask))
      return mask;
  }
  return std::nullopt;
}

std::int32_t PatternEnumeration::fewest_withheld() {
  std::int32_t fewest = -1;
  for (Mask mask = 0; mask < bit(candidates_.size()); ++mask) {
    if ((fewest < 0 || count_withheld(mask) < fewest) && is_safe(mask))
      fewest = count_withheld(mask);
  }
  return fewest;
}

}  // namespace lacuna::testing
