// SPDX-License-Identifier: Apache-2.0
// What a job over a table says of its columns: [columns] names them, [status_words] gives the words
// of the office for the status of a cell, and [defaults] says what holds where a row gives nothing
// (docs/formats.md).
//   [columns]
//   value = "TURNOVER"
//   frequency = "N"
//   largest = ["MAX1", "MAX2"]
//   [status_words]
//   geheim = "primary"
//   [defaults]
//   upper_percent = 50
//   level = "10%"
#pragma once

#include <string>
#include <vector>

#include "data/infer/status_word.h"
#include "data/jobfile/job_file.h"
#include "data/problems/table_csv.h"
#include "data/spec/job_spec.h"
#include "lacuna/keys.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

struct TableColumnSection {
  problems::TableColumns names;
  KeyOptions keys;  // how those of the column are written
  std::string where;
  bool counted = false;     // the value of a cell is its frequency: a table of counts
  std::string named_count;  // the value's column, if it has the name of a count and is none
};

// `load` reads the file with the secret of the keys.
Result<TableColumnSection> read_column_section(const spec::ReadSpec& spec, const FileLoader& load);

// The names of the columns that hold numbers; some may be empty.
std::vector<std::string> number_columns(const problems::TableColumns& names);

Result<infer::StatusWords> read_status_words(const spec::ReadSpec& spec);

Result<problems::TableDefaults> read_defaults(const spec::ReadSpec& spec);

// Whether the text is a number that a table can hold; the error stands at the path.
Status check_number(const std::string& text,
                    const std::string& path,
                    const spec::SpecPlaces& places);

}  // namespace lacuna::jobfile
