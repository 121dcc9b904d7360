// SPDX-License-Identifier: Apache-2.0
#include "data/spec/value.h"

#include <algorithm>

namespace lacuna::spec {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at;
}

SpecValue value_of_kind(SpecValue::Kind kind) {
  SpecValue value;
  value.kind = kind;
  return value;
}

}  // namespace

const SpecValue* SpecValue::find(std::string_view key) const {
  const auto at = std::find_if(
      members.begin(), members.end(), [&](const Member& member) { return member.key == key; });
  return at == members.end() ? nullptr : &at->value;
}

SpecValue truth_value(bool truth) {
  SpecValue value = value_of_kind(SpecValue::Kind::kTruth);
  value.truth = truth;
  return value;
}

SpecValue number_value(std::string text) {
  SpecValue value = value_of_kind(SpecValue::Kind::kNumber);
  value.text = std::move(text);
  return value;
}

SpecValue text_value(std::string text) {
  SpecValue value = value_of_kind(SpecValue::Kind::kText);
  value.text = std::move(text);
  return value;
}

SpecValue list_value(std::vector<SpecValue> items) {
  SpecValue value = value_of_kind(SpecValue::Kind::kList);
  value.items = std::move(items);
  return value;
}

SpecValue table_value() {
  return value_of_kind(SpecValue::Kind::kTable);
}

void add_member(SpecValue& table, std::string key, SpecValue value) {
  table.members.push_back({std::move(key), std::move(value), ""});
}

bool is_plain_number(std::string_view text) {
  constexpr std::size_t kMost = 17;  // what every reader of 64-bit whole numbers takes
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t first = at;
  at = digits_from(text, at);
  if (at == first || (at - first > 1 && text[first] == '0') || at - first > kMost)
    return false;
  if (at == text.size())
    return true;
  return text[at] == '.' && at + 1 < text.size() && digits_from(text, at + 1) == text.size();
}

}  // namespace lacuna::spec
