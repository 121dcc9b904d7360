// SPDX-License-Identifier: Apache-2.0
// Which cells lie within which others, and which parts of a whole have no record in common: what is
// left of the whole without them is a group as well, and nobody prints it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/check/condition.h"
#include "app/check/populations.h"

namespace lacuna::checking {

// By subset and class of records: the condition that stands for the class.
using ClassConditions = std::map<std::vector<std::int32_t>, std::map<std::int32_t, std::int32_t>>;

struct FoundRest {
  std::int32_t whole = -1;
  std::vector<std::int32_t> parts;  // cells; no two have a record in common
  std::string guess;                // what was guessed for it
};

class WholeFinder {
 public:
  // `listed`: by condition, the lists of codes (a dimension of a table each) that have it.
  WholeFinder(const std::vector<Condition>& conditions,
              const std::vector<std::set<std::int32_t>>& listed,
              const Populations& populations,
              const ClassConditions& classes,
              const std::map<std::vector<std::int32_t>, std::int32_t>& cells);

  // Of every whole the parts next below it, as sets without common records. Of many parts not every
  // set is tried (docs/check.md).
  std::vector<FoundRest> find();
  // Any one or two parts, next below the whole or not, that leave at least 1 and less than
  // `threshold` of it; `number_of` is negative where none is printed.
  using NumberOf = std::function<Units(std::int32_t cell)>;
  std::vector<FoundRest> find_small(Units threshold, const NumberOf& number_of);

 private:
  using Key = std::vector<std::int32_t>;
  struct Weaker {  // a condition in the place of another; -1: none
    std::int32_t condition = -1;
    bool guessed = false;
  };
  struct Part {
    std::int32_t cell = -1;
    const Key* key = nullptr;
    bool guessed = false;
  };
  struct Whole {
    std::int32_t cell = -1;
    const Key* key = nullptr;
    bool guessed = false;
  };

  void find_weaker();
  void take_class_order();
  std::vector<Whole> all_wholes_of(const Key& key, std::int32_t cell) const;
  std::vector<Whole> wholes_of(const Key& key, std::int32_t cell) const;
  void add_small(std::int32_t whole,
                 Units number,
                 std::vector<std::pair<Units, Part>> parts,
                 Units threshold,
                 std::vector<FoundRest>& found) const;
  void add_options(
      const Key& key, std::size_t at, Key& made, bool guessed, std::vector<Whole>& found) const;
  bool is_within(const Key& part, const Key& whole) const;
  bool are_surely_apart(std::int32_t one, std::int32_t other) const;
  bool are_apart(const Part& one, const Part& other, bool& guessed) const;
  void add_sets(std::int32_t whole,
                const std::vector<Part>& parts,
                std::vector<FoundRest>& found) const;

  const std::vector<Condition>& conditions_;
  const std::vector<std::set<std::int32_t>>& listed_;
  const Populations& populations_;
  const ClassConditions& classes_;
  const std::map<Key, std::int32_t>& cells_;
  std::vector<std::vector<Weaker>> weaker_;  // by condition
  // Of cells without such a condition: classes that may hold the main one, by subset.
  std::map<Key, std::vector<std::int32_t>> larger_;
};

}  // namespace lacuna::checking
