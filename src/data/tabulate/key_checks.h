// SPDX-License-Identifier: Apache-2.0
// Whether the keys of records look drawn at random: how often the commonest occurs, and how evenly
// they fill classes of equal width.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/keys.h"

namespace lacuna::tabulation {

// The lists are those of the readers; they are freed on the way.
KeyChecks check_record_keys(std::vector<std::vector<std::uint64_t>> lists, std::uint64_t modulus);

}  // namespace lacuna::tabulation
