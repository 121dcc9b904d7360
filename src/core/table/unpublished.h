// SPDX-License-Identifier: Apache-2.0
// Cells that stand in no published table, such as what two areas have in common: their status is
// kWithheld or kPrimary, and no reader sees even a blank for them. What the rule of a release tells
// of withheld cells is therefore nothing of theirs, and no file lists them.
#pragma once

#include <cstdint>

#include "lacuna/table.h"

namespace lacuna::table {

inline constexpr std::int64_t kUnpublished = -2;  // as Cell::frequency

inline bool is_unpublished(const Cell& cell) {
  return cell.frequency == kUnpublished;
}

}  // namespace lacuna::table
