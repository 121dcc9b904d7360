// SPDX-License-Identifier: Apache-2.0
// Giants: a few displacements that carry a good part of the cost. A cell is dear if it makes up a
// noticeable share of what all secondaries cost; the displacements in use through it are a group
// that could publish it again, and with them those through further dear cells, the dearest first,
// as long as the group stays small. What only the group needs is at stake: groups with too little
// at stake are none. Each group is routed anew as one program (joint_program.h).
#pragma once

#include <cstdint>
#include <vector>

#include "protect/start/ledger.h"

namespace lacuna::start {

struct GiantGroup {
  CellId cell;                       // the dear cell that it began with
  std::vector<std::int32_t> shapes;  // of the ledger, ascending
  double stake = 0;                  // cost of the cells that only these need
  bool operator==(const GiantGroup&) const = default;
};

// By falling cost of the cell, no group of shapes twice.
std::vector<GiantGroup> giant_groups(const Ledger& ledger);

// Shapes in use through the cell, ascending.
std::vector<std::int32_t> shapes_in_use(const Ledger& ledger, CellId cell);

}  // namespace lacuna::start
