// SPDX-License-Identifier: Apache-2.0
// results.json of ACRO (acro/record.py, version 1.0): what its session made, with its own checks of
// each output by itself. Taken are the status, the command, the exception that a researcher asked
// for, and the variables that define a table, which its CSV files do not name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::checking {

struct AcroRecord {
  std::string id, status, command, summary, exception;
  std::vector<std::string> variables;  // that define the table: rows first
  std::string measure;                 // "mean of income"; empty: counts
  bool for_checkers = false;           // ACRO's own word: not to be released
};

// Whether a file is such a file, by its name and content.
bool is_acro_results(const std::string& name, const std::string& bytes);

// By the names of the files, which lie beside it. Errors: JSON that is none, members that are not
// there.
Result<std::map<std::string, AcroRecord>> read_acro_results(const std::string& bytes,
                                                            const std::string& filename);

// Whether ACRO writes a file of this name beside its results for its own use.
bool is_acro_housekeeping(const std::string& name);

}  // namespace lacuna::checking
