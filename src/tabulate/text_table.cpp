// SPDX-License-Identifier: Apache-2.0
#include "tabulate/text_table.h"

#include <algorithm>

namespace lacuna::inline tabulation {
namespace {

constexpr std::size_t kInlineText = 15;

// Slots are kept at most two thirds full.
bool is_full(std::size_t used, std::size_t slots) {
  return 3 * (used + 1) > 2 * slots;
}

}  // namespace

std::uint32_t CodeTable::find_or_add(std::string_view text) {
  const bool is_short = text.size() <= 8;
  const Slot wanted{is_short ? word_of(text.data(), text.size()) : hash_text(text),
                    static_cast<std::uint32_t>(text.size()),
                    size()};
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(wanted) & mask;
  for (; slots_[at].id != kFree; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.word == wanted.word && slot.size == wanted.size &&
        (is_short || texts_[slot.id] == text))
      return slot.id;
  }
  slots_[at] = wanted;
  texts_.emplace_back(text);
  if (is_full(texts_.size(), slots_.size()))
    grow();
  return wanted.id;
}

void CodeTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kFree)
      continue;
    std::size_t at = hash(slot) & mask;
    while (slots_[at].id != kFree)
      at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::uint32_t KeyTable::find_or_add(Key key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(key) & mask;
  for (; slots_[at].id != kFree; at = (at + 1) & mask) {
    if (slots_[at].key == key)
      return slots_[at].id;
  }
  const std::uint32_t id = size();
  slots_[at] = {key, id};
  keys_.push_back(key);
  if (is_full(keys_.size(), slots_.size()))
    grow();
  return id;
}

std::uint32_t KeyTable::find(Key key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(key) & mask;
  while (slots_[at].key != key || slots_[at].id == kFree)
    at = (at + 1) & mask;
  return slots_[at].id;
}

void KeyTable::renumber(std::span<const std::uint32_t> numbers) {
  for (Slot& slot : slots_)
    slot.id = slot.id == kFree ? kFree : numbers[slot.id];
  std::vector<Key>().swap(keys_);
}

void KeyTable::grow() {
  slots_.assign(slots_.size() * 2, Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < size(); ++id) {
    std::size_t at = hash(keys_[id]) & mask;
    while (slots_[at].id != kFree)
      at = (at + 1) & mask;
    slots_[at] = {keys_[id], id};
  }
}

RespondentTable::Hashed RespondentTable::hashed(std::string_view text) {
  Hashed result;
  if (text.size() > kInlineText) {
    result.hash = hash_text(text);
    result.key = {result.hash, std::uint64_t{255} << 56U};
    return result;
  }
  std::array<char, 16> bytes{};
  if (!text.empty())
    std::memcpy(bytes.data(), text.data(), text.size());
  std::memcpy(&result.key.low, bytes.data(), 8);
  std::memcpy(&result.key.high, bytes.data() + 8, 8);
  // Only seven bytes of text stand in the second word: its last byte is the length.
  result.key.high &= (std::uint64_t{1} << 56U) - 1;
  result.key.high |= static_cast<std::uint64_t>(text.size()) << 56U;
  result.hash = mix_words(result.key.low, result.key.high);
  return result;
}

std::string_view RespondentTable::long_text(const Shard& shard, const Key& key) {
  const std::size_t at = key.high & ((std::uint64_t{1} << 56U) - 1);
  std::uint32_t length = 0;
  std::memcpy(&length, shard.long_texts.data() + at, sizeof length);
  return std::string_view(shard.long_texts).substr(at + sizeof length, length);
}

// A view of a short text is one of the key itself.
std::string_view RespondentTable::text_of(const Shard& shard, const Key& key) {
  static_assert(sizeof(Key) == 16);
  if (is_long(key))
    return long_text(shard, key);
  return {reinterpret_cast<const char*>(&key), key.high >> 56U};  // NOLINT: the same bytes
}

std::uint64_t RespondentTable::slot_hash(const Slot& slot) {
  return is_long(slot.key) ? slot.key.low : mix_words(slot.key.low, slot.key.high);
}

void RespondentTable::grow(Shard& shard) {
  std::vector<Slot> old(shard.slots.size() * 2);
  old.swap(shard.slots);
  const std::size_t mask = shard.slots.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kFree)
      continue;
    std::size_t at = slot_hash(slot) & mask;
    while (shard.slots[at].id != kFree)
      at = (at + 1) & mask;
    shard.slots[at] = slot;
  }
}

std::uint32_t RespondentTable::add(Shard& shard,
                                   std::uint32_t number,
                                   const Hashed& wanted,
                                   const Query& query) {
  const bool is_long_text = is_long(wanted.key);
  const auto same = [&](const Slot& slot) {
    if (slot.key.low != wanted.key.low)
      return false;
    return is_long_text ? is_long(slot.key) && long_text(shard, slot.key) == query.text
                        : slot.key.high == wanted.key.high;
  };
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t at = wanted.hash & mask;
  for (; shard.slots[at].id != kFree; at = (at + 1) & mask) {
    if (same(shard.slots[at]))
      return shard.slots[at].id;
  }
  Slot& slot = shard.slots[at];
  slot.key = wanted.key;
  if (is_long_text) {
    slot.key.high |= shard.long_texts.size();
    const auto length = static_cast<std::uint32_t>(query.text.size());
    shard.long_texts.append(reinterpret_cast<const char*>(&length), sizeof length);  // NOLINT
    shard.long_texts.append(query.text);
  }
  slot.id = shard.used++ * kShards + number;
  const std::uint32_t id = slot.id;
  if (is_full(shard.used, shard.slots.size()))
    grow(shard);
  return id;
}

void RespondentTable::intern(std::span<Query> queries) {
  // Grouped by shard, so that each lock is taken once per call.
  std::vector<Hashed> all(queries.size());
  std::array<std::uint32_t, kShards + 1> start{};
  for (std::size_t i = 0; i < queries.size(); ++i) {
    all[i] = hashed(queries[i].text);
    ++start[(all[i].hash >> (64U - kShardBits)) + 1];
  }
  for (std::uint32_t s = 0; s < kShards; ++s)
    start[s + 1] += start[s];
  std::vector<std::uint32_t> order(queries.size());
  std::array<std::uint32_t, kShards + 1> next = start;
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[next[all[i].hash >> (64U - kShardBits)]++] = i;

  constexpr std::uint32_t kAhead = 8;
  for (std::uint32_t s = 0; s < kShards; ++s) {
    Shard& shard = shards_[s];
    const std::lock_guard lock(shard.mutex);
    for (std::uint32_t i = start[s]; i < start[s + 1]; ++i) {
      if (i + kAhead < start[s + 1]) {
        const std::size_t at = all[order[i + kAhead]].hash & (shard.slots.size() - 1);
        __builtin_prefetch(&shard.slots[at], 1);
      }
      Query& query = queries[order[i]];
      query.id = add(shard, s, all[order[i]], query);
    }
  }
}

void RespondentTable::close() {
  for (std::uint32_t s = 0; s < kShards; ++s) {
    keys_[s].resize(shards_[s].used);
    for (const Slot& slot : shards_[s].slots) {
      if (slot.id != kFree)
        keys_[s][slot.id / kShards] = slot.key;
    }
  }
}

std::size_t RespondentTable::id_limit() const {
  std::size_t most = 0;
  for (const Shard& shard : shards_)
    most = std::max<std::size_t>(most, shard.used);
  return most * kShards;
}

bool RespondentTable::before(std::uint32_t a, std::uint32_t b) const {
  const Key& first = key_of(a);
  const Key& second = key_of(b);
  if (is_long(first) || is_long(second))
    return text_of(shards_[a % kShards], first) < text_of(shards_[b % kShards], second);
  // The bytes of a short text in their order are a number; its length is the last of them.
  const auto number = [](std::uint64_t word) { return __builtin_bswap64(word); };
  return first.low != second.low ? number(first.low) < number(second.low)
                                 : number(first.high) < number(second.high);
}

std::vector<std::string> RespondentTable::texts(std::span<const std::uint32_t> ids) const {
  std::vector<std::string> texts;
  for (const std::uint32_t id : ids)
    texts.emplace_back(text_of(shards_[id % kShards], key_of(id)));
  return texts;
}

}  // namespace lacuna::inline tabulation
