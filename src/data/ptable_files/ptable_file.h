// SPDX-License-Identifier: Apache-2.0
// Files of perturbation tables (docs/cellkey.md):
//   argus    i;j;p;v;p_ub with a header line, for magnitudes a sixth column type (tau-ARGUS)
//   sas      the same with p_lb before p_ub (ptable's export for SAS)
//   cellkey  YAML of cellKey: the columns as lists below params, with names lb and ub
//   ons      pcv,ckey,pvalue: the noise of each count and whole key (cell-key-perturbation of the
//   ONS) abs      256 lines of noise by folded key, a column for each count 1, 2, ... (ABS)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/ptable.h"
#include "lacuna/result.h"

namespace lacuna::ptable_files {

enum class PtableFormat : std::uint8_t { kArgus, kSas, kCellKey, kOns, kAbs };
std::span<const std::string_view> enum_names(PtableFormat format);

struct PtableReading {
  // Of abs, which does not say it: counts beyond the columns go round in so many last ones; 0: they
  // take the last.
  std::int64_t cycle = 0;
};

// Whichever format the text is in. Errors carry file, line and column.
Result<Ptable> read_ptable(std::string text,
                           const std::string& filename,
                           const PtableReading& reading = {});
Result<Ptable> read_ptable_file(const std::string& path, const PtableReading& reading = {});

// Errors: what the format cannot say. `keys`: the number of whole keys of ons; 0: the table's own,
// or 256.
Result<std::string> ptable_text(const Ptable& table, PtableFormat format, std::uint64_t keys = 0);
// What of large counts is read differently from the written file, as a sentence; may be empty.
std::string ptable_loss(const Ptable& table, PtableFormat format);

}  // namespace lacuna::ptable_files
