// SPDX-License-Identifier: Apache-2.0
#include "data/formats/json_parts.h"

#include <algorithm>

#include "core/base/confidential.h"
#include "data/formats/number_field.h"

namespace lacuna::formats {

using files::JsonKind;
using files::JsonNode;

bool is_kind(JsonNode node, JsonKind kind) {
  return node.present() && node.kind() == kind;
}

JsonNode member(JsonNode object, std::string_view name) {
  if (is_kind(object, JsonKind::kObject)) {
    for (const JsonNode child : object.children()) {
      if (child.key() == name)
        return child;
    }
  }
  return {};
}

std::string text_of(JsonNode node) {
  return is_kind(node, JsonKind::kString) ? std::string(node.text()) : "";
}

std::vector<JsonNode> items_of(JsonNode list) {
  std::vector<JsonNode> items;
  if (is_kind(list, JsonKind::kArray)) {
    for (const JsonNode item : list.children())
      items.push_back(item);
  }
  return items;
}

Result<std::vector<std::string>> texts_of(JsonNode list) {
  std::vector<std::string> texts;
  for (const JsonNode item : items_of(list)) {
    LACUNA_TRY(const std::string_view text, item.string());
    texts.emplace_back(text);
  }
  return texts;
}

Result<std::string> field_of(JsonNode node) {
  if (!node.present())
    return std::string();
  switch (node.kind()) {
    case JsonKind::kNull:
      return std::string();
    case JsonKind::kTrue:
      return std::string("true");
    case JsonKind::kFalse:
      return std::string("false");
    case JsonKind::kString:
      return std::string(node.text());
    case JsonKind::kInteger:
    case JsonKind::kNumber: {
      LACUNA_TRY(std::string text, node.number_text());
      return plain_decimal(text).value_or(text);
    }
    case JsonKind::kArray: {
      std::string joined;
      for (const JsonNode item : node.children())
        joined += (joined.empty() ? "" : "; ") + text_of(item);
      return joined;
    }
    case JsonKind::kObject: {  // {"en": "Rate", "fr": "Taux"}
      for (const JsonNode item : node.children()) {
        if (is_kind(item, JsonKind::kString))
          return std::string(item.text());
      }
      return std::string();
    }
  }
  return std::string();
}

Result<std::string> value_field(JsonNode node) {
  if (!node.present() || node.is_null())
    return std::string();
  if (node.kind() == JsonKind::kString) {
    const std::string_view text = node.text();
    if (auto number = plain_decimal(text))
      return std::move(*number);
    const bool is_sign = text == "NaN" || text == "-" || text == ":" ||
                         (text.size() <= 7 && text.find_first_not_of('.') == text.npos);
    if (is_sign)
      return std::string(text);
    return node.error(base::strange_field_in_quotes(text) + " is not a number");
  }
  if (node.kind() != JsonKind::kInteger && node.kind() != JsonKind::kNumber)
    return node.error("a number is expected here");
  LACUNA_TRY(const std::string text, node.number_text());
  if (auto number = plain_decimal(text))
    return std::move(*number);
  return node.error("the number has more than 60 digits");
}

std::optional<std::size_t> product_of(const std::vector<std::size_t>& sizes) {
  constexpr std::size_t kMost = std::size_t{1} << 62U;
  std::size_t product = 1;
  if (std::find(sizes.begin(), sizes.end(), std::size_t{0}) != sizes.end())
    return 0;
  for (const std::size_t size : sizes) {
    if (product > kMost / size)
      return std::nullopt;
    product *= size;
  }
  return product;
}

}  // namespace lacuna::formats
