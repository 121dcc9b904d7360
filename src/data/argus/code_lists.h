// SPDX-License-Identifier: Apache-2.0
// The codes of an explanatory variable as a table has them, from the codes that occur in the data.
// Without a tree: those, sorted as strings. With digit levels: those and their prefixes. With a
// tree file: all codes of the file. Codes that say "not known" stand last, below the total,
// whether they occur or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/argus/code_files.h"
#include "data/argus/found_file.h"
#include "data/argus/metadata.h"
#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct FoundCode {
  std::string code;
  files::Position place;  // of its first occurrence
};

enum class CodesAllowed : std::uint8_t { kLeaves, kAll };  // of records; of tables

struct ListedCodes {
  CodeList list;
  std::vector<std::int32_t> place_of;  // of every code that was found
  std::vector<std::string> notes;
};

// `width`: characters of a code of the data; `tree`: of a variable with a tree file. Errors: a code
// that is not in the tree, or that has others below it where only leaves may occur.
Result<ListedCodes> list_codes(const Variable& variable,
                               std::size_t width,
                               const std::optional<TreeFile>& tree,
                               const std::vector<FoundCode>& found,
                               CodesAllowed allowed,
                               const std::string& filename);

// The tree file of a variable; nothing if it has none.
Result<std::optional<TreeFile>> find_tree(const Variable& variable,
                                          const std::string& metadata_filename,
                                          FileFinder& finder);

}  // namespace lacuna::argus
