// SPDX-License-Identifier: Apache-2.0
#include "protect/small_counts/publish.h"

#include "core/base/index.h"

namespace lacuna::small_counts {
namespace {

Bounds range_of_seen(const Cell* cell, Units x, Units base) {
  if (cell != nullptr && cell->status == CellStatus::kKnown)
    return {x, x};
  if (x == 0)
    return {0, base - 1};
  return x == base ? Bounds{1, base} : Bounds{x, x};
}

class Ranges {
 public:
  Ranges(const Problem& problem,
         const Inner& inner,
         const std::vector<bool>& seen,
         const std::vector<Units>& x,
         Units base)
      : table_(problem.table()), inner_(inner), seen_(seen), x_(x), base_(base) {}

  Units number(CellId cell) const {
    Units sum = 0;
    for (const std::int32_t i : inner_.of(cell))
      sum += x_[base::at(i)];
    return sum;
  }

  Bounds range(CellId cell) const {
    Bounds sum{0, 0};
    Units unseen = 0, parts = 0;
    for (const std::int32_t i : inner_.of(cell)) {
      if (!seen_[base::at(i)]) {
        unseen += x_[base::at(i)];
        ++parts;
        continue;
      }
      const CellId own = inner_.cell[base::at(i)];
      const Bounds part =
          range_of_seen(own.value >= 0 ? &table_.cell(own) : nullptr, x_[base::at(i)], base_);
      sum.lower += part.lower;
      sum.upper += part.upper;
    }
    if (inner_.coupled)  // how many there are in each leaf is nobody's business
      parts = inner_.leaves[base::at(cell)] * inner_.most_parts;
    sum.lower += unseen - (base_ - 1) * (unseen / base_);
    sum.upper += unseen + (base_ - 1) * parts;
    return sum;
  }

 private:
  const Table& table_;
  const Inner& inner_;
  const std::vector<bool>& seen_;
  const std::vector<Units>& x_;
  Units base_;
};

}  // namespace

Draft published(const Problem& problem,
                const Inner& inner,
                const std::vector<bool>& seen,
                const std::vector<Units>& x,
                Units base) {
  Draft draft;
  const Ranges ranges(problem, inner, seen, x, base);
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const CellId cell{c};
    if (problem.table().cell(cell).status == CellStatus::kSecondary) {
      draft.withhold(cell);
      continue;
    }
    const Bounds range = ranges.range(cell);
    if (!range.is_point())
      draft.publish_altered(cell, ranges.number(cell), range);
  }
  return draft;
}

}  // namespace lacuna::small_counts
