// SPDX-License-Identifier: Apache-2.0
#include "data/ptable_files/ptable_file.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/files/position.h"
#include "data/ptable_files/ptable_keys.h"
#include "data/ptable_files/ptable_lines.h"
#include "data/ptable_files/ptable_yaml.h"

namespace lacuna::ptable_files {
namespace {

constexpr std::array<std::string_view, 5> kFormatNames{"argus", "sas", "cellkey", "ons", "abs"};
constexpr std::uint64_t kLargestPtable = std::uint64_t{1} << 28U;  // bytes

std::string_view without_quotes(std::string_view text) {
  text = base::trimmed(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front())
    text = base::trimmed(text.substr(1, text.size() - 2));
  return text;
}

bool has_known_columns(const files::CsvFile& csv) {
  return csv.num_columns() > 1 &&
         ptable_column_named(base::lower_case(without_quotes(csv.header(0)))) < kPtableColumns;
}

// For each column of the file the one it is; by position, as tau-ARGUS reads, where the header has
// other words.
Result<std::vector<std::size_t>> columns_of(const files::CsvFile& csv) {
  std::vector<std::size_t> columns;
  bool named = true;
  for (std::size_t c = 0; c < csv.num_columns(); ++c) {
    columns.push_back(ptable_column_named(base::lower_case(without_quotes(csv.header(c)))));
    named = named && columns.back() < kPtableColumns &&
            std::count(columns.begin(), columns.end(), columns.back()) == 1;
  }
  const auto has = [&](PtableColumn column) {
    return std::count(columns.begin(), columns.end(), static_cast<std::size_t>(column)) == 1;
  };
  if (named && has(PtableColumn::kCount) && has(PtableColumn::kTarget) && has(PtableColumn::kUpper))
    return columns;
  using enum PtableColumn;
  constexpr std::array kPlaces{kCount, kTarget, kProbability, kNoise, kUpper, kType};
  if (csv.num_columns() != kPlaces.size() && csv.num_columns() != kPlaces.size() - 1)
    return Error{ErrorCode::kBadPtable,
                 "this is not a perturbation table, which has the columns i;j;p;v;p_ub and perhaps "
                 "type, or pcv,ckey,pvalue",
                 csv.where_header()};
  for (std::size_t c = 0; c < csv.num_columns(); ++c)
    columns[c] = static_cast<std::size_t>(kPlaces[c]);
  return columns;
}

Result<Ptable> read_separated(const files::CsvFile& csv) {
  LACUNA_TRY(const std::vector<std::size_t> columns, columns_of(csv));
  PtableLines lines;
  std::array<std::size_t, kPtableColumns> places{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    places[columns[c]] = c;
    for (std::size_t row = 0; row < csv.num_rows(); ++row)
      lines.columns[columns[c]].push_back(without_quotes(csv.field(row, c)));
  }
  if (csv.num_rows() == 0)
    return Error{ErrorCode::kBadPtable, "the perturbation table has no lines", csv.where_header()};
  lines.where = [&](std::size_t line, PtableColumn column) {
    return csv.where(line, places[static_cast<std::size_t>(column)]);
  };
  return ptable_from_lines(lines);
}

}  // namespace

std::span<const std::string_view> enum_names(PtableFormat) {
  return kFormatNames;
}

Result<Ptable> read_ptable(std::string text,
                           const std::string& filename,
                           const PtableReading& reading) {
  if (looks_like_yaml_ptable(text, filename))
    return read_yaml_ptable(text, filename);
  const char separator = files::likely_separator(text);
  LACUNA_TRY(const files::CsvFile csv, files::CsvFile::parse(std::move(text), filename, separator));
  if (looks_like_ons_ptable(csv))
    return read_ons_ptable(csv);
  if (!has_known_columns(csv) && looks_like_abs_ptable(csv))
    return read_abs_ptable(csv, reading.cycle);
  return read_separated(csv);
}

Result<Ptable> read_ptable_file(const std::string& path, const PtableReading& reading) {
  LACUNA_TRY(std::string text, files::read_file(path, kLargestPtable));
  return read_ptable(std::move(text), path, reading);
}

}  // namespace lacuna::ptable_files
