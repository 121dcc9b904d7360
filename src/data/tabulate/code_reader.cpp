// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/code_reader.h"

#include <algorithm>

#include "core/base/confidential.h"
#include "core/base/spelling.h"

namespace lacuna::tabulation {
namespace {

// "with a code shorter than the 3 characters of the levels of dimension naics"
TroubleText text_of_length(const DimensionSpec& spec, TroubleKind kind, std::string_view text) {
  const bool longer = kind == TroubleKind::kLongerCode;
  const std::string wanted = std::to_string(length_of_levels(spec));
  const std::string remedy =
      longer ? base::named_setting("its [[dimension]]", "longer", "\"cut\"")
             : base::named_setting("its [[dimension]]", "missing_values", "[\"<code>\"]") +
                   ", or " + remedy_of_unknown_code();
  return {"with a code " + std::string(longer ? "longer" : "shorter") + " than the " + wanted +
              " characters of the levels of dimension " + spec.name,
          remedy,
          {ErrorCode::kBadField,
           "the code " + base::confidential(quoted(text)) + " of dimension " + spec.name + " has " +
               std::to_string(count_characters(text)) + " characters, but its levels have " +
               wanted + ": correct it, or say " + remedy,
           ""}};
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  for (char& c : shown)
    c = static_cast<unsigned char>(c) < 0x20U ? '/' : c;
  return "'" + shown + "'";
}

std::size_t length_of_levels(const DimensionSpec& spec) {
  std::size_t length = 0;
  for (const int digits : spec.digits)
    length += static_cast<std::size_t>(digits);
  return length;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

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

Result<Use> CodeReader::read(const RecordPlace& place, KeyTable::Key& key, Troubles& troubles) {
  Use use = Use::kCounts;
  key = 0;
  for (std::size_t d = 0; d < texts_.size(); ++d) {
    const std::string_view text = dimension_text(place, d);
    const std::uint32_t id = texts_[d].find_or_add(text);
    if (id == meaning_[d].size()) {
      meaning_[d].push_back(classify(place, d, text, troubles));
      LACUNA_RETURN_IF_ERROR(number_text(d));
    } else if (meaning_[d][id] == Meaning::kTrouble) {
      classify(place, d, text, troubles);
    }
    const Meaning meaning = meaning_[d][id];
    if (use == Use::kCounts && meaning > Meaning::kMissing) {
      without_code_[d] += meaning == Meaning::kDropped ? 1 : 0;
      unknown_[d] += meaning == Meaning::kUnknown ? 1 : 0;
      use = Use::kDropped;
    }
    use = meaning == Meaning::kTrouble ? Use::kTrouble : use;
    key = key << plan_.bits[d] | number_[d][id];
  }
  return use;
}

// The number that keys have of the text that came last; of one that does not count none is used.
Status CodeReader::number_text(std::size_t dimension) {
  const Meaning meaning = meaning_[dimension].back();
  std::uint32_t& missing = missing_number_[dimension];  // all texts for "missing" have one number
  auto number = static_cast<std::uint32_t>(text_of_[dimension].size());
  const bool again = meaning == Meaning::kMissing && missing != CodeTable::kNone;
  if (meaning == Meaning::kMissing)
    number = missing = again ? missing : number;
  number_[dimension].push_back(number);
  if (meaning > Meaning::kMissing || again)
    return ok_status();
  if (number >> plan_.bits[dimension] != 0) {
    return Error{ErrorCode::kTooLarge,
                 "the records have more different codes than a key of all dimensions can hold; "
                 "give the codes of the dimensions in advance",
                 "dimension " + plan_.options->dimensions[dimension].name};
  }
  text_of_[dimension].push_back(static_cast<std::uint32_t>(meaning_[dimension].size() - 1));
  return ok_status();
}

std::uint32_t CodeReader::text_of_key(KeyTable::Key key, std::size_t dimension) const {
  for (std::size_t d = plan_.bits.size() - 1; d > dimension; --d)
    key >>= plan_.bits[d];
  const KeyTable::Key mask = (KeyTable::Key{1} << plan_.bits[dimension]) - 1;
  return text_of_[dimension][static_cast<std::size_t>(key & mask)];
}

bool CodeReader::is_missing_text(std::size_t dimension, std::string_view text) const {
  return text.empty() || is_among(text, plan_.options->dimensions[dimension].missing.codes);
}

CodeReader::Meaning CodeReader::classify(const RecordPlace& place,
                                         std::size_t dimension,
                                         std::string_view text,
                                         Troubles& troubles) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  for (const std::size_t column : plan_.dimension_columns[dimension]) {
    const std::string_view field = place.field(column);
    if (is_missing_text(dimension, field))
      return without_code(place, dimension, column, field, troubles);
  }
  if (has_bad_text(place, dimension, troubles))
    return Meaning::kTrouble;
  const std::optional<TroubleKind> unknown = unknown_kind(dimension, text);
  if (!unknown)
    return Meaning::kCode;
  if (spec.unknown == UnknownPolicy::kDrop)
    return Meaning::kUnknown;
  const std::size_t column = plan_.dimension_columns[dimension].front();
  if (spec.unknown == UnknownPolicy::kMissing)
    return without_code(place, dimension, column, text, troubles);
  note_unknown(place, dimension, *unknown, text, troubles);
  return Meaning::kTrouble;
}

CodeReader::Meaning CodeReader::without_code(const RecordPlace& place,
                                             std::size_t dimension,
                                             std::size_t column,
                                             std::string_view text,
                                             Troubles& troubles) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  if (spec.missing.policy == MissingPolicy::kDrop)
    return Meaning::kDropped;
  if (spec.missing.policy == MissingPolicy::kCode)
    return Meaning::kMissing;
  const std::string shown = text.empty() ? "" : quoted(text);
  place.note(troubles, column, TroubleKind::kNoCode, shown, [&] {
    return TroubleText{"without a code of dimension " + spec.name,
                       remedy_of_missing_code(),
                       {ErrorCode::kBadField,
                        "the record has no code of dimension " + spec.name +
                            "; say whether such records are dropped or get a code of their own: " +
                            remedy_of_missing_code(),
                        ""}};
  });
  return Meaning::kTrouble;
}

// What no code may be.
bool CodeReader::has_bad_text(const RecordPlace& place,
                              std::size_t dimension,
                              Troubles& troubles) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  for (const std::size_t column : plan_.dimension_columns[dimension]) {
    const std::string_view code = place.field(column);
    const std::string shown = quoted(code);
    if (!spec.given && code == spec.total) {
      const std::string what = "the name of the total of dimension " + spec.name;
      place.note(troubles, column, TroubleKind::kTotalName, shown, [&] {
        return TroubleText{"with " + what + " for a code",
                           base::named_setting("its [[dimension]]", "total", "\"<other name>\""),
                           {ErrorCode::kBadField, "the code " + shown + " is " + what, ""}};
      });
      return true;
    }
    if (code.find(kLevelSeparator) != std::string_view::npos) {
      place.note(troubles, column, TroubleKind::kControlCharacter, shown, [&] {
        return TroubleText{"with a code that holds a control character",
                           "",
                           {ErrorCode::kBadField,
                            "the code " + base::confidential(shown) + " holds a control character",
                            ""}};
      });
      return true;
    }
  }
  return false;
}

// Why a code is none of the dimension; nothing if it is one.
std::optional<TroubleKind> CodeReader::unknown_kind(std::size_t dimension,
                                                    std::string_view text) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  if (spec.kind == DimensionSpec::Kind::kDigits) {
    const std::size_t wanted = length_of_levels(spec);
    const std::size_t length = count_characters(text);
    if (length < wanted)
      return TroubleKind::kShorterCode;
    if (length > wanted && spec.longer == LongerPolicy::kError)
      return TroubleKind::kLongerCode;
  }
  if (!spec.given)
    return std::nullopt;
  const std::int32_t code = spec.given->find(text);
  if (code < 0)
    return TroubleKind::kUnknownCode;
  return spec.given->is_leaf(code) ? std::nullopt : std::optional(TroubleKind::kTotalCode);
}

void CodeReader::note_unknown(const RecordPlace& place,
                              std::size_t dimension,
                              TroubleKind kind,
                              std::string_view text,
                              Troubles& troubles) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  const std::size_t column = plan_.dimension_columns[dimension].front();
  const std::string shown = quoted(text);
  place.note(troubles, column, kind, shown, [&] {
    if (kind == TroubleKind::kTotalCode) {
      return TroubleText{"with a total of dimension " + spec.name + " for a code",
                         remedy_of_unknown_code(),
                         {ErrorCode::kBadField,
                          shown + " is a total of dimension " + spec.name +
                              "; records must have codes of the lowest level",
                          ""}};
    }
    if (kind == TroubleKind::kUnknownCode) {
      return TroubleText{"with a code that dimension " + spec.name + " does not have",
                         remedy_of_unknown_code(),
                         {ErrorCode::kBadField,
                          base::confidential(shown) + " is not a code of dimension " + spec.name +
                              ": correct it, or say " + remedy_of_unknown_code(),
                          ""}};
    }
    return text_of_length(spec, kind, text);
  });
}

}  // namespace lacuna::tabulation
