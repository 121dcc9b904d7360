// SPDX-License-Identifier: Apache-2.0
// The key of what is drawn in a release (ends off the centre, directions of unbiased rounding): a
// digest of the seed and of the table with its true values. The office that repeats a run gets the
// same release; a reader who knows the program and the seed would have to guess all hidden cells
// together before a single draw can be repeated.
#pragma once

#include <cstdint>

#include "lacuna/table.h"

namespace lacuna::methods {

std::uint64_t secret_key(std::uint64_t seed, const Table& table);

}  // namespace lacuna::methods
