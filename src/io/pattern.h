// SPDX-License-Identifier: Apache-2.0
// Patterns and releases: what is published of each cell, read for an audit and written as part of
// a result (docs/formats.md).
#pragma once

#include <string>
#include <string_view>

#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::inline io {

// Either a list of withheld cell indices, one per line (blank lines and # comments allowed), or a
// result JSON with a "release" array; a text that opens with '{' is JSON. Numbers of a release are
// decimals in the user's unit and are read exactly.
Result<Draft> read_pattern(std::string_view text, const std::string& filename, const Table& table);

// Digits after the point that the numbers of a result JSON have ("decimals"); 0 if it does not say.
Result<int> pattern_decimals(std::string_view text, const std::string& filename);

// The indices of all withheld cells, one per line; an error if the draft does anything else.
Result<std::string> write_pattern(const Draft& draft);

// The "release" array of a result JSON.
std::string write_release_entries(const Draft& draft, const Table& table);

}  // namespace lacuna::inline io
