// SPDX-License-Identifier: Apache-2.0
#include "io/reach.h"

#include <algorithm>
#include <filesystem>

namespace lacuna::inline io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& reachable() {
  static std::vector<fs::path> folders;
  return folders;
}

std::vector<fs::path>& writable() {
  static std::vector<fs::path> folders;
  return folders;
}

struct Unpacking {
  std::uint64_t megabytes = 0;
  std::string remedy;
};

Unpacking& unpacking() {
  static Unpacking limit;
  return limit;
}

// A folder that is not there lets nothing through, and the list does not become empty by it.
std::vector<fs::path> real_folders(const std::vector<std::string>& folders) {
  std::vector<fs::path> found;
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    found.push_back(error ? fs::path("/dev/null/nothing") : real);
  }
  return found;
}

bool lies_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

bool lies_below_some(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(
      folders.begin(), folders.end(), [&](const fs::path& each) { return lies_below(path, each); });
}

}  // namespace

void confine_reading(const std::vector<std::string>& folders) {
  reachable() = real_folders(folders);
}

bool reading_is_confined() {
  return !reachable().empty();
}

Status check_reach(const std::string& path) {
  if (reachable().empty())
    return ok_status();
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error)
    return error == std::errc::no_such_file_or_directory
               ? ok_status()
               : Status(Error{ErrorCode::kFileUnreadable, "the file cannot be opened", path});
  if (!lies_below_some(real, reachable()))
    return Error{ErrorCode::kOutOfReach, "this file is outside the folder whose files may be read", path};
  if (!fs::is_regular_file(real, error) && !fs::is_directory(real, error))
    return Error{ErrorCode::kOutOfReach, "this is no plain file", path};
  return ok_status();
}

void confine_writing(const std::vector<std::string>& folders) {
  writable() = real_folders(folders);
}

Status check_may_write(const std::string& path) {
  if (writable().empty())
    return ok_status();
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  const fs::path real = fs::canonical(folder.empty() ? "." : folder, error);
  if (error || !lies_below_some(real, writable()))
    return Error{ErrorCode::kOutOfReach, "no file may be written here", path};
  return ok_status();
}

void limit_unpacking(std::uint64_t megabytes, const std::string& remedy) {
  unpacking() = {megabytes, remedy};
}

Status check_unpacked(std::uint64_t bytes, const std::string& path) {
  const Unpacking& limit = unpacking();
  if (limit.megabytes == 0 || bytes <= limit.megabytes << 20U)
    return ok_status();
  return Error{ErrorCode::kOutOfReach,
               "the file unpacks to more than " + std::to_string(limit.megabytes) +
                   " megabytes; " + limit.remedy,
               path};
}

}  // namespace lacuna::inline io
