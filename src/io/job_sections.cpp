// SPDX-License-Identifier: Apache-2.0
#include "io/job_sections.h"

#include <algorithm>

#include "base/nearest.h"
#include "io/position.h"

namespace lacuna::inline io {

Result<std::string> scalar_text(const TomlDocument& document, const toml::node& node) {
  if (const auto* truth = node.as_boolean(); truth != nullptr)
    return std::string(truth->get() ? "true" : "false");
  return document.number_text(node);
}

Result<const toml::table*> section(const TomlDocument& document, const char* name) {
  const toml::node* node = document.root().get(name);
  if (node == nullptr)
    return static_cast<const toml::table*>(nullptr);
  if (!node->is_table())
    return document.error(*node, "expected a section [" + std::string(name) + "]");
  return node->as_table();
}

std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words)
    text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

Status read_flag(const TomlDocument& document,
                 const toml::table& table,
                 std::string_view key,
                 bool& flag) {
  const toml::node* node = table.get(key);
  if (node == nullptr)
    return ok_status();
  if (!node->is_boolean())
    return document.error(*node, std::string(key) + " must be true or false");
  flag = node->as_boolean()->get();
  return ok_status();
}

Status read_int(const TomlDocument& document,
                const toml::table& table,
                std::string_view key,
                int most,
                int& number) {
  const toml::node* node = table.get(key);
  if (node == nullptr)
    return ok_status();
  const auto* given = node->as_integer();
  if (given == nullptr || given->get() < 0 || given->get() > most) {
    return document.error(
        *node, std::string(key) + " must be a whole number from 0 to " + std::to_string(most));
  }
  number = static_cast<int>(given->get());
  return ok_status();
}

Result<std::size_t> choice_at(const TomlDocument& document,
                              const toml::table& table,
                              std::string_view key,
                              std::span<const std::string_view> words) {
  const toml::node* node = table.get(key);
  if (node == nullptr)
    return std::size_t{0};
  LACUNA_TRY(const std::string word, document.string(*node));
  const auto at = std::find(words.begin(), words.end(), word);
  if (at != words.end())
    return static_cast<std::size_t>(at - words.begin());
  return document.error(*node,
                        std::string(key) + " must be one of " + one_of(words) + ", not " +
                            in_quotes(word) + did_you_mean(word, words));
}

Status read_texts(const TomlDocument& document,
                  const toml::table& table,
                  std::string_view key,
                  std::vector<std::string>& texts) {
  const toml::node* node = table.get(key);
  if (node == nullptr)
    return ok_status();
  LACUNA_TRY(texts, document.strings(*node));
  return ok_status();
}

}  // namespace lacuna::inline io
