// SPDX-License-Identifier: Apache-2.0
// A published table as it is, of which nobody has the truth: rows with codes, and in the place of
// each number what the office printed there, be it a number, a range, a sign or nothing. No sum is
// checked here; what the totals and hierarchies are is for the job to say, or for its guess.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/files/csv.h"
#include "data/files/hierarchy_file.h"
#include "data/infer/range_text.h"
#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

struct PublishedRow {
  std::vector<std::string> codes;         // of each dimension; empty: its total
  std::string number;                     // plain; empty: none is printed
  std::optional<infer::RangeText> range;  // with plain numbers
  std::string sign;                       // what stands there instead; may be empty
};

struct PublishedDimension {
  std::string name;
  std::string total;  // empty: none, its codes stand beside each other
  std::vector<files::NamedRelation> relations;
  bool stated = false;  // by a job, and not found
};

struct PublishedTable {
  std::string path;   // as it was named
  std::string file;   // without folder and ending, or the sheet
  std::string value;  // its column
  bool counted = false;
  std::vector<PublishedDimension> dimensions;
  std::vector<PublishedRow> rows;
  std::vector<std::string> notes;  // how it was read
  // Columns of one text in all rows, which are no dimension here: a year, a unit.
  std::vector<std::pair<std::string, std::string>> constants;
  std::shared_ptr<const files::CsvFile> text;
  std::size_t column = 0;  // of the value

  // "sales.csv:12:7", counted from the start of the file.
  std::string where(std::size_t row) const { return text->where(row, column); }
};

// One per file or sheet of the job. Dimensions that the job gives neither a total nor a hierarchy
// have none. Errors: a file that is not read, a text that is neither a number nor a known sign.
Result<std::vector<PublishedTable>> read_published(const spec::ReadSpec& spec,
                                                   const FileLoader& load);

}  // namespace lacuna::jobfile
