// SPDX-License-Identifier: Apache-2.0
#include "core/draft/deviation.h"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.h"

namespace lacuna::draft {

Deviation deviation(const Table& table, const Draft& draft) {
  Deviation found;
  double total = 0, sum_true = 0, sum_shown = 0;
  std::vector<std::pair<double, double>> numbers;  // roots of truth and shown
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto entry = draft.find(CellId{c});
    const Units truth = table.value(CellId{c});
    const std::optional<Units> number = entry == nullptr ? truth : entry->number();
    if (!number)
      continue;
    const Units shown = *number;
    const double off = std::abs(base::units_to_double(shown, table.decimals()) -
                                base::units_to_double(truth, table.decimals()));
    ++found.numbers;
    found.changed += shown == truth ? 0 : 1;
    found.largest = std::max(found.largest, off);
    total += off;
    if (truth < 0 || shown < 0)
      continue;
    sum_true += static_cast<double>(truth);
    sum_shown += static_cast<double>(shown);
    numbers.emplace_back(std::sqrt(static_cast<double>(truth)),
                         std::sqrt(static_cast<double>(shown)));
  }
  found.mean = found.numbers > 0 ? total / static_cast<double>(found.numbers) : 0;
  if (sum_true > 0 && sum_shown > 0) {
    double squares = 0;
    for (const auto& [truth, shown] : numbers) {
      const double off = truth / std::sqrt(sum_true) - shown / std::sqrt(sum_shown);
      squares += off * off;
    }
    found.hellinger = std::sqrt(squares / 2);
  }
  return found;
}

std::vector<std::pair<std::string, double>> deviation_details(const Deviation& deviation) {
  return {{"changed", static_cast<double>(deviation.changed)},
          {"max_deviation", deviation.largest},
          {"mean_deviation", deviation.mean},
          {"hellinger", deviation.hellinger}};
}

}  // namespace lacuna::draft
