// SPDX-License-Identifier: Apache-2.0
// What records add to leaves, by respondent. A respondent belongs to one of a fixed number of
// shards, by the hash of its name; the shares of a shard are few enough to be sorted in the cache,
// and shards have nothing in common, so that each is a piece of work for any thread.
// Source: partitioned (radix) aggregation, Leis et al., Morsel-driven parallelism, SIGMOD 2014.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/tabulate/text_table.h"
#include "lacuna/units.h"

namespace lacuna::tabulation {

struct RecordShare {  // what one record adds to its leaf; the flags are those of Share
  std::uint32_t leaf_and_flags = 0;
  std::uint32_t respondent = 0;
  Units amount = 0;
  static constexpr std::uint32_t kFlagBits = 2;
};

struct LeafShare {  // the same by the number of the leaf that all readers share
  std::uint32_t leaf_and_flags = 0;
  Units amount = 0;
  std::uint32_t leaf() const { return leaf_and_flags >> RecordShare::kFlagBits; }
  std::uint32_t flags() const { return leaf_and_flags & ((1U << RecordShare::kFlagBits) - 1); }
};

// Shares in the order in which they come, each with its shard.
class ShareLists {
 public:
  static constexpr std::size_t kNumLists = RespondentTable::kShards;
  void add(const RecordShare& share) {
    Chunks& chunks = lists_[RespondentTable::shard_of(share.respondent)];
    if (chunks.empty() || chunks.back().size() == chunks.back().capacity())
      begin_chunk(chunks);
    chunks.back().push_back(share);
  }
  using Chunks = std::vector<std::vector<RecordShare>>;
  Chunks take(std::size_t shard) { return std::move(lists_[shard]); }

 private:
  static void begin_chunk(Chunks& chunks);
  std::array<Chunks, kNumLists> lists_;
};

// The shares of one shard, brought together by respondent.
struct ShardShares {
  std::vector<std::size_t> start;  // by place in the shard, one more than there are
  std::vector<LeafShare> shares;
  std::size_t size() const { return start.empty() ? 0 : start.size() - 1; }
  std::span<LeafShare> of(std::size_t place) {
    return {shares.data() + start[place], start[place + 1] - start[place]};
  }
};

// All shards.
struct SharesByRespondent {
  std::vector<ShardShares> shards = std::vector<ShardShares>(ShareLists::kNumLists);
  std::span<LeafShare> of(std::uint32_t respondent) {
    return shards[RespondentTable::shard_of(respondent)].of(RespondentTable::place_of(respondent));
  }
};

// One of the lists that make a shard, with the common numbers of its leaves (none: it has them).
struct ShareList {
  ShareLists::Chunks chunks;
  std::span<const std::uint32_t> number;
};

// By counting sort; frees the lists on the way. `size`: respondents of the shard.
ShardShares by_respondent(std::vector<ShareList> lists, std::size_t size);

}  // namespace lacuna::tabulation
