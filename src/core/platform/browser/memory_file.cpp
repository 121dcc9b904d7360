// SPDX-License-Identifier: Apache-2.0
// Nobody reads files by their names here but ourselves.
#include "core/platform/memory_file.h"

namespace lacuna::platform {

Result<MemoryFile> MemoryFile::make(std::string_view) {
  return Error{ErrorCode::kUnsupported, "there are no files in memory in a browser", ""};
}

MemoryFile::~MemoryFile() = default;

Result<std::string> MemoryFile::bytes() const {
  return Error{ErrorCode::kUnsupported, "there are no files in memory in a browser", ""};
}

}  // namespace lacuna::platform
