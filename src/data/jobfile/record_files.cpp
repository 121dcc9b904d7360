// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/record_files.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "data/columns/arrow_reader.h"
#include "data/columns/output_table.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/formats/recognise.h"
#include "data/formats/stat_files.h"
#include "data/infer/open_table.h"

namespace lacuna::jobfile {
namespace {

using formats::Format;

// What tells the format of any file but an archive, whose members have to be seen.
Result<Format> format_of(const std::string& path) {
  constexpr std::uint64_t kHead = 4096;
  LACUNA_TRY(const auto input, files::open_byte_input(path));
  std::string head(std::min<std::uint64_t>(input->size(), kHead), '\0');
  LACUNA_RETURN_IF_ERROR(input->read(0, head.data(), head.size()));
  if (!head.starts_with("PK") && !head.starts_with("\x1F\x8B") &&
      !head.starts_with("\xFD"
                        "7zXZ") &&
      !head.starts_with("\xD0\xCF\x11\xE0"))
    return formats::recognise(head);
  LACUNA_TRY(const std::string bytes, files::read_file(path));
  return formats::recognise(bytes);
}

bool is_text_of_records(Format format) {
  return format == Format::kUnknown || format == Format::kSdmxCsv || format == Format::kJson ||
         format == Format::kParquet || format == Format::kArrow;
}

// The rows of the sheet as columns in memory.
Result<std::unique_ptr<RecordSource>> records_of_table(const std::string& path,
                                                       const infer::ShapeChoice& choice) {
  LACUNA_TRY(std::string bytes, files::read_file(path));
  infer::TableFileStyle style;
  style.shape = choice;
  style.shape.as_it_is = true;
  LACUNA_TRY(const std::vector<infer::OpenedTable> opened,
             infer::open_tables(std::move(bytes), path, style));
  const files::CsvFile& file = opened.front().table.file;
  columns::OutputTable table;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    columns::OutputColumn& column = table.columns.emplace_back();
    column.name = std::string(file.header(c));
    for (std::size_t row = 0; row < file.num_rows(); ++row)
      column.texts.emplace_back(file.field(row, c));
  }
  LACUNA_TRY(std::string arrow, columns::write_arrow(table));
  LACUNA_TRY(auto source, columns::open_arrow(files::text_byte_input(std::move(arrow))));
  return files::column_records(std::move(source), path);
}

}  // namespace

Result<std::unique_ptr<RecordSource>> open_foreign_records(const std::string& path,
                                                           const infer::ShapeChoice& choice) {
  if (files::is_stream(path))
    return std::unique_ptr<RecordSource>();
  const Result<Format> format = format_of(path);
  if (!format || is_text_of_records(*format))
    return std::unique_ptr<RecordSource>();  // and whoever opens it says what is wrong
  switch (*format) {
    case Format::kSas7bdat:
    case Format::kSasXport:
    case Format::kStata:
    case Format::kSpss:
    case Format::kSpssPortable: {
      LACUNA_TRY(auto source, formats::open_stat_file(path));
      return files::column_records(std::move(source), path);
    }
    case Format::kXlsx:
    case Format::kXls:
    case Format::kOds:
      return records_of_table(path, choice);
    default:
      if (!formats::is_read(*format))
        return formats::not_read(*format, path);
      return Error{ErrorCode::kOtherFormat,
                   "this is " + std::string(formats::format_name(*format)) +
                       ", a table and not records: name it as the table of a job",
                   path};
  }
}

}  // namespace lacuna::jobfile
