// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/heuristic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "protect/combined/tuning.h"
#include "protect/interval/find_slacks.h"

namespace lacuna::combined {
namespace {

double width(const std::vector<double>& z, std::size_t cell) {
  return z[2 * cell] + z[2 * cell + 1];
}

double typical_level(const interval::Model& model) {
  double sum = 0;
  std::int64_t count = 0;
  for (const interval::Need& need : model.needs) {
    if (need.requirement < 0)
      continue;
    sum += std::max(need.upper + need.lower, need.sliding);
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

}  // namespace

Intervals Heuristic::solve(const std::vector<double>& slope,
                           const std::vector<bool>& allowed,
                           double gap,
                           const RunContext& run) {
  IntervalOptions options = widths_;
  for (std::size_t c = 0; c < slope.size(); ++c) {
    const double per_width = slope[c] / model_.price_unit;
    options.weight_up[c] += per_width;
    options.weight_down[c] += per_width;
    const bool primary = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
    if (allowed[c] || primary)
      options.allowed.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  const auto priced = interval::make_model(*model_.problem, options, true);
  if (!priced)
    return {};
  interval::CheapestSlacksOptions asked;
  asked.gap = gap;
  asked.keep_cuts = allowed == allowed_;
  asked.engine = options.engine;
  asked.threads = threads_;
  auto found = interval::find_cheapest_slacks(*priced, asked, run);
  if (!found)
    return {};
  std::move(found->cuts.begin(), found->cuts.end(), std::back_inserter(cuts_));
  Intervals result;
  result.bound = found->why == StopReason::kInfeasible ? kLpInfinity : found->bound;
  std::vector<double>& z = result.z;
  z = std::move(found->z);
  // With fewer cells allowed a sensitive cell may not move at all, but needs its unit all the same.
  for (std::size_t e = 0; e < z.size(); ++e)
    z[e] = std::max(z[e], model_.least[e]);
  return result;
}

Intervals Heuristic::solve_widths(const std::vector<bool>& allowed,
                                  double gap,
                                  const RunContext& run) {
  return solve(std::vector<double>(prices_.fixed.size(), 0), allowed, gap, run);
}

std::vector<double> Heuristic::width_prices(const std::vector<double>& z) const {
  const Table& table = model_.problem->table();
  const double typical = typical_level(model_);
  std::vector<double> level(prices_.fixed.size(), 0);
  std::vector<double> count(prices_.fixed.size(), 0);
  for (const interval::Need& need : model_.needs) {
    if (need.requirement < 0)
      continue;
    for (const Incidence& in : table.equations_of(CellId{need.cell})) {
      for (const Term& term : table.equation(in.equation)) {
        level[static_cast<std::size_t>(term.cell.value)] +=
            std::max(need.upper + need.lower, need.sliding);
        count[static_cast<std::size_t>(term.cell.value)] += 1;
      }
    }
  }
  std::vector<double> price(prices_.fixed.size(), 0);
  for (std::size_t c = 0; c < price.size(); ++c) {
    if (!prices_.choice[c])
      continue;
    const double up = model_.weight[2 * c] * model_.price_unit;
    const double down = model_.weight[2 * c + 1] * model_.price_unit;
    if (!z.empty() && width(z, c) > 0)
      price[c] = up * z[2 * c] + down * z[2 * c + 1];
    else
      price[c] = (up + down) / 2 * (count[c] > 0 ? level[c] / count[c] : typical);
  }
  return price;
}

double Heuristic::cost(const std::vector<double>& z) const {
  double total = model_.cost(z);
  for (std::size_t c = 0; c < prices_.fixed.size(); ++c) {
    const bool primary = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
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
    const bool primary = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
    if (prices_.choice[c] && !primary) {
      const double wide = z.empty() ? 0 : width(z, c);
      slope[c] = prices_.fixed[c] /
                 (wide > kTuning.heuristic.negligible * width_if_closed ? wide : width_if_closed);
    }
  }
  return slope;
}

std::vector<double> Heuristic::scale_slopes(const std::vector<double>& start,
                                            const std::vector<bool>& allowed,
                                            const RunContext& run) {
  const double typical = typical_level(model_);
  std::vector<double> best;
  std::vector<double> slope = slopes(start, typical);
  std::vector<bool> last;
  for (std::int32_t round = 0; round < kTuning.heuristic.slope_rounds && !run.should_stop();
       ++round) {
    std::vector<double> z = solve(slope, allowed, kTuning.heuristic.rough_gap, run).z;
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

std::vector<double> Heuristic::close_intervals(std::vector<double> z, const RunContext& run) {
  // What is open is paid for: only width counts among these cells.
  const std::vector<double> none(prices_.fixed.size(), 0);
  const auto improve = [&](const std::vector<bool>& open, const std::vector<double>& slope) {
    std::vector<double> other = solve(slope, open, 0, run).z;
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
  std::int32_t vain = 0;
  for (const std::size_t c : order) {
    if (run.should_stop() || prices_.fixed[c] == 0 || vain >= kTuning.heuristic.vain_tries)
      break;
    const bool primary = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
    std::vector<bool> open = open_cells(z);
    if (primary || !open[c])
      continue;
    open[c] = false;
    vain = improve(open, slopes(z, typical_level(model_))) ? 0 : vain + 1;
  }
  improve(open_cells(z), none);
  return z;
}

}  // namespace lacuna::combined
