// SPDX-License-Identifier: Apache-2.0
// Records in files of other programs: data sets of SAS, Stata and SPSS, batch by batch, and sheets
// of workbooks, each known by its content.
#pragma once

#include <memory>
#include <string>

#include "data/infer/shape_choice.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// Null: it is a text, for other readers. Errors: a format that is not read, by its name; a workbook
// of which no sheet was chosen.
Result<std::unique_ptr<RecordSource>> open_foreign_records(const std::string& path,
                                                           const infer::ShapeChoice& choice);

}  // namespace lacuna::jobfile
