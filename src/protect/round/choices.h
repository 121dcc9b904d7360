// SPDX-License-Identifier: Apache-2.0
// The numbers that may be published of each cell under a base, and what each tells a reader.
#pragma once

#include <cstdint>

#include "lacuna/round.h"
#include "protect/pattern/plan.h"

namespace lacuna::rounding {

// The base of all cells, which is valid; 1 where none is given.
Units common_base(const Table& table, const RoundSettings& settings);

// Adjacent multiples and up to `steps` bases beyond, without those that fall short of the cell's
// own levels by what they state alone; a cell may end up without any.
pattern::Plan rounding_plan(const Problem& problem,
                            const RoundOptions& options,
                            std::int32_t steps);

// Whether some choice of every cell meets the cell's own levels; the error names a cell that has
// none, and the smallest base under which every cell has one.
Status check_levels(const Problem& problem, const RoundOptions& options, const pattern::Plan& plan);

// The wishes of the unbiased option: up with probability (a - floor) / base.
std::vector<std::int32_t> random_wishes(const Problem& problem,
                                        const pattern::Plan& plan,
                                        std::uint64_t seed);

}  // namespace lacuna::rounding
