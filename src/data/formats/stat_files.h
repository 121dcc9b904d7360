// SPDX-License-Identifier: Apache-2.0
// Data sets of statistics programs, by the library ReadStat: SAS (.sas7bdat, compressed too; .xpt
// of version 5 and 8), Stata (.dta), SPSS (.sav, .zsav, .por). Whole as a grid, or in batches as a
// source of records. Missing values of any kind, those that the user has declared as well, are
// empty; text is UTF-8 from whatever encoding the file names; dates are 2026-11-16 by the format of
// the column (docs/formats.md has the list).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/columns/arrow_reader.h"
#include "data/columns/column_source.h"
#include "data/files/sheet.h"
#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

enum class StatKind : std::uint8_t { kSas7bdat, kSasXport, kStata, kSpss, kSpssPortable };

// What stands for a value that has a label in the file: the value itself, or the label. With
// labels, two values of a column under one label are an error, for they would become one category;
// a value without a label stays as it is.
enum class StatLabels : std::uint8_t { kCodes, kLabels };

struct StatOptions {
  StatLabels labels = StatLabels::kCodes;
  std::string encoding{};  // of the texts, by a name that iconv knows; empty: what the file says
};

struct StatColumn {
  std::string name;
  std::string label;  // may be empty
  bool is_text = false;
  // Value and label, in the order of the file.
  std::vector<std::pair<std::string, std::string>> labels;
};

struct StatHeader {
  StatKind kind = StatKind::kSpss;
  std::vector<StatColumn> columns;
  std::int64_t rows = -1;  // -1: the file does not say
};

// By the first bytes of a file.
bool is_stat_file(std::string_view bytes);
bool reads_stat_files();  // whether this build can

Result<StatHeader> read_stat_header(std::string_view bytes, const std::string& filename);

// Columns are named; GridColumn::said is the label of the column.
Result<Grid> read_stat_grid(std::string_view bytes,
                            const std::string& filename,
                            const StatOptions& options = {});

// Records batch by batch, while the file is read once from the front. `filename` is for messages.
Result<std::unique_ptr<columns::ColumnSource>> open_stat(std::unique_ptr<columns::ByteInput> input,
                                                         const std::string& filename,
                                                         const StatOptions& options = {});
// The same of a file by its path (packed by gzip or xz, too) and of bytes.
Result<std::unique_ptr<columns::ColumnSource>> open_stat_file(const std::string& path,
                                                              const StatOptions& options = {});
Result<std::unique_ptr<columns::ColumnSource>> open_stat_bytes(std::string bytes,
                                                               const std::string& filename,
                                                               const StatOptions& options = {});

// A sheet as a data set (kStata: .dta; kSpss: .sav). A column of numbers is one; where it has other
// texts besides (the mark of a withheld cell) these are missing, and a column <name>_state, made if
// there is any such text, holds them. Names that the program cannot have are changed, and the label
// of the column is the name as it was. Errors: a number that a double cannot hold, a text that is
// too long, no column.
Result<std::string> write_stat(const files::Sheet& sheet, StatKind kind);

}  // namespace lacuna::formats
