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

void LazyDual::Bounded::clear() {
  value.clear();
  low.clear();
  high.clear();
}

void LazyDual::Basis::clear() {
  items.clear();
  rows.clear();
  duals.clear();
  x.clear();
  inverse.clear();
  changes = 0;
}

void LazyDual::Basis::add(std::int32_t item, std::int32_t row) {
  items.push_back(item);
  rows.push_back(row);
  duals.push_back(0);
  x.value.push_back(0);
  x.low.push_back(0);
  x.high.push_back(0);
}

void LazyDual::Basis::remove(std::size_t basic, std::size_t active) {
  const auto drop = [](auto& list, std::size_t i) {
    list[i] = list.back();
    list.pop_back();
  };
  drop(items, basic);
  drop(x.value, basic);
  drop(x.low, basic);
  drop(x.high, basic);
  drop(rows, active);
  drop(duals, active);
}

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
    lists_.spare.push_back(std::move(row.entries));
  }
  items_.clear();
  hot_.clear();
  rows_.clear();
  lists_.used = 0;
  t_.clear();
  basis_.clear();
  progress_ = {.steps = progress_.steps};
  ratio_.marked.clear();
  pricing_.candidate.clear();
  scratch_.pending.clear();
  ratio_.ray.clear();
}

void LazyDual::free_memory() {
  const std::int64_t steps = progress_.steps;
  *this = LazyDual();
  progress_.steps = steps;
}

std::size_t LazyDual::memory() const {
  std::size_t bytes = basis_.inverse.memory() + items_.size() * (sizeof(Item) + sizeof(Hot));
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
  if (!lists_.spare.empty()) {
    made.entries = std::move(lists_.spare.back());
    lists_.spare.pop_back();
  }
  t_.value.push_back(0);
  t_.low.push_back(0);
  t_.high.push_back(0);
  Piecewise cost;
  if (source_->row_cost(row, cost)) {
    ++progress_.costly_rows;
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
    move_resting(place, 0, cost.at(cost.start));
  return places_->column[base::at(column)];
}

void LazyDual::make_list(std::int32_t item) {
  std::span<const LazyEntry> rows = source_->lent_column(items_[base::at(item)].id);
  if (rows.empty()) {
    if (lists_.used == lists_.columns.size())
      lists_.columns.emplace_back();
    std::vector<LazyEntry>& list = lists_.columns[lists_.used++];
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
  t_.value[place] += amount;
}

// The columns of the row that may move. True if one that comes late has moved at once, so that
// values have to be computed anew.
bool LazyDual::gather(std::int32_t row, bool all) {
  const bool again = rows_[base::at(row)].gathered;
  if (again && (rows_[base::at(row)].complete || !all))
    return false;
  lists_.gathered.clear();
  const bool more = source_->list_row(rows_[base::at(row)].id, all, lists_.gathered);
  base::count_work(80 * lists_.gathered.size());
  const bool join = again || progress_.incomplete_rows > 0;
  if (again)
    --progress_.incomplete_rows;
  progress_.incomplete_rows += more ? 1 : 0;
  rows_[base::at(row)].gathered = true;
  rows_[base::at(row)].complete = !more;
  bool moved = false;
  for (const LazyEntry& entry : lists_.gathered) {
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
  lists_.joined.clear();
  source_->list_column(items_[base::at(item)].id, lists_.joined);
  double dual_activity = 0;
  for (const LazyEntry& entry : lists_.joined) {
    const std::int32_t place = places_->row[base::at(entry.index)];
    if (place < 0)
      continue;
    Row& row = rows_[base::at(place)];
    if (row.gathered)
      row.entries.push_back({item, entry.coefficient});
    if (row.active >= 0)
      dual_activity += basis_.duals[base::at(row.active)] * entry.coefficient;
  }
  items_[base::at(item)].dual_activity = dual_activity;
  const Piecewise& cost = items_[base::at(item)].cost;
  const int from = items_[base::at(item)].at_point;
  const int to = cost.settled(from, dual_activity, tuning_.smallest_pivot);
  if (to == from)
    return false;
  for (int k = from; k != to; k += to > from ? 1 : -1) {
    const double slope = cost.slope_of(Piecewise::piece_beside(k, to > from ? 1 : -1));
    progress_.objective -= std::abs(dual_activity - slope) * cost.length(k, to > from ? 1 : -1);
  }
  items_[base::at(item)].at_point = static_cast<std::int8_t>(to);
  move_resting(item, items_[base::at(item)].cost.at(from), items_[base::at(item)].cost.at(to));
  return true;
}

// Where only some columns of a row were looked at, look at all.
bool LazyDual::widen() {
  if (progress_.incomplete_rows == 0)
    return false;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].gathered)
      gather(static_cast<std::int32_t>(r), true);
  }
  return true;
}

bool LazyDual::rests(std::size_t item) const {
  const std::int32_t row = items_[item].row;
  return row >= 0 ? rows_[base::at(row)].active >= 0 : hot_[item].place < 0;
}

// What rests goes from one breakpoint to another; active rows that it stands in owe the basis.
void LazyDual::move_resting(std::int32_t item, double from, double to) {
  const auto owe = [&](Row& row, double amount) {
    if (row.pending == 0)
      scratch_.pending.push_back(row.active);
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
    t_.value[base::at(entry.index)] += amount;
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
    t_.low[base::at(item.row)] = low;
    t_.high[base::at(item.row)] = high;
  } else {
    basis_.x.low[base::at(hot_[base::at(index)].place)] = low;
    basis_.x.high[base::at(hot_[base::at(index)].place)] = high;
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
  scratch_.sparse.clear();
  for (const std::int32_t active : scratch_.pending) {
    double& amount = rows_[base::at(basis_.rows[base::at(active)])].pending;
    if (amount != 0)
      scratch_.sparse.push_back({base::at(active), -amount});
    amount = 0;
  }
  scratch_.pending.clear();
  basis_.inverse.add_product(scratch_.sparse, scratch_.delta);
}

void LazyDual::change_basics() {
  for (std::size_t b = 0; b < basis_.size(); ++b) {
    const double change = scratch_.delta[b];
    if (change == 0)
      continue;
    basis_.x.value[b] += change;
    for (const LazyEntry& entry : rows_of(basis_.items[b]))
      t_.value[base::at(entry.index)] += entry.coefficient * change;
  }
}

// Values from scratch (4), which ends rounding errors.
void LazyDual::refresh() {
  progress_.since_fresh = 0;
  base::count_work(12 * rows_.size() + basis_.size() * basis_.size() / 2);
  scratch_.pending.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    rows_[r].pending = 0;
    t_.value[r] = rows_[r].fixed;
  }
  scratch_.sparse.clear();
  for (std::size_t a = 0; a < basis_.rows.size(); ++a) {
    const Row& row = rows_[base::at(basis_.rows[a])];
    if (row.target != row.fixed)
      scratch_.sparse.push_back({a, row.target - row.fixed});
  }
  scratch_.delta.assign(basis_.size(), 0);
  basis_.inverse.add_product(scratch_.sparse, scratch_.delta);
  std::fill(basis_.x.value.begin(), basis_.x.value.end(), 0.0);
  change_basics();
  check_in_debug();
}

// Rounding has left rows of the basis open; NaN counts as open.
bool LazyDual::has_drifted() const {
  return std::any_of(basis_.rows.begin(), basis_.rows.end(), [&](std::int32_t row) {
    return !(std::abs(t_.value[base::at(row)] - rows_[base::at(row)].target) <=
             tuning_.feasibility);
  });
}

bool LazyDual::refactor() {
  basis_.changes = 0;
  base::count_work(basis_.size() * basis_.size() * (basis_.size() / 4 + 4));
  basis_.inverse.begin_refactor(basis_.size());
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    for (const LazyEntry& entry : rows_of(basis_.items[q])) {
      const std::int32_t active = rows_[base::at(entry.index)].active;
      if (active >= 0)
        basis_.inverse.entry(base::at(active), q) = entry.coefficient;
    }
  }
  return basis_.inverse.finish_refactor(tuning_.smallest_pivot);
}

void LazyDual::multipliers(const SlopeOf& slope, std::vector<double>& y) {
  y.assign(rows_.size(), 0);
  scratch_.slopes.assign(basis_.size(), 0);
  for (std::size_t q = 0; q < basis_.size(); ++q)
    scratch_.slopes[q] = slope(base::at(basis_.items[q]));
  for (std::size_t r = 0; progress_.costly_rows > 0 && r < rows_.size(); ++r) {
    if (rows_[r].item < 0 || rows_[r].active >= 0)
      continue;
    y[r] = -slope(base::at(rows_[r].item));
    if (y[r] == 0)
      continue;
    gather(static_cast<std::int32_t>(r), true);
    for (const LazyEntry& entry : rows_[r].entries) {
      const std::int32_t basic = hot_[base::at(entry.index)].place;
      if (basic >= 0)
        scratch_.slopes[base::at(basic)] -= y[r] * entry.coefficient;
    }
  }
  for (std::size_t q = 0; q < basis_.size(); ++q) {
    const double* from = basis_.inverse.row(q);
    for (std::size_t a = 0; scratch_.slopes[q] != 0 && a < basis_.rows.size(); ++a)
      y[base::at(basis_.rows[a])] += scratch_.slopes[q] * from[a];
  }
}

// Multipliers and dual activities (2) from scratch; what rests where (3) does not let it moves on.
void LazyDual::set_duals() {
  multipliers([&](std::size_t item) { return items_[item].cost.slope_of(items_[item].piece); },
              scratch_.multipliers);
  for (std::size_t a = 0; a < basis_.rows.size(); ++a)
    basis_.duals[a] = scratch_.multipliers[base::at(basis_.rows[a])];
  for (Item& item : items_)
    item.dual_activity = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double dual = r < scratch_.multipliers.size() ? scratch_.multipliers[r] : 0;
    if (rows_[r].item >= 0)
      items_[base::at(rows_[r].item)].dual_activity = -dual;
    if (dual == 0)
      continue;
    for (const LazyEntry& entry : rows_[r].entries)
      items_[base::at(entry.index)].dual_activity += entry.coefficient * dual;
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    if (rests(i))
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
  return basis_.changes == 0 || !has_drifted() || rebuild();
}

// True if one has another number of points than before; it starts anew.
bool LazyDual::read_costs() {
  bool counted_anew = false;
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
    if (!rests(i))
      set_piece(static_cast<std::int32_t>(i));
  }
  return counted_anew;
}

void LazyDual::gather_again() {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].gathered)
      continue;
    rows_[r].entries.clear();
    rows_[r].gathered = false;
    gather(static_cast<std::int32_t>(r), true);
  }
  progress_.incomplete_rows = 0;
}

bool LazyDual::restart(const LazyTuning& tuning, LazyChange change) {
  tuning_ = tuning;
  base::count_work(20 * items_.size());
  const bool counted_anew = read_costs();
  if (change == LazyChange::kColumns)
    gather_again();
  if (change != LazyChange::kPoints || counted_anew)
    set_duals();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (rests(i) && !std::isfinite(items_[i].cost.at(items_[i].at_point)))
      return false;
  }
  reset_fixed();
  return true;
}

// alpha = W u for the column, beta' = v'W for the row: what the pivots of a crash basis need.
bool LazyDual::adopt(std::int32_t row, std::int32_t column, double smallest_pivot) {
  const Leaving adopted{touch_row(row), -1, 0, 1};
  gather(adopted.row, true);
  set_beta(adopted);
  if (column >= 0) {
    const std::int32_t entering = touch_column(column);
    set_alpha(entering);
    const double schur = pivot_element(adopted, entering);
    if (!(std::abs(schur) > smallest_pivot))
      return false;
    enter_column(adopted, entering, schur, 0);
    return true;
  }
  std::size_t best = 0;
  double largest = smallest_pivot;
  for (std::size_t a = 0; a < basis_.rows.size(); ++a) {
    if (rows_[base::at(basis_.rows[a])].item >= 0 && std::abs(scratch_.beta[a]) > largest) {
      largest = std::abs(scratch_.beta[a]);
      best = a;
    }
  }
  if (!(largest > smallest_pivot))
    return false;
  const std::int32_t entering = rows_[base::at(basis_.rows[best])].item;
  items_[base::at(entering)].piece = items_[base::at(entering)].cost.start;
  enter_row(adopted, entering);
  return true;
}

}  // namespace lacuna::simplex
