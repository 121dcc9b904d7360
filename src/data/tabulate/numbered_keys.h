// SPDX-License-Identifier: Apache-2.0
// Numbers 0, 1, ... for keys in the order in which they come. Keys below a bound that is not too
// large have a place each in an array, which also has them in order; others are hashed and sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "data/tabulate/text_table.h"

namespace lacuna::tabulation {

class NumberedKeys {
 public:
  using Key = KeyTable::Key;

  NumberedKeys() = default;
  // `bound`: of all keys; `expected`: about how many there are.
  NumberedKeys(Key bound, std::size_t expected) {
    if (bound <= kMostPlaces && bound <= kPlacesPerKey * (expected + kFewKeys))
      places_.assign(static_cast<std::size_t>(bound), kNone);
  }

  std::uint32_t find_or_add(Key key) {
    if (places_.empty())
      return table_.find_or_add(key);
    std::uint32_t& place = places_[static_cast<std::size_t>(key)];
    if (place == kNone)
      place = size_++;
    return place;
  }
  std::uint32_t find(Key key) const {  // a key that has been added
    return places_.empty() ? table_.find(key) : places_[static_cast<std::size_t>(key)];
  }
  // Other numbers for all keys, by their own ones; from here on only find() may be called.
  void renumber(std::span<const std::uint32_t> numbers) {
    for (std::uint32_t& place : places_)
      place = place == kNone ? kNone : numbers[place];
    if (places_.empty())
      table_.renumber(numbers);
  }
  std::uint32_t size() const { return places_.empty() ? table_.size() : size_; }

  // visit(number, key), keys rising.
  template <class Visit>
  void visit_in_order(Visit&& visit) const {
    for (std::size_t key = 0; key < places_.size(); ++key) {
      if (places_[key] != kNone)
        visit(places_[key], static_cast<Key>(key));
    }
    if (!places_.empty())
      return;
    std::vector<std::uint32_t> order(table_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return table_.keys()[a] < table_.keys()[b];
    });
    for (const std::uint32_t number : order)
      visit(number, table_.keys()[number]);
  }

 private:
  static constexpr Key kMostPlaces = Key{1} << 27U;
  static constexpr Key kPlacesPerKey = 16;
  static constexpr std::size_t kFewKeys = 256;
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> places_;  // by key; empty: hashed
  std::uint32_t size_ = 0;
  KeyTable table_;
};

}  // namespace lacuna::tabulation
