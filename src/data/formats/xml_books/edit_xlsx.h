// SPDX-License-Identifier: Apache-2.0
// Cells of an .xlsx replaced in its XML; see workbook_edit.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/formats/workbook_edit.h"
#include "lacuna/result.h"

namespace lacuna::formats {

Result<EditedWorkbook> edit_xlsx(std::string_view bytes,
                                 std::span<const CellEdit> edits,
                                 const std::string& filename);

}  // namespace lacuna::formats
