// SPDX-License-Identifier: Apache-2.0
// What the lazy dual simplex has touched, and the values, multipliers and dual activities that
// follow from a basis.
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "core/simplex/lazy_dual.h"

namespace lacuna::simplex {
void LazyDual::attach(LazySource& source, LazyPlaces& places) {
  source_ = &source;
  places_ = &places;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].row < 0)
      places.column[base::at(items_[i].id)] = static_cast<std::int32_t>(i);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r)
    places.row[base::at(rows_[r].id)] = static_cast<std::int32_t>(r);
}

void LazyDual::detach() {
  for (const Item& item : items_) {
    if (item.row < 0)
      places_->column[base::at(item.id)] = -1;
  }
  for (const Row& row : rows_)
    places_->row[base::at(row.id)] = -1;
  source_ = nullptr;
  places_ = nullptr;
}

void LazyDual::clear() {
  if (places_ != nullptr) {
    LazySource* source = source_;
    LazyPlaces* places = places_;
    detach();
    source_ = source;
    places_ = places;
  }
  for (Row& row : rows_) {
    row.entries.clear();
    kept_.push_back(std::move(row.entries));
  }
  items_.clear();
  hot_.clear();
  rows_.clear();
  lists_used_ = 0;
  row_value_.clear();
  row_low_.clear();
  row_high_.clear();
  costly_rows_ = incomplete_rows_ = 0;
  basis_.clear();
  active_.clear();
  values_.clear();
  basic_low_.clear();
  basic_high_.clear();
  duals_.clear();
  inverse_.clear();
  changes_ = since_fresh_ = 0;
  objective_ = 0;
  marked_.clear();
  candidate_.clear();
  pending_.clear();
  ray_.clear();
}

void LazyDual::free_memory() {
  const std::int64_t steps = steps_;
  *this = LazyDual();
  steps_ = steps;
}

std::size_t LazyDual::memory() const {
  std::size_t bytes = inverse_.memory() + items_.size() * (sizeof(Item) + sizeof(Hot));
  for (const Row& row : rows_)
    bytes += sizeof(Row) + row.entries.size() * sizeof(LazyEntry);
  return bytes;
}

std::int32_t LazyDual::add_item(const Piecewise& cost, std::int32_t id, std::int32_t row) {
  const auto place = static_cast<std::int32_t>(items_.size());
  Item& item = items_.emplace_back();
  item.cost = cost;
  item.id = id;
  item.row = row;
  item.at_point = item.piece = cost.start;
  hot_.emplace_back();
  return place;
}

std::int32_t LazyDual::touch_row(std::int32_t row) {
  std::int32_t& place = places_->row[base::at(row)];
  if (place >= 0)
    return place;
  place = static_cast<std::int32_t>(rows_.size());
  Row& made = rows_.emplace_back();
  made.id = row;
  if (!kept_.empty()) {
    made.entries = std::move(kept_.back());
    kept_.pop_back();
  }
  row_value_.push_back(0);
  row_low_.push_back(0);
  row_high_.push_back(0);
  Piecewise cost;
  if (source_->row_cost(row, cost)) {
    ++costly_rows_;
    made.item = add_item(cost, -1, place);
    set_piece(made.item);
  }
  return place;
}

std::int32_t LazyDual::touch_column(std::int32_t column) {
  std::int32_t& place = places_->column[base::at(column)];
  if (place >= 0)
    return place;
  place = add_item(source_->column_cost(column), column, -1);
  const Piecewise& cost = items_.back().cost;
  if (cost.count > 0 && cost.at(cost.start) != 0)
    move_rest(place, 0, cost.at(cost.start));
  return places_->column[base::at(column)];
}

void LazyDual::make_list(std::int32_t item) {
  std::span<const LazyEntry> rows = source_->lent_column(items_[base::at(item)].id);
  if (rows.empty()) {
    if (lists_used_ == lists_.size())
      lists_.emplace_back();
    std::vector<LazyEntry>& list = lists_[lists_used_++];
    list.clear();
    source_->list_column(items_[base::at(item)].id, list);
    for (LazyEntry& entry : list)
      entry.index = touch_row(entry.index);
    rows = list;
  }
  items_[base::at(item)].first_row = rows.data();
  items_[base::at(item)].num_rows = static_cast<std::int32_t>(rows.size());
  items_[base::at(item)].listed = true;
}

std::span<const LazyEntry> LazyDual::rows_of(std::int32_t item) {
  if (!items_[base::at(item)].listed)
    make_list(item);
  return items_[base::at(item)].rows();
}

void LazyDual::forget_constants() {
  for (Row& row : rows_)
    row.constant = 0;
}

void LazyDual::add_constant(std::int32_t row, double amount) {
  const std::size_t place = base::at(touch_row(row));
  rows_[place].constant += amount;
  rows_[place].fixed += amount;
  row_value_[place] += amount;
}

// The columns of the row that may move. True if one that comes late has moved at once, so that
// values have to be computed anew.
bool LazyDual::gather(std::int32_t row, bool all) {
  const bool again = rows_[base::at(row)].gathered;
  if (again && (rows_[base::at(row)].complete || !all))
    return false;
  gathered_.clear();
  const bool more = source_->list_row(rows_[base::at(row)].id, all, gathered_);
  base::count_work(80 * gathered_.size());
  const bool join = again || incomplete_rows_ > 0;
  if (again)
    --incomplete_rows_;
  incomplete_rows_ += more ? 1 : 0;
  rows_[base::at(row)].gathered = true;
  rows_[base::at(row)].complete = !more;
  bool moved = false;
  for (const LazyEntry& entry : gathered_) {
    const std::int32_t known = places_->column[base::at(entry.index)];
    if (known >= 0 && again)
      continue;
    const std::int32_t item = known >= 0 ? known : touch_column(entry.index);
    if (known < 0 && join)
      moved = join_gathered(item) || moved;
    else
      rows_[base::at(row)].entries.push_back({item, entry.coefficient});
  }
  return moved;
}

// A column that comes late stands in rows that were gathered without it.
bool LazyDual::join_gathered(std::int32_t item) {
  joined_.clear();
  source_->list_column(items_[base::at(item)].id, joined_);
  double pull = 0;
  for (const LazyEntry& entry : joined_) {
    const std::int32_t place = places_->row[base::at(entry.index)];
    if (place < 0)
      continue;
    Row& row = rows_[base::at(place)];
    if (row.gathered)
      row.entries.push_back({item, entry.coefficient});
    if (row.active >= 0)
      pull += duals_[base::at(row.active)] * entry.coefficient;
  }
  items_[base::at(item)].dual_activity = pull;
  const Piecewise& cost = items_[base::at(item)].cost;
  const int from = items_[base::at(item)].at_point;
  const int to = cost.settled(from, pull, tuning_.smallest_pivot);
  if (to == from)
    return false;
  for (int k = from; k != to; k += to > from ? 1 : -1) {
    const double slope = cost.slope_of(Piecewise::piece_beside(k, to > from ? 1 : -1));
    objective_ -= std::abs(pull - slope) * cost.length(k, to > from ? 1 : -1);
  }
  items_[base::at(item)].at_point = static_cast<std::int8_t>(to);
  move_rest(item, items_[base::at(item)].cost.at(from), items_[base::at(item)].cost.at(to));
  return true;
}

// Where only some columns of a row were looked at, look at all.
bool LazyDual::widen() {
  if (incomplete_rows_ == 0)
    return false;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].gathered)
      gather(static_cast<std::int32_t>(r), true);
  }
  return true;
}

void LazyDual::move_rest(std::int32_t item, double from, double to) {
  const auto owe = [&](Row& row, double amount) {
    if (row.pending == 0)
      pending_.push_back(row.active);
    row.pending += amount;
  };
  if (items_[base::at(item)].row >= 0) {
    Row& row = rows_[base::at(items_[base::at(item)].row)];
    row.target = to;
    owe(row, from - to);
    return;
  }
  for (const LazyEntry& entry : rows_of(item)) {
    Row& row = rows_[base::at(entry.index)];
    const double amount = entry.coefficient * (to - from);
    row.fixed += amount;
    row_value_[base::at(entry.index)] += amount;
    if (row.active >= 0)
      owe(row, amount);
  }
}

// The limits of what does not rest: those of its piece.
void LazyDual::set_piece(std::int32_t index) {
  const Item& item = items_[base::at(index)];
  const double low = item.cost.low(item.piece);
  const double high = item.cost.high(item.piece);
  if (item.row >= 0) {
    row_low_[base::at(item.row)] = low;
    row_high_[base::at(item.row)] = high;
  } else {
    basic_low_[base::at(hot_[base::at(index)].place)] = low;
    basic_high_[base::at(hot_[base::at(index)].place)] = high;
  }
}

void LazyDual::reset_fixed() {
  for (Row& row : rows_) {
    row.fixed = row.constant;
    if (row.item >= 0 && row.active >= 0)
      row.target = items_[base::at(row.item)].cost.at(items_[base::at(row.item)].at_point);
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].row >= 0 || hot_[i].place >= 0)
      continue;
    const double value = items_[i].cost.at(items_[i].at_point);
    if (value == 0)
      continue;
    for (const LazyEntry& entry : rows_of(static_cast<std::int32_t>(i)))
      rows_[base::at(entry.index)].fixed += entry.coefficient * value;
  }
}

// What the basis has to make up for, from all rows that owe.
void LazyDual::follow_pending() {
  sparse_.clear();
  for (const std::int32_t active : pending_) {
    double& amount = rows_[base::at(active_[base::at(active)])].pending;
    if (amount != 0)
      sparse_.push_back({base::at(active), -amount});
    amount = 0;
  }
  pending_.clear();
  inverse_.add_product(sparse_, delta_);
}

void LazyDual::change_basics() {
  for (std::size_t b = 0; b < basis_.size(); ++b) {
    const double change = delta_[b];
    if (change == 0)
      continue;
    values_[b] += change;
    for (const LazyEntry& entry : rows_of(basis_[b]))
      row_value_[base::at(entry.index)] += entry.coefficient * change;
  }
}

// Values from scratch, which ends rounding errors.
void LazyDual::refresh() {
  since_fresh_ = 0;
  base::count_work(12 * rows_.size() + basis_.size() * basis_.size() / 2);
  pending_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    rows_[r].pending = 0;
    row_value_[r] = rows_[r].fixed;
  }
  sparse_.clear();
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const Row& row = rows_[base::at(active_[a])];
    if (row.target != row.fixed)
      sparse_.push_back({a, row.target - row.fixed});
  }
  delta_.assign(basis_.size(), 0);
  inverse_.add_product(sparse_, delta_);
  std::fill(values_.begin(), values_.end(), 0.0);
  change_basics();
}

// Rounding has left rows of the basis open; NaN counts as open.
bool LazyDual::has_drifted() const {
  return std::any_of(active_.begin(), active_.end(), [&](std::int32_t row) {
    return !(std::abs(row_value_[base::at(row)] - rows_[base::at(row)].target) <=
             tuning_.feasibility);
  });
}

bool LazyDual::refactor() {
  changes_ = 0;
  base::count_work(basis_.size() * basis_.size() * (basis_.size() / 4 + 4));
  inverse_.begin_refactor(basis_.size());
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    for (const LazyEntry& entry : rows_of(basis_[q])) {
      const std::int32_t active = rows_[base::at(entry.index)].active;
      if (active >= 0)
        inverse_.entry(base::at(active), q) = entry.coefficient;
    }
  }
  return inverse_.finish_refactor(tuning_.smallest_pivot);
}

void LazyDual::multipliers(const SlopeOf& slope, std::vector<double>& y) {
  y.assign(rows_.size(), 0);
  work_.assign(basis_.size(), 0);
  for (std::size_t q = 0; q < basis_.size(); ++q)
    work_[q] = slope(base::at(basis_[q]));
  for (std::size_t r = 0; costly_rows_ > 0 && r < rows_.size(); ++r) {
    if (rows_[r].item < 0 || rows_[r].active >= 0)
      continue;
    y[r] = -slope(base::at(rows_[r].item));
    if (y[r] == 0)
      continue;
    gather(static_cast<std::int32_t>(r), true);
    for (const LazyEntry& entry : rows_[r].entries) {
      const std::int32_t basic = hot_[base::at(entry.index)].place;
      if (basic >= 0)
        work_[base::at(basic)] -= y[r] * entry.coefficient;
    }
  }
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    const double* from = inverse_.row(q);
    for (std::size_t a = 0; work_[q] != 0 && a < active_.size(); ++a)
      y[base::at(active_[a])] += work_[q] * from[a];
  }
}

// Multipliers and dual activities from scratch; what rests at the wrong point follows its dual
// activity.
void LazyDual::set_duals() {
  multipliers([&](std::size_t item) { return items_[item].cost.slope_of(items_[item].piece); },
              all_duals_);
  for (std::size_t a = 0; a < active_.size(); ++a)
    duals_[a] = all_duals_[base::at(active_[a])];
  for (Item& item : items_)
    item.dual_activity = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double dual = r < all_duals_.size() ? all_duals_[r] : 0;
    if (rows_[r].item >= 0)
      items_[base::at(rows_[r].item)].dual_activity = -dual;
    if (dual == 0)
      continue;
    for (const LazyEntry& entry : rows_[r].entries)
      items_[base::at(entry.index)].dual_activity += entry.coefficient * dual;
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    const bool rests = item.row >= 0 ? rows_[base::at(item.row)].active >= 0 : hot_[i].place < 0;
    if (rests)
      item.at_point = static_cast<std::int8_t>(
          item.cost.settled(item.at_point, item.dual_activity, tuning_.smallest_pivot));
  }
}

bool LazyDual::rebuild() {
  if (!refactor())
    return false;
  set_duals();
  reset_fixed();
  refresh();
  return true;
}

bool LazyDual::settle() {
  refresh();
  return changes_ == 0 || !has_drifted() || rebuild();
}

bool LazyDual::restart(const LazyTuning& tuning, LazyChange change) {
  tuning_ = tuning;
  base::count_work(20 * items_.size());
  bool counted_anew = false;  // another number of points
  for (std::size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    const std::int8_t points = item.cost.count;
    if (item.row < 0)
      item.cost = source_->column_cost(item.id);
    else
      source_->row_cost(rows_[base::at(item.row)].id, item.cost);
    if (item.cost.count != points) {
      item.at_point = item.piece = item.cost.start;
      counted_anew = true;
    }
    if (item.row >= 0 ? rows_[base::at(item.row)].active < 0 : hot_[i].place >= 0)
      set_piece(static_cast<std::int32_t>(i));
  }
  const bool list_again = change == LazyChange::kColumns;
  for (std::size_t r = 0; list_again && r < rows_.size(); ++r) {
    if (!rows_[r].gathered)
      continue;
    rows_[r].entries.clear();
    rows_[r].gathered = false;
    gather(static_cast<std::int32_t>(r), true);
  }
  incomplete_rows_ = list_again ? 0 : incomplete_rows_;
  if (change != LazyChange::kPoints || counted_anew)
    set_duals();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const bool rests = item.row >= 0 ? rows_[base::at(item.row)].active >= 0 : hot_[i].place < 0;
    if (rests && !std::isfinite(item.cost.at(item.at_point)))
      return false;
  }
  reset_fixed();
  return true;
}

// alpha = W u for the column, beta' = v'W for the row: what the pivots of a crash basis need.
bool LazyDual::adopt(std::int32_t row, std::int32_t column, double smallest_pivot) {
  const std::int32_t place = touch_row(row);
  gather(place, true);
  set_beta({place, -1, 0, 1});
  if (column >= 0) {
    entering_ = touch_column(column);
    set_alpha();
    const double schur = gradient({place, -1, 0, 1});
    if (!(std::abs(schur) > smallest_pivot))
      return false;
    enter_column({place, -1, 0, 1}, schur, 0);
    return true;
  }
  std::size_t best = 0;
  double largest = smallest_pivot;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    if (rows_[base::at(active_[a])].item >= 0 && std::abs(beta_[a]) > largest) {
      largest = std::abs(beta_[a]);
      best = a;
    }
  }
  if (!(largest > smallest_pivot))
    return false;
  entering_ = rows_[base::at(active_[best])].item;
  items_[base::at(entering_)].piece = items_[base::at(entering_)].cost.start;
  enter_row({place, -1, 0, 1});
  return true;
}

}  // namespace lacuna::simplex
