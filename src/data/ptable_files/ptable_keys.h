// SPDX-License-Identifier: Apache-2.0
// Perturbation tables by whole keys.
//   ONS: pcv,ckey,pvalue. Key c is [c/m, (c+1)/m) with m the largest ckey + 1; a pair that is not
//        there has no noise; n > 750 takes row (n - 1) mod 250 + 501, and n = 0 none.
//   ABS: 256 lines, one per folded key, with the noise of n = 1, 2, ..., w in columns; with a cycle
//   of
//        s columns n > w - s takes column w - s + n mod s + 1 (the old cellKey's, whose folded key
//        has its bits in the opposite order).
#pragma once

#include <cstdint>

#include "data/files/csv.h"
#include "lacuna/ptable.h"
#include "lacuna/result.h"

namespace lacuna::ptable_files {

inline constexpr std::int64_t kOnsRows = 750, kOnsCycle = 250;
inline constexpr std::uint64_t kFoldedKeys = 256;

bool looks_like_ons_ptable(const files::CsvFile& csv);
Result<Ptable> read_ons_ptable(const files::CsvFile& csv);
bool looks_like_abs_ptable(const files::CsvFile& csv);
Result<Ptable> read_abs_ptable(const files::CsvFile& csv, std::int64_t cycle);

}  // namespace lacuna::ptable_files
