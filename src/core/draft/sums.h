// SPDX-License-Identifier: Apache-2.0
// Whether published numbers add up.
#pragma once

#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::draft {

// Every equation whose cells all carry a number (exact, rounded or altered) holds for the published
// numbers, in integers. Errors: the first that does not.
Status check_sums(const Table& table, const Draft& draft);

}  // namespace lacuna::draft
