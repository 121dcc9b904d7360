// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/start.h"

#include <algorithm>
#include <cmath>

#include "core/base/work.h"
#include "protect/combined/tuning.h"

namespace lacuna::combined {

Start::Start(const interval::Model& model,
             const Prices& prices,
             double gap,
             bool unlimited,
             const std::string& engine,
             Heuristic& heuristic)
    : model_(model),
      prices_(prices),
      relative_gap_(gap),
      unlimited_(unlimited),
      engine_(engine),
      heuristic_(heuristic) {
  for (std::size_t c = 0; c < prices.fixed.size(); ++c) {
    const bool primary = model.problem->table().cells()[c].status == CellStatus::kPrimary;
    outside_ += prices.choice[c] ? 0 : prices.fixed[c];
    result_.fixed += primary ? prices.fixed[c] : 0;
  }
  result_.allowed = prices.choice;
}

double Start::gap() const {
  return std::max(kTuning.start.part_gap * relative_gap_, kTuning.start.finest_gap);
}

RunContext Start::part_of_work(const RunContext& run) {
  return base::share_of_work(run, kTuning.start.work_share);
}

bool Start::closed() const {
  const double gap = std::max(relative_gap_, kTuning.rounding);
  return std::isfinite(result_.cost) && result_.bound >= result_.cost * (1 - gap);
}

void Start::offer(std::vector<double> z) {
  if (z.empty())
    return;
  const double cost = heuristic_.cost(z) + outside_;
  if (!result_.z.empty() && cost >= heuristic_.cost(result_.z) + outside_)
    return;
  result_.z = std::move(z);
  if (unlimited_)
    result_.cost = cost;
}

// W over the cells that are left; false if nothing better than what is known is.
bool Start::solve_widths(const RunContext& run) {
  Intervals widths = heuristic_.solve_widths(result_.allowed, gap(), part_of_work(run));
  if (std::isinf(widths.bound)) {
    if (std::isfinite(result_.cost))
      result_.bound = result_.cost;
    return false;
  }
  widths_ = std::max(widths_, widths.bound);
  result_.bound = std::max(result_.bound, widths_ + result_.fixed);
  offer(std::move(widths.z));
  return true;
}

void Start::try_pattern(const Pattern& pattern, const RunContext& run) {
  if (!pattern.published_as_interval.empty())
    offer(heuristic_.solve_widths(pattern.published_as_interval, gap(), part_of_work(run)).z);
}

void Start::improve_patterns(const RunContext& run) {
  std::vector<double> price = heuristic_.width_prices({});
  for (int round = 0; round < kTuning.start.pattern_rounds && !closed() && !run.should_stop();
       ++round) {
    std::vector<double> weight = prices_.fixed;
    for (std::size_t c = 0; c < weight.size(); ++c)
      weight[c] += price[c];
    const Pattern pattern = cheapest_pattern(
        *model_.problem, weight, kTuning.start.finest_gap, engine_, part_of_work(run));
    if (pattern.published_as_interval.empty())
      return;
    std::vector<double> z =
        heuristic_.solve_widths(pattern.published_as_interval, gap(), part_of_work(run)).z;
    if (z.empty())
      return;
    const std::vector<double> paid = heuristic_.width_prices(z);
    for (std::size_t c = 0; c < price.size(); ++c) {
      if (z[2 * c] + z[2 * c + 1] > 0)
        price[c] = (price[c] + paid[c]) / 2;
    }
    offer(std::move(z));
  }
}

// True if that was worth it.
bool Start::close_cells(const RunContext& run) {
  PatternCuts cuts(*model_.problem, prices_.fixed, result_.allowed, engine_);
  const std::vector<double> fixed = cuts.cost_if_open(part_of_work(run));
  std::size_t open = 0;
  std::size_t closed = 0;
  for (std::size_t c = 0; c < fixed.size(); ++c) {
    const bool sensitive = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
    if (!result_.allowed[c] || sensitive || result_.z[2 * c] + result_.z[2 * c + 1] > 0)
      continue;
    ++open;
    if (fixed[c] + widths_ >= result_.cost * (1 + kTuning.rounding)) {
      result_.allowed[c] = false;
      ++closed;
    }
  }
  heuristic_.set_allowed(result_.allowed);
  return static_cast<double>(closed) > kTuning.start.worth * static_cast<double>(open);
}

void Start::work(const RunContext& run) {
  if (!solve_widths(run) || closed())
    return;
  const Pattern pattern = cheapest_pattern(
      *model_.problem, prices_.fixed, kTuning.start.finest_gap, engine_, part_of_work(run));
  result_.fixed = std::max(result_.fixed, pattern.bound);
  result_.bound = std::max(result_.bound, widths_ + result_.fixed);
  try_pattern(pattern, run);
  improve_patterns(run);
  while (!closed() && !run.should_stop() && std::isfinite(result_.cost) && close_cells(run)) {
    if (!solve_widths(run))
      break;
  }
}

Started Start::run(std::vector<double> slacks, const RunContext& run) {
  offer(std::move(slacks));
  work(run);
  result_.is_closed = closed();
  return std::move(result_);
}

}  // namespace lacuna::combined
