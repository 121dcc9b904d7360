// SPDX-License-Identifier: Apache-2.0
// A table as a cross of its dimensions, for formats that give a cell by its place: the cell of
// codes i, j, k of sizes a, b, c is the (i * b + j) * c + k-th.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

struct CrossCell {
  std::size_t place = 0;
  std::vector<std::int32_t> codes;  // by dimension of the view
  CellId cell;
};
struct Cross {
  std::size_t places = 1;
  std::vector<CrossCell> cells;  // by rising place
};
// Errors: a table without codes; ranges; more places than 2^53, beyond which readers of JSON lose
// count.
Result<Cross> cross_of(const PublicRelease& release, std::string_view ending);

// Title of the table as its readers see it: --title, with the table's name where there are several;
// or the name alone.
std::string shown_title(const PublicRelease& release);

// The first sum of a code, as the codes of its parts; none for a code without parts.
std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> first_sums(
    const Dimension& dimension);

}  // namespace lacuna::publish
