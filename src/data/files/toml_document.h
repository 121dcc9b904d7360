// SPDX-License-Identifier: Apache-2.0
// A TOML text with the places of its keys and values, and its numbers as they were written: toml++
// turns 0.1 into a double, a table number may not.
#pragma once

#include <toml++/toml.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::files {

class TomlDocument {
 public:
  static Result<TomlDocument> parse(std::string text, std::string filename);

  const toml::table& root() const { return root_; }
  const std::string& filename() const { return filename_; }
  std::string where(const toml::source_region& region) const;
  Error error(const toml::node& node, std::string message) const;

  // Unknown keys are errors that suggest the nearest of `names`. `section` is for the message.
  Status check_keys(const toml::table& table,
                    std::span<const std::string_view> names,
                    std::string_view section) const;
  Result<std::string> string(const toml::node& node) const;
  // A string, or every element of an array of strings.
  Result<std::vector<std::string>> strings(const toml::node& node) const;
  // A number as it stands in the text, or the content of a string ("unbounded", "12.50").
  Result<std::string> number_text(const toml::node& node) const;
  // A table, or every element of an array of tables.
  Result<std::vector<const toml::table*>> tables(const toml::node& node) const;
  // The entries of a table in the order of the text.
  static std::vector<std::pair<const toml::key*, const toml::node*>> in_order(
      const toml::table& table);

 private:
  std::size_t offset_of(toml::source_position position) const;
  std::string text_;
  std::string filename_;
  toml::table root_;
};

std::string toml_quoted(std::string_view text);

}  // namespace lacuna::files
