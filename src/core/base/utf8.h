// SPDX-License-Identifier: Apache-2.0
// Whether bytes are UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace lacuna::base {

// The offset of the first byte that is not UTF-8, or npos.
std::size_t find_bad_utf8(std::string_view text);

}  // namespace lacuna::base
