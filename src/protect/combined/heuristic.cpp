// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/heuristic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "protect/interval/cutting_planes.h"

namespace lacuna::combined {
namespace {

constexpr std::int32_t kSlopeRounds = 10;
constexpr double kNegligible = 1.0 / 65536;  // of a level: no width to spread a price over
constexpr double kRoughGap = 1.0 / 256;      // of the interval problems on the way

double width(const std::vector<double>& z, std::size_t cell) {
  return z[2 * cell] + z[2 * cell + 1];
}

double typical_level(const interval::Model& model) {
  double sum = 0;
  std::int64_t count = 0;
  for (const interval::Goal& goal : model.goals) {
    if (goal.requirement < 0)
      continue;
    sum += std::max(goal.upper + goal.lower, goal.sliding);
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

}  // namespace

std::vector<double> Heuristic::solve(const std::vector<double>& slope,
                                     const std::vector<bool>& allowed,
                                     double relative_gap,
                                     const RunContext& run) const {
  IntervalOptions options = widths_;
  for (std::size_t c = 0; c < slope.size(); ++c) {
    const double per_width = slope[c] / model_.price_unit;
    options.weight_up[c] += per_width;
    options.weight_down[c] += per_width;
    const bool primary = model_.problem->table.cells()[c].status == CellStatus::kPrimary;
    if (allowed[c] || primary)
      options.allowed.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  const auto priced = interval::make_model(*model_.problem, options, true);
  if (!priced)
    return {};
  interval::LoopOptions loop;
  loop.relative_gap = relative_gap;
  const auto planes = interval::CuttingPlanes::make(*priced, loop, options.engine, threads_);
  if (!planes)
    return {};
  interval::LoopResult found = planes.value()->run(run);
  if (found.witnesses.empty() && !priced->goals.empty())
    return {};
  std::vector<double> z = std::move(found.safe.z);
  // With fewer cells allowed a sensitive cell may not move at all, but needs its unit all the same.
  for (std::size_t e = 0; e < z.size(); ++e)
    z[e] = std::max(z[e], model_.least[e]);
  return z;
}

double Heuristic::cost(const std::vector<double>& z) const {
  double total = model_.cost(z);
  for (std::size_t c = 0; c < prices_.fixed.size(); ++c) {
    const bool primary = model_.problem->table.cells()[c].status == CellStatus::kPrimary;
    if (prices_.choice[c] && (primary || width(z, c) > 0))
      total += prices_.fixed[c];
  }
  return total;
}

std::vector<bool> Heuristic::open_cells(const std::vector<double>& z) const {
  std::vector<bool> open(prices_.fixed.size(), false);
  for (std::size_t c = 0; c < open.size(); ++c)
    open[c] = prices_.choice[c] && width(z, c) > 0;
  return open;
}

std::vector<double> Heuristic::slopes(const std::vector<double>& z, double width_if_closed) const {
  std::vector<double> slope(prices_.fixed.size(), 0);
  for (std::size_t c = 0; c < slope.size(); ++c) {
    const bool primary = model_.problem->table.cells()[c].status == CellStatus::kPrimary;
    if (prices_.choice[c] && !primary) {
      const double wide = z.empty() ? 0 : width(z, c);
      slope[c] = prices_.fixed[c] / (wide > kNegligible * width_if_closed ? wide : width_if_closed);
    }
  }
  return slope;
}

std::vector<double> Heuristic::scale_slopes(const std::vector<double>& start,
                                            const std::vector<bool>& allowed,
                                            const RunContext& run) const {
  const double typical = typical_level(model_);
  std::vector<double> best;
  std::vector<double> slope = slopes(start, typical);
  std::vector<bool> last;
  for (std::int32_t round = 0; round < kSlopeRounds && !run.should_stop(); ++round) {
    std::vector<double> z = solve(slope, allowed, kRoughGap, run);
    if (z.empty())
      break;
    const std::vector<bool> open = open_cells(z);
    const std::vector<double> next = slopes(z, typical);
    for (std::size_t c = 0; c < slope.size(); ++c) {
      if (open[c])
        slope[c] = next[c];
    }
    if (best.empty() || cost(z) < cost(best))
      best = std::move(z);
    if (open == last)
      break;
    last = open;
  }
  return best;
}

std::vector<double> Heuristic::close_intervals(std::vector<double> z, const RunContext& run) const {
  // What is open is paid for: only width counts among these cells.
  const std::vector<double> none(prices_.fixed.size(), 0);
  const auto improve = [&](const std::vector<bool>& open, const std::vector<double>& slope) {
    std::vector<double> other = solve(slope, open, 0, run);
    const bool better = !other.empty() && cost(other) < cost(z);
    if (better)
      z = std::move(other);
    return better;
  };
  improve(open_cells(z), none);
  std::vector<std::size_t> order(prices_.fixed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return prices_.fixed[a] > prices_.fixed[b];
  });
  for (const std::size_t c : order) {
    if (run.should_stop() || prices_.fixed[c] == 0)
      break;
    const bool primary = model_.problem->table.cells()[c].status == CellStatus::kPrimary;
    std::vector<bool> open = open_cells(z);
    if (primary || !open[c])
      continue;
    open[c] = false;
    improve(open, slopes(z, typical_level(model_)));
  }
  improve(open_cells(z), none);
  return z;
}

}  // namespace lacuna::combined
