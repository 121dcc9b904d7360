// SPDX-License-Identifier: Apache-2.0
// Files about the codes of a variable: trees (.hrc, one code per line after its lead strings) and
// labels (.cdl, lines "code,label").
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct TreeFile {
  std::vector<std::string> codes;     // as they stand, blanks at the left included; codes[0]: total
  std::vector<std::int32_t> parents;  // as in CodeList: -1 of the total; a parent stands before
  std::size_t width = 0;              // characters of the longest code but the total
  std::vector<std::string> notes;     // the total is listed, which tau-ARGUS refuses
};
Result<TreeFile> read_tree(std::string bytes,
                           const std::string& filename,
                           const std::string& lead,
                           const std::string& total);

struct CodeLabel {
  std::string code;  // blanks at the left included
  std::string label;
};
// Lines without a comma are a code with an empty label.
Result<std::vector<CodeLabel>> read_code_labels(std::string bytes, const std::string& filename);

}  // namespace lacuna::argus
