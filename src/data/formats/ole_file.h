// SPDX-License-Identifier: Apache-2.0
// OLE compound files (Microsoft, MS-CFB): a file system in a file, which .xls and all of Office
// before 2007 are, and encrypted files of later ones. Streams are found by their names wherever
// they stand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::formats {

class OleFile {
 public:
  static bool is_one(std::string_view bytes);
  // `bytes` outlive the file. Errors: damaged.
  static Result<OleFile> open(std::string_view bytes, const std::string& filename);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // Errors: no such stream, damaged.
  Result<std::string> stream(std::string_view name) const;

 private:
  struct Entry {
    std::string name;  // letters of ASCII alone; others are '?'
    std::uint8_t kind = 0;
    std::uint32_t start = 0;
    std::uint64_t size = 0;
  };
  Error damaged(const char* what) const;
  const Entry* find(std::string_view name) const;
  std::string_view sector(std::uint32_t number) const;
  Status read_tables(std::uint32_t first_more);
  Status read_directory(std::uint32_t first);
  Result<std::string> chain(std::uint32_t first, std::uint64_t size) const;
  Result<std::string> small_chain(std::uint32_t first, std::uint64_t size) const;

  std::string_view bytes_;
  std::string filename_;
  std::uint64_t sector_size_ = 512;
  std::uint64_t small_size_ = 64, cutoff_ = 4096;
  std::vector<std::uint32_t> next_, small_next_;  // by sector
  std::vector<Entry> entries_;
  std::string small_;  // the stream that the small sectors are part of
};

}  // namespace lacuna::formats
