// SPDX-License-Identifier: Apache-2.0
#include "data/publish/meaning.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "data/publish/public_file.h"
#include "data/publish/public_table.h"

namespace lacuna::publish {

std::vector<draft::Meaning> meanings_of(const PublicRelease& release) {
  if (!release.facts.meaning)
    return {};
  std::vector<CellId> cells;
  for (const files::TableView& view : release.tables)
    cells.insert(cells.end(), view.cells.begin(), view.cells.end());
  return draft::meanings_of(release.release.problem(), release.release.content(), cells);
}

std::vector<std::string> notes_with_meaning(const PublicRelease& release) {
  std::vector<std::string> notes = release.options.notes;
  const std::vector<draft::Meaning> meanings = meanings_of(release);
  for (const draft::Meaning& meaning : meanings)
    notes.push_back(meaning.text);
  if (!meanings.empty() && !release.facts.asked.empty())
    notes.push_back(release.facts.asked);
  return notes;
}

void write_meaning(base::JsonWriter& json, const PublicRelease& release) {
  json.object([&] {
    json.key("states").list(meanings_of(release), [&](const draft::Meaning& meaning) {
      json.object([&] {
        json.member("state", to_string(meaning.kind)).member("reason", draft::kReason);
        json.member("text", meaning.text);
      });
    });
    json.member("asked", release.facts.asked);
  });
}

std::string meaning_json(const PublicRelease& release) {
  if (meanings_of(release).empty())
    return "";
  return base::json_text([&](base::JsonWriter& json) { write_meaning(json, release); });
}

namespace {

void write_columns(base::JsonWriter& json, const PublicRelease& release) {
  const Table& table = release.release.problem().table();
  const files::TableView view = one_view(release);
  const std::vector<std::string> header = PublicRows(release, view, "").header();
  const std::size_t num_codes = files::key_header(table, view).size();
  const auto is_number = [&](const std::string& name) {
    return std::any_of(
        kStatementNumbers.begin(), kStatementNumbers.end(), [&](std::string_view number) {
          return files::own_column(number, table) == name;
        });
  };
  std::size_t column = 0;
  json.line().key("tableSchema").object([&] {
    json.key("columns").list(header, [&](const std::string& name) {
      const bool derived = column >= header.size() - release.columns.size();
      const bool number = derived || (column >= num_codes && is_number(name));
      ++column;
      json.line().object([&] {
        json.member("titles", name);
        if (!number) {
          json.member("datatype", "string");
          return;
        }
        json.key("datatype").object([&] {
          json.member("base", "decimal");
          json.key("format").object(
              [&] { json.member("decimalChar", std::string(1, release.options.decimal_mark())); });
        });
        json.member("null", "");
      });
    });
  });
}

}  // namespace

std::string csv_metadata(const PublicRelease& release, const std::string& path, bool own_columns) {
  const auto write = [&](base::JsonWriter& json) {
    json.member("@context", "http://www.w3.org/ns/csvw");
    json.member("url", std::filesystem::path(path).filename().string());
    json.member("dc:title", release.facts.title);
    if (!release.facts.date.empty())
      json.member("dc:date", release.facts.date);
    if (own_columns)
      json.key("dialect").object(
          [&] { json.member("delimiter", std::string(1, release.options.separator())); });
    json.line().key("notes").list([&] { write_meaning(json, release); });
    if (own_columns)
      write_columns(json, release);
  };
  return base::json_object(write) + "\n";
}

}  // namespace lacuna::publish
