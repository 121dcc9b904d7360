// SPDX-License-Identifier: Apache-2.0
// A file of lines to which lines are only added. Each line is a digest, a blank and the text that
// it is of (SHA-256 in hexadecimal digits), and each text names the digest of the line before: a
// line that was changed, taken out or put in is found. What a text says besides is for its reader.
#pragma once

#include <string>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::files {

struct LogLine {
  std::string digest, text;
  std::string where;  // "store.log:3"
};

// A file that is not there has no lines. Errors: a line without a digest, or whose digest is not
// that of its text, or that is not complete.
Result<std::vector<LogLine>> read_chained_log(const std::string& path);

// What is said of a file that was changed after it was written.
Error log_was_changed(const std::string& what, const std::string& where);

// Adds a line. The digest of the last one must still be `last` (empty: there is none). Lines before
// stay byte by byte, and of two runs at once one is refused. Errors: another line was added since;
// the file cannot be written.
Status append_to_chained_log(const std::string& path,
                             const std::string& last,
                             const std::string& text);

}  // namespace lacuna::files
