// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/part_list.h"

#include <algorithm>
#include <utility>

#include "judge/presolve/merged.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

PartList::PartList(const Problem& problem, Outside outside, bool one_part)
    : outside_(std::move(outside)),
      always_(presolve::always_withheld(problem)),
      parts_(suppression_model::parts_with_needs(problem)),
      settled_weight_(outside_.weight),
      settled_cells_(outside_.cells) {
  if (one_part && parts_.size() > 1) {
    std::vector<CellId> all;
    for (const auto& part : parts_)
      all.insert(all.end(), part.begin(), part.end());
    std::sort(all.begin(), all.end());
    parts_.assign(1, std::move(all));
  }
  std::vector<bool> in_part(always_.size(), false);
  for (const auto& part : parts_) {
    for (const CellId cell : part)
      in_part[static_cast<std::size_t>(cell.value)] = true;
  }
  for (std::size_t c = 0; c < always_.size(); ++c) {
    if (!always_[c] || in_part[c])
      continue;
    settled_weight_ += problem.table().cells()[c].weight;
    settled_cells_ += size_of(CellId{static_cast<std::int32_t>(c)});
  }
}

bool PartList::are_small() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const std::vector<CellId>& part) {
    return part.size() <= kTuning.start.quick_cells;
  });
}

std::int64_t PartList::size_of(const std::vector<CellId>& cells) const {
  std::int64_t size = 0;
  for (const CellId cell : cells)
    size += size_of(cell);
  return size;
}

}  // namespace lacuna::suppression
