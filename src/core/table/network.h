// SPDX-License-Identifier: Apache-2.0
// Networks: equations over the free cells that, after leaving out some that follow from the others
// and changing the sign of some, hold every cell at most once with +1 and at most once with -1.
// Then equations are nodes, cells are arcs, and integral bounds give integral witnesses.
// Two-dimensional tables are networks (Cox 1980), also with one hierarchy.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/table.h"

namespace lacuna::table {

struct NetworkArc {
  CellId cell;
  std::int32_t from = -1;  // node in which the cell has coefficient -1; -1: the ground node
  std::int32_t to = -1;    // node in which it has coefficient +1
};

struct Network {
  std::vector<EquationId> nodes;
  std::vector<std::int8_t> node_sign;  // +1 or -1: the factor of the equation
  std::vector<NetworkArc> arcs;        // one per free cell, ascending
};

// Nothing if no such form was found. It is found for one- and two-dimensional tables with at most
// one hierarchy, whatever the order of dimensions and equations and whatever is fixed or absent.
std::optional<Network> network_form(const Table& table, const std::vector<bool>& free);

}  // namespace lacuna::table
