// SPDX-License-Identifier: Apache-2.0
#include "heuristic/fallback.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "heuristic/exchange.h"
#include "heuristic/tuning.h"

namespace lacuna::inline heuristic {

// The hasty way finds nearly all; the few others are worth a closer look.
void Fallback::make(const Ledger& known, const RunContext& run) {
  take(known);
  std::vector<std::int32_t> open(ledger_.needs().size());
  std::iota(open.begin(), open.end(), 0);
  for (const Closure::Care care : {Closure::Care::kHasty, Closure::Care::kUsual})
    open = meet(open, care, run);
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
    share_among(run, workers, batch.size(), [&](std::size_t, std::size_t i) {
      if (!run.braked())
        found[i] = closure_.find(ledger_.need(batch[i]), care);
    });
    for (std::size_t i = 0; i < batch.size(); ++i)
      merge(batch[i], std::move(found[i]), open);
  }
  return open;
}

// What is still open is mostly carried by many cells together.
std::vector<std::int32_t> Fallback::meet_by_search(const std::vector<std::int32_t>& needs,
                                                   const RunContext& run) {
  if (needs.empty())
    return needs;
  RunContext unlimited = run;
  unlimited.work_end = kNoWorkLimit;
  Lane lane(ledger_, unlimited, "");
  std::vector<std::int32_t> open;
  for (const std::int32_t need : needs) {
    bool found = ledger_.shape_of(need) >= 0 || ledger_.serve(need);
    for (const std::size_t effort : {Lane::kFirst, Lane::kAlone, Lane::kLast}) {
      if (found || run.braked())
        break;
      found = lane.find(ledger_.need(need), false, std::numeric_limits<double>::infinity(), effort);
      if (found)
        merge(need, lane.router.steps(), open);
    }
    if (!found)
      open.push_back(need);
  }
  return open;
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

}  // namespace lacuna::inline heuristic
