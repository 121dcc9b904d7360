// SPDX-License-Identifier: Apache-2.0
// <WRITETABLE>: the seven types of output, in the layout that tau-ARGUS reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/argus/metadata.h"
#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct OutputText {
  std::string path;
  std::string text;
};

struct WrittenTable {
  std::vector<OutputText> files;   // the table, and the metadata beside types 5 and 7
  std::vector<std::string> notes;  // warnings for the log: true values of suppressed cells, ...
};

// "intermediate" of type 5; for logs and messages.
std::string_view output_name(int type);

// `path`: of the table; `source`: what the trees and missing codes in the metadata come from.
// Errors: a type that is not for this protection.
Result<WrittenTable> write_table(const Table& table,
                                 const WriteTable& command,
                                 const std::string& path,
                                 const Metadata& source);

}  // namespace lacuna::argus
