// SPDX-License-Identifier: Apache-2.0
// What kinds of members a part of a job can have, for the reader and the writer of all parts.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lacuna/fields.h"
#include "lacuna/job_spec.h"

namespace lacuna::spec {

template <class Field>
concept IsPart = requires(Field& field) {
  Field::fields(field, [](const FieldInfo&, auto&) {});
};

template <class Field>
struct ItemOf {
  using Type = void;
};
template <class Item>
struct ItemOf<std::vector<Item>> {
  using Type = Item;
};
template <class Field>
concept IsPartList = IsPart<typename ItemOf<Field>::Type>;
template <class Field>
concept IsWordList = std::is_enum_v<typename ItemOf<Field>::Type>;

template <class Field>
struct IsOptionalOf : std::false_type {};
template <class Item>
struct IsOptionalOf<std::optional<Item>> : std::true_type {};
template <class Field>
concept IsOptional = IsOptionalOf<Field>::value;

// Whether a key belongs to this kind of job, or of rule.
inline bool belongs_to(const FieldInfo& info, std::string_view kind) {
  if (info.methods.empty())
    return true;
  std::size_t at = 0;
  while (at < info.methods.size()) {
    const std::size_t end = std::min(info.methods.find(' ', at), info.methods.size());
    if (info.methods.substr(at, end - at) == kind)
      return true;
    at = end + 1;
  }
  return false;
}

}  // namespace lacuna::spec
