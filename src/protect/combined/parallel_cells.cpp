// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/parallel_cells.h"

#include <utility>

#include "core/base/index.h"

namespace lacuna::combined {

std::optional<ParallelCells> ParallelCells::make(const Problem& problem,
                                                 const CombinedOptions& options,
                                                 const IntervalOptions& widths,
                                                 const RunContext& run) {
  if (options.interval_width > 0 || options.interval_level > 0)
    return std::nullopt;
  auto classes = interval::ParallelIntervals::make(problem, widths, run);
  if (!classes)
    return std::nullopt;
  return ParallelCells(*std::move(classes), problem, options);
}

ParallelCells::ParallelCells(interval::ParallelIntervals classes,
                             const Problem& given,
                             const CombinedOptions& options)
    : classes_(std::move(classes)), options_(options) {
  const auto count = static_cast<std::size_t>(problem_ptr()->table().num_cells());
  options_.interval_digits = 0;
  options_.weight_up = classes_.options().weight_up;
  options_.weight_down = classes_.options().weight_down;
  options_.fixed.assign(count, 0);
  intervals_.assign(count, 0);
  for (std::size_t c = 0; c < given.table().cells().size(); ++c) {
    const Cell& own = given.table().cells()[c];
    const std::int32_t index = classes_.merged().class_of(CellId{static_cast<std::int32_t>(c)});
    if (index < 0 || own.status == CellStatus::kSecondary)
      continue;
    options_.fixed[base::at(index)] += options.fixed.empty() ? own.weight : options.fixed[c];
    ++intervals_[base::at(index)];
  }
}

}  // namespace lacuna::combined
