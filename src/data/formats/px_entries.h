// SPDX-License-Identifier: Apache-2.0
// The entries of a PX file: KEYWORD[language]("subkey","subkey")=values; up to DATA, whose cells
// are left as they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::formats {

struct PxPart {      // of an item: "1994"-"1996" has three
  std::string text;  // continued strings joined
  bool quoted = false;
  std::size_t offset = 0;
};
using PxItem = std::vector<PxPart>;

struct PxEntry {
  std::string keyword;   // capitals
  std::string language;  // empty: the main one
  std::vector<std::string> subkeys;
  std::vector<PxItem> items;  // between commas
  std::size_t offset = 0;
};

struct PxText {
  std::string filename, text;  // UTF-8
  std::vector<PxEntry> entries;
  std::size_t data = 0;      // offset behind "DATA="
  std::size_t data_end = 0;  // of the semicolon that ends it, or of the file
  std::vector<std::string> notes;

  Error error(std::size_t offset, std::string message, ErrorCode code = ErrorCode::kBadField) const;
  // The entry in the main language, or nullptr.
  const PxEntry* find(std::string_view keyword, std::string_view subkey = {}) const;
  // All texts of its items; empty if there is no such entry.
  std::vector<std::string> texts(std::string_view keyword, std::string_view subkey = {}) const;
  std::string text_of(std::string_view keyword, std::string_view subkey = {}) const;
};

std::string item_text(const PxItem& item);  // its parts joined

// CODEPAGE and CHARSET say the code page; bytes that are UTF-8 where it says another are read as
// what they are, and a note says so.
Result<PxText> read_px_entries(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
