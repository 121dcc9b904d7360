// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/code_reader.h"

#include <algorithm>

#include "core/base/confidential.h"
#include "core/base/spelling.h"

namespace lacuna::tabulation {
namespace {

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  for (char& c : shown)
    c = static_cast<unsigned char>(c) < 0x20U ? '/' : c;
  return "'" + shown + "'";
}

}  // namespace

std::string_view CodeReader::dimension_text(const RecordPlace& place, std::size_t dimension) {
  const auto& columns = plan_.dimension_columns[dimension];
  if (columns.size() == 1)
    return place.field(columns.front());
  joined_.clear();
  for (const std::size_t column : columns) {
    if (!joined_.empty() || column != columns.front())
      joined_ += kLevelSeparator;
    joined_ += place.field(column);
  }
  return joined_;
}

// False if the record is to be dropped.
Result<bool> CodeReader::read(const RecordPlace& place, KeyTable::Key& key) {
  bool dropped = false;
  key = 0;
  for (std::size_t d = 0; d < texts_.size(); ++d) {
    const std::string_view text = dimension_text(place, d);
    const std::uint32_t id = texts_[d].find_or_add(text);
    if (id == meaning_[d].size()) {
      if (id >> plan_.bits[d] != 0) {
        return Error{ErrorCode::kTooLarge,
                     "the records have more different codes than a key of all dimensions can hold; "
                     "give the codes of the dimensions in advance",
                     "dimension " + plan_.options->dimensions[d].name};
      }
      LACUNA_TRY(const Meaning meaning, classify(place, d, text));
      meaning_[d].push_back(meaning);
    }
    dropped = dropped || meaning_[d][id] == Meaning::kDropped;
    key = key << plan_.bits[d] | id;
  }
  return !dropped;
}

std::uint32_t CodeReader::text_of_key(KeyTable::Key key, std::size_t dimension) const {
  for (std::size_t d = plan_.bits.size() - 1; d > dimension; --d)
    key >>= plan_.bits[d];
  const KeyTable::Key mask = (KeyTable::Key{1} << plan_.bits[dimension]) - 1;
  return static_cast<std::uint32_t>(key & mask);
}

bool CodeReader::is_missing_text(std::size_t dimension, std::string_view text) const {
  return text.empty() || is_among(text, plan_.options->dimensions[dimension].missing.codes);
}

Result<CodeReader::Meaning> CodeReader::classify(const RecordPlace& place,
                                                 std::size_t dimension,
                                                 std::string_view text) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  for (const std::size_t column : plan_.dimension_columns[dimension]) {
    if (!is_missing_text(dimension, place.field(column)))
      continue;
    if (spec.missing.policy == MissingPolicy::kDrop)
      return Meaning::kDropped;
    if (spec.missing.policy == MissingPolicy::kCode)
      return Meaning::kMissing;
    return place.error(
        column,
        "the record has no code of dimension " + spec.name +
            "; say whether such records are dropped or get a code of their own: " +
            base::named_setting("its [[dimension]]", "missing", "\"drop\" or \"code\""));
  }
  LACUNA_RETURN_IF_ERROR(check_code(place, dimension, text));
  return Meaning::kCode;
}

Status CodeReader::check_code(const RecordPlace& place,
                              std::size_t dimension,
                              std::string_view text) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  for (const std::size_t column : plan_.dimension_columns[dimension]) {
    const std::string_view code = place.field(column);
    if (!spec.given && code == spec.total)
      return place.error(
          column,
          "the code " + quoted(code) + " is the name of the total of dimension " + spec.name);
    if (code.find(kLevelSeparator) != std::string_view::npos)
      return place.error(
          column, "the code " + base::confidential(quoted(code)) + " holds a control character");
  }
  const std::size_t column = plan_.dimension_columns[dimension].front();
  if (spec.kind == DimensionSpec::Kind::kDigits) {
    std::size_t wanted = 0;
    for (const int digits : spec.digits)
      wanted += static_cast<std::size_t>(digits);
    if (count_characters(text) != wanted) {
      return place.error(column,
                         "the code " + base::confidential(quoted(text)) + " of dimension " +
                             spec.name + " has " + std::to_string(count_characters(text)) +
                             " characters, but its levels have " + std::to_string(wanted));
    }
  }
  if (!spec.given)
    return ok_status();
  const std::int32_t code = spec.given->find(text);
  if (code < 0)
    return place.error(
        column, base::confidential(quoted(text)) + " is not a code of dimension " + spec.name);
  if (!spec.given->is_leaf(code)) {
    return place.error(column,
                       quoted(text) + " is a total of dimension " + spec.name +
                           "; records must have codes of the lowest level");
  }
  return ok_status();
}

}  // namespace lacuna::tabulation
