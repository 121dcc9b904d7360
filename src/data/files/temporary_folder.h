// SPDX-License-Identifier: Apache-2.0
// A folder for the files of one piece of work, removed at the end.
#pragma once

#include <filesystem>
#include <string>

#include "core/platform/system.h"

namespace lacuna::files {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("lacuna_" + name + "_" + std::to_string(platform::process_id()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace lacuna::files
