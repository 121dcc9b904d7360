// SPDX-License-Identifier: Apache-2.0
// A displacement z of the true table t as it looks from another table t + d: z - d leads to the same
// t + z. What is evidence on one table that fits is evidence on all of them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/units.h"

namespace lacuna::owner {

// How far another table lies from the true one: by cell, whole and not zero.
using TableMove = std::map<std::int32_t, Units>;

Displacement seen_from(const TableMove& moved, const Displacement& witness);
std::vector<Displacement> seen_from(const TableMove& moved,
                                    const std::vector<Displacement>& witnesses);

}  // namespace lacuna::owner
