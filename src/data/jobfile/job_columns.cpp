// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_columns.h"

#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/number_text.h"
#include "data/infer/column_roles.h"
#include "data/infer/shape_choice.h"
#include "data/jobfile/job_keys.h"

namespace lacuna::jobfile {
namespace {

// A share between 0 and a million percent with at most nine decimals, as text; empty if absent.
Result<std::string> percent_at(const std::string& path,
                               const SpecNumber& percent,
                               const spec::SpecPlaces& places) {
  constexpr int kMostDecimals = 9;
  constexpr Units kMostPercent = 1'000'000'000'000'000;  // 1e6 with nine decimals
  if (percent.text.empty())
    return std::string();
  const auto number = base::parse_units(percent.text, kMostDecimals);
  if (!number)
    return places.moved(number.error(), path);
  if (*number < 0 || *number > kMostPercent)
    return places.error(path, "the percentage must be between 0 and 1000000");
  return percent.text;
}

Result<problems::BoundRule> bound_rule(const std::string& key,
                                       const SpecNumber& number,
                                       const SpecNumber& percent,
                                       const spec::SpecPlaces& places) {
  const std::string percent_key = key + "_percent";
  const std::string percent_path = "defaults." + percent_key;
  if (!number.text.empty() && !percent.text.empty())
    return places.error(percent_path, "give either " + key + " or " + percent_key);
  if (!percent.text.empty()) {
    LACUNA_TRY(std::string text, percent_at(percent_path, percent, places));
    return problems::BoundRule{problems::BoundRule::Kind::kPercent, std::move(text)};
  }
  if (number.text.empty())
    return problems::BoundRule{};
  if (files::is_infinite_text(number.text))
    return problems::BoundRule{problems::BoundRule::Kind::kUnbounded, ""};
  LACUNA_RETURN_IF_ERROR(check_number(number.text, "defaults." + key, places));
  return problems::BoundRule{problems::BoundRule::Kind::kNumber, number.text};
}

struct DefaultLevel {
  std::string text;
  bool is_number = false;
};

// level = "10%" or a number.
Result<DefaultLevel> level_of(std::string text, const spec::SpecPlaces& places) {
  const bool is_number = !text.ends_with('%');
  if (!is_number)
    text.pop_back();
  const auto number = files::parse_level_upward(text, 0);
  if (!number || text.starts_with('-'))
    return places.error("defaults.level",
                        "the default level must be a percentage, \"10%\", or a number");
  return DefaultLevel{std::move(text), is_number};
}

Status check_weight(const std::string& weight, const spec::SpecPlaces& places) {
  if (weight == "value" || weight == "frequency")
    return ok_status();
  const auto number = base::parse_double(weight);
  if (!number || *number < 0)
    return places.error("defaults.weight",
                        "the default weight must be a number, \"value\" or \"frequency\"");
  return ok_status();
}

}  // namespace

Result<TableColumnSection> read_column_section(const spec::ReadSpec& spec, const FileLoader& load) {
  if (!spec.job.columns)
    return Error{ErrorCode::kMissingKey,
                 "the section " + base::named_section("[columns]") + " is missing: it needs " +
                     base::named_setting("value", "\"<column>\""),
                 spec.places.filename()};
  const JobSpec::Columns& given = *spec.job.columns;
  TableColumnSection section;
  section.where = spec.places.where("columns");
  problems::TableColumns& names = section.names;
  names = {given.value,
           given.frequency,
           given.weight,
           given.status,
           given.lower,
           given.upper,
           given.lower_level,
           given.upper_level,
           given.sliding_level,
           given.key,
           given.largest};
  LACUNA_TRY(section.keys, read_key_options(spec, names.key, load));
  if (!section.keys.from.empty())
    return spec.places.error("columns", "keys are made from records, not from a table");
  if (names.value.empty())
    names.value = names.frequency;  // a table of counts
  section.counted = names.value == names.frequency && names.largest.empty();
  if (names.frequency.empty() && infer::is_frequency_name(names.value))
    section.named_count = names.value;
  if (names.value.empty())
    return spec.places.error("columns",
                             base::named_section("[columns]") + " needs " +
                                 base::named_setting("value", "\"<column>\"") + ", or " +
                                 base::named_setting("frequency", "\"<column>\"") +
                                 " for a table of counts");
  return section;
}

std::vector<std::string> number_columns(const problems::TableColumns& names) {
  std::vector<std::string> columns{names.value,
                                   names.frequency,
                                   names.weight,
                                   names.lower,
                                   names.upper,
                                   names.lower_level,
                                   names.upper_level,
                                   names.sliding_level,
                                   names.key};
  columns.insert(columns.end(), names.largest.begin(), names.largest.end());
  return columns;
}

Result<infer::StatusWords> read_status_words(const spec::ReadSpec& spec) {
  infer::StatusWords words;
  for (const auto& [word, meaning] : spec.job.status_words) {
    const auto status = infer::status_of_word(meaning);
    if (!status)
      return spec.places.error("status_words." + word, infer::unknown_status(meaning));
    words[base::lower_case(word)] = *status;
  }
  words.merge(infer::status_words_in(spec.job.input.means));  // [status_words] go first
  return words;
}

Result<problems::TableDefaults> read_defaults(const spec::ReadSpec& spec) {
  const JobSpec::Defaults& given = spec.job.defaults;
  const spec::SpecPlaces& places = spec.places;
  const auto percent = [&](const std::string& key, const SpecNumber& number) {
    return percent_at("defaults." + key, number, places);
  };
  problems::TableDefaults rules;
  LACUNA_TRY(rules.lower, bound_rule("lower", given.lower, given.lower_percent, places));
  LACUNA_TRY(rules.upper, bound_rule("upper", given.upper, given.upper_percent, places));
  LACUNA_TRY(rules.lower_level_percent, percent("lower_level_percent", given.lower_level_percent));
  LACUNA_TRY(rules.upper_level_percent, percent("upper_level_percent", given.upper_level_percent));
  LACUNA_TRY(rules.sliding_level_percent,
             percent("sliding_level_percent", given.sliding_level_percent));
  if (!given.level.text.empty()) {
    LACUNA_TRY(DefaultLevel level, level_of(given.level.text, places));
    rules.level = std::move(level.text);
    rules.level_is_number = level.is_number;
  }
  if (!given.weight.text.empty()) {
    rules.weight = given.weight.text;
    LACUNA_RETURN_IF_ERROR(check_weight(rules.weight, places));
  }
  return rules;
}

Status check_number(const std::string& text,
                    const std::string& path,
                    const spec::SpecPlaces& places) {
  auto needed = base::decimals_needed(text);
  if (!needed)
    return places.moved(needed.error(), path);
  if (auto fits = files::DecimalsChooser().add_number(text); !fits)
    return places.moved(fits.error(), path);
  return ok_status();
}

}  // namespace lacuna::jobfile
