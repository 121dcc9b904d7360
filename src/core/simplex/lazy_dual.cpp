// SPDX-License-Identifier: Apache-2.0
#include "core/simplex/lazy_dual.h"

#include <algorithm>
#include <cmath>

#include "core/base/index.h"
#include "core/base/work.h"
#include "core/simplex/dense.h"

namespace lacuna::simplex {
namespace {

constexpr std::int32_t kLookAtClock = 64;  // steps
constexpr int kBeforeHeap = 8;             // breaks

}  // namespace

LazyDual::Leaving LazyDual::pick_largest() const {
  Leaving best;
  best.excess = tuning_.feasibility;
  for (std::size_t b = 0; b < basis_.size(); ++b) {
    const double above = values_[b] - basic_high_[b];
    const double excess = std::max(above, basic_low_[b] - values_[b]);
    if (excess > best.excess)
      best = {-1, static_cast<std::int32_t>(b), excess, above == excess ? 1 : -1};
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double above = row_value_[r] - row_high_[r];
    const double excess = std::max(above, row_low_[r] - row_value_[r]);
    if (excess > best.excess)
      best = {static_cast<std::int32_t>(r), -1, excess, above == excess ? 1 : -1};
  }
  return best;
}

LazyDual::Leaving LazyDual::pick() {
  if (!tuning_.steepest_edge)
    return pick_largest();
  Leaving best;
  double merit = 0;
  for (std::size_t b = 0; b < basis_.size(); ++b) {
    const double above = values_[b] - basic_high_[b];
    const double excess = std::max(above, basic_low_[b] - values_[b]);
    if (excess <= tuning_.feasibility)
      continue;
    const double length = inverse_.squared_length(b);
    if (excess * excess > merit * length) {
      merit = excess * excess / length;
      best = {-1, static_cast<std::int32_t>(b), excess, above == excess ? 1 : -1};
    }
  }
  price_candidates(best, merit);
  return best;
}

// The worst rows; further down they are rarely chosen.
void LazyDual::price_candidates(Leaving& best, double merit) {
  broken_.clear();
  const double least = std::max(tuning_.feasibility, std::sqrt(merit));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double excess = std::max(row_value_[r] - row_high_[r], row_low_[r] - row_value_[r]);
    if (excess > least)
      broken_.emplace_back(-excess, static_cast<std::int32_t>(r));
  }
  const std::size_t looks = std::min(tuning_.max_candidates, broken_.size());
  std::partial_sort(
      broken_.begin(), broken_.begin() + static_cast<std::ptrdiff_t>(looks), broken_.end());
  find_basics_of_candidates(looks);
  for (std::size_t i = 0; i < looks; ++i) {
    const double excess = -broken_[i].first;
    if (excess * excess <= merit)
      break;
    const std::int32_t row = broken_[i].second;
    const double length = edge_of_row(i, row);
    if (excess * excess > merit * length) {
      merit = excess * excess / length;
      best = {row, -1, excess, row_value_[base::at(row)] > row_high_[base::at(row)] ? 1 : -1};
    }
  }
}

// Rows that were never gathered have no list: which basic columns stand in them.
void LazyDual::find_basics_of_candidates(std::size_t looks) {
  if (basics_of_candidate_.size() < looks)
    basics_of_candidate_.resize(looks);
  bool any = false;
  candidate_.resize(rows_.size(), -1);
  for (std::size_t i = 0; i < looks; ++i) {
    basics_of_candidate_[i].clear();
    if (rows_[base::at(broken_[i].second)].gathered)
      continue;
    candidate_[base::at(broken_[i].second)] = static_cast<std::int8_t>(i);
    any = true;
  }
  if (!any)
    return;
  for (std::size_t b = 0; b < basis_.size(); ++b) {
    for (const LazyEntry& entry : items_[base::at(basis_[b])].rows()) {
      const std::int8_t look = candidate_[base::at(entry.index)];
      if (look >= 0)
        basics_of_candidate_[base::at(look)].emplace_back(static_cast<std::int32_t>(b),
                                                          entry.coefficient);
    }
  }
  for (std::size_t i = 0; i < looks; ++i)
    candidate_[base::at(broken_[i].second)] = -1;
}

double LazyDual::edge_of_row(std::size_t look, std::int32_t row) {
  const std::size_t size = basis_.size();
  work_.assign(size, 0);
  const auto add = [&](std::int32_t basic, double coefficient) {
    subtract_multiple(work_.data(), inverse_.row(base::at(basic)), -coefficient, size);
  };
  for (const auto& [basic, coefficient] : basics_of_candidate_[look])
    add(basic, coefficient);
  for (const LazyEntry& entry : rows_[base::at(row)].entries) {
    if (hot_[base::at(entry.index)].place >= 0)
      add(hot_[base::at(entry.index)].place, entry.coefficient);
  }
  return 1 + squared_length(work_.data(), size);
}

// The multipliers of the active rows change by beta times the direction.
void LazyDual::set_beta(const Leaving& leaving) {
  const std::size_t size = basis_.size();
  if (leaving.row < 0) {
    const double* from = inverse_.row(base::at(leaving.basic));
    beta_.assign(from, from + size);
    return;
  }
  beta_.assign(size, 0);
  for (const LazyEntry& entry : rows_[base::at(leaving.row)].entries) {
    const std::int32_t basic = hot_[base::at(entry.index)].place;
    if (basic >= 0)
      subtract_multiple(beta_.data(), inverse_.row(base::at(basic)), -entry.coefficient, size);
  }
}

void LazyDual::mark(std::int32_t item, double rate) {
  Hot& hot = hot_[base::at(item)];
  if (hot.mark == 0) {
    marked_.push_back(item);
    hot.mark = static_cast<std::int32_t>(marked_.size());
  }
  hot.rate += rate;
}

// How the dual activities of what rests change in the step.
void LazyDual::set_rates(const Leaving& leaving) {
  set_beta(leaving);
  const auto spread = [&](const Row& row, double rate) {
    for (const LazyEntry& entry : row.entries) {
      if (hot_[base::at(entry.index)].place < 0)
        mark(entry.index, rate * entry.coefficient);
    }
  };
  for (std::size_t a = 0; a < beta_.size(); ++a) {
    const double rate = leaving.direction * beta_[a];
    if (std::abs(rate) <= tuning_.negligible)
      continue;
    const Row& row = rows_[base::at(active_[a])];
    spread(row, rate);
    if (row.item >= 0)
      mark(row.item, -rate);
  }
  if (leaving.row >= 0)
    spread(rows_[base::at(leaving.row)], -leaving.direction);
}

void LazyDual::clear_rates() {
  for (const std::int32_t item : marked_) {
    hot_[base::at(item)].mark = 0;
    hot_[base::at(item)].rate = 0;
  }
  marked_.clear();
}

std::int32_t LazyDual::item_of(const Leaving& leaving) const {
  return leaving.row >= 0 ? rows_[base::at(leaving.row)].item : basis_[base::at(leaving.basic)];
}

void LazyDual::push_break(std::int32_t index, double rate) {
  const Item& item = items_[base::at(index)];
  const double step = item.cost.break_at(item.next_point, item.dual_activity, rate);
  if (step < Piecewise::kNever)
    breaks_.push_back({step, rate, index});
}

// Where the dual activities of what rests reach the next slope, but nothing beyond the first break
// that is long enough to end the step alone.
void LazyDual::list_breaks(const Leaving& leaving) {
  breaks_.clear();
  double last = Piecewise::kNever;
  for (const std::int32_t marked : marked_) {
    Item& item = items_[base::at(marked)];
    item.next_point = item.at_point;
    const double rate = hot_[base::at(marked)].rate;
    if (std::abs(rate) <= tuning_.smallest_pivot)
      continue;
    const double step = item.cost.break_at(item.next_point, item.dual_activity, rate);
    if (!(step <= last) || step == Piecewise::kNever)
      continue;
    breaks_.push_back({step, rate, marked});
    if (std::abs(rate) * item.cost.length(item.next_point, rate > 0 ? 1 : -1) >= leaving.excess)
      last = step;
  }
  std::erase_if(breaks_, [last](const Break& each) { return each.step > last; });
  leaving_item_ = item_of(leaving);
  if (leaving_item_ < 0)
    return;
  Item& own = items_[base::at(leaving_item_)];
  own.next_point = static_cast<std::int8_t>(leaving.direction > 0 ? own.piece : own.piece - 1);
  own.dual_activity = own.cost.slope_of(own.piece);
  push_break(leaving_item_, leaving.direction);
}

// The nearest; most steps end at one of the first few, and only then a heap is worth its making.
LazyDual::Break LazyDual::pop_break() {
  if (popped_ == kBeforeHeap)
    std::make_heap(breaks_.begin(), breaks_.end());
  if (popped_ >= kBeforeHeap) {
    std::pop_heap(breaks_.begin(), breaks_.end());
  } else {
    std::size_t best = 0;
    for (std::size_t i = 1; i < breaks_.size(); ++i) {
      if (breaks_[best] < breaks_[i])
        best = i;
    }
    std::swap(breaks_[best], breaks_.back());
  }
  ++popped_;
  const Break next = breaks_.back();
  breaks_.pop_back();
  return next;
}

// Passes breakpoints while the dual improves; what stops it enters.
LazyDual::Ratio LazyDual::ratio_test(const Leaving& leaving) {
  list_breaks(leaving);
  passed_.clear();
  double slope = leaving.excess;
  double raised = 0;
  double passed = 0;
  popped_ = 0;
  while (!breaks_.empty()) {
    const Break next = pop_break();
    raised += slope * (next.step - passed);
    passed = next.step;
    Item& item = items_[base::at(next.item)];
    const int toward = next.rate > 0 ? 1 : -1;
    slope -= std::abs(next.rate) * item.cost.length(item.next_point, toward);
    if (slope <= tuning_.feasibility) {  // slacks that just suffice do suffice
      step_ = next.step;
      entering_ = next.item;
      entering_direction_ = toward;
      objective_ += raised;
      std::sort(passed_.begin(), passed_.end(), [&](std::int32_t a, std::int32_t b) {
        return hot_[base::at(a)].mark < hot_[base::at(b)].mark;
      });
      return next.item == leaving_item_ ? Ratio::kSwitch : Ratio::kEnter;
    }
    if (item.next_point == item.at_point && next.item != leaving_item_)
      passed_.push_back(next.item);
    item.next_point = static_cast<std::int8_t>(item.next_point + toward);
    const std::size_t before = breaks_.size();
    push_break(next.item, next.rate);
    if (breaks_.size() > before && popped_ > kBeforeHeap)
      std::push_heap(breaks_.begin(), breaks_.end());
  }
  return Ratio::kNone;
}

void LazyDual::move_duals(const Leaving& leaving) {
  for (std::size_t a = 0; a < beta_.size(); ++a)
    duals_[a] += step_ * leaving.direction * beta_[a];
  for (const std::int32_t marked : marked_) {
    Hot& hot = hot_[base::at(marked)];
    items_[base::at(marked)].dual_activity += step_ * hot.rate;
    hot.rate = 0;
    hot.mark = 0;
  }
  marked_.clear();
  if (leaving_item_ >= 0)
    items_[base::at(leaving_item_)].dual_activity += step_ * leaving.direction;
}

// alpha = the inverse times the entering column.
void LazyDual::set_alpha() {
  sparse_.clear();
  const std::int32_t row = items_[base::at(entering_)].row;
  if (row >= 0) {
    sparse_.push_back({base::at(rows_[base::at(row)].active), -1.0});
  } else {
    for (const LazyEntry& entry : rows_of(entering_)) {
      const std::int32_t active = rows_[base::at(entry.index)].active;
      if (active >= 0)
        sparse_.push_back({base::at(active), entry.coefficient});
    }
  }
  alpha_.assign(basis_.size(), 0);
  inverse_.add_product(sparse_, alpha_);
}

// Of what leaves, by what enters.
double LazyDual::gradient(const Leaving& leaving) const {
  if (leaving.basic >= 0)
    return -alpha_[base::at(leaving.basic)];
  const Item& entering = items_[base::at(entering_)];
  if (entering.row >= 0)
    return beta_[base::at(rows_[base::at(entering.row)].active)];
  double schur = 0;
  for (const LazyEntry& entry : entering.rows()) {
    const std::int32_t active = rows_[base::at(entry.index)].active;
    if (entry.index == leaving.row)
      schur += entry.coefficient;
    else if (active >= 0)
      schur -= entry.coefficient * beta_[base::at(active)];
  }
  return schur;
}

// After the changes of basic columns that are not applied yet.
double LazyDual::value_of(const Leaving& leaving) const {
  if (leaving.basic >= 0)
    return values_[base::at(leaving.basic)] + delta_[base::at(leaving.basic)];
  double value = row_value_[base::at(leaving.row)];
  for (const LazyEntry& entry : rows_[base::at(leaving.row)].entries) {
    const std::int32_t basic = hot_[base::at(entry.index)].place;
    if (basic >= 0)
      value += entry.coefficient * delta_[base::at(basic)];
  }
  return value;
}

void LazyDual::activate(std::int32_t row, std::size_t position, double target) {
  rows_[base::at(row)].active = static_cast<std::int32_t>(position);
  rows_[base::at(row)].target = target;
  row_low_[base::at(row)] = -Piecewise::kNever;
  row_high_[base::at(row)] = Piecewise::kNever;
}

// A basic column goes to rest.
void LazyDual::leave(const Leaving& leaving, double goal) {
  const std::int32_t gone = basis_[base::at(leaving.basic)];
  hot_[base::at(gone)].place = -1;
  items_[base::at(gone)].at_point = items_[base::at(gone)].next_point;
  if (goal == 0)
    return;
  for (const LazyEntry& entry : rows_of(gone))
    rows_[base::at(entry.index)].fixed += entry.coefficient * goal;
}

// A column enters and moves by `move` from where it rests.
void LazyDual::enter_column(const Leaving& leaving, double gradient, double move) {
  Item& item = items_[base::at(entering_)];
  const double rest = item.cost.at(item.at_point);
  for (const LazyEntry& entry : rows_of(entering_)) {
    rows_[base::at(entry.index)].fixed -= entry.coefficient * rest;
    row_value_[base::at(entry.index)] += entry.coefficient * move;
  }
  std::size_t position = basis_.size();
  if (leaving.row >= 0) {
    inverse_.border(alpha_, beta_, gradient);
    basis_.push_back(entering_);
    values_.push_back(0);
    basic_low_.push_back(0);
    basic_high_.push_back(0);
    active_.push_back(leaving.row);
    duals_.push_back(0);
  } else {
    position = base::at(leaving.basic);
    inverse_.exchange_column(position, alpha_);
    basis_[position] = entering_;
  }
  values_[position] = rest + move;
  hot_[base::at(entering_)].place = static_cast<std::int32_t>(position);
  set_piece(entering_);
  if (leaving.row >= 0)
    activate(leaving.row, position, 0);
}

// The t of an active row enters: the row is active no more.
void LazyDual::enter_row(const Leaving& leaving) {
  Row& row = rows_[base::at(items_[base::at(entering_)].row)];
  const std::size_t position = base::at(row.active);
  row.active = -1;
  set_piece(entering_);
  if (leaving.row >= 0) {
    inverse_.exchange_row(position, beta_);
    active_[position] = leaving.row;
    activate(leaving.row, position, 0);
    return;
  }
  const auto basic = base::at(leaving.basic);
  inverse_.remove(basic, position);
  const auto drop = [](auto& list, std::size_t i) {
    list[i] = list.back();
    list.pop_back();
  };
  drop(basis_, basic);
  drop(values_, basic);
  drop(basic_low_, basic);
  drop(basic_high_, basic);
  drop(active_, position);
  drop(duals_, position);
  if (basic < basis_.size())
    hot_[base::at(basis_[basic])].place = leaving.basic;
  if (position < active_.size())
    rows_[base::at(active_[position])].active = static_cast<std::int32_t>(position);
}

// What enters moves until what leaves is where it will rest; the basic columns follow.
void LazyDual::pivot(const Leaving& leaving) {
  ++changes_;
  const double goal =
      leaving_item_ >= 0
          ? items_[base::at(leaving_item_)].cost.at(items_[base::at(leaving_item_)].next_point)
          : 0;
  const double by = gradient(leaving);
  const double move = (goal - value_of(leaving)) / by;
  for (std::size_t b = 0; b < delta_.size(); ++b)
    delta_[b] -= move * alpha_[b];
  change_basics();
  Item& entering = items_[base::at(entering_)];
  const int piece = Piecewise::piece_beside(entering.at_point, entering_direction_);
  entering.piece = static_cast<std::int8_t>(std::min<int>(piece, entering.cost.count));
  entering.dual_activity = entering.cost.slope_of(entering.piece);
  if (leaving.basic >= 0)
    leave(leaving, goal);
  if (entering.row >= 0)
    enter_row(leaving);
  else
    enter_column(leaving, by, move);
  if (leaving.row < 0)
    return;
  Row& row = rows_[base::at(leaving.row)];
  row.target = row_value_[base::at(leaving.row)] = goal;
  if (leaving_item_ >= 0)
    items_[base::at(leaving_item_)].at_point = items_[base::at(leaving_item_)].next_point;
  duals_[base::at(row.active)] = leaving_item_ >= 0
                                     ? -items_[base::at(leaving_item_)].dual_activity
                                     : -step_ * static_cast<double>(leaving.direction);
}

void LazyDual::step(const Leaving& leaving, Ratio ratio) {
  ++steps_;
  ++since_fresh_;
  move_duals(leaving);
  for (const std::int32_t passed : passed_) {
    Item& item = items_[base::at(passed)];
    const int from = item.at_point;
    item.at_point = item.next_point;
    move_rest(passed, item.cost.at(from), item.cost.at(item.next_point));
  }
  delta_.assign(basis_.size(), 0);
  follow_pending();
  if (ratio == Ratio::kEnter) {
    set_alpha();
    pivot(leaving);
  } else {
    Item& own = items_[base::at(leaving_item_)];
    own.piece =
        static_cast<std::int8_t>(Piecewise::piece_beside(own.next_point, leaving.direction));
    own.dual_activity = own.cost.slope_of(own.piece);
    set_piece(leaving_item_);
    change_basics();
  }
}

void LazyDual::keep_ray(const Leaving& leaving) {
  ray_.clear();
  for (std::size_t a = 0; a < beta_.size(); ++a) {
    if (beta_[a] != 0)
      ray_.emplace_back(active_[a], leaving.direction * beta_[a]);
  }
  if (leaving.row >= 0)
    ray_.emplace_back(leaving.row, -leaving.direction);
}

// What is broken, values being fresh if nothing seems to be; false if the inverse is lost.
bool LazyDual::pick_surely(Leaving& leaving) {
  const auto size = static_cast<std::int32_t>(basis_.size());
  const bool worn = changes_ >= tuning_.refactor_every + 2 * size;
  if (worn ? !rebuild() : since_fresh_ >= tuning_.refresh_every && !settle())
    return false;
  leaving = pick();
  if (leaving.direction != 0 || since_fresh_ == 0)
    return true;
  if (!settle())
    return false;
  leaving = pick();
  return true;
}

// A step looks at what is broken and at what its rates concern, and changes the inverse. The
// factors were fitted to 1,700 searches of routes and attackers, half of which they meet within
// 18%.
void LazyDual::count_step() const {
  const auto size = basis_.size();
  base::count_work(600 + size * (32 + size / 8) + 8 * marked_.size() + 40 * broken_.size());
}

LazyEnding LazyDual::solve(const LazyTuning& tuning, const RunContext* run, double budget) {
  tuning_ = tuning;
  refresh();
  for (std::int32_t count = 0; count < tuning.max_steps;) {
    if (objective_ > budget)
      return LazyEnding::kTooExpensive;
    Leaving leaving;
    if (!pick_surely(leaving))
      return LazyEnding::kGivenUp;
    if (leaving.direction == 0)
      return LazyEnding::kOptimal;
    if (basis_.size() > tuning.largest_basis)
      return LazyEnding::kTooLarge;
    if (leaving.row >= 0 && gather(leaving.row, false)) {
      refresh();
      continue;
    }
    set_rates(leaving);
    count_step();
    const Ratio ratio = ratio_test(leaving);
    if (ratio != Ratio::kNone) {
      step(leaving, ratio);
      if (++count % kLookAtClock == 0 && run != nullptr && run->should_stop())
        return LazyEnding::kGivenUp;
      continue;
    }
    clear_rates();
    if (widen()) {
      refresh();
    } else if (changes_ == 0) {
      keep_ray(leaving);
      return LazyEnding::kImpossible;
    } else if (!rebuild()) {
      return LazyEnding::kGivenUp;
    }
  }
  return LazyEnding::kGivenUp;
}

double LazyDual::value(std::size_t index) const {
  const Item& item = items_[index];
  if (item.row >= 0)
    return row_value_[base::at(item.row)];
  return hot_[index].place >= 0 ? values_[base::at(hot_[index].place)]
                                : item.cost.at(item.at_point);
}

}  // namespace lacuna::simplex
