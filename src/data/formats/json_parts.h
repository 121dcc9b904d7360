// SPDX-License-Identifier: Apache-2.0
// What the readers of JSON formats share: members by name in objects that may have others, and
// numbers and texts as fields of a grid.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/json_tree.h"
#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

// Absent if the node is absent, no object, or has no such member.
files::JsonNode member(files::JsonNode object, std::string_view name);
bool is_kind(files::JsonNode node, files::JsonKind kind);  // false of an absent one
// The text of a string; empty of anything else.
std::string text_of(files::JsonNode node);
std::vector<files::JsonNode> items_of(files::JsonNode list);  // of an array; else none
// The strings of an array. Errors: an item that is none.
Result<std::vector<std::string>> texts_of(files::JsonNode list);

// A field of a grid: null is empty, a number is plain, a truth value is true or false; of a list of
// texts all, of an object with a text by language the first.
Result<std::string> field_of(files::JsonNode node);
// The same where a number should be: text is taken if it is a number or one of the signs that
// other formats write (":" or dots or NaN).
Result<std::string> value_field(files::JsonNode node);

// Several of `a` parts each: the product, or nothing beyond 2^62.
std::optional<std::size_t> product_of(const std::vector<std::size_t>& sizes);

}  // namespace lacuna::formats
