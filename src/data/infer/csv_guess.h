// SPDX-License-Identifier: Apache-2.0
// How a table file is written, found from its text: encoding, separator, header or none, decimal
// mark and thousands separators. What the text does not tell for certain is an error that shows the
// candidates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "data/files/number_style.h"
#include "data/files/text_encoding.h"
#include "data/infer/shape_choice.h"
#include "lacuna/result.h"

namespace lacuna::infer {

// Semicolon, comma, tabulator or bar: the one by which all lines have as many fields.
Result<char> guess_separator(std::string_view text, const std::string& filename);
std::string separator_word(char separator);  // as a job spells it: ";", "\t"

// What a job says of a file; what it leaves open is found from the text.
struct TableFileStyle {
  std::optional<files::Encoding> encoding;
  std::optional<char> separator;
  std::vector<std::string> header;  // names of the columns of a file without a header line
  ShapeChoice shape{};              // of a table, not of other files with columns
  bool alone = false;  // no job stands behind it: whether there is a header line is found, too
};
Result<files::CsvFile> read_table_file(std::string bytes,
                                       const std::string& filename,
                                       const TableFileStyle& style);

// No value: NA, NaN, "-" and the like, or nothing.
bool is_missing_text(std::string_view text);

// The distinct numbers of a column that do not consist of digits alone; nothing if some text is no
// number in any style, or all are missing.
struct NumberTexts {
  std::vector<std::string_view> marked;  // with a sign, mark, blank or exponent
  bool whole = true;                     // no text has a mark that may be decimal
};
std::optional<NumberTexts> numbers_of(const files::CsvFile& file, std::size_t column);

// Numbers of a column as plain text, for readers that know no other. Errors: a text that is no
// number in this style, with its place.
Status make_plain(files::CsvFile& file, std::size_t column, const files::NumberStyle& style);
std::string style_text(const files::NumberStyle& style);  // " with decimal_mark = ..."

}  // namespace lacuna::infer
