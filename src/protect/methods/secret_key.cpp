// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/secret_key.h"

#include <charconv>
#include <string>

#include "core/base/sha256.h"
#include "core/table/digest.h"

namespace lacuna::methods {

std::uint64_t secret_key(std::uint64_t seed, const Table& table) {
  const std::string digest =
      base::sha256_hex(std::to_string(seed) + "\n" + table::table_digest(table));
  constexpr int kHexDigits = 16;  // of 64 bits, and the base of the digest
  std::uint64_t key = 0;
  std::from_chars(digest.data(), digest.data() + kHexDigits, key, kHexDigits);
  return key;
}

}  // namespace lacuna::methods
