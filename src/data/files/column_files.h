// SPDX-License-Identifier: Apache-2.0
// Files of columns (Parquet and Arrow, by the ending of the name) where text is taken: as the rows
// of a table, and as a source of records.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/columns/arrow_reader.h"
#include "data/columns/column_source.h"
#include "data/files/csv.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::files {

// .parquet; .arrow, .arrows or .feather.
bool is_column_file(const std::string& path);

// Whether the bytes are those of columns: by the name of the file, or, of what a caller holds under
// a name of its own, because they begin as Arrow files do.
bool holds_columns(std::string_view bytes, const std::string& name);

// The bytes of a file as a table: all columns but those in which data frames keep the numbers of
// their rows (__index_level_0__). The ending of `name` says the format.
Result<CsvFile> column_table(std::string bytes, const std::string& name);

// The same of any source of columns.
Result<CsvFile> column_table(columns::ColumnSource& source, const std::string& name);

// The same as separated text, for readers that take nothing else. Of anything else its own bytes.
Result<std::string> columns_as_csv(std::string bytes, const std::string& name);

// The bytes of a file, which need not fit memory, and of a text.
Result<std::unique_ptr<columns::ByteInput>> open_byte_input(const std::string& path);
std::unique_ptr<columns::ByteInput> text_byte_input(std::string text);

// `threads` are those with which a library may read.
Result<std::unique_ptr<RecordSource>> open_column_records(const std::string& path, int threads);
// The same of any source of columns.
std::unique_ptr<RecordSource> column_records(std::unique_ptr<columns::ColumnSource> source,
                                             const std::string& name);

}  // namespace lacuna::files
