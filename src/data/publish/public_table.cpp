// SPDX-License-Identifier: Apache-2.0
#include "data/publish/public_table.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "data/publish/meaning.h"
#include "data/publish/xlsx.h"
#include "lacuna/version.h"

namespace lacuna::publish {
namespace {

constexpr std::size_t kSteps = 4;  // a count, not a number of the table
constexpr std::string_view kCross = "\xC3\x97";

}  // namespace

StatementText stated(const Table& table, const Draft& draft, CellId cell) {
  if (const auto entry = draft.find(cell))
    return statement_text(*entry, table.decimals());
  StatementText text;
  text.state = draft.adjusted() ? "adjusted" : "published";
  text.numbers[0] = base::format_units(table.value(cell), table.decimals());
  return text;
}

Result<PublicCell> public_cell(const PublicRelease& release, CellId cell) {
  const StatementText text =
      stated(release.release.problem().table(), release.release.content(), cell);
  PublicCell shown;
  shown.state = text.state;
  shown.among = text.among;
  shown.by = text.by;
  for (std::size_t i = 0; i < text.numbers.size(); ++i) {
    if (!text.numbers[i])
      continue;
    LACUNA_TRY(shown.numbers[i],
               files::with_shown_decimals(*text.numbers[i],
                                          i == kSteps ? -1 : release.options.decimals_shown));
  }
  return shown;
}

std::string public_flag(const PublicCell& cell, files::FlagChoice flags) {
  const bool open = cell.numbers[0].has_value();
  switch (flags) {
    case files::FlagChoice::kAbdv:
      return open ? "V" : "D";
    case files::FlagChoice::kC:
      return open ? "" : "c";
    case files::FlagChoice::kConfStatus:
      return open ? "F" : "C";
    case files::FlagChoice::kAuto:
    case files::FlagChoice::kNone:
      return "";
  }
  return "";
}

StatedColumns stated_columns(const Draft& draft) {
  const bool among = std::ranges::any_of(
      draft.each(), [](const CellEntry& entry) { return !entry.among().empty(); });
  return {draft.count(StatementKind::kInterval) + draft.count(StatementKind::kAltered) > 0,
          draft.count(StatementKind::kRounded) > 0,
          among,
          draft.by_keys()};
}

Status refuse_ranges(const PublicRelease& release, std::string_view ending) {
  if (!stated_columns(release.release.content()).range)
    return ok_status();
  return Error{ErrorCode::kCannotHold,
               "the release has ranges, which a " + std::string(ending) +
                   " file cannot hold; write .csv, .json or .xlsx",
               "--public"};
}

PublicRows::PublicRows(const PublicRelease& release, const files::TableView& view, std::string mark)
    : release_(release),
      view_(view),
      mark_(std::move(mark)),
      columns_(stated_columns(release.release.content())),
      has_flags_(release.options.flags != files::FlagChoice::kAuto &&
                 release.options.flags != files::FlagChoice::kNone) {}

std::vector<std::string> PublicRows::header() const {
  const Table& table = release_.release.problem().table();
  std::vector<std::string> names = files::key_header(table, view_);
  const auto add = [&](std::string_view name) { names.push_back(files::own_column(name, table)); };
  add("value");
  add("state");
  for (std::size_t i = 1; i < kStatementNumbers.size(); ++i) {
    if (columns_.has(i))
      add(kStatementNumbers[i]);
  }
  if (columns_.among)
    add(kAmong);
  if (columns_.by)
    add(kBy);
  if (has_flags_)
    add("flag");
  for (const ExtraColumn& column : release_.columns)
    names.push_back(column.name);
  return names;
}

Result<std::vector<files::SheetField>> PublicRows::row(CellId cell) const {
  LACUNA_TRY(const PublicCell shown, public_cell(release_, cell));
  std::vector<files::SheetField> row =
      files::key_of(release_.release.problem().table(), view_, cell);
  const bool open = shown.numbers[0].has_value();
  row.push_back({open ? *shown.numbers[0] : mark_, open});
  row.push_back({std::string(shown.state)});
  for (std::size_t i = 1; i < shown.numbers.size(); ++i) {
    if (columns_.has(i))
      row.push_back({shown.numbers[i].value_or(""), true});
  }
  if (columns_.among)
    row.push_back({shown.among.value_or("")});
  if (columns_.by)
    row.push_back({shown.by.value_or("")});
  if (has_flags_)
    row.push_back({public_flag(shown, release_.options.flags)});
  for (const ExtraColumn& column : release_.columns)
    row.push_back({column.texts[static_cast<std::size_t>(cell.value)], true});
  return row;
}

Result<files::Sheet> public_sheet(const PublicRelease& release,
                                  const files::TableView& view,
                                  const std::string& mark) {
  const PublicRows rows(release, view, mark);
  files::Sheet sheet{view.name, rows.header(), {}};
  for (const CellId cell : view.cells) {
    LACUNA_TRY(sheet.rows.emplace_back(), rows.row(cell));
  }
  return sheet;
}

files::Sheet about_sheet(const ReleaseFacts& facts,
                         std::vector<std::pair<std::string, std::string>> more) {
  files::Sheet sheet{"about", {"", ""}, {}};
  std::vector<std::pair<std::string, std::string>> lines{
      {"table", facts.title},
      {"method", facts.method},
      {"date", facts.date},
      {"made with", "lacuna " + std::string(version())}};
  lines.insert(lines.end(), more.begin(), more.end());
  for (const auto& [name, text] : lines) {
    if (!text.empty())
      sheet.rows.push_back({{name}, {text}});
  }
  return sheet;
}

Result<std::string> public_xlsx(const PublicRelease& release) {
  std::vector<files::Sheet> sheets;
  for (const files::TableView& view : release.tables) {
    LACUNA_TRY(sheets.emplace_back(), public_sheet(release, view, std::string(kCross)));
  }
  std::vector<std::pair<std::string, std::string>> more{
      {std::string(kCross), "withheld for confidentiality"}, {"audit", release.facts.audit}};
  more.emplace_back("subject area", release.options.subject_area);
  for (const std::string& note : notes_with_meaning(release))
    more.emplace_back("note", note);
  sheets.push_back(about_sheet(release.facts, std::move(more)));
  return xlsx_workbook(sheets);
}

}  // namespace lacuna::publish
