// SPDX-License-Identifier: Apache-2.0
// PX files (AXIS-VERSION 2013), which PxWeb and its kin load: keywords, codes and values of each
// variable, then all cells of the cross of the variables, the last one fastest. What is withheld is
// ".."; a cell that the table does not have is "-", nil. --title, --subject-area and --notes are
// TITLE and CONTENTS, SUBJECT-AREA, and NOTE; without them the table's name stands there.
#pragma once

#include <string>

#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

// Errors: a table without codes; a cross of more than 16,777,216 cells; intervals.
Result<std::string> public_px(const PublicRelease& release);

}  // namespace lacuna::publish
