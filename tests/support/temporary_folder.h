// SPDX-License-Identifier: Apache-2.0
// A folder that no other test and no other process has, removed at the end.
#pragma once

#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

namespace lacuna::testing {

class UniqueFolder {
 public:
  UniqueFolder() {
    std::random_device random;
    for (int i = 0; i < 100; ++i) {
      path_ = std::filesystem::temp_directory_path() / ("lacuna_test_" + std::to_string(random()));
      if (std::filesystem::create_directory(path_))
        return;
    }
    throw std::runtime_error("no folder can be made: " + path_.string());
  }
  ~UniqueFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  UniqueFolder(const UniqueFolder&) = delete;
  UniqueFolder& operator=(const UniqueFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace lacuna::testing
