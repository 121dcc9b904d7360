// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/text_table.h"

#include <algorithm>

namespace lacuna::tabulation {
namespace {

constexpr std::size_t kInlineText = 15;

// Slots are kept at most two thirds full.
bool is_full(std::size_t used, std::size_t slots) {
  return 3 * (used + 1) > 2 * slots;
}

// At most eight bytes in their order, then zeros.
std::uint64_t bytes_of(std::string_view text) {
  std::uint64_t word = 0;
  if (text.size() == 8) {
    std::memcpy(&word, text.data(), 8);
  } else if (text.size() >= 4) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, text.data(), 4);
    std::memcpy(&last, text.data() + text.size() - 4, 4);
    word = static_cast<std::uint64_t>(last) << (8 * (text.size() - 4)) | first;
  } else {
    for (std::size_t i = text.size(); i-- > 0;)
      word = word << 8U | static_cast<unsigned char>(text[i]);
  }
  return word;
}

}  // namespace

std::uint32_t CodeTable::find_or_add(std::string_view text) {
  const bool is_short = text.size() <= kShort;
  const Slot wanted{is_short ? word_of(text.data(), text.size()) : hash_text(text),
                    static_cast<std::uint32_t>(text.size()),
                    size()};
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = place(wanted.word);
  for (; slots_[at].id != kNone; at = (at + 1) & mask) {
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
  --shift_;
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kNone)
      continue;
    std::size_t at = place(slot.word);
    while (slots_[at].id != kNone)
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
  // At most seven bytes of text stand in the second word: its last byte is the length.
  result.key.low = bytes_of(text.substr(0, 8));
  result.key.high = static_cast<std::uint64_t>(text.size()) << 56U;
  if (text.size() > 8)
    result.key.high |= bytes_of(text.substr(8));
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

void RespondentTable::grow(Shard& shard) {
  std::vector<Slot> old(shard.slots.size() * 2);
  old.swap(shard.slots);
  const std::size_t mask = shard.slots.size() - 1;
  for (const Slot& slot : old) {
    if (slot.place == kFree)
      continue;
    std::size_t at = slot.tag & mask;
    while (shard.slots[at].place != kFree)
      at = (at + 1) & mask;
    shard.slots[at] = slot;
  }
}

bool RespondentTable::is_same(const Shard& shard,
                              const Key& key,
                              const Hashed& wanted,
                              std::string_view text) {
  if (key.low != wanted.key.low)
    return false;
  return is_long(wanted.key) ? is_long(key) && long_text(shard, key) == text
                             : key.high == wanted.key.high;
}

// The place of a text in its shard.
std::uint32_t RespondentTable::add(Shard& shard, const Hashed& wanted, std::string_view text) {
  const auto tag = static_cast<std::uint32_t>(wanted.hash);
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t at = tag & mask;
  for (; shard.slots[at].place != kFree; at = (at + 1) & mask) {
    const Slot& slot = shard.slots[at];
    if (slot.tag == tag && is_same(shard, shard.keys[slot.place], wanted, text))
      return slot.place;
  }
  const auto place = static_cast<std::uint32_t>(shard.keys.size());
  shard.slots[at] = {tag, place};
  Key& key = shard.keys.emplace_back(wanted.key);
  if (is_long(wanted.key)) {
    key.high |= shard.long_texts.size();
    const auto length = static_cast<std::uint32_t>(text.size());
    shard.long_texts.append(reinterpret_cast<const char*>(&length), sizeof length);  // NOLINT
    shard.long_texts.append(text);
  }
  if (is_full(shard.keys.size(), shard.slots.size()))
    grow(shard);
  return place;
}

void RespondentTable::intern(std::span<Query> queries, Memory& memory) {
  // Grouped by shard, so that each lock is taken once per call.
  memory.hashed_.resize(queries.size());
  std::array<std::uint32_t, kShards + 1> start{};
  for (std::size_t i = 0; i < queries.size(); ++i) {
    memory.hashed_[i] = hashed(queries[i].text);
    ++start[(memory.hashed_[i].hash >> (64U - kShardBits)) + 1];
  }
  for (std::uint32_t s = 0; s < kShards; ++s)
    start[s + 1] += start[s];
  memory.order_.resize(queries.size());
  std::array<std::uint32_t, kShards + 1> next = start;
  for (std::uint32_t i = 0; i < queries.size(); ++i)
    memory.order_[next[memory.hashed_[i].hash >> (64U - kShardBits)]++] = i;
  const std::span<const std::uint32_t> order = memory.order_;
  for (std::uint32_t s = 0; s < kShards; ++s) {
    if (start[s + 1] > start[s])
      intern_shard(s, queries, order.subspan(start[s], start[s + 1] - start[s]), memory);
  }
}

void RespondentTable::intern_shard(std::uint32_t number,
                                   std::span<Query> queries,
                                   std::span<const std::uint32_t> order,
                                   const Memory& memory) {
  constexpr std::size_t kSlotAhead = 16;
  constexpr std::size_t kKeyAhead = 8;
  Shard& shard = shards_[number];
  const std::lock_guard lock(shard.mutex);
  const auto prefetch = [&](std::size_t i) {  // the slot, and later the key that it leads to
    const auto slot = [&](std::size_t n) -> const Slot& {
      return shard.slots[memory.hashed_[order[n]].hash & (shard.slots.size() - 1)];
    };
    if (i < order.size())
      __builtin_prefetch(&slot(i), 1);
    if (i < kKeyAhead || i - kKeyAhead >= order.size())
      return;
    if (const Slot& near = slot(i - kKeyAhead); near.place != kFree)
      __builtin_prefetch(&shard.keys[near.place]);
  };
  for (std::size_t i = 0; i < kSlotAhead; ++i)
    prefetch(i);
  for (std::size_t i = 0; i < order.size(); ++i) {
    prefetch(i + kSlotAhead);
    Query& query = queries[order[i]];
    query.id = add(shard, memory.hashed_[order[i]], query.text) * kShards + number;
  }
}

std::size_t RespondentTable::id_limit() const {
  std::size_t most = 0;
  for (const Shard& shard : shards_)
    most = std::max(most, shard.keys.size());
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

}  // namespace lacuna::tabulation
