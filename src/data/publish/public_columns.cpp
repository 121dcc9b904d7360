// SPDX-License-Identifier: Apache-2.0
#include "data/publish/public_columns.h"

#include <algorithm>

#include "data/publish/column_output.h"
#include "data/publish/meaning.h"
#include "data/publish/public_table.h"

namespace lacuna::publish {
namespace {

bool is_number_column(std::string_view name, const Table& table) {
  return std::any_of(
      kStatementNumbers.begin(), kStatementNumbers.end(), [&](std::string_view number) {
        return files::own_column(number, table) == name;
      });
}

KeyValues key_values_of(const PublicRelease& release, int decimals) {
  KeyValues pairs{{"lacuna.format", "lacuna-public-1"},
                  {"lacuna.decimals", std::to_string(decimals)}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty())
      pairs.emplace_back(key, text);
  };
  add("lacuna.title", release.facts.title);
  add("lacuna.method", release.facts.method);
  add("lacuna.date", release.facts.date);
  add("lacuna.meaning", meaning_json(release));
  return pairs;
}

struct Shown {
  TextColumns columns;
  KeyValues key_values;
};

Result<Shown> shown_columns(const PublicRelease& release) {
  const Table& table = release.release.problem().table();
  const files::TableView& view = release.tables.front();
  LACUNA_TRY(const files::Sheet sheet, public_sheet(release, view, ""));
  const std::size_t num_codes = files::key_header(table, view).size();
  const int shown = release.options.decimals_shown;
  const int decimals = shown >= 0 ? shown : table.decimals();
  TextColumns columns(sheet.header.size());
  const std::size_t first_derived = columns.size() - release.columns.size();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bool derived = c >= first_derived;
    columns[c].name = sheet.header[c];
    if (derived || (c >= num_codes && is_number_column(sheet.header[c], table)))
      columns[c].kind = columns::OutputKind::kNumber;
    const bool own = derived || sheet.header[c] == files::own_column("steps", table);
    columns[c].decimals = own ? 0 : decimals;
    for (const std::vector<files::SheetField>& row : sheet.rows)
      columns[c].texts.push_back(row[c].text);
  }
  return Shown{std::move(columns), key_values_of(release, decimals)};
}

Result<std::string> file_of(const PublicRelease& release, const std::string& ending) {
  LACUNA_TRY(const Shown shown, shown_columns(release));
  return column_file(shown.columns, shown.key_values, ending);
}

}  // namespace

Result<columns::OutputTable> public_columns(const PublicRelease& release) {
  LACUNA_TRY(const Shown shown, shown_columns(release));
  return typed_columns(shown.columns, shown.key_values);
}

Result<std::string> public_parquet(const PublicRelease& release) {
  return file_of(release, ".parquet");
}

Result<std::string> public_arrow(const PublicRelease& release) {
  return file_of(release, ".arrow");
}

}  // namespace lacuna::publish
