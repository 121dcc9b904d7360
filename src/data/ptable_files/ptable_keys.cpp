// SPDX-License-Identifier: Apache-2.0
#include "data/ptable_files/ptable_keys.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/files/position.h"

namespace lacuna::ptable_files {
namespace {

constexpr std::int64_t kMostKeys = 1'000'000;
constexpr std::int64_t kMostNoise = 1'000'000;

std::size_t column_named(const files::CsvFile& csv, std::string_view name) {
  for (std::size_t c = 0; c < csv.num_columns(); ++c) {
    if (base::lower_case(base::trimmed(csv.header(c))) == name)
      return c;
  }
  return csv.num_columns();
}

Result<std::int64_t> whole_number(const files::CsvFile& csv,
                                  std::size_t row,
                                  std::size_t column,
                                  std::int64_t least,
                                  std::int64_t most) {
  const Result<Units> number = base::parse_units(base::trimmed(csv.field(row, column)), 0);
  if (!number || *number < least || *number > most)
    return csv.error(row,
                     column,
                     "must be a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most) + ", not " + base::in_quotes(csv.field(row, column)));
  return *number;
}

// A row from the noise of its keys; those that are not there have none. Neighbors of one noise are
// one range.
PtableRow row_by_keys(std::int64_t count,
                      const std::map<std::int64_t, std::int64_t>& noise,
                      std::int64_t keys) {
  PtableRow row{PtableType::kAll, count, {}};
  const auto add = [&](std::int64_t value, std::int64_t end) {
    const std::uint64_t before = row.entries.empty() ? 0 : row.entries.back().upper;
    if (static_cast<std::uint64_t>(end) == before)
      return;
    if (row.entries.empty() || row.entries.back().noise != value)
      row.entries.push_back({count + value, value, 0, 0});
    PtableEntry& entry = row.entries.back();
    entry.probability +=
        static_cast<double>(end - static_cast<std::int64_t>(before)) / static_cast<double>(keys);
    entry.upper = static_cast<std::uint64_t>(end);
  };
  for (const auto& [key, value] : noise) {
    add(0, key);
    add(value, key + 1);
  }
  add(0, keys);
  return row;
}

}  // namespace

bool looks_like_ons_ptable(const files::CsvFile& csv) {
  return column_named(csv, "pcv") < csv.num_columns() &&
         column_named(csv, "ckey") < csv.num_columns();
}

Result<Ptable> read_ons_ptable(const files::CsvFile& csv) {
  const std::size_t pcv = column_named(csv, "pcv");
  const std::size_t ckey = column_named(csv, "ckey");
  const std::size_t pvalue = column_named(csv, "pvalue");
  if (pvalue == csv.num_columns())
    return Error{ErrorCode::kBadPtable,
                 "the column pvalue is missing: a table by whole keys has pcv, ckey and pvalue",
                 csv.where_header()};
  if (csv.num_rows() == 0)
    return Error{ErrorCode::kBadPtable, "the perturbation table has no lines", csv.where_header()};
  std::vector<std::map<std::int64_t, std::int64_t>> noise(kOnsRows + 1);
  std::int64_t keys = 1;
  for (std::size_t row = 0; row < csv.num_rows(); ++row) {
    LACUNA_TRY(const std::int64_t count, whole_number(csv, row, pcv, 0, kOnsRows));
    LACUNA_TRY(const std::int64_t key, whole_number(csv, row, ckey, 0, kMostKeys - 1));
    LACUNA_TRY(const std::int64_t value, whole_number(csv, row, pvalue, -count, kMostNoise));
    if (!noise[static_cast<std::size_t>(count)].emplace(key, value).second)
      return csv.error(row, ckey, "this pair of pcv and ckey occurs twice");
    keys = std::max(keys, key + 1);
  }
  PtableParts parts;
  parts.denominator = parts.own_modulus = static_cast<std::uint64_t>(keys);
  parts.cycle = {kOnsRows, kOnsRows - kOnsCycle + 1, kOnsCycle, -1};
  for (std::int64_t count = 0; count <= kOnsRows; ++count)
    parts.rows.push_back(row_by_keys(count, noise[static_cast<std::size_t>(count)], keys));
  return Ptable::make(std::move(parts));
}

// 256 lines, or 255 below one that was taken for the header.
bool looks_like_abs_ptable(const files::CsvFile& csv) {
  if (csv.num_rows() != kFoldedKeys && csv.num_rows() != kFoldedKeys - 1)
    return false;
  for (std::size_t c = 0; c < csv.num_columns(); ++c) {
    if (!base::parse_units(base::trimmed(csv.field(0, c)), 0))
      return false;
  }
  return true;
}

Result<Ptable> read_abs_ptable(const files::CsvFile& csv, std::int64_t cycle) {
  const auto width = static_cast<std::int64_t>(csv.num_columns());
  if (cycle < 0 || cycle >= width)
    return Error{ErrorCode::kOptionValue,
                 "must be less than the number of columns, " + std::to_string(width),
                 "--cycle"};
  const bool has_header = csv.num_rows() == kFoldedKeys;
  PtableParts parts;
  parts.denominator = kFoldedKeys;
  parts.key_use = KeyUse::kFolded;
  parts.own_modulus = std::uint64_t{1} << 32U;
  parts.cycle = {width - cycle, width - cycle + 1, cycle, 0};  // length 0: the last column
  parts.rows.push_back({PtableType::kAll, 0, {{0, 0, kFoldedKeys, 1}}});
  for (std::int64_t count = 1; count <= width; ++count) {
    const auto column = static_cast<std::size_t>(count - 1);
    std::map<std::int64_t, std::int64_t> noise;
    if (!has_header) {
      const Result<Units> first = base::parse_units(base::trimmed(csv.header(column)), 0);
      if (!first || *first < -count || *first > kMostNoise)
        return Error{ErrorCode::kBadPtable,
                     "must be a whole number from " + std::to_string(-count) + " on, not " +
                         base::in_quotes(csv.header(column)),
                     csv.where_header()};
      noise[0] = *first;
    }
    for (std::size_t row = 0; row < csv.num_rows(); ++row) {
      LACUNA_TRY(const std::int64_t value, whole_number(csv, row, column, -count, kMostNoise));
      noise[static_cast<std::int64_t>(row) + (has_header ? 0 : 1)] = value;
    }
    parts.rows.push_back(row_by_keys(count, noise, static_cast<std::int64_t>(kFoldedKeys)));
  }
  return Ptable::make(std::move(parts));
}

}  // namespace lacuna::ptable_files
