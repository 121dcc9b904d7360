// SPDX-License-Identifier: Apache-2.0
// Options that are numbers of the table, given as text so that they are exact.
#pragma once

#include <string>

#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::inline methods {

// `where` names the option. Errors: no number, more decimals than the table has, not positive.
Result<Units> units_of(const std::string& text, const Table& table, const std::string& where);

}  // namespace lacuna::inline methods
