// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/repeated_records.h"

#include <algorithm>
#include <string>

#include "core/base/sha256.h"

namespace lacuna::tabulation {

RecordMark mark_of(const RecordPlace& place, const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t column : columns) {
    const std::string_view field = place.field(column);
    text += std::to_string(field.size()) + ':';
    text += field;
  }
  const base::Sha256Words words = base::sha256_words(text);
  return {{std::uint64_t{words[0]} << 32U | words[1], std::uint64_t{words[2]} << 32U | words[3]},
          place.number()};
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> repeated_records(
    std::vector<RecordMark> marks) {
  std::sort(marks.begin(), marks.end(), [](const RecordMark& a, const RecordMark& b) {
    return std::pair(a.hash, a.at) < std::pair(b.hash, b.at);
  });
  std::vector<std::pair<std::uint64_t, std::uint64_t>> repeated;
  std::size_t first = 0;
  for (std::size_t i = 1; i < marks.size(); ++i) {
    if (marks[i].hash == marks[first].hash)
      repeated.emplace_back(marks[i].at, marks[first].at);
    else
      first = i;
  }
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

}  // namespace lacuna::tabulation
