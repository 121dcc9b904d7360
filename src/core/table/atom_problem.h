// SPDX-License-Identifier: Apache-2.0
// A problem over a table, told in the cells of a system of atoms (atoms.h): cells that were there
// keep what is asked and known of them, and cells that nobody publishes have nothing of their own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/table/atoms.h"
#include "lacuna/keys.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::table {

// What attackers know of cells of atoms they still know. Without counts and keys.
Result<Problem> problem_of_atoms(const Problem& problem, AtomSystem system);

// Cells that nobody publishes have no keys and need none. Null of null.
std::shared_ptr<const CellKeys> keys_of_atoms(const std::shared_ptr<const CellKeys>& keys,
                                              const AtomSystem& system);

// One entry per cell, `none` where there was no cell.
template <class Entry>
std::vector<Entry> entries_of_atoms(const std::vector<Entry>& entries,
                                    const AtomSystem& system,
                                    const Entry& none) {
  std::vector<Entry> all;
  for (const CellId given : system.given) {
    const auto index = static_cast<std::size_t>(given.value);
    all.push_back(given.value >= 0 && index < entries.size() ? entries[index] : none);
  }
  return all;
}

// The problem whose readers know more of its own cells, as earlier releases say it. Errors: a cell
// that is in no table and not empty; a release that is not true of the table. With its place.
Result<Problem> with_known_cells(Problem problem, std::span<const KnownCell> known);

}  // namespace lacuna::table
