// SPDX-License-Identifier: Apache-2.0
#include "data/files/toml_document.h"

#include <algorithm>

#include "core/base/nearest.h"
#include "data/files/position.h"
#include "data/files/wrong_format.h"

namespace lacuna::files {

Result<TomlDocument> TomlDocument::parse(std::string text, std::string filename) {
  TomlDocument document;
  document.text_ = std::move(text);
  document.filename_ = std::move(filename);
  if (const std::size_t bad = base::find_bad_utf8(document.text_); bad != std::string::npos) {
    return or_wrong_format(error_at(document.filename_,
                                    document.text_,
                                    bad,
                                    "this byte is not UTF-8 text: convert the file to UTF-8"),
                           document.text_,
                           document.filename_);
  }
  try {
    document.root_ = toml::parse(std::string_view(document.text_), std::string_view());
  } catch (const toml::parse_error& trouble) {
    return or_wrong_format({ErrorCode::kJobSyntax,
                            "not valid TOML: " + std::string(trouble.description()),
                            document.where(trouble.source())},
                           document.text_,
                           document.filename_);
  }
  return document;
}

std::string TomlDocument::where(const toml::source_region& region) const {
  if (region.begin.line == 0)
    return filename_;
  return location(filename_, {region.begin.line, region.begin.column});
}

Error TomlDocument::error(const toml::node& node, std::string message) const {
  return {ErrorCode::kJobValue, std::move(message), where(node.source())};
}

Status TomlDocument::check_keys(const toml::table& table,
                                std::span<const std::string_view> names,
                                std::string_view section) const {
  for (const auto& [key, node] : in_order(table)) {
    if (std::find(names.begin(), names.end(), key->str()) != names.end())
      continue;
    return Error{ErrorCode::kUnknownKey,
                 "unknown key " + base::in_quotes(key->str()) + " in " + std::string(section) +
                     base::did_you_mean(key->str(), names),
                 where(key->source())};
  }
  return ok_status();
}

Result<std::string> TomlDocument::string(const toml::node& node) const {
  if (const auto* text = node.as_string(); text != nullptr)
    return text->get();
  return error(node, "expected a string in quotes");
}

Result<std::vector<std::string>> TomlDocument::strings(const toml::node& node) const {
  std::vector<std::string> all;
  if (const auto* array = node.as_array(); array != nullptr) {
    for (const toml::node& item : *array) {
      LACUNA_TRY(std::string text, string(item));
      all.push_back(std::move(text));
    }
    return all;
  }
  LACUNA_TRY(std::string text, string(node));
  all.push_back(std::move(text));
  return all;
}

std::size_t TomlDocument::offset_of(toml::source_position position) const {
  std::size_t at = 0;
  for (std::size_t line = 1; line < position.line && at < text_.size(); ++line)
    at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
  for (std::size_t column = 1; column < position.column && at < text_.size(); ++column) {
    ++at;
    while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U)
      ++at;
  }
  return at;
}

Result<std::string> TomlDocument::number_text(const toml::node& node) const {
  if (const auto* text = node.as_string(); text != nullptr)
    return text->get();
  if (const auto* number = node.as_integer(); number != nullptr)
    return std::to_string(number->get());
  if (!node.is_floating_point())
    return error(node, "expected a number");
  const std::size_t begin = offset_of(node.source().begin);
  const std::size_t end = offset_of(node.source().end);
  std::string lexeme = text_.substr(begin, end > begin ? end - begin : 0);
  lexeme.erase(std::remove(lexeme.begin(), lexeme.end(), '_'), lexeme.end());
  return lexeme;
}

Result<std::vector<const toml::table*>> TomlDocument::tables(const toml::node& node) const {
  std::vector<const toml::table*> all;
  if (const auto* table = node.as_table(); table != nullptr) {
    all.push_back(table);
    return all;
  }
  const auto* array = node.as_array();
  if (array == nullptr)
    return error(node, "expected a table or an array of tables");
  for (const toml::node& item : *array) {
    if (!item.is_table())
      return error(item, "expected a table");
    all.push_back(item.as_table());
  }
  return all;
}

std::vector<std::pair<const toml::key*, const toml::node*>> TomlDocument::in_order(
    const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, node] : table)
    entries.emplace_back(&key, &node);
  const auto place = [](const toml::key* key) {
    return std::pair(key->source().begin.line, key->source().begin.column);
  };
  std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    return place(a.first) < place(b.first);
  });
  return entries;
}

std::string toml_quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20U || byte == 0x7FU) {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace lacuna::files
