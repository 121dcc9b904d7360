// SPDX-License-Identifier: Apache-2.0
#include "io/job_counts.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/nearest.h"
#include "io/job_sections.h"
#include "io/position.h"

namespace lacuna::inline io {
namespace {

Status read_number(const TomlDocument& document,
                   const toml::table& section,
                   std::string_view key,
                   std::int64_t& number) {
  int read = static_cast<int>(number);
  LACUNA_RETURN_IF_ERROR(read_int(document, section, key, std::numeric_limits<int>::max(), read));
  number = read;
  return ok_status();
}

template <class Word>
Status read_word(const TomlDocument& document,
                 const toml::table& section,
                 std::string_view key,
                 Word& word) {
  LACUNA_TRY(const std::size_t index, choice_at(document, section, key, enum_names(word)));
  word = static_cast<Word>(index);
  return ok_status();
}

Status read_kinds(const TomlDocument& document,
                  const toml::table& section,
                  std::vector<CountKind>& kinds) {
  const toml::node* node = section.get("kinds");
  if (node == nullptr)
    return ok_status();
  LACUNA_TRY(const std::vector<std::string> words, document.strings(*node));
  const auto names = enum_names(CountKind{});
  for (const std::string& word : words) {
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
      return document.error(*node,
                            "kinds must be of " + one_of(names) + ", not " + in_quotes(word) +
                                did_you_mean(word, names));
    }
    kinds.push_back(static_cast<CountKind>(at - names.begin()));
  }
  if (kinds.empty())
    return document.error(*node, "kinds names no kind");
  return ok_status();
}

// { health = ["ill"], age = ["90+"] }: one union per dimension.
Status read_unions(const TomlDocument& document,
                   const toml::table& table,
                   std::vector<CodeUnion>& unions) {
  for (const auto& [key, node] : TomlDocument::in_order(table)) {
    CodeUnion named{std::string(key->str()), {}};
    LACUNA_TRY(named.codes, document.strings(*node));
    unions.push_back(std::move(named));
  }
  return ok_status();
}

Status read_sensitive(const TomlDocument& document,
                      const toml::table& section,
                      CountOptions& options) {
  const toml::node* node = section.get("sensitive");
  if (node == nullptr)
    return ok_status();
  if (node->as_table() == nullptr)
    return document.error(*node, "expected sensitive = { <dimension> = [\"<code>\", ...] }");
  return read_unions(document, *node->as_table(), options.sensitive);
}

Status read_groups(const TomlDocument& document,
                   const toml::table& section,
                   CountOptions& options) {
  const toml::node* node = section.get("groups");
  if (node == nullptr)
    return ok_status();
  LACUNA_TRY(const auto tables, document.tables(*node));
  for (const toml::table* table : tables) {
    if (table->size() != 1)
      return document.error(*table, "a group is { <dimension> = [\"<code>\", ...] }");
    LACUNA_RETURN_IF_ERROR(read_unions(document, *table, options.groups));
  }
  return ok_status();
}

std::string option_name(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

Result<std::optional<CountSection>> read_count_section(const TomlDocument& document) {
  LACUNA_TRY(const toml::table* section, io::section(document, "counts"));
  if (section == nullptr)
    return std::optional<CountSection>{};
  constexpr std::array<std::string_view, 9> kKeys{"threshold",
                                                  "whole",
                                                  "zeros",
                                                  "withheld_means",
                                                  "kinds",
                                                  "sensitive",
                                                  "groups",
                                                  "coalition",
                                                  "ambiguity"};
  LACUNA_RETURN_IF_ERROR(document.check_keys(*section, kKeys, "[counts]"));
  CountSection read;
  CountOptions& options = read.options;
  LACUNA_RETURN_IF_ERROR(read_number(document, *section, "threshold", options.threshold));
  LACUNA_RETURN_IF_ERROR(read_flag(document, *section, "whole", read.whole));
  LACUNA_RETURN_IF_ERROR(read_number(document, *section, "coalition", options.coalition));
  LACUNA_RETURN_IF_ERROR(read_number(document, *section, "ambiguity", options.ambiguity));
  LACUNA_RETURN_IF_ERROR(read_word(document, *section, "zeros", options.zeros));
  LACUNA_RETURN_IF_ERROR(read_word(document, *section, "withheld_means", options.withheld_means));
  LACUNA_RETURN_IF_ERROR(read_kinds(document, *section, options.kinds));
  LACUNA_RETURN_IF_ERROR(read_sensitive(document, *section, options));
  LACUNA_RETURN_IF_ERROR(read_groups(document, *section, options));
  read.places.push_back({"counts", "", document.where(section->source())});
  for (const auto& [key, node] : TomlDocument::in_order(*section))
    read.places.push_back({option_name(key->str()), "", document.where(key->source())});
  return std::optional<CountSection>(std::move(read));
}

}  // namespace lacuna::inline io
