// SPDX-License-Identifier: Apache-2.0
#include "protect/start/circuits.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

bool balances(const Table& table, const Route& steps) {
  std::unordered_map<std::int32_t, Wide> sums;
  for (const RouteStep& step : steps) {
    for (const Incidence& incidence : table.equations_of(step.cell))
      sums[incidence.equation.value] += Wide{step.move} * incidence.coefficient;
  }
  return std::all_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second == 0; });
}

// Nonbasic cells whose circuits move the cell, the shortest first.
std::vector<std::int32_t> ways_through(const presolve::KernelTableau& tableau, std::int32_t cell) {
  if (!tableau.is_basic(cell))
    return {cell};
  std::vector<std::int32_t> ways;
  for (const presolve::KernelTableau::Entry& entry : tableau.row(cell))
    ways.push_back(entry.cell);
  std::stable_sort(ways.begin(), ways.end(), [&](std::int32_t a, std::int32_t b) {
    return tableau.column_size(a) < tableau.column_size(b);
  });
  ways.resize(std::min(ways.size(), kTuning.series.circuits_tried));
  return ways;
}

}  // namespace

std::optional<SmallFraction> small_fraction(std::uint32_t value) {
  constexpr std::int64_t kSmall = 1 << 15;
  std::int64_t r0 = presolve::residue::kPrime;
  std::int64_t r1 = value;
  std::int64_t t0 = 0;
  std::int64_t t1 = 1;
  while (r1 >= kSmall) {
    const std::int64_t quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    t0 = std::exchange(t1, t0 - quotient * t1);
  }
  if (t1 >= kSmall || t1 <= -kSmall)
    return std::nullopt;
  return t1 < 0 ? SmallFraction{-r1, -t1} : SmallFraction{r1, t1};
}

std::optional<Route> steps_of_circuit(const Table& table,
                                      const presolve::KernelTableau& tableau,
                                      std::int32_t nonbasic) {
  constexpr std::int64_t kLargest = 1 << 20;
  std::vector<std::pair<std::int32_t, SmallFraction>> moves{{nonbasic, {1, 1}}};
  std::int64_t common = 1;
  bool small = true;
  tableau.for_column(nonbasic, [&](std::int32_t cell, presolve::KernelTableau::Residue factor) {
    const auto fraction = small_fraction(factor);
    small = small && fraction && common <= kLargest;
    if (!small)
      return;
    common = std::lcm(common, fraction->below);
    moves.emplace_back(cell, *fraction);
  });
  if (!small || common > kLargest)
    return std::nullopt;
  Route steps;
  for (const auto& [cell, fraction] : moves)
    steps.push_back({CellId{cell}, fraction.above * (common / fraction.below)});
  std::sort(steps.begin(), steps.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  if (!balances(table, steps))
    return std::nullopt;
  return steps;
}

Circuits find_circuits(const PatternState& pattern_state,
                       const presolve::KernelTableau& tableau,
                       const std::vector<RouteGoal>& goals) {
  Circuits result;
  constexpr std::int32_t kUnknown = -1, kWild = -2;
  std::vector<std::int32_t> place(static_cast<std::size_t>(pattern_state.table().num_cells()),
                                  kUnknown);
  const auto serves = [&](std::int32_t way, const RouteGoal& goal) {
    std::int32_t& at = place[static_cast<std::size_t>(way)];
    if (at == kUnknown) {
      auto steps = steps_of_circuit(pattern_state.table(), tableau, way);
      at = steps ? static_cast<std::int32_t>(result.steps.size()) : kWild;
      if (steps)
        result.steps.push_back(*std::move(steps));
    }
    return at != kWild && fits(pattern_state, result.steps[static_cast<std::size_t>(at)], goal);
  };
  for (const RouteGoal& goal : goals) {
    const std::vector<std::int32_t> ways = ways_through(tableau, goal.cell.value);
    const bool served =
        std::any_of(ways.begin(), ways.end(), [&](std::int32_t way) { return serves(way, goal); });
    result.unserved += served ? 0 : 1;
  }
  std::stable_sort(result.steps.begin(), result.steps.end(), [](const Route& a, const Route& b) {
    return a.size() > b.size();
  });
  return result;
}

}  // namespace lacuna::start
