// SPDX-License-Identifier: Apache-2.0
// Zstandard frames unpacked by the system's libzstd, if there is one: some writers of Arrow files
// compress with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::columns {

// Exactly `size` bytes. Errors: no library, a damaged frame.
Result<std::string> unpack_zstd(std::string_view frame, std::size_t size);

}  // namespace lacuna::columns
