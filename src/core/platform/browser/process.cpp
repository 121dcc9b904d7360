// SPDX-License-Identifier: Apache-2.0
// A browser starts no programs.
#include "core/platform/process.h"

namespace lacuna::platform {

std::optional<Process> Process::start(const std::vector<std::string>&, const Streams&) {
  return std::nullopt;
}

std::optional<Ending> Process::look() const {
  return std::nullopt;
}

std::optional<Ending> Process::wait() const {
  return std::nullopt;
}

void Process::kill() const {}

std::string handed_path(const MemoryFile& file, std::size_t) {
  return file.path();
}

void in_forked_children(void (*)()) {}

bool open_in_browser(const std::string&) {
  return false;
}

}  // namespace lacuna::platform
