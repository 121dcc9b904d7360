// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), to tie certificates and reports to the data they speak of.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::inline base {

std::string sha256_hex(std::string_view bytes);

}  // namespace lacuna::inline base
