// SPDX-License-Identifier: Apache-2.0
// A data set as a source of columns; see stat_files.h.
#pragma once

#include <memory>
#include <string>

#include "data/columns/arrow_reader.h"
#include "data/columns/column_source.h"
#include "data/formats/stat_library/stat_parse.h"
#include "lacuna/result.h"

namespace lacuna::formats {

// The kind by the first bytes. Errors: it is none.
Result<StatKind> stat_kind(columns::ByteInput& input);

Result<std::unique_ptr<columns::ColumnSource>> stat_source(
    std::unique_ptr<columns::ByteInput> input, const StatOptions& options);

// Columns and labels, without `where` of errors.
Result<StatFileHead> stat_head(columns::ByteInput& input, const StatOptions& options);

// What stands for the values of a column, by the option: by the text of the value. Errors: two
// values with one label.
Result<std::map<std::string, std::string, std::less<>>> stat_labels(const StatVariable& variable,
                                                                    StatLabels labels);

}  // namespace lacuna::formats
