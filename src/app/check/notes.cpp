// SPDX-License-Identifier: Apache-2.0
#include "app/check/notes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/quotes.h"
#include "data/files/toml_document.h"

namespace lacuna::checking {
namespace {

constexpr std::array<std::string_view, 6> kKeys{
    "threshold", "policy", "ignore", "variable", "table", "within"};
constexpr std::array<std::string_view, 3> kVariableKeys{"name", "also", "codes"};
constexpr std::array<std::string_view, 7> kTableKeys{
    "file", "sheet", "subset", "columns", "value", "measure", "total"};
constexpr std::array<std::string_view, 2> kWithinKeys{"part", "whole"};

class NotesReader {
 public:
  explicit NotesReader(const files::TomlDocument& document) : document_(document) {}

  Result<Notes> read() {
    const toml::table& root = document_.root();
    LACUNA_RETURN_IF_ERROR(document_.check_keys(root, kKeys, "a file of notes"));
    LACUNA_RETURN_IF_ERROR(read_threshold());
    LACUNA_RETURN_IF_ERROR(text(root, "policy", notes_.policy));
    LACUNA_RETURN_IF_ERROR(texts(root, "ignore", notes_.ignore));
    LACUNA_RETURN_IF_ERROR(
        each("variable", [&](const toml::table& table) { return read_variable(table); }));
    LACUNA_RETURN_IF_ERROR(
        each("table", [&](const toml::table& table) { return read_table(table); }));
    LACUNA_RETURN_IF_ERROR(
        each("within", [&](const toml::table& table) { return read_within(table); }));
    return std::move(notes_);
  }

 private:
  template <class Read>
  Status each(std::string_view name, Read&& read) {
    const toml::node* node = document_.root().get(name);
    if (node == nullptr)
      return ok_status();
    LACUNA_TRY(const auto tables, document_.tables(*node));
    for (const toml::table* table : tables)
      LACUNA_RETURN_IF_ERROR(read(*table));
    return ok_status();
  }

  Status text(const toml::table& table, std::string_view key, std::string& field) {
    if (const toml::node* node = table.get(key); node != nullptr) {
      LACUNA_TRY(field, document_.string(*node));
    }
    return ok_status();
  }

  Status texts(const toml::table& table, std::string_view key, std::vector<std::string>& field) {
    if (const toml::node* node = table.get(key); node != nullptr) {
      LACUNA_TRY(field, document_.strings(*node));
    }
    return ok_status();
  }

  Status read_threshold() {
    const toml::node* node = document_.root().get("threshold");
    if (node == nullptr)
      return ok_status();
    const std::optional<std::int64_t> number = node->value_exact<std::int64_t>();
    if (!number || *number < 1)
      return document_.error(*node, "threshold is a whole number, at least 1");
    notes_.threshold = *number;
    return ok_status();
  }

  Result<const toml::table*> table_in(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr)
      return static_cast<const toml::table*>(nullptr);
    if (!node->is_table())
      return document_.error(*node, std::string(key) + " = { NAME = \"CODE\" }");
    return node->as_table();
  }

  Status read_variable(const toml::table& table) {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(table, kVariableKeys, "[[variable]]"));
    VariableNote note;
    LACUNA_RETURN_IF_ERROR(text(table, "name", note.name));
    if (note.name.empty())
      return document_.error(table, "a variable needs its name");
    LACUNA_RETURN_IF_ERROR(texts(table, "also", note.also));
    LACUNA_TRY(const toml::table* codes, table_in(table, "codes"));
    if (codes != nullptr) {
      for (const auto& [key, node] : files::TomlDocument::in_order(*codes)) {
        LACUNA_TRY(const auto same, document_.strings(*node));
        for (const std::string& code : same)
          note.codes[compared(code)] = std::string(key->str());
      }
    }
    notes_.variables.push_back(std::move(note));
    return ok_status();
  }

  Status read_table(const toml::table& table) {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(table, kTableKeys, "[[table]]"));
    TableNote note;
    note.where = document_.where(table.source());
    LACUNA_RETURN_IF_ERROR(text(table, "file", note.file));
    if (note.file.empty())
      return document_.error(table, "a table needs file = \"<file of the folder>\"");
    LACUNA_RETURN_IF_ERROR(text(table, "sheet", note.sheet));
    if (const toml::node* subset = table.get("subset"); subset != nullptr) {
      LACUNA_TRY(note.subset, document_.string(*subset));
      LACUNA_TRY(note.conditions, conditions_of(*note.subset, document_.where(subset->source())));
    }
    LACUNA_RETURN_IF_ERROR(texts(table, "columns", note.columns));
    LACUNA_RETURN_IF_ERROR(texts(table, "value", note.value));
    LACUNA_RETURN_IF_ERROR(text(table, "measure", note.measure));
    LACUNA_TRY(const toml::table* totals, table_in(table, "total"));
    if (totals != nullptr) {
      for (const auto& [key, node] : files::TomlDocument::in_order(*totals)) {
        LACUNA_TRY(std::string code, document_.string(*node));
        note.totals.emplace_back(std::string(key->str()), std::move(code));
      }
    }
    notes_.tables.push_back(std::move(note));
    return ok_status();
  }

  Status read_within(const toml::table& table) {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(table, kWithinKeys, "[[within]]"));
    std::string part, whole;
    LACUNA_RETURN_IF_ERROR(text(table, "part", part));
    LACUNA_RETURN_IF_ERROR(text(table, "whole", whole));
    WithinNote note;
    LACUNA_TRY(note.part, conditions_of(part, document_.where(table.source())));
    LACUNA_TRY(note.whole, conditions_of(whole, document_.where(table.source())));
    if (note.part.empty() || note.whole.empty())
      return document_.error(table,
                             "[[within]] needs part = \"<subset>\" and whole = \"<subset>\"");
    notes_.within.push_back(std::move(note));
    return ok_status();
  }

  const files::TomlDocument& document_;
  Notes notes_;
};

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

TableNote Notes::of(std::string_view file, std::string_view sheet) const {
  TableNote all;
  for (const TableNote& note : tables) {
    if (!matches(note.file, file) || (!note.sheet.empty() && !matches(note.sheet, sheet)))
      continue;
    all.where = note.where;
    if (note.subset) {
      all.subset = note.subset;
      all.conditions = note.conditions;
    }
    if (!note.columns.empty())
      all.columns = note.columns;
    if (!note.value.empty())
      all.value = note.value;
    if (!note.measure.empty())
      all.measure = note.measure;
    all.totals.insert(all.totals.end(), note.totals.begin(), note.totals.end());
  }
  return all;
}

bool Notes::ignores(std::string_view file) const {
  return std::any_of(ignore.begin(), ignore.end(), [&](const std::string& pattern) {
    return matches(pattern, file);
  });
}

std::pair<std::string, std::string> Notes::variable(const std::string& name) const {
  const std::string wanted = compared(name);
  for (const VariableNote& note : variables) {
    const bool other = std::any_of(note.also.begin(), note.also.end(), [&](const auto& each) {
      return compared(each) == wanted;
    });
    if (other || compared(note.name) == wanted)
      return {compared(note.name), note.name};
  }
  return {wanted, name};
}

std::string Notes::code(const std::string& variable, const std::string& code) const {
  for (const VariableNote& note : variables) {
    if (compared(note.name) != variable)
      continue;
    const auto found = note.codes.find(compared(code));
    if (found != note.codes.end())
      return found->second;
  }
  return code;
}

Result<Notes> read_notes(std::string text, const std::string& filename) {
  LACUNA_TRY(const files::TomlDocument document,
             files::TomlDocument::parse(std::move(text), filename));
  return NotesReader(document).read();
}

}  // namespace lacuna::checking
