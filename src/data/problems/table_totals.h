// SPDX-License-Identifier: Apache-2.0
// The totals of a table that was read cell by cell: those that are absent are added up from the
// innermost cells, those that are off by no more than a tolerance are set to the sum of their
// parts, and in the end every sum must hold,  v_parent = sum of v_children  for each relation of a
// dimension and each combination of codes of the others. All sums that do not are told at once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/linked_tables.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::problems {

enum class TotalsRule : std::uint8_t {
  kGiven,       // as the file has them; they must add up
  kComputed,    // those that are absent or empty are added up
  kRecomputed,  // all are added up, whatever the file has
};

struct TotalsOptions {
  TotalsRule rule = TotalsRule::kGiven;
  std::string tolerance;  // totals this far from the sum of their parts are set to it; empty: 0
  int decimals = 0;
};

struct CrossedTables {
  std::span<const Dimension> dimensions;
  std::span<const LinkedTable> tables;
};

struct SummedCells {
  std::vector<std::int32_t> codes;  // one per dimension and cell
  std::vector<Units> values;
  std::vector<std::int64_t> frequencies;  // -1: not known
  std::vector<std::size_t> empty;         // totals without a value
};

struct TotalsPlaces {  // for messages
  std::function<std::string(std::size_t)> of_cell;
  std::string header, file;
};

struct TotalsChanged {
  std::string note;  // what was set; empty: nothing
};

// All codes are leaves, or belong to dimensions that stand at their total, in some table.
bool is_inner_cell(const CrossedTables& tables, std::span<const std::int32_t> codes);

// Totals that were added stand behind the cells that were given. Errors: sums that do not hold, a
// total under another name among the parts, more totals or larger ones than can be held.
Result<TotalsChanged> complete_cells(const CrossedTables& tables,
                                     const TotalsOptions& options,
                                     const TotalsPlaces& places,
                                     SummedCells& cells);

}  // namespace lacuna::problems
