// SPDX-License-Identifier: Apache-2.0
// The adjustment problem in numbers: deviations z of the cells that may move, split into connected
// parts. A cell stays fixed if it must be published, if its bounds are a point, or if the equations
// leave it no other value. Only parts with sensitive cells need any work: elsewhere z = 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/table/leaf_form.h"
#include "lacuna/adjust.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::adjustment {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Sense : std::int8_t { kDown = -1, kUndecided = 0, kUp = 1 };
using Senses = std::vector<Sense>;  // one per sensitive cell of a part

inline Sense opposite(Sense sense) {
  return sense == Sense::kUp ? Sense::kDown : Sense::kUp;
}
inline bool any_open(const Senses& senses) {
  return std::find(senses.begin(), senses.end(), Sense::kUndecided) != senses.end();
}

struct PartCell {
  CellId cell;
  double lower = -kInfinity, upper = kInfinity;  // of z
  double weight = 1;
  bool sensitive = false;
  double down = 0, up = 0;  // sensitive: z <= -down or z >= up
};

struct Entry {  // of a sparse row
  std::int32_t index = 0;
  double value = 0;
};

struct SparseRows {
  std::vector<std::size_t> start{0};
  std::vector<Entry> entries;
  std::size_t size() const { return start.size() - 1; }
  std::size_t length(std::size_t row) const { return start[row + 1] - start[row]; }
  const Entry* begin(std::size_t row) const { return entries.data() + start[row]; }
  const Entry* end(std::size_t row) const { return entries.data() + start[row + 1]; }
  void close_row() { start.push_back(entries.size()); }
};

// The exact numbers behind a sensitive cell, in units of the table.
struct Levels {
  Units down = 0, up = 0;
  bool may_fall = true, may_rise = true;
};

struct Part {
  std::vector<PartCell> cells;
  std::vector<std::int32_t> sensitive;  // indices into cells
  Senses start;                         // open where both senses are possible
  SparseRows equations;                 // independent, entries index cells
  std::vector<EquationId> named;        // which ones of the table they are
  std::vector<std::int32_t> leaves;     // indices into cells
  SparseRows expansion;                 // by cell: z as a sum of leaves
  SparseRows conditions;                // on the leaves; empty where they could be eliminated
};

inline const PartCell& sensitive_cell(const Part& part, std::size_t s) {
  return part.cells[static_cast<std::size_t>(part.sensitive[s])];
}

struct Model {
  AdjustNorm norm = AdjustNorm::kL2;
  std::vector<bool> free;      // by cell of the table
  std::vector<Levels> levels;  // by cell of the table; zero if not sensitive
  std::vector<bool> sensitive;
  std::vector<Part> parts;
  table::LeafForm form;  // of the free cells, exact
};

// What every requirement of a cell asks together: the largest levels; a sliding level asks for half
// of it on either side; all zero still means one unit, because the cell may not be shown as it is.
std::vector<Levels> joint_levels(const Problem& problem, std::vector<bool>& sensitive);

// Errors: a sensitive cell that can neither rise nor fall by its level.
Result<Model> build_model(const Problem& problem, AdjustNorm norm, SenseRule senses);

}  // namespace lacuna::adjustment
