// SPDX-License-Identifier: Apache-2.0
#include "data/spec/job_spec.h"
#include "data/spec/parts.h"

namespace lacuna::spec {
namespace {

bool same(const SpecValue& a, const SpecValue& b) {
  if (a.kind != b.kind || a.truth != b.truth || a.text != b.text ||
      a.items.size() != b.items.size() || a.members.size() != b.members.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same(a.items[i], b.items[i]))
      return false;
  }
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    if (a.members[i].key != b.members[i].key || !same(a.members[i].value, b.members[i].value))
      return false;
  }
  return true;
}

SpecValue written(bool flag) {
  return truth_value(flag);
}

SpecValue written(const std::string& text) {
  return text_value(text);
}

SpecValue written(const SpecNumber& number) {
  return is_plain_number(number.text) ? number_value(number.text) : text_value(number.text);
}

SpecValue written(const SpecScalar& scalar) {
  if (scalar.text == "true" || scalar.text == "false")
    return truth_value(scalar.text == "true");
  return written(SpecNumber{scalar.text});
}

SpecValue written(const SpecSource& source) {
  if (source.kind == SpecSource::Kind::kFile)
    return text_value(source.name);
  SpecValue held = table_value();
  add_member(held, "frame", text_value(source.name));
  return held;
}

template <std::integral Whole>
SpecValue written(Whole number) {
  return number_value(std::to_string(number));
}

template <class Word>
requires std::is_enum_v<Word> SpecValue written(Word word) {
  return text_value(std::string(enum_names(word)[static_cast<std::size_t>(word)]));
}

template <IsPart Part>
SpecValue written(const Part& part);

template <class Item>
SpecValue written(const std::vector<Item>& list) {
  SpecValue value = list_value();
  for (const Item& item : list)
    value.items.push_back(written(item));
  return value;
}

SpecValue written(const std::vector<SpecSource>& sources) {
  if (sources.size() == 1)
    return written(sources.front());
  SpecValue value = list_value();
  for (const SpecSource& source : sources)
    value.items.push_back(written(source));
  return value;
}

template <class Item>
SpecValue pairs(const std::vector<std::pair<std::string, Item>>& list) {
  SpecValue value = table_value();
  for (const auto& [key, item] : list)
    add_member(value, key, written(item));
  return value;
}

SpecValue written(const SpecLists& lists) {
  return pairs(lists);
}

SpecValue written(const SpecWords& words) {
  return pairs(words);
}

SpecValue written(const SpecOptions& options) {
  return pairs(options);
}

SpecValue written(const std::vector<SpecLists>& list) {
  SpecValue value = list_value();
  for (const SpecLists& lists : list)
    value.items.push_back(pairs(lists));
  return value;
}

// Nothing if the member is as it is by default.
template <class Field>
std::optional<SpecValue> unless_default(const Field& field, const Field& normal) {
  if constexpr (IsOptional<Field>) {
    if (!field)
      return std::nullopt;
    return written(*field);
  } else {
    SpecValue value = written(field);
    if (same(value, written(normal)))
      return std::nullopt;
    return value;
  }
}

// The members of a part, by their order.
template <class Part>
std::vector<const void*> addresses(const Part& part) {
  std::vector<const void*> all;
  Part::fields(part, [&](const FieldInfo&, const auto& field) { all.push_back(&field); });
  return all;
}

template <IsPart Part>
SpecValue written(const Part& part) {
  const Part untouched{};
  const std::vector<const void*> normal = addresses(untouched);
  SpecValue table = table_value();
  std::size_t at = 0;
  Part::fields(part, [&](const FieldInfo& info, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    auto value = unless_default(field, *static_cast<const Field*>(normal[at++]));
    if (value)
      add_member(table, std::string(info.name), std::move(*value));
  });
  return table;
}

}  // namespace

SpecValue write_spec(const JobSpec& job) {
  return written(job);
}

}  // namespace lacuna::spec
