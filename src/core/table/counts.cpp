// SPDX-License-Identifier: Apache-2.0
// The words for what is asked of tables of counts.
#include "lacuna/counts.h"

#include <array>

namespace lacuna {

std::span<const std::string_view> enum_names(WithheldMeans) {
  static constexpr std::array<std::string_view, 3> kNames{"any", "nonzero", "rule"};
  return kNames;
}

std::span<const std::string_view> enum_names(Zeros) {
  static constexpr std::array<std::string_view, 3> kNames{"published", "sensitive", "structural"};
  return kNames;
}

std::span<const std::string_view> enum_names(CountKind) {
  static constexpr std::array<std::string_view, 7> kNames{
      "exact", "small", "zero", "all", "group", "implied", "levels"};
  return kNames;
}

}  // namespace lacuna
