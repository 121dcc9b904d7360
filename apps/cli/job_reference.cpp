// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/job_reference.h"

#include <vector>

#include "lacuna/job_spec.h"
#include "spec/parts.h"

namespace lacuna {
namespace {

template <class Field>
std::string value_kind(const Field& field) {
  if constexpr (IsOptional<Field>) {
    return value_kind(typename Field::value_type{});
  } else if constexpr (std::is_same_v<Field, bool>) {
    return "true or false";
  } else if constexpr (std::is_enum_v<Field>) {
    std::string words;
    for (const std::string_view word : enum_names(field))
      words += (words.empty() ? "" : ", ") + ("`\"" + std::string(word) + "\"`");
    return words;
  } else if constexpr (std::is_integral_v<Field>) {
    return "whole number";
  } else if constexpr (std::is_same_v<Field, std::string>) {
    return "text";
  } else if constexpr (std::is_same_v<Field, SpecNumber>) {
    return "number";
  } else if constexpr (std::is_same_v<Field, SpecScalar>) {
    return "number or word";
  } else if constexpr (std::is_same_v<Field, SpecLists> ||
                       std::is_same_v<Field, std::vector<SpecLists>>) {
    return "codes with lists of codes";
  } else if constexpr (std::is_same_v<Field, SpecWords> || std::is_same_v<Field, SpecOptions>) {
    return "any keys";
  } else if constexpr (std::is_same_v<Field, std::vector<std::string>> ||
                       std::is_same_v<Field, std::vector<SpecSource>>) {
    return "text, or a list of texts";
  } else {
    return "list";
  }
}

class JobPage {
 public:
  template <class Part>
  void add(const std::string& title, const Part& part) {
    std::string rows;
    Part::fields(part, [&](const FieldInfo& info, const auto& field) { rows += row(info, field); });
    text_ += "\n### " + title + "\n\n| key | value | if absent | in | meaning |\n|---|---|---|---|---|\n" +
             rows;
    Part::fields(part, [&](const FieldInfo& info, const auto& field) { add_below(info, field); });
  }
  template <class Part>
  void add_parts_of(const Part& part) {
    Part::fields(part, [&](const FieldInfo& info, const auto& field) { add_below(info, field); });
  }
  std::string take() && { return std::move(text_); }

 private:
  template <class Field>
  std::string row(const FieldInfo& info, const Field& field) {
    std::string kinds(info.methods);
    for (char& c : kinds)
      c = c == ' ' ? ',' : c;
    return "| `" + std::string(info.name) + "` | " + value_kind(field) + " | " +
           std::string(info.absent) + " | " + kinds + " | " + std::string(info.help) + " |\n";
  }

  template <class Field>
  void add_below(const FieldInfo& info, const Field& field) {
    const std::string title = "`" + std::string(info.shown_as) + "`: " + std::string(info.help);
    if constexpr (IsOptional<Field>)
      add_below(info, typename Field::value_type{});
    else if constexpr (IsPart<Field>)
      add(title, field);
    else if constexpr (IsPartList<Field>)
      add(title, typename ItemOf<Field>::Type{});
  }

  std::string text_;
};

}  // namespace

std::string job_reference() {
  JobPage page;
  page.add_parts_of(JobSpec{});
  return "\n## Keys of a job\n\nThe sections of a job and their keys, as TOML has them "
         "([formats.md](formats.md) explains them). \"in\" names the kind of job, or of rule, that "
         "has the key; empty: all.\n" +
         std::move(page).take();
}

}  // namespace lacuna
