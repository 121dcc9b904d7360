// SPDX-License-Identifier: Apache-2.0
// What the columns of a table file are, by their names and by what they hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "data/formats/grid.h"
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

// What is known of the columns besides names and words.
struct KnownRoles {
  std::vector<formats::ColumnRole> declared;  // by the format, by column; may be empty
  std::string value, status;                  // by the user; may be empty
  std::vector<std::string> dimensions;        // by the user: those that have a total
};

// `numeric` by column. Errors: no column of codes, no number, two columns that could be the status.
Result<ColumnRoles> find_roles(const files::CsvFile& file,
                               const std::vector<bool>& numeric,
                               const KnownRoles& known = {});

bool is_frequency_name(std::string_view name);  // n, count, freq ...

WordCounts words_in(const files::CsvFile& file, std::size_t column);  // trimmed; the first 41

std::string named_columns(const files::CsvFile& file, const std::vector<std::size_t>& columns);

}  // namespace lacuna::infer
