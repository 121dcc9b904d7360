// SPDX-License-Identifier: Apache-2.0
// Sheets as an Excel workbook (ECMA-376). Numbers are numbers unless a double cannot hold them
// exactly, all else is text; the first row is frozen. There are no hidden sheets, no comments, no
// formulas with kept values and no properties: nobody's name, no time.
#pragma once

#include <span>
#include <string>

#include "data/files/sheet.h"
#include "lacuna/result.h"

namespace lacuna::publish {

// Errors: more rows than a sheet can have (1,048,576).
Result<std::string> xlsx_workbook(std::span<const files::Sheet> sheets);

}  // namespace lacuna::publish
