// SPDX-License-Identifier: Apache-2.0
// Perturbation tables with a line per range of keys: i, j, p, v, p_lb, p_ub and type, as tau-ARGUS,
// SAS and cellKey have them in different files. j and p_ub are decimals and stay exact; v must be
// j - i (tau-ARGUS looks at j, cellKey at v) and p_lb the p_ub before, where the file has them.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/ptable.h"
#include "lacuna/result.h"

namespace lacuna::ptable_files {

enum class PtableColumn : std::uint8_t {
  kCount,
  kTarget,
  kProbability,
  kNoise,
  kLower,
  kUpper,
  kType
};
inline constexpr std::size_t kPtableColumns = 7;

struct PtableLines {
  // By column, the texts of all lines without blanks and quotes; empty: the file has no such
  // column.
  std::array<std::vector<std::string_view>, kPtableColumns> columns;
  std::function<std::string(std::size_t line, PtableColumn column)> where;
  // The file's own: rows 0, 1, 2, ... without gaps, because a reader counts positions. Those with
  // types may have gaps.
  bool has(PtableColumn column) const { return !of(column).empty(); }
  const std::vector<std::string_view>& of(PtableColumn column) const {
    return columns[static_cast<std::size_t>(column)];
  }
};

// The column that a header names (p_ub, p_int_ub and ub are one); kPtableColumns if none.
std::size_t ptable_column_named(std::string_view name);

Result<Ptable> ptable_from_lines(const PtableLines& lines);

}  // namespace lacuna::ptable_files
