// SPDX-License-Identifier: Apache-2.0
// The options of lacuna/sensitivity.h as users write them: words, "1,90; 2,95", "50%".
#include <limits>
#include <optional>
#include <utility>

#include "core/base/confidential.h"
#include "core/base/text.h"
#include "lacuna/sensitivity.h"

namespace lacuna {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(base::trimmed(text.substr(0, end)));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

Error wanted(const FieldInfo& info, const std::string& what, std::string_view text) {
  return {ErrorCode::kOptionValue,
          "must be " + what + ", not " + base::strange_field_in_quotes(text),
          "--" + std::string(info.name)};
}

using NumberPair = std::pair<Decimal, Decimal>;

std::optional<NumberPair> parse_pair(std::string_view text) {
  const std::vector<std::string_view> numbers = split(text, ',');
  if (numbers.size() != 2)
    return std::nullopt;
  const auto first = Decimal::parse(numbers[0]), second = Decimal::parse(numbers[1]);
  if (!first || !second)
    return std::nullopt;
  return NumberPair(*first, *second);
}

// `take` says of a pair whether it can be one of the field; `what` is wanted, else.
template <class Field, class Take>
Status parse_pairs(const FieldInfo& info,
                   const std::string& text,
                   const std::string& what,
                   Field& field,
                   Take take) {
  Field pairs;
  if (!base::trimmed(text).empty()) {
    for (const std::string_view part : split(text, ';')) {
      const std::optional<NumberPair> pair = parse_pair(part);
      if (!pair || !take(*pair, pairs))
        return wanted(info, what, part);
    }
  }
  field = std::move(pairs);
  return ok_status();
}

void add_pair(std::string& text, const Decimal& first, const Decimal& second) {
  text += (text.empty() ? "" : "; ") + first.text() + "," + second.text();
}

}  // namespace

Status parse_field(const FieldInfo& info,
                   const std::string& text,
                   std::vector<DominancePair>& field) {
  const auto take = [](const NumberPair& pair, std::vector<DominancePair>& pairs) {
    const Decimal& n = pair.first;
    if (!n.is_integer() || n < 1 || n > std::numeric_limits<std::int32_t>::max())
      return false;
    pairs.push_back({static_cast<std::int32_t>(n.digits()), pair.second});
    return true;
  };
  return parse_pairs(
      info, text, "pairs n,k such as 2,85, with a whole number n from 1 to 1000", field, take);
}

Status parse_field(const FieldInfo& info,
                   const std::string& text,
                   std::vector<PriorPosteriorPair>& field) {
  const auto take = [](const NumberPair& pair, std::vector<PriorPosteriorPair>& pairs) {
    pairs.push_back({pair.first, pair.second});
    return true;
  };
  return parse_pairs(info, text, "pairs p,q such as 20,50", field, take);
}

Status parse_field(const FieldInfo& info, const std::string& text, KnownBound& field) {
  if (text == "auto" || text == "unbounded") {
    field = text == "auto" ? KnownBound{} : KnownBound::unbounded();
    return ok_status();
  }
  const bool is_share = text.ends_with('%');
  const auto number =
      is_share ? Decimal::parse(base::trimmed(std::string_view(text).substr(0, text.size() - 1)))
               : Decimal::parse(text);
  if (!number)
    return wanted(info, "auto, unbounded, a number or a percentage", text);
  field = is_share ? KnownBound::percent(*number) : KnownBound::at(*number);
  return ok_status();
}

std::string field_text(const std::vector<DominancePair>& field) {
  std::string text;
  for (const DominancePair& pair : field)
    add_pair(text, pair.n, pair.k);
  return text;
}

std::string field_text(const std::vector<PriorPosteriorPair>& field) {
  std::string text;
  for (const PriorPosteriorPair& pair : field)
    add_pair(text, pair.p, pair.q);
  return text;
}

std::string field_text(const KnownBound& field) {
  switch (field.kind) {
    case KnownBound::Kind::kUnbounded:
      return "unbounded";
    case KnownBound::Kind::kNumber:
      return field.number.text();
    case KnownBound::Kind::kPercent:
      return field.number.text() + "%";
    case KnownBound::Kind::kAuto:
      break;
  }
  return "auto";
}

std::span<const std::string_view> enum_names(FrequencyCount) {
  static constexpr std::string_view kNames[] = {"contributors", "records", "weighted"};
  return kNames;
}

std::span<const std::string_view> enum_names(LevelFormula) {
  static constexpr std::string_view kNames[] = {"thesis", "argus"};
  return kNames;
}

std::span<const std::string_view> enum_names(Misfit) {
  static constexpr std::string_view kNames[] = {"error", "widen", "cut"};
  return kNames;
}

std::span<const std::string_view> enum_names(AttackersMeant) {
  static constexpr std::string_view kNames[] = {"respondents", "outsider"};
  return kNames;
}

std::span<const std::string_view> enum_names(AttackerKnowledge) {
  static constexpr std::string_view kNames[] = {"all", "sensitive-only"};
  return kNames;
}

std::span<const std::string_view> enum_names(AttackerReach) {
  static constexpr std::string_view kNames[] = {"table", "equation"};
  return kNames;
}

}  // namespace lacuna
