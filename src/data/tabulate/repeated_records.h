// SPDX-License-Identifier: Apache-2.0
// Records that are there already: the same texts in the columns that tell records apart. Texts are
// compared by 128 bits of their SHA-256, so that 24 bytes of a record are kept and no two texts are
// taken for one by chance. Which record is the first is a matter of the file, not of threads.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "data/tabulate/code_reader.h"

namespace lacuna::tabulation {

struct RecordMark {
  std::array<std::uint64_t, 2> hash{};
  std::uint64_t at = 0;  // rises with the records of a file
};

RecordMark mark_of(const RecordPlace& place, const std::vector<std::size_t>& columns);

// Records after the first with the same texts, each with that first one, by their places.
std::vector<std::pair<std::uint64_t, std::uint64_t>> repeated_records(
    std::vector<RecordMark> marks);

}  // namespace lacuna::tabulation
