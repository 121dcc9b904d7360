// SPDX-License-Identifier: Apache-2.0
#include "data/publish/office_table.h"

#include "core/base/decimal.h"
#include "data/publish/public_table.h"
#include "data/publish/xlsx.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kNotice = "office only: true values of withheld cells";

std::string reason_of(const OfficeRelease& release, CellId cell) {
  const auto index = static_cast<std::size_t>(cell.value);
  return index < release.reasons.size() ? release.reasons[index] : "";
}

// The rule by the words in which sensitivity/ gives its reasons.
char conf_status_of(const std::string& reason) {
  const auto says = [&](std::string_view words) { return reason.find(words) != std::string::npos; };
  if (says("fewer than"))
    return 'A';
  if (says("the largest contributor holds"))
    return 'O';
  if (says("the 2 largest contributors hold"))
    return 'T';
  return reason.empty() || says("set by hand") || says("by its status") ||
                 says("asked for protection")
             ? 'C'
             : 'M';
}

// `mark` stands where nothing is published.
Result<files::Sheet> office_sheet(const OfficeRelease& release,
                                  const files::TableView& view,
                                  const std::string& mark) {
  const Table& table = release.release.problem().table();
  const StatedColumns columns = stated_columns(release.release.content());
  const files::FlagChoice flags = release.options.flags == files::FlagChoice::kAuto
                                      ? files::FlagChoice::kAbdv
                                      : release.options.flags;
  files::Sheet sheet{view.name, files::key_header(table, view), {}};
  const auto add = [&](std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      sheet.header.push_back(files::own_column(name, table));
  };
  add({"value", "published", "state"});
  if (flags != files::FlagChoice::kNone)
    add({"flag"});
  add({"rule", "lower", "upper"});
  if (columns.base)
    add({"base", "steps"});
  if (columns.among)
    add({kAmong});
  if (columns.by)
    add({kBy});
  for (const CellId cell : view.cells) {
    LACUNA_TRY(const PublicCell shown, public_cell(release, cell));
    LACUNA_TRY(const std::string value,
               files::with_shown_decimals(base::format_units(table.value(cell), table.decimals()),
                                          release.options.decimals_shown));
    std::vector<files::SheetField>& row = sheet.rows.emplace_back(files::key_of(table, view, cell));
    row.push_back({value, true});
    row.push_back({shown.numbers[0].value_or(mark), shown.numbers[0].has_value()});
    row.push_back({std::string(shown.state)});
    if (flags != files::FlagChoice::kNone)
      row.push_back({office_flag(release, cell, flags)});
    const bool sensitive = table.cell(cell).status == CellStatus::kPrimary;
    const std::string reason = reason_of(release, cell);
    row.push_back({sensitive && reason.empty() ? "so stated in the input" : reason});
    for (std::size_t i = 1; i < shown.numbers.size(); ++i) {
      if (i < 3 || columns.base)
        row.push_back({shown.numbers[i].value_or(""), true});
    }
    if (columns.among)
      row.push_back({shown.among.value_or("")});
    if (columns.by)
      row.push_back({shown.by.value_or("")});
  }
  return sheet;
}

}  // namespace

std::string office_flag(const OfficeRelease& release, CellId cell, files::FlagChoice flags) {
  const StatementKind state = release.release.content().state(cell);
  const bool open = state != StatementKind::kWithheld && state != StatementKind::kInterval;
  const bool sensitive =
      release.release.problem().table().cell(cell).status == CellStatus::kPrimary;
  const char rule = conf_status_of(reason_of(release, cell));
  switch (flags) {
    case files::FlagChoice::kAuto:
    case files::FlagChoice::kAbdv:
      return open ? "V" : !sensitive ? "D" : rule == 'A' || rule == 'C' ? "A" : "B";
    case files::FlagChoice::kC:
      return open ? "" : "c";
    case files::FlagChoice::kConfStatus:
      return open ? (release.facts.unasked ? "" : "F") : !sensitive ? "D" : std::string(1, rule);
    case files::FlagChoice::kNone:
      return "";
  }
  return "";
}

Result<std::string> office_csv(const OfficeRelease& release) {
  const bool one = release.tables.size() == 1;
  LACUNA_TRY(
      const files::Sheet sheet,
      office_sheet(release,
                   one ? release.tables.front()
                       : files::whole_view(release.release.problem().table(), release.facts.title),
                   ""));
  return files::sheet_csv(sheet, release.options);
}

Result<std::string> office_xlsx(const OfficeRelease& release) {
  std::vector<files::Sheet> sheets;
  for (const files::TableView& view : release.tables) {
    LACUNA_TRY(sheets.emplace_back(), office_sheet(release, view, "\xC3\x97"));
  }
  sheets.push_back(about_sheet(release.facts,
                               {{"notice", std::string(kNotice)},
                                {"audit", release.run.verdict},
                                {"numbers", release.run.read_as},
                                {"note", release.run.note},
                                {"status", release.run.status},
                                {"cost", base::format_double(release.run.objective)},
                                {"bound", base::format_double(release.run.bound)},
                                {"options", release.run.options},
                                {"input", release.run.input}}));
  return xlsx_workbook(sheets);
}

Result<std::string> office_json(const OfficeRelease& release) {
  return release_text(release.release, release.run, release.columns);
}

}  // namespace lacuna::publish
