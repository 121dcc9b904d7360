// SPDX-License-Identifier: Apache-2.0
#include "data/files/confinement.h"

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "core/base/check.h"

namespace lacuna::files {

struct ConfinedFolders {
  std::vector<std::filesystem::path> readable, writable;
  std::uint64_t megabytes = 0;
  std::string remedy;
};

namespace {

namespace fs = std::filesystem;

std::atomic<const ConfinedFolders*> in_force = nullptr;

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

Confinement::Confinement(const FileLimits& limits)
    : folders_(
          std::make_unique<const ConfinedFolders>(ConfinedFolders{real_folders(limits.read_below),
                                                                  real_folders(limits.write_below),
                                                                  limits.unpacked_megabytes,
                                                                  limits.remedy})) {
  const ConfinedFolders* none = nullptr;
  LACUNA_CHECK(in_force.compare_exchange_strong(none, folders_.get()));
}

Confinement::~Confinement() {
  in_force = nullptr;
}

bool reading_is_confined() {
  const ConfinedFolders* limits = in_force;
  return limits != nullptr && !limits->readable.empty();
}

Status check_readable(const std::string& path) {
  if (!reading_is_confined())
    return ok_status();
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error)
    return error == std::errc::no_such_file_or_directory
               ? ok_status()
               : Status(Error{ErrorCode::kFileUnreadable, "the file cannot be opened", path});
  if (!lies_below_some(real, in_force.load()->readable))
    return Error{
        ErrorCode::kOutOfReach, "this file is outside the folder whose files may be read", path};
  if (!fs::is_regular_file(real, error) && !fs::is_directory(real, error))
    return Error{ErrorCode::kOutOfReach, "this is not a regular file", path};
  return ok_status();
}

Status check_may_write(const std::string& path) {
  const ConfinedFolders* limits = in_force;
  if (limits == nullptr || limits->writable.empty())
    return ok_status();
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  const fs::path real = fs::canonical(folder.empty() ? "." : folder, error);
  if (error || !lies_below_some(real, limits->writable))
    return Error{ErrorCode::kOutOfReach, "no file may be written here", path};
  return ok_status();
}

Status check_unpacked(std::uint64_t bytes, const std::string& path) {
  const ConfinedFolders* limits = in_force;
  if (limits == nullptr || limits->megabytes == 0 || bytes <= limits->megabytes << 20U)
    return ok_status();
  return Error{ErrorCode::kOutOfReach,
               "the file unpacks to more than " + std::to_string(limits->megabytes) +
                   " megabytes; " + limits->remedy,
               path};
}

}  // namespace lacuna::files
