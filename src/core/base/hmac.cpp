// SPDX-License-Identifier: Apache-2.0
#include "core/base/hmac.h"

#include <algorithm>

#include "lacuna/units.h"

namespace lacuna::base {
namespace {

constexpr std::size_t kBlock = 64;  // bytes
constexpr unsigned char kInnerPad = 0x36;
constexpr unsigned char kOuterPad = 0x5c;

std::string as_bytes(const Sha256Words& words) {
  std::string bytes;
  for (const std::uint32_t word : words) {
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<char>((word >> static_cast<unsigned>(shift)) & 0xffU));
  }
  return bytes;
}

}  // namespace

Hmac::Hmac(std::string_view secret) {
  std::string key(secret);
  if (key.size() > kBlock)
    key = as_bytes(sha256_words(key));
  key.resize(kBlock, '\0');
  const auto padded = [&](unsigned char pad) {
    std::string block = key;
    for (char& c : block)
      c = static_cast<char>(static_cast<unsigned char>(c) ^ pad);
    return sha256_after_block(block);
  };
  inner_ = padded(kInnerPad);
  outer_ = padded(kOuterPad);
}

Sha256Words Hmac::words(std::string_view text) const {
  return sha256_words(as_bytes(sha256_words(text, inner_, kBlock)), outer_, kBlock);
}

std::string Hmac::hex(std::string_view text) const {
  return sha256_hex(words(text));
}

std::uint64_t Hmac::reduced(std::string_view text, std::uint64_t modulus) const {
  Wide rest = 0;  // below 2^63, so that a shift by 32 bits fits
  for (const std::uint32_t word : words(text))
    rest = (rest * (Wide{1} << 32U) + word) % static_cast<Wide>(modulus);
  return static_cast<std::uint64_t>(rest);
}

}  // namespace lacuna::base
