// SPDX-License-Identifier: Apache-2.0
// A table file as it stands, before anything is known of its shape: all rows with all their fields,
// titles and footnotes among them. Of a text the place of every field is kept, so that the same
// text can be written with some of them replaced.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::infer {

struct TextSpan {
  std::size_t begin = 0, end = 0;  // with its quotes
};

struct RawTable {
  formats::Grid grid;
  std::shared_ptr<const std::string> bytes;  // of the file; of a text in UTF-8
  bool is_text = false;
  char separator = ',';
  std::vector<std::vector<TextSpan>> spans;  // of a text, by row; as many as the row has
  std::vector<std::size_t> lines;            // of a text: where each row begins, from 1

  // "sales.csv:12:7", or as the grid calls it.
  std::string place(std::size_t row, std::size_t column) const;
};

// Rows may have any number of fields; the grid has as many columns as the longest. Errors: a quote
// that is never closed, bytes that are not UTF-8.
Result<RawTable> raw_csv(std::string text, const std::string& filename, char separator);

// The separator of a text of which only some lines belong to the table: that by which most lines
// have equally many fields. Nothing if two would do.
char separator_of_most(std::string_view text);  // '\0': not certain

}  // namespace lacuna::infer
