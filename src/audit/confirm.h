// SPDX-License-Identifier: Apache-2.0
// Evidence into confirmed ends.
#pragma once

#include <span>
#include <vector>

#include "attack/view.h"
#include "lacuna/audit.h"

namespace lacuna::inline audit {

// Fills what the evidence named by the end shows for the cell in this direction. Evidence that
// does not hold is an error; an end without evidence shows nothing but the truth itself.
Status confirm_end(const Table& table,
                   std::span<const Room> rooms,
                   CellId cell,
                   Direction direction,
                   const Evidence& evidence,
                   End& end);

}  // namespace lacuna::inline audit
