// SPDX-License-Identifier: Apache-2.0
// Which table this is, whatever is asked of it.
#pragma once

#include <string>

#include "lacuna/table.h"

namespace lacuna::table {

// SHA-256 of decimals, codes, values and equations, as hexadecimal digits.
std::string table_digest(const Table& table);

}  // namespace lacuna::table
