// SPDX-License-Identifier: Apache-2.0
// Linked tables of one set of units in which one dimension depends on another: if every code c of C
// lies in one code a of A,
//   y(a, b) = sum of y(c, b) over the c in a,   b any codes of dimensions that both are crossed
//   with,
// and no equation of the tables A x B and C x B says so. Readers see it in the table A x C.
#pragma once

#include <span>
#include <string>

#include "lacuna/linked_tables.h"
#include "lacuna/table.h"

namespace lacuna::table {

// What is wrong and what to do, of the first such pair of dimensions; empty if there is none.
std::string nested_dimensions_text(const Table& table, std::span<const LinkedTable> tables);

}  // namespace lacuna::table
