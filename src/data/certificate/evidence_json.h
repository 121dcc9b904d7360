// SPDX-License-Identifier: Apache-2.0
// Numbers, indices and multipliers of certificates, read and written.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/confidential.h"
#include "core/base/json_writer.h"
#include "data/files/json_tree.h"
#include "lacuna/evidence.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::certificate {

inline void write_ids(base::JsonWriter& json, const auto& ids) {
  json.list(ids, [&](const auto& id) { json.value(id.value); });
}

inline void write_multipliers(base::JsonWriter& json,
                              const Multipliers& multipliers) {  // as members
  json.member("denominator", multipliers.denominator);
  write_ids(json.key("equations"), multipliers.equations);
  json.key("values").values(multipliers.values);
}

inline Result<Integer> read_integer(files::JsonNode node) {
  constexpr std::size_t kMaxDigits = 20'000;
  const Result<std::string> digits = node.number_text();
  if (!digits)
    return digits.error();
  std::optional<Integer> number =
      digits->size() <= kMaxDigits ? Integer::parse(*digits) : std::nullopt;
  if (!number)
    return node.error("expected an integer within range");
  return *std::move(number);
}

inline Result<std::int32_t> read_index(files::JsonNode node, std::int64_t limit) {
  LACUNA_TRY(const std::int64_t value, node.integer());
  if (value < 0 || value >= limit)
    return node.error("the index " + base::confidential(std::to_string(value)) +
                      " is out of range");
  return static_cast<std::int32_t>(value);
}

template <class IdType>
Status read_pairs(files::JsonNode ids,
                  files::JsonNode numbers,
                  std::int64_t limit,
                  std::vector<IdType>& id_list,
                  std::vector<Integer>& number_list) {
  LACUNA_RETURN_IF_ERROR(ids.expect(files::JsonKind::kArray));
  LACUNA_RETURN_IF_ERROR(numbers.expect(files::JsonKind::kArray));
  for (const files::JsonNode node : ids.children()) {
    LACUNA_TRY(const std::int32_t index, read_index(node, limit));
    id_list.push_back(IdType{index});
  }
  // Long numbers are checked in arithmetic of any length, for every finding that names the list:
  // together they are kept to what takes milliseconds.
  constexpr std::size_t kMostLongDigits = 4'000'000;
  std::size_t long_digits = 0;
  for (const files::JsonNode node : numbers.children()) {
    LACUNA_TRY(Integer number, read_integer(node));
    if (node.kind() == files::JsonKind::kNumber)  // beyond 64 bits
      long_digits += node.text().size();
    if (long_digits > kMostLongDigits)
      return numbers.error("the numbers have more digits in all than evidence of a table has");
    number_list.push_back(std::move(number));
  }
  if (id_list.size() != number_list.size())
    return ids.error("the two lists differ in length");
  return ok_status();
}

// The first `count` names must be there.
template <std::size_t N>
Status require(files::JsonNode object,
               const std::array<files::JsonNode, N>& fields,
               const std::array<std::string_view, N>& names,
               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!fields[i].present())
      return object.error("the name '" + std::string(names[i]) + "' is missing");
  }
  return ok_status();
}

template <class Read>
Status for_each(files::JsonNode list, Read&& read) {
  LACUNA_RETURN_IF_ERROR(list.expect(files::JsonKind::kArray));
  for (const files::JsonNode node : list.children())
    LACUNA_RETURN_IF_ERROR(read(node));
  return ok_status();
}

inline Result<Multipliers> read_multipliers(files::JsonNode denominator,
                                            files::JsonNode equations,
                                            files::JsonNode values,
                                            const Table& table) {
  Multipliers read;
  LACUNA_TRY(read.denominator, read_integer(denominator));
  LACUNA_RETURN_IF_ERROR(
      read_pairs(equations, values, table.num_equations(), read.equations, read.values));
  return read;
}

}  // namespace lacuna::certificate
