// SPDX-License-Identifier: Apache-2.0
// A parsed JSON text in 16 bytes per value, with every number as it was written: files of a million
// cells fit, and decimals are never turned into doubles. Built from the events of nlohmann::json's
// SAX parser; nodes stand in document order, so a subtree is a range of nodes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/nearest.h"
#include "lacuna/result.h"

namespace lacuna::files {

enum class JsonKind : std::uint8_t {
  kNull,
  kTrue,
  kFalse,
  kInteger,  // fits 64 bits
  kNumber,   // any other number, kept as text
  kString,
  kArray,
  kObject,
};

class JsonTree;

class JsonNode {  // a light reference into a tree, or absent
 public:
  JsonNode() = default;
  JsonNode(const JsonTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}

  bool present() const { return tree_ != nullptr; }
  JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::kNull; }
  std::string_view key() const;   // of a member of an object
  std::string_view text() const;  // of a string or a kNumber
  std::size_t num_children() const;
  std::string path() const;  // "cells[3].value"
  Error error(std::string message) const;

  Result<std::int64_t> integer() const;
  Result<double> real() const;
  Result<bool> boolean() const;
  Result<std::string_view> string() const;
  Result<std::string> number_text() const;  // as written, for exact decimals
  Status expect(JsonKind kind) const;       // array or object

  class Children {
   public:
    class Iterator {
     public:
      Iterator(const JsonTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}
      JsonNode operator*() const { return {tree_, index_}; }
      Iterator& operator++();
      bool operator!=(const Iterator& other) const { return index_ != other.index_; }

     private:
      const JsonTree* tree_;
      std::uint32_t index_;
    };
    Children(const JsonTree* tree, std::uint32_t first, std::uint32_t last)
        : tree_(tree), first_(first), last_(last) {}
    Iterator begin() const { return {tree_, first_}; }
    Iterator end() const { return {tree_, last_}; }

   private:
    const JsonTree* tree_;
    std::uint32_t first_;
    std::uint32_t last_;
  };
  Children children() const;

 private:
  const JsonTree* tree_ = nullptr;
  std::uint32_t index_ = 0;
};

class JsonTree {
 public:
  // Syntax errors carry file:line:column.
  static Result<JsonTree> parse(std::string_view text, const std::string& filename);
  JsonNode root() const { return {this, 0}; }
  const std::string& filename() const { return filename_; }

 private:
  friend class JsonNode;
  friend class JsonTreeBuilder;
  struct Node {
    std::uint32_t key_and_kind = 0;  // key in the upper 24 bits
    std::uint32_t end = 0;           // index of the node after the subtree
    std::int64_t payload = 0;        // the integer, or where the text starts in texts_
  };
  std::string filename_;
  std::vector<Node> nodes_;
  std::vector<std::string> keys_;
  std::string texts_;  // each text is four bytes of length and the bytes
};

// The members of an object by name, absent where not given. Unknown and repeated names are errors.
Status read_members(JsonNode object,
                    std::span<const std::string_view> names,
                    std::span<JsonNode> members);

template <std::size_t N>
Result<std::array<JsonNode, N>> members_of(JsonNode object,
                                           const std::array<std::string_view, N>& names) {
  std::array<JsonNode, N> members;
  LACUNA_RETURN_IF_ERROR(read_members(object, names, members));
  return members;
}

}  // namespace lacuna::files
