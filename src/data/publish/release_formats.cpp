// SPDX-License-Identifier: Apache-2.0
#include "data/publish/release_formats.h"

#include <filesystem>

#include "data/files/file.h"
#include "data/publish/column_output.h"
#include "data/publish/json_stat.h"
#include "data/publish/office_table.h"
#include "data/publish/public_columns.h"
#include "data/publish/public_file.h"
#include "data/publish/public_table.h"
#include "data/publish/px.h"
#include "data/publish/sdmx_csv.h"
#include "data/publish/sdmx_json.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kTable = "{table}";

std::string known_endings(Audience audience) {
  std::string text;
  for (const ReleaseFormat& format : release_formats()) {
    if (audience == Audience::kPublic ? !!format.public_text : !!format.office_text)
      text += (text.empty() ? "" : ", ") + std::string(format.ending);
  }
  return text;
}

std::string option_of(Audience audience) {
  return audience == Audience::kPublic ? "--public " : "-o ";
}

}  // namespace

// Longer endings stand before the shorter ones that they end in.
const std::vector<ReleaseFormat>& release_formats() {
  static const std::vector<ReleaseFormat> kFormats{
      {".sdmx.csv", false, false, public_sdmx_csv, office_sdmx_csv},
      {".sdmx.json", false, false, public_sdmx_json, nullptr},
      {".jsonstat.json", false, false, public_json_stat, nullptr},
      {".csv", true, true, public_sheets_csv, office_csv},
      {".json", true, true, public_tables_json, office_json},
      {".xlsx", true, true, public_xlsx, office_xlsx},
      {".px", false, false, public_px, nullptr},
      {".parquet", false, true, public_parquet, nullptr},
      {".arrow", false, true, public_arrow, nullptr},
      {".feather", false, true, public_arrow, nullptr},
  };
  return kFormats;
}

Result<const ReleaseFormat*> release_format(const std::string& path, Audience audience) {
  std::string_view name = path;
  if (name.ends_with(".gz"))
    name.remove_suffix(3);
  const std::string_view standard = audience == Audience::kPublic ? ".csv" : ".json";
  const ReleaseFormat* fallback = nullptr;
  for (const ReleaseFormat& format : release_formats()) {
    const bool usable = audience == Audience::kPublic ? !!format.public_text : !!format.office_text;
    if (name.ends_with(format.ending)) {
      if (!usable)
        break;
      LACUNA_RETURN_IF_ERROR(check_column_output(std::string(name)));
      return &format;
    }
    fallback = format.ending == standard ? &format : fallback;
  }
  if (files::is_stream(path))
    return fallback;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{
        ErrorCode::kOutputName, "this is a directory, not a file", option_of(audience) + path};
  return Error{
      ErrorCode::kOutputName,
      "the ending of the name gives the format, and must be one of " + known_endings(audience),
      option_of(audience) + path};
}

bool is_per_table(const std::string& path) {
  return path.find(kTable) != std::string::npos;
}

std::string as_file_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
      c = '_';
  }
  return name.empty() || name.find_first_not_of('.') == std::string::npos ? "table" : name;
}

Result<std::vector<OutputFile>> output_files(const std::string& path,
                                             Audience audience,
                                             const Table& table,
                                             std::span<const LinkedTable> tables,
                                             const std::string& title) {
  LACUNA_TRY(const ReleaseFormat* format, release_format(path, audience));
  std::vector<files::TableView> views = files::views_of(table, tables, title);
  if (!is_per_table(path)) {
    if (views.size() > 1 && !format->several_tables)
      return Error{ErrorCode::kOutputName,
                   "the job has " + std::to_string(views.size()) + " tables and a " +
                       std::string(format->ending) +
                       " file holds one: put {table} into the name, which writes one file each",
                   option_of(audience) + path};
    return std::vector<OutputFile>{{path, std::move(views)}};
  }
  if (format->ending == ".json" && audience == Audience::kOffice)
    return Error{ErrorCode::kOutputName,
                 "the result JSON is of the run as a whole; {table} is for .csv and .xlsx",
                 option_of(audience) + path};
  return files_of_tables(path, table, tables, title);
}

std::vector<OutputFile> files_of_tables(const std::string& path,
                                        const Table& table,
                                        std::span<const LinkedTable> tables,
                                        const std::string& title) {
  std::vector<OutputFile> files;
  for (files::TableView& view : files::views_of(table, tables, title)) {
    std::string name = path;
    const std::string shown = as_file_name(view.name);
    for (std::size_t at = name.find(kTable); at != std::string::npos;
         at = name.find(kTable, at + shown.size()))
      name.replace(at, kTable.size(), shown);
    files.push_back({std::move(name), {std::move(view)}});
  }
  return files;
}

}  // namespace lacuna::publish
