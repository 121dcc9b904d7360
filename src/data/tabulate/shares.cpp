// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/shares.h"

#include <algorithm>
#include <numeric>

namespace lacuna::tabulation {
namespace {

// Chunks grow with their list, up to 64 KiB.
constexpr std::size_t kLeastChunk = 16;
constexpr std::size_t kMostChunk = 4096;

LeafShare with_common_leaf(const RecordShare& share, std::span<const std::uint32_t> number) {
  if (number.empty())
    return {share.leaf_and_flags, share.amount};
  const std::uint32_t flags = share.leaf_and_flags & ((1U << RecordShare::kFlagBits) - 1);
  const std::uint32_t leaf = number[share.leaf_and_flags >> RecordShare::kFlagBits];
  return {leaf << RecordShare::kFlagBits | flags, share.amount};
}

}  // namespace

void ShareLists::begin_chunk(Chunks& chunks) {
  const std::size_t last = chunks.empty() ? 0 : chunks.back().size();
  chunks.emplace_back().reserve(std::clamp(2 * last, kLeastChunk, kMostChunk));
}

ShardShares by_respondent(std::vector<ShareList> lists, std::size_t size) {
  ShardShares result;
  std::vector<std::size_t>& start = result.start;
  start.assign(size + 2, 0);
  for (const ShareList& list : lists) {
    for (const auto& chunk : list.chunks) {
      for (const RecordShare& share : chunk)
        ++start[RespondentTable::place_of(share.respondent) + 2];
    }
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  result.shares.resize(start.back());
  for (ShareList& list : lists) {
    for (auto& chunk : list.chunks) {
      for (const RecordShare& share : chunk) {
        const std::size_t place = RespondentTable::place_of(share.respondent);
        result.shares[start[place + 1]++] = with_common_leaf(share, list.number);
      }
      std::vector<RecordShare>().swap(chunk);
    }
  }
  start.pop_back();
  return result;
}

}  // namespace lacuna::tabulation
