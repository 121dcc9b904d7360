// SPDX-License-Identifier: Apache-2.0
#include "protect/start/fallback.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/base/parallel.h"
#include "protect/start/exchange.h"
#include "protect/start/first_pass.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

// The hasty way finds nearly all; the few others are worth a closer look. Where it does not, cells
// are tied so closely that a closer look would not find more.
void Fallback::make(const Ledger& known, const RunContext& run) {
  take(known);
  std::vector<std::int32_t> open(ledger_.needs().size());
  std::iota(open.begin(), open.end(), 0);
  open = meet(open, Closure::Care::kHasty, run);
  if (open.size() * kTuning.closure.few < ledger_.needs().size())
    open = meet(open, Closure::Care::kUsual, run);
  open_ = meet_by_search(open, run).size();
  for (const CellId cell : ledger_.idle())
    ledger_.open(cell);
}

void Fallback::take(const Ledger& known) {
  for (std::int32_t need = 0; need < static_cast<std::int32_t>(ledger_.needs().size()); ++need) {
    const std::int32_t shape = known.shape_of(need);
    if (shape < 0 || ledger_.serve(need))
      continue;
    ledger_.add_shape(known.shape(shape).steps);
    ledger_.serve(need);
  }
}

std::vector<std::int32_t> Fallback::meet(const std::vector<std::int32_t>& needs,
                                         Closure::Care care,
                                         const RunContext& run) {
  const auto workers = static_cast<std::size_t>(std::max(1, run.threads));
  std::vector<std::int32_t> batch;
  std::vector<std::int32_t> open;
  std::vector<std::optional<Steps>> found;
  for (std::size_t next = 0; next < needs.size();) {
    batch.clear();
    for (; next < needs.size() && batch.size() < kTuning.closure.batch; ++next) {
      if (ledger_.shape_of(needs[next]) < 0 && !ledger_.serve(needs[next]))
        batch.push_back(needs[next]);
    }
    found.assign(batch.size(), std::nullopt);
    base::share_among(run, workers, batch.size(), [&](std::size_t, std::size_t i) {
      if (!run.braked())
        found[i] = closure_.find(ledger_.need(batch[i]), care);
    });
    for (std::size_t i = 0; i < batch.size(); ++i)
      merge(batch[i], std::move(found[i]), open);
  }
  return open;
}

// A share of the work that is left, and some in any case: there should be a pattern.
RunContext Fallback::with_work_for_searches(const RunContext& run) {
  RunContext unlimited = run;
  unlimited.work_end = kNoWorkLimit;
  const std::int64_t left = run.work_left();
  const std::int64_t share = left == kNoWorkLimit ? 0 : left / kTuning.closure.search_share;
  return with_work(unlimited, std::max(share, kTuning.closure.least_search));
}

// What is still open is mostly carried by many cells together: short searches, then attacker LPs
// over all that may be withheld.
std::vector<std::int32_t> Fallback::meet_by_search(const std::vector<std::int32_t>& needs,
                                                   const RunContext& run) {
  if (needs.empty())
    return needs;
  const RunContext limited = with_work_for_searches(run);
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < std::max(1, run.threads); ++i)
    lanes.push_back(std::make_unique<Lane>(ledger_, limited, engine_));
  FirstPass sure(board_, ledger_, lanes, engine_, limited, limited);
  std::vector<std::int32_t> open = needs;
  for (const std::size_t effort : {Lane::kFirst, Lane::kAlone}) {
    if (!open.empty())
      open = sure.meet(open, effort, false);
  }
  const bool is_small = board_.table().num_cells() <= kTuning.closure.cells_for_lps;
  return open.empty() || !is_small ? open : sure.meet_by_lp(open);
}

void Fallback::merge(std::int32_t need,
                     std::optional<Steps> route,
                     std::vector<std::int32_t>& open) {
  if (ledger_.shape_of(need) >= 0 || ledger_.serve(need))
    return;
  if (route)
    ledger_.add_shape(*std::move(route));
  if (!route || !ledger_.serve(need))
    open.push_back(need);
}

}  // namespace lacuna::start
