// SPDX-License-Identifier: Apache-2.0
#include "app/check/wholes.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/base/index.h"

namespace lacuna::checking {
namespace {

constexpr std::size_t kMostTried = 16;  // parts of a whole of which every set is tried
constexpr std::size_t kMostSets = 64;   // of one whole
constexpr std::size_t kMostConditions = 14;
constexpr std::size_t kMostPairs = 1'000'000;  // of parts of one whole

const char* const kGuess =
    "that one is a part of the other is a guess from names and numbers, and nobody stated it";

bool is_class(const Condition& condition) {
  return condition.variable.starts_with('\x03');
}

using IndexSets = std::set<std::vector<std::size_t>>;
using Matrix = std::vector<std::vector<bool>>;

bool fits(const Matrix& apart, const std::vector<std::size_t>& set, std::size_t i) {
  return std::all_of(set.begin(), set.end(), [&](std::size_t j) { return apart[i][j]; });
}

void add_set(std::vector<std::size_t> set, IndexSets& sets) {
  std::sort(set.begin(), set.end());
  if (sets.size() < kMostSets)
    sets.insert(std::move(set));
}

// Every set to which none can be added.
IndexSets all_largest_sets(const Matrix& apart) {
  IndexSets sets;
  std::vector<std::size_t> set;
  const std::function<void(std::size_t)> extend = [&](std::size_t next) {
    if (sets.size() >= kMostSets)
      return;
    bool largest = true;
    for (std::size_t i = 0; i < apart.size() && largest; ++i)
      largest = std::find(set.begin(), set.end(), i) != set.end() || !fits(apart, set, i);
    if (largest) {
      add_set(set, sets);
      return;
    }
    for (std::size_t i = next; i < apart.size(); ++i) {
      if (!fits(apart, set, i))
        continue;
      set.push_back(i);
      extend(i + 1);
      set.pop_back();
    }
  };
  extend(0);
  return sets;
}

// Sets to which none can be added, so that each part is in one.
IndexSets some_sets(const Matrix& apart) {
  IndexSets sets;
  std::vector<bool> covered(apart.size(), false);
  for (std::size_t seed = 0; seed < apart.size(); ++seed) {
    if (covered[seed])
      continue;
    std::vector<std::size_t> set{seed};
    for (std::size_t i = 0; i < apart.size(); ++i) {
      if (i != seed && fits(apart, set, i))
        set.push_back(i);
    }
    for (const std::size_t i : set)
      covered[i] = true;
    add_set(std::move(set), sets);
  }
  return sets;
}

}  // namespace

WholeFinder::WholeFinder(const std::vector<Condition>& conditions,
                         const std::vector<std::set<std::int32_t>>& listed,
                         const Populations& populations,
                         const ClassConditions& classes,
                         const std::map<Key, std::int32_t>& cells)
    : conditions_(conditions),
      listed_(listed),
      populations_(populations),
      classes_(classes),
      cells_(cells) {}

void WholeFinder::find_weaker() {
  weaker_.resize(conditions_.size());
  std::map<std::string, std::vector<std::int32_t>> by_variable;
  for (std::size_t i = 0; i < conditions_.size(); ++i)
    by_variable[conditions_[i].variable].push_back(static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (is_class(conditions_[i]))
      continue;
    weaker_[i].push_back({-1, false});
    for (const std::int32_t other : by_variable[conditions_[i].variable]) {
      const Condition& weak = conditions_[base::at(other)];
      if (base::at(other) != i && follows(conditions_[i], weak) && !follows(weak, conditions_[i]))
        weaker_[i].push_back({other, conditions_[i].from_code || weak.from_code});
    }
  }
  take_class_order();
}

// Records of one table may be a part of those of another, by their numbers: a guess.
void WholeFinder::take_class_order() {
  for (const auto& [subset, pairs] : populations_.within) {
    const auto own = classes_.find(subset);
    if (own == classes_.end())
      continue;
    const auto condition = [&](std::int32_t of) {
      const auto at = own->second.find(of);
      return at == own->second.end() ? -1 : at->second;
    };
    for (const auto& [pair, is_within] : pairs) {
      if (!is_within)
        continue;
      const std::int32_t part = condition(pair.first), whole = condition(pair.second);
      if (part >= 0)
        weaker_[base::at(part)].push_back({whole, true});
      else if (whole >= 0)
        larger_[subset].push_back(whole);
    }
  }
}

void WholeFinder::add_options(
    const Key& key, std::size_t at, Key& made, bool guessed, std::vector<Whole>& found) const {
  if (at == key.size()) {
    Key sorted = made;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted == key)
      return;
    if (const auto cell = cells_.find(sorted); cell != cells_.end())
      found.push_back({cell->second, &cell->first, guessed});
    return;
  }
  made.push_back(key[at]);
  add_options(key, at + 1, made, guessed, found);
  made.pop_back();
  for (const Weaker& each : weaker_[base::at(key[at])]) {
    if (each.condition >= 0)
      made.push_back(each.condition);
    add_options(key, at + 1, made, guessed || each.guessed, found);
    if (each.condition >= 0)
      made.pop_back();
  }
}

std::vector<WholeFinder::Whole> WholeFinder::all_wholes_of(const Key& key,
                                                           std::int32_t cell) const {
  std::vector<Whole> found;
  if (key.size() > kMostConditions)
    return found;
  Key made;
  add_options(key, 0, made, false, found);
  const bool has_class = std::any_of(key.begin(), key.end(), [&](std::int32_t each) {
    return is_class(conditions_[base::at(each)]);
  });
  for (const auto& [subset, classes] : larger_) {
    if (has_class || !std::includes(key.begin(), key.end(), subset.begin(), subset.end()))
      continue;
    for (const std::int32_t larger : classes) {
      made.assign(1, larger);
      add_options(key, 0, made, true, found);
    }
  }
  std::erase_if(found, [&](const Whole& each) { return each.cell == cell; });
  std::stable_sort(found.begin(), found.end(), [](const Whole& a, const Whole& b) {
    return a.cell != b.cell ? a.cell < b.cell : !a.guessed && b.guessed;
  });
  found.erase(std::unique(found.begin(),
                          found.end(),
                          [](const Whole& a, const Whole& b) { return a.cell == b.cell; }),
              found.end());
  return found;
}

std::vector<WholeFinder::Whole> WholeFinder::wholes_of(const Key& key, std::int32_t cell) const {
  const std::vector<Whole> found = all_wholes_of(key, cell);
  // Those next above: no other whole lies between.
  std::vector<Whole> nearest;
  for (const Whole& each : found) {
    const bool between = std::any_of(found.begin(), found.end(), [&](const Whole& other) {
      return other.cell != each.cell && is_within(*other.key, *each.key);
    });
    if (!between)
      nearest.push_back(each);
  }
  return nearest;
}

bool WholeFinder::is_within(const Key& part, const Key& whole) const {
  return std::all_of(whole.begin(), whole.end(), [&](std::int32_t wanted) {
    return std::any_of(part.begin(), part.end(), [&](std::int32_t each) {
      return each == wanted ||
             (!is_class(conditions_[base::at(each)]) &&
              follows(conditions_[base::at(each)], conditions_[base::at(wanted)]));
    });
  });
}

// Two codes of one list, or of which a filter was stated, have no record in common. Codes that no
// table lists together may be those of two classifications.
bool WholeFinder::are_surely_apart(std::int32_t one, std::int32_t other) const {
  const std::set<std::int32_t>&first = listed_[base::at(one)], &second = listed_[base::at(other)];
  const bool together = std::any_of(
      first.begin(), first.end(), [&](std::int32_t list) { return second.contains(list); });
  const Condition &a = conditions_[base::at(one)], &b = conditions_[base::at(other)];
  if (a.range && b.range)
    return together || (!a.from_code && !b.from_code);
  return together || a.stated || b.stated;
}

bool WholeFinder::are_apart(const Part& one, const Part& other, bool& guessed) const {
  bool apart = false;
  for (const std::int32_t a : *one.key) {
    for (const std::int32_t b : *other.key) {
      const Condition &first = conditions_[base::at(a)], &second = conditions_[base::at(b)];
      if (a == b || is_class(first) || !excludes(first, second))
        continue;
      apart = true;
      guessed = !are_surely_apart(a, b);
      if (!guessed)
        return true;
    }
  }
  return apart;
}

void WholeFinder::add_sets(std::int32_t whole,
                           const std::vector<Part>& parts,
                           std::vector<FoundRest>& found) const {
  const std::size_t count = parts.size();
  Matrix apart(count, std::vector<bool>(count, false));
  Matrix by_guess = apart;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      bool guessed = false;
      apart[i][j] = apart[j][i] = are_apart(parts[i], parts[j], guessed);
      by_guess[i][j] = by_guess[j][i] = guessed;
    }
  }
  const IndexSets sets = count <= kMostTried ? all_largest_sets(apart) : some_sets(apart);
  for (const std::vector<std::size_t>& set : sets) {
    FoundRest rest;
    rest.whole = whole;
    for (const std::size_t i : set) {
      rest.parts.push_back(parts[i].cell);
      bool guessed = parts[i].guessed;
      for (const std::size_t j : set)
        guessed = guessed || (i != j && by_guess[i][j]);
      if (guessed)
        rest.guess = kGuess;
    }
    found.push_back(std::move(rest));
  }
}

// Two parts leave little only if their sum is close to the whole: of the parts in the order of
// their numbers, those close enough to what the first leaves stand together.
void WholeFinder::add_small(std::int32_t whole,
                            Units number,
                            std::vector<std::pair<Units, Part>> parts,
                            Units threshold,
                            std::vector<FoundRest>& found) const {
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.cell < b.second.cell;
  });
  std::size_t tried = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Units left = number - parts[i].first;
    if (left < 1)
      break;
    const auto guess = [&](bool guessed) { return guessed ? kGuess : ""; };
    if (left < threshold)
      found.push_back({whole, {parts[i].second.cell}, guess(parts[i].second.guessed)});
    auto at = std::lower_bound(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                               parts.end(),
                               left - threshold + 1,
                               [](const auto& part, Units least) { return part.first < least; });
    for (; at != parts.end() && at->first < left && tried < kMostPairs; ++at, ++tried) {
      bool guessed = false;
      if (at->first < 1 || !are_apart(parts[i].second, at->second, guessed))
        continue;
      guessed = guessed || parts[i].second.guessed || at->second.guessed;
      found.push_back({whole, {parts[i].second.cell, at->second.cell}, guess(guessed)});
    }
  }
}

std::vector<FoundRest> WholeFinder::find_small(Units threshold, const NumberOf& number_of) {
  std::map<std::int32_t, std::vector<std::pair<Units, Part>>> parts;
  for (const auto& [key, cell] : cells_) {
    const Units number = number_of(cell);
    if (number < 1)
      continue;
    for (const Whole& whole : all_wholes_of(key, cell)) {
      if (number_of(whole.cell) > number)
        parts[whole.cell].push_back({number, {cell, &key, whole.guessed}});
    }
  }
  std::vector<FoundRest> found;
  for (auto& [whole, own] : parts)
    add_small(whole, number_of(whole), std::move(own), threshold, found);
  return found;
}

std::vector<FoundRest> WholeFinder::find() {
  find_weaker();
  std::map<std::int32_t, std::vector<Part>> parts;
  for (const auto& [key, cell] : cells_) {
    for (const Whole& whole : wholes_of(key, cell))
      parts[whole.cell].push_back({cell, &key, whole.guessed});
  }
  std::vector<FoundRest> found;
  for (auto& [whole, own] : parts) {
    // Stated parts and guessed ones do not stand in one set: what is stated stays proven.
    std::vector<Part> stated;
    std::copy_if(own.begin(), own.end(), std::back_inserter(stated), [](const Part& each) {
      return !each.guessed;
    });
    if (!stated.empty())
      add_sets(whole, stated, found);
    if (stated.size() < own.size())
      add_sets(whole, own, found);
  }
  return found;
}

}  // namespace lacuna::checking
