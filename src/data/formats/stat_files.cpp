// SPDX-License-Identifier: Apache-2.0
#include "data/formats/stat_files.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/files/packed_beginning.h"
#include "data/formats/recognise.h"
#ifdef LACUNA_HAVE_READSTAT
#include "data/formats/stat_library/stat_source.h"
#include "data/formats/stat_library/stat_write.h"
#endif

namespace lacuna::formats {
namespace {

constexpr std::array kFormats{
    Format::kSas7bdat, Format::kSasXport, Format::kStata, Format::kSpss, Format::kSpssPortable};

#ifdef LACUNA_HAVE_READSTAT

Error of_file(Error error, const std::string& filename) {
  if (error.where.empty())
    error.where = filename;
  return error;
}

// A table must fit memory; what is packed may unpack to far more than any table.
constexpr std::uint64_t kMostFields = 4'000'000, kMostText = std::uint64_t{1} << 27U;
constexpr std::uint64_t kPerByte = 64;

Error too_large(const std::string& filename) {
  return {ErrorCode::kTooLarge,
          "the data set has far more fields than bytes to fill them: it is not a table",
          filename};
}

Status add_rows(const columns::ColumnBatch& batch,
                std::uint64_t& text_left,
                std::vector<std::vector<std::string>>& rows,
                const Grid& grid) {
  const std::size_t width = grid.columns.size(), first = rows.size(), count = batch.num_rows();
  rows.resize(first + count, std::vector<std::string>(width));
  std::vector<std::string_view> texts(count);
  columns::TextArena arena;
  for (std::size_t c = 0; c < width; ++c) {
    if (const auto trouble = batch.texts(c, {0, count}, arena, texts.data(), 1))
      return Error{ErrorCode::kBadField, trouble->message, grid.place(first + trouble->row, c)};
    for (std::size_t i = 0; i < count; ++i) {
      if (texts[i].size() > text_left)
        return too_large(grid.where);
      text_left -= texts[i].size();
      rows[first + i][c] = texts[i];
    }
  }
  return ok_status();
}

Result<Grid> grid_of(columns::ColumnSource& source, Grid grid, std::uint64_t bytes) {
  std::vector<std::size_t> all(source.columns().size());
  std::iota(all.begin(), all.end(), 0U);
  for (const columns::ColumnInfo& column : source.columns()) {
    if (!column.unreadable.empty())
      return Error{ErrorCode::kOtherContent,
                   "column " + column.name + " " + column.unreadable +
                       ": they would become one category; read the codes (labels = codes)",
                   grid.where};
  }
  if (all.empty())
    return Error{ErrorCode::kNoRows, "the data set has no columns", grid.where};
  LACUNA_RETURN_IF_ERROR(source.select(all));
  std::uint64_t text_left = kMostText + kPerByte * bytes;
  for (;;) {
    LACUNA_TRY(const auto batch, source.next());
    if (!batch)
      return grid;
    if ((grid.rows.size() + batch->num_rows()) * all.size() > kMostFields + kPerByte * bytes)
      return too_large(grid.where);
    LACUNA_RETURN_IF_ERROR(add_rows(*batch, text_left, grid.rows, grid));
  }
}

#else

Error left_out(const std::string& filename) {
  return {
      ErrorCode::kUnsupported,
      "this is a data set of SAS, Stata or SPSS, and this program was built without the library "
      "for them (LACUNA_READSTAT, ReadStat): save it as .csv",
      filename};
}

#endif

}  // namespace

bool is_stat_file(std::string_view bytes) {
  const Format format = recognise(bytes);
  return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

#ifdef LACUNA_HAVE_READSTAT

bool reads_stat_files() {
  return true;
}

Result<StatHeader> read_stat_header(std::string_view bytes, const std::string& filename) {
  const auto input = files::text_byte_input(std::string(bytes));
  auto head = stat_head(*input, {});
  if (!head)
    return of_file(head.error(), filename);
  StatHeader header{head->kind, {}, head->rows};
  for (const StatVariable& variable : head->variables)
    header.columns.push_back(variable.column);
  return header;
}

Result<Grid> read_stat_grid(std::string_view bytes,
                            const std::string& filename,
                            const StatOptions& options) {
  LACUNA_TRY(const StatHeader header, read_stat_header(bytes, filename));
  LACUNA_TRY(const auto source, open_stat_bytes(std::string(bytes), filename, options));
  Grid grid;
  grid.where = filename;
  for (const StatColumn& column : header.columns)
    grid.columns.push_back({column.name, ColumnRole::kOpen, column.label});
  auto read = grid_of(*source, std::move(grid), bytes.size());
  return read ? std::move(read) : of_file(read.error(), filename);
}

Result<std::unique_ptr<columns::ColumnSource>> open_stat(std::unique_ptr<columns::ByteInput> input,
                                                         const std::string& filename,
                                                         const StatOptions& options) {
  auto source = stat_source(std::move(input), options);
  return source ? std::move(source) : of_file(source.error(), filename);
}

Result<std::unique_ptr<columns::ColumnSource>> open_stat_file(const std::string& path,
                                                              const StatOptions& options) {
  LACUNA_TRY(auto input, files::open_byte_input(path));
  std::string head(std::min<std::uint64_t>(input->size(), 16), '\0');
  LACUNA_RETURN_IF_ERROR(input->read(0, head.data(), head.size()));
  if (files::is_packed(head)) {
    LACUNA_TRY(std::string bytes, files::read_file(path));
    input = files::text_byte_input(std::move(bytes));
  }
  return open_stat(std::move(input), path, options);
}

Result<std::unique_ptr<columns::ColumnSource>> open_stat_bytes(std::string bytes,
                                                               const std::string& filename,
                                                               const StatOptions& options) {
  return open_stat(files::text_byte_input(std::move(bytes)), filename, options);
}

Result<std::string> write_stat(const files::Sheet& sheet, StatKind kind) {
  return write_data_set(sheet, kind);
}

#else

bool reads_stat_files() {
  return false;
}
Result<StatHeader> read_stat_header(std::string_view, const std::string& filename) {
  return left_out(filename);
}
Result<Grid> read_stat_grid(std::string_view, const std::string& filename, const StatOptions&) {
  return left_out(filename);
}
Result<std::unique_ptr<columns::ColumnSource>> open_stat(std::unique_ptr<columns::ByteInput>,
                                                         const std::string& filename,
                                                         const StatOptions&) {
  return left_out(filename);
}
Result<std::unique_ptr<columns::ColumnSource>> open_stat_file(const std::string& path,
                                                              const StatOptions&) {
  return left_out(path);
}
Result<std::unique_ptr<columns::ColumnSource>> open_stat_bytes(std::string,
                                                               const std::string& filename,
                                                               const StatOptions&) {
  return left_out(filename);
}
Result<std::string> write_stat(const files::Sheet&, StatKind) {
  return Error{ErrorCode::kUnsupported,
               "this program was built without the library for data sets of Stata and SPSS "
               "(LACUNA_READSTAT, ReadStat): write .csv",
               ""};
}

#endif

}  // namespace lacuna::formats
