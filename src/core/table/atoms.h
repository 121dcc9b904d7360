// SPDX-License-Identifier: Apache-2.0
// Several geographies of the same units as one system (docs/counts.md, "Differencing"). A unit is a
// combination of innermost codes of the dimensions that are areas; a published area is whatever
// codes of these dimensions some published or known cell has. With A(u) the published areas that
// hold unit u,
//   u and v are of one atom            iff  A(u) = A(v),
//   y(area, c)   = sum of y(atom, c)   over the atoms in the area, for every published cell,
//   y(atom, c)   = sum of y(atom, c')  over the parts c' of the category c,
// y whole and >= 0. Which units are inhabited counts as known, so that an atom of n units has
//   y(atom, total) >= n,
// and with it every area. So nested areas, unions, halos (Duke-Williams and Rees 1998) and sums
// over several tables are sums of atoms, and no combination of areas need be enumerated. An atom
// that is a published area has the cells of that area; the cells of others nobody publishes
// (unpublished.h), and they are named after the first unit of the atom.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lacuna/linked_tables.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::table {

struct KnownCell {  // what an earlier release says of a cell
  std::vector<std::int32_t> codes;
  Bounds bounds;
  std::string where;  // place in its file
};

struct AtomSystem {
  Table table;
  std::vector<CellId> given;  // by cell: the same cell of the table that was given, or -1
  std::vector<Units> least;   // by cell: the inhabited units of an atom's total, else unbounded
  std::int64_t atoms = 0;
  std::int64_t unpublished = 0;  // cells that nobody publishes
};

// `table` holds the cells of the published tables and, for every combination of innermost codes of
// all dimensions that is not empty, its count. What no table publishes serves only to count atoms.
// A published table that is not open and lacks a cell tells that it is empty. Errors: no innermost
// cells; areas that do not add up; a known cell that is not true of the table (with its place);
// more atoms times categories than fit.
Result<AtomSystem> system_of_atoms(const Table& table,
                                   std::span<const LinkedTable> published,
                                   std::span<const std::int32_t> areas,
                                   std::span<const KnownCell> known);

}  // namespace lacuna::table
