// SPDX-License-Identifier: Apache-2.0
// The one way in for tables: bytes of any format that is read, known by their content and not by
// the ending of a name, become tables with one row per cell, as far as the job or the file say how
// they lie there.
#pragma once

#include <string>
#include <vector>

#include "data/files/text_encoding.h"
#include "data/infer/csv_guess.h"
#include "data/infer/shape.h"
#include "lacuna/result.h"

namespace lacuna::infer {

// How a text is written; other formats have no such thing.
struct TextStyle {
  char separator = ';';
  files::Encoding encoding = files::Encoding::kUtf8;
  bool has_header = true;
};

struct OpenedTable {
  ShapedTable table;
  std::optional<TextStyle> text;
};

// One table, or those of the sheets that the job names. A table whose heading holds codes is melted
// if the job says so (wide); else it stays as it is. Errors: what is not read, by its name; several
// sheets or blocks, of which none was chosen.
Result<std::vector<OpenedTable>> open_tables(std::string bytes,
                                             const std::string& filename,
                                             const TableFileStyle& style);

// Whether the file is read as a table without a job: by its content, or by its name.
bool is_table(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::infer
