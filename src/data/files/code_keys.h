// SPDX-License-Identifier: Apache-2.0
// Tuples of codes as numbers of a mixed radix, for look-up while a table is read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::files {

using CodeKey = Wide;

struct CodeKeyHash {
  std::size_t operator()(CodeKey key) const {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ULL;
    const auto low = static_cast<std::uint64_t>(key);
    const auto high = static_cast<std::uint64_t>(key >> 64);
    const std::uint64_t mixed = (low ^ (high * kMix)) * kMix;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
  }
};

// What a step of one code of a dimension adds to the key. Errors: too many combinations.
inline Result<std::vector<CodeKey>> code_strides(std::span<const Dimension> dimensions) {
  constexpr CodeKey kLargest = CodeKey{1} << 100;
  std::vector<CodeKey> strides;
  CodeKey radix = 1;
  for (const Dimension& dimension : dimensions) {
    strides.push_back(radix);
    radix *= dimension.num_codes();
    if (radix > kLargest)
      return Error{ErrorCode::kTooLarge, "the dimensions have too many combinations", ""};
  }
  return strides;
}

inline CodeKey code_key(std::span<const CodeKey> strides, std::span<const std::int32_t> codes) {
  CodeKey key = 0;
  for (std::size_t d = 0; d < codes.size(); ++d)
    key += strides[d] * codes[d];
  return key;
}

}  // namespace lacuna::files
