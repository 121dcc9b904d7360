// SPDX-License-Identifier: Apache-2.0
// LZ4 frames unpacked (the compression of Feather files), after the format's description, so that
// no library is needed. Checksums are skipped: what matters is checked by what reads the bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::columns {

// Exactly `size` bytes, or nothing if the frame is damaged or holds another number.
std::optional<std::string> unpack_lz4(std::string_view frame, std::size_t size);

}  // namespace lacuna::columns
