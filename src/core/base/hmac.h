// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA256 (FIPS 198-1): H((K ^ opad) H((K ^ ipad) text)). The two states after the block of the
// secret are made once, so that a short text costs two blocks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/sha256.h"

namespace lacuna::base {

class Hmac {
 public:
  explicit Hmac(std::string_view secret);
  Sha256Words words(std::string_view text) const;
  std::string hex(std::string_view text) const;
  // The 256 bits, read as one number, modulo m: off from uniform by less than m / 2^256.
  std::uint64_t reduced(std::string_view text, std::uint64_t modulus) const;

 private:
  Sha256Words inner_{}, outer_{};
};

}  // namespace lacuna::base
