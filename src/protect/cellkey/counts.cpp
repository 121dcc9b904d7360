// SPDX-License-Identifier: Apache-2.0
#include "protect/cellkey/counts.h"

#include <algorithm>

namespace lacuna::inline cellkeys {
namespace {

double share_without_noise(const Ptable& table, const PtableRow& row) {
  double share = 0;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    if (row.entries[e].noise == 0)
      share +=
          static_cast<double>(table.length_of(row, e)) / static_cast<double>(table.denominator());
  }
  return share;
}

}  // namespace

CountNoise::CountNoise(const Ptable& table, std::uint64_t modulus)
    : table_(table), modulus_(modulus) {
  std::int64_t scale = 1;
  for (int i = 0; i < table.decimals(); ++i)
    scale *= 10;
  largest_ = table.largest_noise() / scale;
  for (const PtableRow& row : table.rows())
    stays_.push_back(share_without_noise(table, row));
}

bool CountNoise::reaches(std::int64_t count, std::int64_t published) const {
  const PtableRow& row = table_.row_of(count);
  std::int64_t scale = 1;
  for (int i = 0; i < table_.decimals(); ++i)
    scale *= 10;
  for (std::size_t e = 0; e < row.entries.size(); ++e) {
    if (row.entries[e].noise == (published - count) * scale && table_.is_reached(row, e, modulus_))
      return true;
  }
  return false;
}

const std::vector<std::int64_t>& CountNoise::candidates(std::int64_t published) {
  const auto [at, is_new] = candidates_.try_emplace(published);
  if (!is_new)
    return at->second;
  for (std::int64_t count = std::max<std::int64_t>(0, published - largest_);
       count <= published + largest_;
       ++count) {
    if (reaches(count, published))
      at->second.push_back(count);
  }
  return at->second;
}

double CountNoise::stays(std::int64_t count) const {
  return stays_[static_cast<std::size_t>(&table_.row_of(count) - table_.rows().data())];
}

}  // namespace lacuna::inline cellkeys
