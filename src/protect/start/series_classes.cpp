// SPDX-License-Identifier: Apache-2.0
#include "protect/start/series_classes.h"

#include <algorithm>

namespace lacuna::start {

SeriesClasses::SeriesClasses(const PatternState& pattern_state, std::vector<std::uint8_t> needed)
    : needed_(std::move(needed)),
      cost_(needed_.size()),
      prints_(needed_.size()),
      inverse_(needed_.size(), 0),
      class_of_(needed_.size(), -1),
      place_(needed_.size(), -1) {
  for (std::size_t c = 0; c < cost_.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    cost_[c] = pattern_state.permanent(cell) ? 0 : pattern_state.cost(cell);
  }
}

void SeriesClasses::clear() {
  std::fill(prints_.begin(), prints_.end(), Prints{});
  std::fill(class_of_.begin(), class_of_.end(), -1);
  classes_.clear();
  spare_.clear();
  class_at_.clear();
}

void SeriesClasses::set_prints(std::int32_t cell, Prints prints) {
  strike(cell);
  prints_[index(cell)] = prints;
  enlist(cell);
}

void SeriesClasses::enlist(std::int32_t cell) {
  const Prints& prints = prints_[index(cell)];
  class_of_[index(cell)] = -1;
  if (prints.none())
    return;
  inverse_[index(cell)] = prints.x == 0 ? 0 : presolve::residue::inverse(prints.x);
  const Residue ratio = prints.x == 0
                            ? presolve::residue::kPrime
                            : presolve::residue::multiply(prints.y, inverse_[index(cell)]);
  const auto [at, is_new] = class_at_.try_emplace(ratio, -1);
  if (is_new && spare_.empty()) {
    at->second = static_cast<std::int32_t>(classes_.size());
    classes_.emplace_back();
  } else if (is_new) {
    at->second = spare_.back();
    spare_.pop_back();
  }
  Class& members = classes_[index(at->second)];
  if (is_new) {
    members.ratio = ratio;
    members.cost = 0;
  }
  class_of_[index(cell)] = at->second;
  place_[index(cell)] = static_cast<std::int32_t>(members.cells.size());
  members.cells.push_back(cell);
  members.needed += needed_[index(cell)];
  members.cost += cost(cell);
}

void SeriesClasses::strike(std::int32_t cell) {
  const std::int32_t number = class_of_[index(cell)];
  if (number < 0)
    return;
  Class& members = classes_[index(number)];
  members.needed -= needed_[index(cell)];
  members.cost -= cost(cell);
  const std::int32_t last = members.cells.back();
  members.cells[index(place_[index(cell)])] = last;
  place_[index(last)] = place_[index(cell)];
  members.cells.pop_back();
  if (members.cells.empty()) {
    class_at_.erase(members.ratio);
    spare_.push_back(number);
  }
}

bool SeriesClasses::superfluous(std::int32_t cell) const {
  const std::int32_t number = class_of_[index(cell)];
  return number < 0 || classes_[index(number)].needed == 0;
}

// Cells stay in series if the circuit moves them in the same proportion as x does; those that it
// does not move stay in series with each other.
double SeriesClasses::split_off(std::span<Moved> moved) const {
  const Class& members = classes_[index(moved.front().number)];
  std::int32_t needed = members.needed;
  double unmoved = members.cost;
  for (Moved& each : moved) {
    each.factor = presolve::residue::multiply(each.factor, inverse_[index(each.cell)]);
    needed -= needed_[index(each.cell)];
    unmoved -= cost(each.cell);
  }
  double saved = needed == 0 ? std::max(0.0, unmoved) : 0;
  for (const Moved& each : moved) {
    const bool kept =
        cost(each.cell) == 0 || std::any_of(moved.begin(), moved.end(), [&](const Moved& other) {
          return other.factor == each.factor && this->needed(other.cell);
        });
    saved += kept ? 0 : cost(each.cell);
  }
  return saved;
}

}  // namespace lacuna::start
