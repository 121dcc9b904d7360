// SPDX-License-Identifier: Apache-2.0
#include "data/formats/stat_library/stat_write.h"

#include <readstat.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/formats/sheet_cells.h"

namespace lacuna::formats {
namespace {

struct OutputColumn {
  std::size_t from = 0;  // of the sheet
  bool is_number = false;
  bool is_state = false;  // the texts that stand where numbers should
  std::string name, label;
  std::size_t width = 1;  // of a text, in bytes
  int decimals = 0;
  readstat_variable_t* variable = nullptr;
};

struct Limits {
  std::size_t name, label, text;
};
Limits limits_of(StatKind kind) {
  return kind == StatKind::kStata ? Limits{32, 80, 2045} : Limits{64, 255, 32'767};
}

bool is_reserved(const std::string& name) {
  static const std::set<std::string> kWords{
      "all",   "and",   "by", "eq",  "ge",    "gt",    "le",    "lt",
      "ne",    "not",   "or", "to",  "with",  "_all",  "byte",  "double",
      "float", "if",    "in", "int", "long",  "using", "strl",  "_b",
      "_coef", "_cons", "_n", "_pi", "_pred", "_rc",   "_skip", "_weight"};
  const bool is_stata_text = name.size() > 3 && name.starts_with("str") &&
                             name.find_first_not_of("0123456789", 3) == std::string::npos;
  return kWords.contains(name) || is_stata_text;
}

// Letters, digits and underscores of ASCII, which both programs take.
std::string name_for(const std::string& name, std::size_t longest, std::set<std::string>& taken) {
  std::string base;
  for (const char c : name) {
    const bool is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool is_inside = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of a character
    if (is_fine || !is_inside)
      base += is_fine ? c : '_';
  }
  const bool begins_with_letter =
      !base.empty() && base[0] != '_' && (base[0] < '0' || base[0] > '9');
  if (!begins_with_letter || is_reserved(base::lower_case(base)))
    base.insert(0, "v");
  for (int n = 1;; ++n) {
    const std::string number = n == 1 ? "" : "_" + std::to_string(n);
    std::string candidate = base.substr(0, longest - number.size()) + number;
    if (taken.insert(base::lower_case(candidate)).second)
      return candidate;
  }
}

std::string cut(const std::string& text, std::size_t longest) {
  std::size_t length = std::min(text.size(), longest);
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    --length;  // not within a character
  return text.substr(0, length);
}

int decimals_of(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
}

Result<std::vector<OutputColumn>> columns_of(const files::Sheet& sheet, StatKind kind) {
  const Limits limits = limits_of(kind);
  std::vector<OutputColumn> columns;
  std::set<std::string> taken;
  for (std::size_t c = 0; c < sheet.header.size(); ++c) {
    OutputColumn values{c, false, false, "", "", 1, 0, nullptr};
    OutputColumn states = values;
    bool has_states = false;
    for (const auto& row : sheet.rows) {
      const files::SheetField field = c < row.size() ? row[c] : files::SheetField();
      values.is_number = values.is_number || field.is_number;
      has_states = has_states || (!field.is_number && !field.text.empty());
      states.width = std::max(states.width, field.is_number ? 1 : field.text.size());
      values.width = std::max(values.width, field.text.size());
      if (field.is_number)
        values.decimals = std::max(values.decimals, std::min(decimals_of(field.text), 15));
      if (field.is_number && !fits_double(plain_number_text(field.text)))
        return Error{ErrorCode::kCannotHold,
                     "the column " + base::in_quotes(sheet.header[c]) +
                         " has a number of more than 15 digits, which no data set of Stata or SPSS "
                         "holds: write .csv",
                     ""};
    }
    values.name = name_for(sheet.header[c], limits.name, taken);
    values.label = values.name == sheet.header[c] ? "" : cut(sheet.header[c], limits.label);
    const bool adds_states = values.is_number && has_states;
    states.is_state = true;
    if (adds_states)
      states.name = name_for(cut(values.name, limits.name - 6) + "_state", limits.name, taken);
    if ((adds_states || !values.is_number) && (adds_states ? states : values).width > limits.text)
      return Error{ErrorCode::kCannotHold,
                   "the column " + base::in_quotes(sheet.header[c]) + " has a text of more than " +
                       std::to_string(limits.text) + " bytes: write .csv",
                   ""};
    columns.push_back(std::move(values));
    if (adds_states)
      columns.push_back(std::move(states));
  }
  if (columns.empty())
    return Error{ErrorCode::kNoRows, "there is no column to be written", ""};
  return columns;
}

struct WriterEnd {
  void operator()(readstat_writer_t* writer) const { readstat_writer_free(writer); }
};

ssize_t append(const void* data, std::size_t size, void* context) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), size);
  return static_cast<ssize_t>(size);
}

void declare(readstat_writer_t* writer, std::vector<OutputColumn>& columns, StatKind kind) {
  for (OutputColumn& column : columns) {
    column.variable =
        readstat_add_variable(writer,
                              column.name.c_str(),
                              column.is_number ? READSTAT_TYPE_DOUBLE : READSTAT_TYPE_STRING,
                              column.is_number ? 0 : column.width);
    if (!column.label.empty())
      readstat_variable_set_label(column.variable, column.label.c_str());
    if (column.is_number) {
      const std::string digits = "20." + std::to_string(column.decimals);
      readstat_variable_set_format(
          column.variable, (kind == StatKind::kStata ? "%" + digits + "f" : "F" + digits).c_str());
    }
  }
}

readstat_error_t insert(readstat_writer_t* writer,
                        const OutputColumn& column,
                        const files::SheetField& field) {
  if (!column.is_number) {
    const bool is_empty = column.is_state && field.is_number;
    return readstat_insert_string_value(
        writer, column.variable, is_empty ? "" : field.text.c_str());
  }
  const auto value = base::parse_double(field.text);
  if (!field.is_number || !value)
    return readstat_insert_missing_value(writer, column.variable);
  return readstat_insert_double_value(writer, column.variable, *value);
}

}  // namespace

Result<std::string> write_data_set(const files::Sheet& sheet, StatKind kind) {
  if (kind != StatKind::kStata && kind != StatKind::kSpss)
    return Error{ErrorCode::kUnsupported, "data sets are written for Stata and SPSS alone", ""};
  LACUNA_TRY(std::vector<OutputColumn> columns, columns_of(sheet, kind));
  if (sheet.rows.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return Error{ErrorCode::kCannotHold, "a data set holds at most 2147483647 rows", ""};
  std::string bytes;
  const std::unique_ptr<readstat_writer_t, WriterEnd> owner(readstat_writer_init());
  readstat_writer_t* writer = owner.get();
  constexpr std::time_t kNoTime = 315'532'800;  // 1980-01-01: the same content, the same bytes
  constexpr std::size_t kLongestTitle = 64;
  readstat_set_data_writer(writer, append);
  readstat_writer_set_file_timestamp(writer, kNoTime);
  readstat_writer_set_file_label(writer, cut(sheet.name, kLongestTitle).c_str());
  declare(writer, columns, kind);
  const auto rows = static_cast<int>(sheet.rows.size());
  readstat_error_t outcome = kind == StatKind::kStata
                                 ? readstat_begin_writing_dta(writer, &bytes, rows)
                                 : readstat_begin_writing_sav(writer, &bytes, rows);
  for (const auto& row : sheet.rows) {
    if (outcome == READSTAT_OK)
      outcome = readstat_begin_row(writer);
    for (const OutputColumn& column : columns) {
      if (outcome == READSTAT_OK)
        outcome = insert(
            writer, column, column.from < row.size() ? row[column.from] : files::SheetField());
    }
    if (outcome == READSTAT_OK)
      outcome = readstat_end_row(writer);
  }
  if (outcome == READSTAT_OK)
    outcome = readstat_end_writing(writer);
  if (outcome != READSTAT_OK)
    return Error{ErrorCode::kCannotHold,
                 "the data set cannot be written (" + std::string(readstat_error_message(outcome)) +
                     "): write .csv",
                 ""};
  return bytes;
}

}  // namespace lacuna::formats
