// SPDX-License-Identifier: Apache-2.0
// Separated text (RFC 4180): quoted fields, doubled quotes, line breaks inside quotes, LF or CRLF,
// any one-character separator, and a leading byte order mark is skipped. The first line is the
// header, unless the caller names the columns of a file that has none.
//
// Spreadsheets compute a field that begins with =, @, + or -, whatever stands in a code, so such a
// text is written with an apostrophe before it, and so is one with apostrophes before such a text;
// reading takes one off. Numbers are none of these.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::files {

struct CsvLayout {
  char separator = ';';
  std::vector<std::string> header;  // names of the columns of a file without a header line
};

class CsvFile {
 public:
  // Keeps its own copy of the text. Errors: an unclosed quote, text after a closing quote, a row
  // with another number of fields than the header, bytes that are not UTF-8, no header.
  static Result<CsvFile> parse(std::string text, std::string filename, const CsvLayout& layout);
  static Result<CsvFile> parse(std::string text, std::string filename, char separator) {
    return parse(std::move(text), std::move(filename), CsvLayout{separator, {}});
  }

  // Columns of a file of another format, all as long as the first. Places are then
  // "sales.parquet, row 17, column value", rows from 1; without a name "row 17, column value"; or
  // what `place` says of a row and column.
  using Place = std::function<std::string(std::size_t row, std::size_t column)>;
  static CsvFile from_columns(std::span<const std::string> names,
                              std::span<const std::vector<std::string>> columns,
                              std::string filename,
                              Place place = {});

  std::size_t num_rows() const { return num_rows_; }  // without the header
  std::size_t num_columns() const { return num_columns_; }
  std::string_view header(std::size_t column) const { return fields_[column].text; }
  std::string_view field(std::size_t row, std::size_t column) const {
    return fields_[(row + 1) * num_columns_ + column].text;
  }
  std::size_t find_column(std::string_view name) const;  // num_columns() if there is none
  // Another text for a field, whose place in the file stays what it was.
  void set_field(std::size_t row, std::size_t column, std::string text);
  // Of a field; row `num_rows()` is the end of the file.
  std::string where(std::size_t row, std::size_t column) const;
  std::string where_header() const;
  // The line at which each row begins (of columns: its number), in one pass: where() counts from
  // the start of the file.
  std::vector<std::size_t> row_lines() const;
  Error error(std::size_t row,
              std::size_t column,
              std::string message,
              ErrorCode code = ErrorCode::kBadField) const;
  const std::string& filename() const { return filename_; }

 private:
  friend class CsvParser;
  struct Field {
    std::string_view text;   // into text_, or into unquoted_
    std::size_t offset = 0;  // of the field in text_
  };
  std::string filename_;
  // On the heap, because the fields point into them and the file may be moved.
  std::unique_ptr<const std::string> text_;
  std::vector<std::unique_ptr<std::string>> unquoted_;  // fields whose quotes had to be taken out
  std::vector<Field> fields_;                           // header first, row by row
  bool has_lines_ = true;                               // false: made by from_columns
  Place place_;                                         // of columns; may be empty
  std::size_t num_columns_ = 0;
  std::size_t num_rows_ = 0;
};

// The separator (semicolon, comma or tabulator) that the header line has most of.
char likely_separator(std::string_view text);

// The field as CSV text, quoted if it has to be, with an apostrophe if a spreadsheet would compute
// it.
std::string csv_quoted(std::string_view field, char separator);

}  // namespace lacuna::files
