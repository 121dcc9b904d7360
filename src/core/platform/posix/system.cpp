// SPDX-License-Identifier: Apache-2.0
#include "core/platform/system.h"

#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/random.h>
#endif

#include <fstream>
#include <system_error>

namespace lacuna::platform {

CommandLine::CommandLine(int count, char** words) : words_(words, words + count) {
  for (std::string& word : words_)
    pointers_.push_back(word.data());
  pointers_.push_back(nullptr);
}

std::filesystem::path program_path() {
#ifdef __APPLE__
  std::string name(4096, '\0');
  auto size = static_cast<std::uint32_t>(name.size());
  return _NSGetExecutablePath(name.data(), &size) == 0 ? std::filesystem::path(name.c_str())
                                                       : std::filesystem::path();
#else
  std::error_code trouble;
  return std::filesystem::read_symlink("/proc/self/exe", trouble);
#endif
}

std::string program_name(const std::string& name) {
  return name;
}

std::uint64_t process_id() {
  return static_cast<std::uint64_t>(::getpid());
}

std::string host_name() {
  std::string host(256, '\0');
  return ::gethostname(host.data(), host.size() - 1) == 0 ? std::string(host.c_str()) : "";
}

std::optional<std::uint64_t> available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::uint64_t kilobytes = 0;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:")
      return kilobytes * 1024;
    std::getline(file, unit);
  }
  return std::nullopt;
}

bool random_bytes(unsigned char* to, std::size_t count) {
  return ::getentropy(to, count) == 0;
}

std::tm local_time(std::time_t moment) {
  std::tm parts{};
  localtime_r(&moment, &parts);
  return parts;
}

std::tm utc_time(std::time_t moment) {
  std::tm parts{};
  gmtime_r(&moment, &parts);
  return parts;
}

}  // namespace lacuna::platform
