// SPDX-License-Identifier: Apache-2.0
// A folder that no other test and no other process has, removed at the end.
#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <filesystem>
#include <stdexcept>
#include <string>

namespace lacuna::testing {

class UniqueFolder {
 public:
  UniqueFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lacuna_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no folder can be made: " + name);
    path_ = name;
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
