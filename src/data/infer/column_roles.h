// SPDX-License-Identifier: Apache-2.0
// What the columns of a table file are, by their names and by what they hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "data/infer/status_word.h"
#include "lacuna/result.h"

namespace lacuna::infer {

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

struct ColumnRoles {
  std::vector<std::size_t> dimensions;
  std::vector<std::size_t> values;  // candidates; one is the value
  std::size_t frequency = kNoColumn;
  std::size_t status = kNoColumn;
  std::size_t weight = kNoColumn;
  std::size_t lower = kNoColumn, upper = kNoColumn;
  std::size_t lower_level = kNoColumn, upper_level = kNoColumn, sliding_level = kNoColumn;
  std::vector<std::size_t> largest;   // contributions, largest first
  std::vector<std::size_t> unused;    // constants, labels, further flags
  std::vector<std::size_t> doubtful;  // of these: could be a status, if the user says so
};

// `numeric` by column. Errors: no column of codes, no number, two columns that could be the status.
Result<ColumnRoles> find_roles(const files::CsvFile& file, const std::vector<bool>& numeric);

bool is_frequency_name(std::string_view name);  // n, count, freq ...

WordCounts words_in(const files::CsvFile& file, std::size_t column);  // trimmed; the first 41

std::string named_columns(const files::CsvFile& file, const std::vector<std::size_t>& columns);

}  // namespace lacuna::infer
