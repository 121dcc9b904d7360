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

bool lies_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

void confine_reading(const std::vector<std::string>& folders) {
  reachable().clear();
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    // A folder that is not there lets nothing through, and the list does not become empty by it.
    reachable().push_back(error ? fs::path("/dev/null/nothing") : real);
  }
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
               : Status(Error{ErrorCode::kIo, "the file cannot be opened", path});
  const bool inside = std::any_of(reachable().begin(),
                                  reachable().end(),
                                  [&](const fs::path& folder) { return lies_below(real, folder); });
  if (!inside)
    return Error{ErrorCode::kIo, "this file is outside the folder whose files may be read", path};
  if (!fs::is_regular_file(real, error) && !fs::is_directory(real, error))
    return Error{ErrorCode::kIo, "this is no plain file", path};
  return ok_status();
}

}  // namespace lacuna::inline io
