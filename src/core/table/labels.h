// SPDX-License-Identifier: Apache-2.0
// Cells in messages: the first few by their codes, never by a value.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "lacuna/table.h"

namespace lacuna::table {

// "region=N, region=S, region=W and 4 more"; empty if there are none.
inline std::string labels_text(const Table& table, std::span<const CellId> cells) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, cells.size()); ++i)
    names += (i > 0 ? ", " : "") + table.label(cells[i]);
  if (cells.size() > kNamed)
    names += " and " + std::to_string(cells.size() - kNamed) + " more";
  return names;
}

}  // namespace lacuna::table
