// SPDX-License-Identifier: Apache-2.0
#include "heuristic/fallback.h"

#include <optional>

#include "base/parallel.h"
#include "heuristic/tuning.h"

namespace lacuna::inline heuristic {

void Fallback::make(const Ledger& known, const RunContext& run) {
  for (std::int32_t need = 0; need < static_cast<std::int32_t>(ledger_.needs().size()); ++need) {
    const std::int32_t shape = known.shape_of(need);
    if (shape >= 0 && !ledger_.serve(need)) {
      ledger_.add_shape(known.shape(shape).steps);
      ledger_.serve(need);
    }
  }
  const auto workers = static_cast<std::size_t>(std::max(1, run.threads));
  const auto count = static_cast<std::int32_t>(ledger_.needs().size());
  std::vector<std::int32_t> batch;
  std::vector<std::optional<Steps>> found;
  for (std::int32_t next = 0; next < count;) {
    batch.clear();
    for (; next < count && batch.size() < kTuning.closure.batch; ++next) {
      if (ledger_.shape_of(next) < 0 && !ledger_.serve(next))
        batch.push_back(next);
    }
    found.assign(batch.size(), std::nullopt);
    if (!run.braked())
      share_among(run, workers, batch.size(), [&](std::size_t, std::size_t i) {
        found[i] = closure_.find(ledger_.need(batch[i]));
      });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (ledger_.shape_of(batch[i]) >= 0 || ledger_.serve(batch[i]))
        continue;
      if (found[i])
        ledger_.add_shape(*std::move(found[i]));
      if (!found[i] || !ledger_.serve(batch[i]))
        ++open_;
    }
  }
  for (const CellId cell : ledger_.idle())
    ledger_.open(cell);
}

}  // namespace lacuna::inline heuristic
