// SPDX-License-Identifier: Apache-2.0
// The outputs of a project as tables: every file of a folder that holds one, in whatever format it
// is read, with the names of variables and codes as the notes say them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/check/acro_results.h"
#include "app/check/condition.h"
#include "app/check/notes.h"
#include "app/load/inputs.h"
#include "data/files/hierarchy_file.h"
#include "data/infer/range_text.h"
#include "lacuna/result.h"

namespace lacuna::checking {

struct CheckRow {
  std::vector<std::string> codes;         // of each dimension
  std::string number;                     // plain; empty: none is printed
  std::optional<infer::RangeText> range;  // in its place
  std::string sign;                       // ... or this
  std::string where;                      // "a.csv:3:7"
  std::vector<std::string> largest;       // contributions, where columns have them
};

struct CheckDimension {
  std::string variable;  // as compared
  std::string shown;     // as the file calls it
  std::string total;     // code; empty: none
  std::vector<files::NamedRelation> relations;
  bool unnamed = false;  // the file does not say what its codes are codes of
};

struct CodeFilter {
  std::string variable, shown, code;
};

struct CheckTable {
  std::size_t output = 0;
  std::string name;  // "a.csv", "book.xlsx, sheet Adults"
  std::string file, sheet;
  std::string value;    // its column
  std::string measure;  // "count", "mean of income", "amount"
  bool counts = true;
  bool stated_measure = false;
  std::vector<CheckDimension> dimensions;
  std::vector<CheckRow> rows;
  std::vector<Condition> subset;
  std::vector<CodeFilter> filters;         // of it, what the file tells of itself
  std::optional<std::string> subset_text;  // as it was stated
  std::string guess;                       // what of it was guessed: a sentence; empty: nothing
};

struct Output {
  std::string name;  // of the file, from the folder on
  std::string sha256;
  std::string unread;  // why it is no table; empty: it was read
  std::optional<AcroRecord> acro;
  bool released = false;  // before, by the store
};

struct Outputs {
  std::vector<Output> outputs;
  std::vector<CheckTable> tables;
  std::vector<std::string> notes;  // how they were read: sentences
};

// Errors: no such folder, nothing in it, notes of a table that is not there.
Result<Outputs> read_folder(const std::string& folder,
                            const Notes& notes,
                            const load::Inputs& inputs);

// Gives variables that files do not name the name of those that have their codes, if just one does.
void name_variables(Outputs& outputs);

}  // namespace lacuna::checking
