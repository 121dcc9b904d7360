// SPDX-License-Identifier: Apache-2.0
// A job before anyone knows what its keys mean: tables of keys, lists, texts, numbers as they were
// written, truth values, each with its place. Texts (TOML, JSON) and objects of other languages are
// turned into it, and a JobSpec is read from it and written to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::spec {

struct SpecValue {
  enum class Kind : std::uint8_t { kTruth, kNumber, kText, kList, kTable };
  struct Member;

  Kind kind = Kind::kText;
  bool truth = false;
  std::string text;              // of a text; of a number as it was written
  std::vector<SpecValue> items;  // of a list
  std::vector<Member> members;   // of a table, in their order
  std::string where;             // "job.toml:3:9"; empty: nowhere

  bool is(Kind other) const { return kind == other; }
  const SpecValue* find(std::string_view key) const;  // null if there is none
};

struct SpecValue::Member {
  std::string key;
  SpecValue value;
  std::string where;  // of the key
};

SpecValue truth_value(bool truth);
SpecValue number_value(std::string text);
SpecValue text_value(std::string text);
SpecValue list_value(std::vector<SpecValue> items = {});
SpecValue table_value();
void add_member(SpecValue& table, std::string key, SpecValue value);

// Whether a text can stand for itself as a number in TOML and JSON: 12, -0.5.
bool is_plain_number(std::string_view text);

}  // namespace lacuna::spec
