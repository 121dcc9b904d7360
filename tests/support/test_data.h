// SPDX-License-Identifier: Apache-2.0
// Where tests find files that they do not write: those of tests/data, which belong to the
// repository (each folder has a SOURCES.md), and data of others that no licence allows to be here.
// These lie in the folder that LACUNA_SHARED names, or in `shared` beside the checkout; a test that
// wants them begins with LACUNA_NEEDS_SHARED and is left out where they are absent. `make test`
// counts such tests. tests/test_data.py is the same for Python.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lacuna::testing {

inline std::filesystem::path test_data(const std::string& name) {
  return std::filesystem::path(LACUNA_SOURCE_DIR) / "tests" / "data" / name;
}

inline std::filesystem::path shared_data(const std::string& name) {
  const char* named = std::getenv("LACUNA_SHARED");
  const std::filesystem::path root =
      named == nullptr || *named == '\0'
          ? std::filesystem::path(LACUNA_SOURCE_DIR) / ".." / "shared"
          : std::filesystem::path(named);
  return root / name;
}

}  // namespace lacuna::testing

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): GTEST_SKIP returns from the test.
#define LACUNA_NEEDS_SHARED(name)                                   \
  if (!std::filesystem::exists(lacuna::testing::shared_data(name))) \
  GTEST_SKIP() << "want of third-party data (LACUNA_SHARED): " << (name)
