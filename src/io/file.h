// SPDX-License-Identifier: Apache-2.0
// Whole files in and out. Reading looks at the first bytes and unpacks gzip (RFC 1952) and xz by
// itself; writing replaces the target in one step, so that no half-written file is ever seen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::inline io {

inline constexpr std::uint64_t kLargestFile = std::uint64_t{4} << 30U;  // bytes after unpacking

Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes = kLargestFile);

// Writes a temporary file beside the target, flushes it to the disk and renames it over the
// target; on any failure the temporary file is removed and the target is as it was. A path that
// ends in .gz is compressed.
Status write_file_atomically(const std::string& path, std::string_view text);

// The bytes of a gzip or xz file unpacked; other bytes as they are. `name` is for messages.
Result<std::string> unpack(std::string bytes, const std::string& name, std::uint64_t max_bytes);
Result<std::string> pack_gzip(std::string_view text);

}  // namespace lacuna::inline io
