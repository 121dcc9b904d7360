// SPDX-License-Identifier: Apache-2.0
#include "data/files/csv.h"

#include <algorithm>

#include "core/base/spelling.h"
#include "data/files/position.h"
#include "data/files/wrong_format.h"

namespace lacuna::files {
namespace {

std::string separator_text(char separator) {
  return separator == '\t' ? "(a tabulator)" : "'" + std::string(1, separator) + "'";
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "5", "1,234.5", "1e-05": what may follow a sign without being a formula.
bool is_amount(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, end);
  if (digits.empty() || digits.find_first_not_of("0123456789.,") != std::string_view::npos)
    return false;
  if (end == text.size())
    return true;
  const bool is_signed = text.substr(end + 1, 1) == "-" || text.substr(end + 1, 1) == "+";
  return is_digits(text.substr(end + (is_signed ? 2U : 1U)));
}

// Whether a spreadsheet computes the field when it opens the file.
bool is_formula(std::string_view field) {
  constexpr std::string_view kAlways = "=@\t\r";
  if (field.empty())
    return false;
  if (kAlways.find(field.front()) != std::string_view::npos)
    return true;
  const bool is_signed = field.front() == '+' || field.front() == '-';
  return is_signed && field.size() > 1 && !is_amount(field.substr(1));
}

// The same behind apostrophes: with one more it can be told from what has one less.
bool is_formula_behind_apostrophes(std::string_view field) {
  const std::size_t first = field.find_first_not_of('\'');
  return first != std::string_view::npos && is_formula(field.substr(first));
}

std::string_view without_apostrophe(std::string_view field) {
  const bool guarded =
      !field.empty() && field.front() == '\'' && is_formula_behind_apostrophes(field.substr(1));
  return guarded ? field.substr(1) : field;
}

}  // namespace

class CsvParser {
 public:
  CsvParser(CsvFile& file, const CsvLayout& layout)
      : file_(file), text_(*file.text_), separator_(layout.separator), names_(layout.header) {}

  Status parse() {
    if (const std::size_t bad = base::find_bad_utf8(text_); bad != std::string_view::npos)
      return or_wrong_format(
          error(bad,
                "this byte is not UTF-8 text: convert the file to UTF-8, or name its encoding "
                "(" +
                    base::named_setting("[input]", "encoding", "\"windows-1252\"") +
                    base::words_of_files(" of a job over a table") + ")"),
          text_,
          file_.filename_);
    for (const std::string& name : names_) {
      file_.unquoted_.push_back(std::make_unique<std::string>(name));
      file_.fields_.push_back({*file_.unquoted_.back(), 0});
    }
    file_.num_columns_ = names_.size();
    if (text_.substr(0, 3) == "\xEF\xBB\xBF")
      at_ = 3;
    while (at_ < text_.size()) {
      if (skip_blank_line())
        continue;
      LACUNA_RETURN_IF_ERROR(read_row());
    }
    if (file_.num_columns_ == 0)
      return error(text_.size(), "the file has no header line");
    file_.num_rows_ = file_.fields_.size() / file_.num_columns_ - 1;
    return ok_status();
  }

 private:
  Error error(std::size_t offset, std::string message) const {
    return error_at(file_.filename_, text_, offset, std::move(message));
  }

  std::size_t line_break_length() const {  // 0 if there is none here
    if (at_ < text_.size() && text_[at_] == '\n')
      return 1;
    return text_.substr(at_, 2) == "\r\n" ? 2 : 0;
  }

  bool skip_blank_line() {
    const std::size_t length = line_break_length();
    at_ += length;
    return length > 0;
  }

  Status read_row() {
    const std::size_t start = at_;
    std::size_t count = 0;
    for (;;) {
      LACUNA_RETURN_IF_ERROR(read_field());
      ++count;
      if (at_ < text_.size() && text_[at_] == separator_) {
        ++at_;
        continue;
      }
      const std::size_t length = line_break_length();
      if (at_ < text_.size() && length == 0)
        return error(at_,
                     "expected the separator " + separator_text(separator_) +
                         " after a quoted field: is it another one (separator = \",\")?");
      at_ += length;
      break;
    }
    if (file_.num_columns_ == 0)
      file_.num_columns_ = count;
    return count == file_.num_columns_ ? ok_status() : wrong_count(start, count);
  }

  Error wrong_count(std::size_t start, std::size_t count) const {
    const bool first_row = file_.fields_.size() == file_.num_columns_ + count;
    const bool row_names = first_row && names_.empty() && count == file_.num_columns_ + 1;
    return error(start,
                 "the row has " + std::to_string(count) + " fields, but " +
                     (names_.empty() ? "the header has " : "the job names ") +
                     std::to_string(file_.num_columns_) +
                     (row_names ? ": the column of row names has no name (in R, write.csv with "
                                  "row.names = FALSE)"
                                : ""));
  }

  Status read_field() {
    if (at_ < text_.size() && text_[at_] == '"')
      return read_quoted();
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && line_break_length() == 0)
      ++at_;
    file_.fields_.push_back({without_apostrophe(text_.substr(start, at_ - start)), start});
    return ok_status();
  }

  Status read_quoted() {
    const std::size_t start = at_++;
    const std::size_t content = at_;
    bool doubled = false;
    for (;; ++at_) {
      at_ = text_.find('"', at_);
      if (at_ == std::string_view::npos) {
        at_ = text_.size();
        return error(start, "the quote that opens here is never closed");
      }
      if (text_.substr(at_, 2) != "\"\"")
        break;
      doubled = true;
      ++at_;
    }
    std::string_view inner = text_.substr(content, at_ - content);
    ++at_;
    if (doubled) {
      std::string& plain = *file_.unquoted_.emplace_back(std::make_unique<std::string>());
      for (std::size_t i = 0; i < inner.size(); ++i) {
        plain += inner[i];
        i += inner[i] == '"' ? 1U : 0U;
      }
      inner = plain;
    }
    file_.fields_.push_back({without_apostrophe(inner), start});
    return ok_status();
  }

  CsvFile& file_;
  std::string_view text_;
  char separator_;
  const std::vector<std::string>& names_;
  std::size_t at_ = 0;
};

Result<CsvFile> CsvFile::parse(std::string text, std::string filename, const CsvLayout& layout) {
  CsvFile file;
  file.filename_ = std::move(filename);
  file.text_ = std::make_unique<const std::string>(std::move(text));
  LACUNA_RETURN_IF_ERROR(CsvParser(file, layout).parse());
  return file;
}

CsvFile CsvFile::from_columns(std::span<const std::string> names,
                              std::span<const std::vector<std::string>> columns,
                              std::string filename,
                              Place place) {
  CsvFile file;
  file.filename_ = std::move(filename);
  file.has_lines_ = false;
  file.place_ = std::move(place);
  file.num_columns_ = names.size();
  file.num_rows_ = columns.empty() ? 0 : columns.front().size();
  std::string text;
  std::vector<std::size_t> ends;
  const auto add = [&](const std::string& field) {
    text += field;
    ends.push_back(text.size());
  };
  for (const std::string& name : names)
    add(name);
  for (std::size_t row = 0; row < file.num_rows_; ++row) {
    for (const std::vector<std::string>& column : columns)
      add(column[row]);
  }
  file.text_ = std::make_unique<const std::string>(std::move(text));
  const std::string_view all = *file.text_;
  file.fields_.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    file.fields_.push_back({all.substr(begin, end - begin), begin});
    begin = end;
  }
  return file;
}

std::size_t CsvFile::find_column(std::string_view name) const {
  std::size_t column = 0;
  while (column < num_columns_ && header(column) != name)
    ++column;
  return column;
}

void CsvFile::set_field(std::size_t row, std::size_t column, std::string text) {
  unquoted_.push_back(std::make_unique<std::string>(std::move(text)));
  fields_[(row + 1) * num_columns_ + column].text = *unquoted_.back();
}

std::string CsvFile::where(std::size_t row, std::size_t column) const {
  if (place_ && row < num_rows_ && column < num_columns_)
    return place_(row, column);
  if (!has_lines_) {
    return row < num_rows_ && column < num_columns_
               ? (filename_.empty() ? "" : filename_ + ", ") + "row " + std::to_string(row + 1) +
                     ", column " + std::string(header(column))
               : filename_;
  }
  const std::string& text = *text_;
  const std::size_t index = (row + 1) * num_columns_ + column;
  const std::size_t offset = index < fields_.size() ? fields_[index].offset : text.size();
  return location(filename_, position_of(text, offset));
}

std::string CsvFile::where_header() const {
  if (!has_lines_)
    return filename_;
  return location(filename_, position_of(*text_, fields_.front().offset));
}

std::vector<std::size_t> CsvFile::row_lines() const {
  std::vector<std::size_t> lines;
  lines.reserve(num_rows_);
  std::size_t line = 1;
  auto at = text_->begin();
  for (std::size_t row = 0; row < num_rows_; ++row) {
    if (!has_lines_) {
      lines.push_back(row + 1);
      continue;
    }
    const auto begin =
        text_->begin() + static_cast<std::ptrdiff_t>(fields_[(row + 1) * num_columns_].offset);
    line += static_cast<std::size_t>(std::count(at, begin, '\n'));
    at = begin;
    lines.push_back(line);
  }
  return lines;
}

Error CsvFile::error(std::size_t row,
                     std::size_t column,
                     std::string message,
                     ErrorCode code) const {
  return {code, std::move(message), where(row, column)};
}

char likely_separator(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  char best = ';';
  for (const char candidate : {',', '\t'}) {
    if (std::count(header.begin(), header.end(), candidate) >
        std::count(header.begin(), header.end(), best))
      best = candidate;
  }
  return best;
}

std::string csv_quoted(std::string_view field, char separator) {
  const std::string guard = is_formula_behind_apostrophes(field) ? "'" : "";
  const bool plain = field.find_first_of("\"\r\n") == std::string_view::npos &&
                     field.find(separator) == std::string_view::npos;
  if (plain)
    return guard + std::string(field);
  std::string out = "\"" + guard;
  for (const char c : field) {
    out += c;
    if (c == '"')
      out += '"';
  }
  return out + "\"";
}

}  // namespace lacuna::files
