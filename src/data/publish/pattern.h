// SPDX-License-Identifier: Apache-2.0
// Patterns and releases: what is published of each cell, read for an audit and written as part of
// a result (docs/formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::publish {

// Either a list of withheld cell indices, one per line (blank lines and # comments allowed), or a
// result JSON with a "release" array; a text that opens with '{' is JSON. Numbers of a release are
// decimals in the user's unit and are read exactly. Cells go by their codes; the index counts for
// entries without codes.
Result<Draft> read_pattern(std::string_view text, const std::string& filename, const Table& table);

// A release of an earlier table, whose cells need not all be cells of this one.
struct EarlierRelease {
  Draft draft;
  std::int64_t gone = 0;  // cells that the table does not have: left out
};
Result<EarlierRelease> read_earlier_pattern(std::string_view text,
                                            const std::string& filename,
                                            const Table& table);

// Digits after the point that the numbers of a result JSON have ("decimals"); 0 if it does not say.
Result<int> pattern_decimals(std::string_view text, const std::string& filename);

// The indices of all withheld cells, one per line; an error if the draft does anything else.
Result<std::string> write_pattern(const Draft& draft);

// The codes of a cell, a list.
void write_codes(base::JsonWriter& json, const Table& table, CellId cell);

// The "release" array of a result JSON.
void write_release_entries(base::JsonWriter& json, const Draft& draft, const Table& table);
std::string write_release_entries(const Draft& draft, const Table& table);

}  // namespace lacuna::publish
