// SPDX-License-Identifier: Apache-2.0
// A-priori files: status, cost, levels and bounds of single cells, set by hand
// (docs/sensitivity.md).
//
// CSV: a header with the names of dimensions and of any of
//   status (S, U, P, M or safe, unsafe, protected, secondary), cost, lower, upper, sliding
//   (protection levels), lower_bound, upper_bound.
// A dimension without a column, or an empty code, stands at its total; an empty field says nothing.
// A row with the status "collapse" and one code, everything else empty, publishes nothing below
// that code.
//
// .hst of tau-ARGUS: lines "code1;code2;...;ACTION[;x1[;x2]]" without a header. Actions, in any
// case: S safe, U unsafe, P protected, M or ML secondary, C x or W x cost (0 becomes 1), PL lo up
// protection levels; AB is refused, as there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/apriori.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"

namespace lacuna::problems {

struct AprioriOptions {
  char separator = ',';         // of the fields; tau-ARGUS files have ';' or ','
  bool ignore_errors = false;   // .hst: skip bad lines and count them
  bool expand_trivial = false;  // a line holds for all cells that equal its cell because a code
                                // has a single child
};

struct CollapsedCode {
  std::string text;   // "region=North"
  std::string where;  // "manual.csv:3:1"
  bool operator==(const CollapsedCode&) const = default;
};

struct AprioriFile {
  std::vector<AprioriEntry> entries;  // in the order of the file
  std::vector<CollapsedCode> collapsed{};
  std::int64_t skipped = 0;  // bad lines, with ignore_errors
  bool operator==(const AprioriFile&) const = default;
};

// Levels are rounded up to the decimals of the table, bounds must fit them. Errors carry
// file:line:column.
Result<AprioriFile> read_apriori_csv(std::string text,
                                     const std::string& filename,
                                     const std::vector<Dimension>& dimensions,
                                     int decimals,
                                     const AprioriOptions& options);
Result<AprioriFile> read_hst(std::string_view text,
                             const std::string& filename,
                             const std::vector<Dimension>& dimensions,
                             int decimals,
                             const AprioriOptions& options);

// `collapsed`: "region=North"; those stand first.
std::string write_apriori_csv(const std::vector<AprioriEntry>& entries,
                              const std::vector<Dimension>& dimensions,
                              int decimals,
                              char separator,
                              const std::vector<std::string>& collapsed = {});
// Errors: sliding levels, bounds, one level without the other, or a code with the separator in it.
Result<std::string> write_hst(const std::vector<AprioriEntry>& entries,
                              const std::vector<Dimension>& dimensions,
                              int decimals,
                              char separator);

}  // namespace lacuna::problems
