// SPDX-License-Identifier: Apache-2.0
// A release in the shape in which its table came: the same text or the same workbook, with titles,
// headings and footnotes, in which the numbers that are not published are replaced. Whatever else
// in it is a number and was not judged is taken out, or refused where it cannot be: other columns
// beside the codes, rows outside the table, other sheets. What is written is read again and
// compared with the release, cell by cell, before anyone gets it.
#pragma once

#include <string>

#include "data/infer/shape.h"
#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

// Whether the ending is that of the input, and the input has a shape of its own: wide, with titles
// or footnotes, or in a workbook.
bool keeps_shape(const infer::TableSource* source, const std::string& path);

// Errors: another format than the input's; numbers that were not judged and cannot be taken out;
// what was written is not what was judged.
Result<std::string> public_as_input(const PublicRelease& release,
                                    const infer::TableSource& source,
                                    const std::string& path);

}  // namespace lacuna::publish
