// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), to tie certificates and reports to the data they speak of, and for keyed
// hashes (hmac.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna::base {

using Sha256Words = std::array<std::uint32_t, 8>;

std::string sha256_hex(std::string_view bytes);
std::string sha256_hex(const Sha256Words& words);
Sha256Words sha256_words(std::string_view bytes);
// Goes on from the state after `before` bytes, a multiple of 64.
Sha256Words sha256_words(std::string_view bytes, const Sha256Words& state, std::size_t before);
// The state after the 64 bytes of one block.
Sha256Words sha256_after_block(std::string_view block);

}  // namespace lacuna::base
