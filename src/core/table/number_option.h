// SPDX-License-Identifier: Apache-2.0
// Options that are numbers of the table.
#pragma once

#include <string>

#include "lacuna/decimal.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::table {

// `where` names the option. Errors: more decimals than the table has, not positive.
Result<Units> units_of(const Decimal& number, const Table& table, const std::string& where);

}  // namespace lacuna::table
