// SPDX-License-Identifier: Apache-2.0
// The words of what all methods share.
#include "lacuna/method.h"

#include <array>

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 3> kEfforts{"fast", "default", "best"};
constexpr std::array<std::string_view, 3> kSenses{"free", "up", "down"};

}  // namespace

std::span<const std::string_view> enum_names(Effort) {
  return kEfforts;
}

std::span<const std::string_view> enum_names(SenseRule) {
  return kSenses;
}

}  // namespace lacuna
