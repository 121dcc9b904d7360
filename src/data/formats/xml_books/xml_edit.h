// SPDX-License-Identifier: Apache-2.0
// Elements of an XML text changed where they stand, so that every other byte stays as it is.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::formats {

// A text of XML and its tree, whose nodes know where they stand in the text.
class XmlText {
 public:
  // Errors: no XML; another encoding than UTF-8. `name` is for messages.
  static Result<XmlText> parse(std::string text, const std::string& name);
  pugi::xml_node root() const { return tree_.document_element(); }
  const std::string& text() const { return text_; }
  std::string_view element(pugi::xml_node node) const;  // as it stands in the text
  std::size_t begin_of(pugi::xml_node node) const;      // of its "<"

  void replace(pugi::xml_node element, std::string by);
  void insert(std::size_t at, std::string what) { changes_.push_back({at, 0, std::move(what)}); }
  bool is_changed() const { return !changes_.empty(); }
  std::string changed() const;  // with all changes, which do not overlap

 private:
  struct Change {
    std::size_t at = 0, length = 0;
    std::string by;
  };
  std::string text_;
  pugi::xml_document tree_;
  std::vector<Change> changes_;
};

// Behind the element that begins at `begin`; npos if it has no end.
std::size_t element_end(std::string_view text, std::size_t begin);

std::string xml_escaped(std::string_view text);

}  // namespace lacuna::formats
