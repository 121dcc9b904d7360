// SPDX-License-Identifier: Apache-2.0
// What holds of the lazy dual simplex between two steps (lazy_dual.h). All of it is exact but (3),
// which rounding blurs and which is measured instead.
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/simplex/lazy_dual.h"

namespace lacuna::simplex {

void LazyDual::check_invariants() const {
  check_basis();
  for (std::size_t i = 0; i < items_.size(); ++i)
    check_item(i);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].active >= 0) {
      LACUNA_CHECK(t_.low[r] == -Piecewise::kNever && t_.high[r] == Piecewise::kNever);
    } else if (rows_[r].item < 0) {
      LACUNA_CHECK(t_.low[r] == 0 && t_.high[r] == 0);
    }
  }
  LACUNA_CHECK(ratio_.marked.empty());
  for (const std::int32_t active : scratch_.pending)
    LACUNA_CHECK(active >= 0 && base::at(active) < basis_.size());
}

void LazyDual::check_basis() const {
  const std::size_t size = basis_.size();
  LACUNA_CHECK(basis_.rows.size() == size && basis_.duals.size() == size);
  LACUNA_CHECK(basis_.x.value.size() == size && basis_.inverse.size() == size);
  for (std::size_t b = 0; b < size; ++b) {
    const auto item = base::at(basis_.items[b]);
    LACUNA_CHECK(is_column(item) && base::at(hot_[item].place) == b);
    LACUNA_CHECK(base::at(rows_[base::at(basis_.rows[b])].active) == b);
  }
  const auto basic =
      std::count_if(hot_.begin(), hot_.end(), [](const Hot& hot) { return hot.place >= 0; });
  const auto active =
      std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.active >= 0; });
  LACUNA_CHECK(base::at(basic) == size && base::at(active) == size);
}

void LazyDual::check_item(std::size_t index) const {
  const Item& item = items_[index];
  LACUNA_CHECK(hot_[index].rate == 0 && hot_[index].mark == 0);
  LACUNA_CHECK(item.row < 0 || base::at(rows_[base::at(item.row)].item) == index);
  if (rests(index)) {
    LACUNA_CHECK(item.cost.count == 0 || (item.at_point >= 0 && item.at_point < item.cost.count &&
                                          std::isfinite(item.cost.at(item.at_point))));
    return;
  }
  LACUNA_CHECK(item.piece >= 0 && item.piece <= item.cost.count);
  const Bounded& numbers = item.row >= 0 ? t_ : basis_.x;
  const std::size_t at = base::at(item.row >= 0 ? item.row : hot_[index].place);
  LACUNA_CHECK(numbers.low[at] == item.cost.low(item.piece));
  LACUNA_CHECK(numbers.high[at] == item.cost.high(item.piece));
}

void LazyDual::check_in_debug() const {
#ifndef NDEBUG
  check_invariants();
#endif
}

double LazyDual::dual_infeasibility() const {
  double worst = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const bool at_point = rests(i) && item.cost.count > 0;
    const double least = item.cost.slope_of(at_point ? item.at_point : item.piece);
    const double most = item.cost.slope_of(at_point ? item.at_point + 1 : item.piece);
    if (item.dual_activity < least)
      worst = std::max(worst, (least - item.dual_activity) / std::max(1.0, std::abs(least)));
    if (item.dual_activity > most)
      worst = std::max(worst, (item.dual_activity - most) / std::max(1.0, std::abs(most)));
  }
  return worst;
}

}  // namespace lacuna::simplex
