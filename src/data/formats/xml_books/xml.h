// SPDX-License-Identifier: Apache-2.0
// XML by pugixml, asked by names without their prefixes: <x:row> and <row> are one. It expands no
// entities of a document type, so that no small file becomes a large one.
#pragma once

#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "data/files/zip_reader.h"
#include "lacuna/result.h"

namespace lacuna::formats {

inline std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}
inline bool is_named(pugi::xml_node node, std::string_view name) {
  return local_name(node.name()) == name;
}

inline pugi::xml_node child_of(pugi::xml_node parent, std::string_view name) {
  for (pugi::xml_node node = parent.first_child(); node; node = node.next_sibling()) {
    if (is_named(node, name))
      return node;
  }
  return {};
}

// The attribute's text, empty if there is none. The name without a prefix is taken before others.
inline std::string_view attribute_of(pugi::xml_node node, const char* name) {
  if (const pugi::xml_attribute exact = node.attribute(name))
    return exact.value();
  for (const pugi::xml_attribute each : node.attributes()) {
    if (local_name(each.name()) == name)
      return each.value();
  }
  return {};
}

// A document and the text that it points into.
struct XmlPart {
  std::string text;
  pugi::xml_document tree;
  pugi::xml_node root() const { return tree.document_element(); }
};

// Errors: no such member, damaged, no XML.
Result<std::unique_ptr<XmlPart>> read_xml(files::ZipReader& zip,
                                          std::string_view member,
                                          const std::string& filename);

// A number of an attribute; `absent` where it is none.
std::uint64_t whole_number(std::string_view text, std::uint64_t absent);

}  // namespace lacuna::formats
