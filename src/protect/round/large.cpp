// SPDX-License-Identifier: Apache-2.0
#include "protect/round/large.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/work.h"
#include "protect/round/prices.h"
#include "protect/round/repair.h"
#include "protect/round/tuning.h"

namespace lacuna::rounding {
namespace {

std::vector<std::int32_t> cheapest(const System& system, std::span<const double> excess) {
  std::vector<std::int32_t> choice(system.num_cells(), 0);
  for (std::size_t c = 0; c < choice.size(); ++c) {
    const auto first = excess.begin() + static_cast<std::ptrdiff_t>(system.choice_start[c]);
    const auto last = excess.begin() + static_cast<std::ptrdiff_t>(system.choice_start[c + 1]);
    choice[c] = static_cast<std::int32_t>(std::min_element(first, last) - first);
  }
  return choice;
}

pattern::Pattern pattern_of(const pattern::Plan& plan,
                            const System& system,
                            std::span<const std::int32_t> choice) {
  pattern::Pattern pattern;
  pattern.choice.assign(plan.cells.size(), 0);
  pattern.up.assign(plan.cells.size(), 0);
  pattern.down.assign(plan.cells.size(), 0);
  for (std::size_t c = 0; c < choice.size(); ++c)
    pattern.choice[static_cast<std::size_t>(system.cell[c].value)] = choice[c];
  return pattern;
}

// Cheapest under the given excess, repaired; false if the equations could not be met.
bool attempt(const pattern::Plan& plan,
             const System& system,
             std::span<const double> excess,
             std::span<const RepairTry> tries,
             const RunContext& run,
             LargeResult& result) {
  const auto cells = static_cast<std::int64_t>(system.num_cells());
  std::uint64_t seed = run.seed;
  for (const RepairTry& each : tries) {
    if (run.should_stop())
      return false;
    Repair repair(system, excess, {each.penalty, each.growth}, seed++);
    const std::int64_t most = (cells + 1000) * each.flips_per_cell;
    const bool solved = repair.solve(cheapest(system, excess), most, run);
    result.flips += repair.flips();
    if (!solved)
      continue;
    const pattern::Pattern pattern = pattern_of(plan, system, repair.choice());
    LACUNA_CHECK(pattern::adds_up(plan, pattern));
    const double cost = pattern::cost_of(plan, pattern);
    if (!result.complete || cost < result.cost) {
      result.pattern = pattern;
      result.cost = cost;
      result.complete = true;
    }
    return true;
  }
  return false;
}

// Disagreement with the wishes at a price that falls until the cost is within what is allowed.
void agree(const pattern::Plan& plan,
           const System& system,
           const Prices& prices,
           std::span<const std::int32_t> wishes,
           double most,
           const RunContext& run,
           LargeResult& result) {
  for (double price = 1; price > 0.01 && !run.should_stop(); price /= 2) {
    std::vector<double> excess = prices.excess;
    for (std::size_t c = 0; c < system.num_cells(); ++c) {
      const std::int32_t wish = wishes[static_cast<std::size_t>(system.cell[c].value)];
      for (std::size_t s = system.choice_start[c]; wish >= 0 && s < system.choice_start[c + 1];
           ++s) {
        const auto off = static_cast<std::int32_t>(s - system.choice_start[c]) - wish;
        excess[s] += price * system.scale * std::abs(off);
      }
    }
    LargeResult other;
    if (attempt(plan, system, excess, kTuning.repair.tries, run, other) && other.cost <= most) {
      result.pattern = std::move(other.pattern);
      result.cost = other.cost;
      return;
    }
  }
}

}  // namespace

LargeResult round_large(const pattern::Plan& plan,
                        std::span<const std::int32_t> wishes,
                        double wish_cost,
                        const RunContext& run) {
  const System system(plan);
  Ascent ascent(system);
  LargeResult result;
  const Prices first = ascent.quick(run);
  attempt(plan, system, first.excess, std::span(&kTuning.repair.first, 1), run, result);
  const Prices prices = ascent.find(base::share_of_work(run, kTuning.prices.share_of_work));
  result.bound = prices.bound;
  const bool mended = attempt(plan, system, prices.excess, kTuning.repair.tries, run, result);
  if (!result.complete)
    return result;
  if (mended && !wishes.empty())
    agree(plan, system, prices, wishes, result.cost * (1 + wish_cost), run, result);
  result.bound = std::min(result.bound, result.cost);
  return result;
}

}  // namespace lacuna::rounding
