// SPDX-License-Identifier: Apache-2.0
#include "app/job/job_keys.h"

#include <algorithm>

#include "data/jobfile/job_rules.h"
#include "data/spec/parts.h"
#include "lacuna/job_spec.h"
#include "lacuna/sensitivity.h"

namespace lacuna::job {
namespace {

template <class Field>
std::string kind_of() {
  if constexpr (std::is_same_v<Field, bool>)
    return "flag";
  else if constexpr (std::is_enum_v<Field>)
    return "choice";
  else if constexpr (std::is_integral_v<Field>)
    return "whole";
  else if constexpr (std::is_same_v<Field, std::string>)
    return "text";
  else if constexpr (std::is_same_v<Field, SpecNumber>)
    return "number";
  else if constexpr (std::is_same_v<Field, SpecScalar>)
    return "scalar";
  else if constexpr (std::is_same_v<Field, SpecLists> ||
                     std::is_same_v<Field, std::vector<SpecLists>>)
    return "lists";
  else if constexpr (std::is_same_v<Field, SpecWords> || std::is_same_v<Field, SpecOptions>)
    return "words";
  else if constexpr (std::is_same_v<Field, std::vector<std::string>>)
    return "texts";
  else if constexpr (std::is_same_v<Field, std::vector<SpecSource>>)
    return "files";
  else if constexpr (std::is_same_v<Field, std::vector<std::int32_t>>)
    return "wholes";
  else if constexpr (spec::IsWordList<Field>)
    return "choices";
  else
    return "levels";
}

template <class Words>
std::vector<std::string> texts_of(const Words& words) {
  return {words.begin(), words.end()};
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

template <class Part>
std::vector<JobKey> keys_of();

template <class Field>
void describe(JobKey& key) {
  if constexpr (spec::IsOptional<Field>) {
    describe<typename Field::value_type>(key);
  } else if constexpr (spec::IsPart<Field>) {
    key.kind = "section";
    key.keys = keys_of<Field>();
  } else if constexpr (spec::IsPartList<Field>) {
    key.kind = "sections";
    key.keys = keys_of<typename spec::ItemOf<Field>::Type>();
  } else {
    key.kind = kind_of<Field>();
    if constexpr (std::is_enum_v<Field>)
      key.choices = texts_of(enum_names(Field{}));
    else if constexpr (spec::IsWordList<Field>)
      key.choices = texts_of(enum_names(typename spec::ItemOf<Field>::Type{}));
  }
}

template <class Part>
std::vector<JobKey> keys_of() {
  std::vector<JobKey> keys;
  const Part part{};
  Part::fields(part, [&](const FieldInfo& info, const auto& field) {
    JobKey& key = keys.emplace_back();
    key.name = info.name;
    key.help = info.help;
    key.absent = info.absent;
    key.shown_as = info.shown_as;
    key.of = words_of(info.methods);
    describe<std::remove_cvref_t<decltype(field)>>(key);
  });
  return keys;
}

// A number or a word that goes to an option is of the kind that the option takes.
void take_kind_of_option(const std::vector<OptionInfo>& known,
                         const std::string& section,
                         JobKey& key) {
  const auto option = std::find_if(known.begin(), known.end(), [&](const OptionInfo& each) {
    return each.name == jobfile::option_of_key(section, key.name);
  });
  if (key.kind != "scalar" || option == known.end())
    return;
  key.choices = option->choices;
  if (option->is_flag())
    key.kind = "flag";
  else if (!key.choices.empty())
    key.kind = "choice";
}

}  // namespace

std::vector<JobKey> job_keys() {
  std::vector<JobKey> sections = keys_of<JobSpec>();
  const std::vector<OptionInfo> known = describe_options<SensitivityOptions>();
  for (JobKey& section : sections) {
    for (JobKey& key : section.keys) {
      if (section.name == "rule" && key.name == "type") {
        key.kind = "choice";
        key.choices = texts_of(JobSpec::Rule::types());
      }
      take_kind_of_option(known, section.name, key);
    }
  }
  return sections;
}

}  // namespace lacuna::job
