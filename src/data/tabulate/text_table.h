// SPDX-License-Identifier: Apache-2.0
// Texts to small numbers, fast: the codes of a column, one table per thread, and the respondents,
// one table that all threads share. Open addressing with linear probing; short texts stand in the
// tables themselves.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/units.h"

namespace lacuna::tabulation {

// A well-mixed hash of two words.
inline std::uint64_t mix_words(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a ^ 0x9E3779B97F4A7C15U) * (b ^ 0xD6E8FEB86659FD93U);
  const auto low = static_cast<std::uint64_t>(product);
  const auto high = static_cast<std::uint64_t>(product >> 64U);
  const std::uint64_t folded = (low ^ high) * 0xFF51AFD7ED558CCDU;
  return folded ^ (folded >> 32U);
}

// At most eight bytes as one word, in a way that tells texts of the same length apart. Loads of
// fixed size, because a copy of any length is a function call.
inline std::uint64_t word_of(const char* text, std::size_t size) {
  if (size == 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, 8);
    return word;
  }
  if (size >= 4) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, text, 4);
    std::memcpy(&last, text + size - 4, 4);
    return static_cast<std::uint64_t>(last) << 32U | first;
  }
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i)
    word = word << 8U | static_cast<unsigned char>(text[i]);
  return word;
}

inline std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = text.size();
  while (text.size() > 8) {
    hash = mix_words(hash, word_of(text.data(), 8));
    text.remove_prefix(8);
  }
  return mix_words(hash, word_of(text.data(), text.size()));
}

class CodeTable {  // the texts that a column holds, numbered as they come
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  CodeTable() : slots_(std::size_t{1} << kFirstBits) {}
  // The number of a text of at most eight bytes, which nearly all codes are; kNone: it is longer,
  // or new.
  std::uint32_t find_short(std::string_view text) const {
    if (text.size() > kShort)
      return kNone;
    const std::uint64_t word = word_of(text.data(), text.size());
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(word);; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.id == kNone || (slot.word == word && slot.size == text.size()))
        return slot.id;
    }
  }
  // The number of the text; equal to the former size() if it is new.
  std::uint32_t find_or_add(std::string_view text);
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }
  const std::string& text(std::uint32_t id) const { return texts_[id]; }

 private:
  struct Slot {
    std::uint64_t word = 0;  // the text if it is short, else its hash
    std::uint32_t size = 0;
    std::uint32_t id = kNone;
  };
  static constexpr std::size_t kShort = 8;
  static constexpr unsigned kFirstBits = 4;
  // Fibonacci hashing: the high bits of a product depend on all bits of the word.
  std::size_t place(std::uint64_t word) const { return (word * 0x9E3779B97F4A7C15U) >> shift_; }
  void grow();
  std::vector<Slot> slots_;
  unsigned shift_ = 64U - kFirstBits;
  std::vector<std::string> texts_;
};

class KeyTable {  // packed tuples of codes, numbered as they come
 public:
  __extension__ using Key = unsigned __int128;
  KeyTable() : slots_(64) {}
  std::uint32_t find_or_add(Key key);
  void prefetch(Key key) const { __builtin_prefetch(&slots_[hash(key) & (slots_.size() - 1)]); }
  std::uint32_t find(Key key) const;  // a key that has been added
  // Other numbers for all keys, by their own ones; from here on only find() may be called.
  void renumber(std::span<const std::uint32_t> numbers);
  std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  struct Slot {
    Key key = 0;
    std::uint32_t id = kFree;
  };
  static std::uint64_t hash(Key key) {
    return mix_words(static_cast<std::uint64_t>(key), static_cast<std::uint64_t>(key >> 64U));
  }
  void grow();
  std::vector<Slot> slots_;
  std::vector<Key> keys_;
};

// Respondents. Numbers depend on the order in which threads come; results are ordered by identity,
// byte by byte, which depends neither on threads nor on the order of records, so that a database,
// which has no such order, breaks ties alike.
class RespondentTable {
 public:
  // By the hash of the text; numbers say the shard and the place in it.
  static constexpr unsigned kShardBits = 8;
  static constexpr std::uint32_t kShards = 1U << kShardBits;
  static std::uint32_t shard_of(std::uint32_t id) { return id % kShards; }
  static std::uint32_t place_of(std::uint32_t id) { return id / kShards; }
  struct Query {
    std::string_view text;
    std::uint32_t id = 0;  // filled in
  };
  class Memory;  // of a caller, so that it need not be asked for with every call
  void intern(std::span<Query> queries, Memory& memory);  // any thread
  // The following only while nothing is interned.
  std::size_t id_limit() const;  // all ids are below; some are not in use
  std::size_t shard_size(std::size_t shard) const { return shards_[shard].keys.size(); }
  // Whether the identity of one comes before that of another.
  bool before(std::uint32_t a, std::uint32_t b) const;
  // The texts of some respondents, in the order asked for.
  std::vector<std::string> texts(std::span<const std::uint32_t> ids) const;

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  // The text itself with its length in the last byte, or (last byte 255) hash and place in the
  // shard's store of long texts.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  struct Slot {
    std::uint32_t tag = 0;  // the low half of the hash: its low bits say where the slot should be
    std::uint32_t place = kFree;
  };
  struct Shard {
    std::mutex mutex;
    std::vector<Slot> slots = std::vector<Slot>(16);
    std::vector<Key> keys;   // by place
    std::string long_texts;  // length in four bytes, then the text
  };
  struct Hashed {
    Key key;
    std::uint64_t hash = 0;
  };
  static Hashed hashed(std::string_view text);
  void intern_shard(std::uint32_t number,
                    std::span<Query> queries,
                    std::span<const std::uint32_t> order,
                    const Memory& memory);
  static bool is_long(const Key& key) { return key.high >> 56U == 255U; }
  static std::string_view long_text(const Shard& shard, const Key& key);
  const Key& key_of(std::uint32_t id) const { return shards_[shard_of(id)].keys[place_of(id)]; }
  static std::string_view text_of(const Shard& shard, const Key& key);
  static void grow(Shard& shard);
  static bool is_same(const Shard& shard,
                      const Key& key,
                      const Hashed& wanted,
                      std::string_view text);
  static std::uint32_t add(Shard& shard, const Hashed& wanted, std::string_view text);
  std::array<Shard, kShards> shards_;
};

class RespondentTable::Memory {
 private:
  friend class RespondentTable;
  std::vector<Hashed> hashed_;        // of the queries
  std::vector<std::uint32_t> order_;  // of the queries, by shard
};

}  // namespace lacuna::tabulation
