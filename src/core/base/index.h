// SPDX-License-Identifier: Apache-2.0
// An index or an id as the position in a vector: v[at(cell)]. Whoever calls it knows that it is not
// negative.
#pragma once

#include <concepts>
#include <cstddef>

#include "lacuna/units.h"

namespace lacuna::base {

template <std::signed_integral Index>
constexpr std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

template <class Tag>
constexpr std::size_t at(Id<Tag> id) {
  return static_cast<std::size_t>(id.value);
}

}  // namespace lacuna::base
