// SPDX-License-Identifier: Apache-2.0
#include "data/publish/sdmx_csv.h"

#include "core/base/decimal.h"
#include "data/publish/office_table.h"
#include "data/publish/public_table.h"
#include "data/publish/sdmx_id.h"

namespace lacuna::publish {
namespace {

files::Sheet frame_of(const PublicRelease& release, bool conf_status) {
  const Table& table = release.release.problem().table();
  files::Sheet sheet;
  sheet.header = {"STRUCTURE", "STRUCTURE_ID", "ACTION"};
  for (const std::string& name : files::key_header(table, release.tables.front()))
    sheet.header.push_back(sdmx_id(name));
  sheet.header.insert(sheet.header.end(), {"OBS_VALUE", "OBS_STATUS"});
  if (conf_status)
    sheet.header.emplace_back("CONF_STATUS");
  return sheet;
}

std::vector<files::SheetField> row_of(const PublicRelease& release, CellId cell) {
  std::vector<files::SheetField> row{{"dataflow"}, {dataflow_of(release)}, {"I"}};
  for (files::SheetField& field :
       files::key_of(release.release.problem().table(), release.tables.front(), cell))
    row.push_back(std::move(field));
  return row;
}

std::string as_text(const files::Sheet& sheet) {
  files::OutputOptions commas;  // the standard's own, whatever the house's
  commas.csv_separator = ",";
  return files::sheet_csv(sheet, commas);
}

}  // namespace

Result<std::string> public_sdmx_csv(const PublicRelease& release) {
  LACUNA_RETURN_IF_ERROR(refuse_ranges(release, ".sdmx.csv"));
  const bool conf_status = release.options.flags != files::FlagChoice::kNone;
  files::Sheet sheet = frame_of(release, conf_status);
  for (const CellId cell : release.tables.front().cells) {
    LACUNA_TRY(const PublicCell shown, public_cell(release, cell));
    std::vector<files::SheetField>& row = sheet.rows.emplace_back(row_of(release, cell));
    row.push_back({shown.numbers[0].value_or(""), shown.numbers[0].has_value()});
    row.push_back({shown.numbers[0] ? "A" : "Q"});
    if (conf_status)
      row.push_back({public_flag(shown, files::FlagChoice::kConfStatus)});
  }
  return as_text(sheet);
}

Result<std::string> office_sdmx_csv(const OfficeRelease& release) {
  const Table& table = release.release.problem().table();
  files::Sheet sheet = frame_of(release, true);
  for (const CellId cell : release.tables.front().cells) {
    std::vector<files::SheetField>& row = sheet.rows.emplace_back(row_of(release, cell));
    row.push_back({base::format_units(table.value(cell), table.decimals()), true});
    row.push_back({"A"});
    row.push_back({office_flag(release, cell, files::FlagChoice::kConfStatus)});
  }
  return as_text(sheet);
}

}  // namespace lacuna::publish
