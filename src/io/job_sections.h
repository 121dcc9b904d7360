// SPDX-License-Identifier: Apache-2.0
// What the readers of all job files need of a TOML document: sections, words of a list, truth
// values, whole numbers; errors carry the place.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/toml_document.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

// The text of a string, number or truth value.
Result<std::string> scalar_text(const TomlDocument& document, const toml::node& node);

// The section [name]; null if it is absent.
Result<const toml::table*> section(const TomlDocument& document, const char* name);

std::string one_of(std::span<const std::string_view> words);  // "a, b, c"

// What stands at a key of a section; if nothing does, the target stays as it is.
Status read_flag(const TomlDocument& document,
                 const toml::table& table,
                 std::string_view key,
                 bool& flag);
Status read_int(const TomlDocument& document,
                const toml::table& table,
                std::string_view key,
                int most,
                int& number);
Status read_texts(const TomlDocument& document,
                  const toml::table& table,
                  std::string_view key,
                  std::vector<std::string>& texts);
// Which of the words stands at the key; the first if none does.
Result<std::size_t> choice_at(const TomlDocument& document,
                              const toml::table& table,
                              std::string_view key,
                              std::span<const std::string_view> words);

}  // namespace lacuna::inline io
