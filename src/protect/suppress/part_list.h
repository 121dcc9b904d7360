// SPDX-License-Identifier: Apache-2.0
// What complete suppression decides, part by part, and what is withheld whatever it decides. Where
// cells stand for several (parallel ones, judge/presolve/merged.h), each counts as many as it
// stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lacuna/problem.h"

namespace lacuna::suppression {

// What a problem with parallel cells as one does not say of the given one.
struct Outside {
  double weight = 0;                // of what is withheld whatever we do
  std::int64_t cells = 0;           // how many they are
  std::vector<std::int32_t> sizes;  // cells that a cell stands for besides these; empty: one
};

class PartList {
 public:
  // `one_part`: something ties all parts together, such as a limit on withheld cells.
  PartList(const Problem& problem, Outside outside, bool one_part);

  std::size_t count() const { return parts_.size(); }
  const std::vector<CellId>& cells(std::size_t part) const { return parts_[part]; }
  const std::vector<std::vector<CellId>>& all() const { return parts_; }
  bool are_small() const;  // each of them

  const std::vector<bool>& always() const { return always_; }  // withheld in any case, by cell
  const Outside& outside() const { return outside_; }
  // Withheld, but of no part: nobody can doubt their values.
  double settled_weight() const { return settled_weight_; }
  std::int64_t settled_cells() const { return settled_cells_; }

  std::int64_t size_of(const std::vector<CellId>& cells) const;

 private:
  std::int32_t size_of(CellId cell) const {
    return outside_.sizes.empty() ? 1 : outside_.sizes[static_cast<std::size_t>(cell.value)];
  }

  Outside outside_;
  std::vector<bool> always_;
  std::vector<std::vector<CellId>> parts_;
  double settled_weight_ = 0;
  std::int64_t settled_cells_ = 0;
};

}  // namespace lacuna::suppression
