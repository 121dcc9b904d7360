// SPDX-License-Identifier: Apache-2.0
// Random numbers with the same sequence on every machine: xoshiro256** seeded by splitmix64, and
// integer-only derivations, because the distributions of the standard library differ by vendor.
#pragma once

#include <array>
#include <cstdint>

namespace lacuna::base {

inline constexpr std::uint64_t kGoldenStep = 0x9e3779b97f4a7c15ULL;

// The scrambler of splitmix64: every bit of the result depends on every bit given.
inline std::uint64_t scrambled(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31U);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += kGoldenStep;
      word = scrambled(seed);
    }
  }

  // The stream of one item, whatever the order in which items are drawn for. Scrambled twice, so
  // that neither streams of neighbours nor those of neighbouring seeds have words in common.
  static Random of_item(std::uint64_t seed, std::uint64_t item) {
    return Random(scrambled(scrambled(seed + kGoldenStep) ^ (item + 1) * kGoldenStep));
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [low, high], both included; low <= high. Rejection keeps it unbiased.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::uint64_t span =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (span == 0)
      return static_cast<std::int64_t>(next());
    const std::uint64_t limit = UINT64_MAX - (UINT64_MAX % span + 1) % span;
    std::uint64_t draw = next();
    while (draw > limit)
      draw = next();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + draw % span);
  }

  // True with probability numerator / denominator.
  bool chance(std::int64_t numerator, std::int64_t denominator) {
    return between(1, denominator) <= numerator;
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, unsigned k) { return (x << k) | (x >> (64U - k)); }
  std::array<std::uint64_t, 4> state_{};
};

// In [0, 1), the same on every machine for the same index and salt: breaks ties.
inline double fixed_noise(std::int32_t index, std::uint64_t salt = 0) {
  const std::uint64_t bits =
      scrambled((static_cast<std::uint64_t>(index) + 1) * kGoldenStep + salt);
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

}  // namespace lacuna::base
