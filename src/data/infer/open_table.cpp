// SPDX-License-Identifier: Apache-2.0
#include "data/infer/open_table.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/column_files.h"
#include "data/files/number_style.h"
#include "data/formats/eurostat_tsv.h"
#include "data/formats/json_stat.h"
#include "data/formats/px.h"
#include "data/formats/recognise.h"
#include "data/formats/sdmx_csv.h"
#include "data/formats/sdmx_json.h"
#include "data/formats/stat_files.h"
#include "data/formats/workbook.h"
#include "data/infer/cell_text.h"
#include "data/infer/table_guess.h"

namespace lacuna::infer {
namespace {

using formats::Format;
using formats::Grid;

bool says_shape(const ShapeChoice& choice) {
  return choice.skip >= 0 || !choice.rows.empty();
}

// The first line is data if it has a number where all the others have one; years and numbers in a
// row are names of columns.
bool first_line_is_data(const files::CsvFile& file) {
  std::vector<std::string> numbers;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string_view text = base::trimmed(file.header(c));
    if (!text.empty() && files::style_of(text) && numbers_of(file, c))
      numbers.emplace_back(text);
  }
  return !numbers.empty() && !(numbers.size() > 1 && are_periods(numbers));
}

std::size_t filled_fields(const files::CsvFile& file, std::size_t row, bool header) {
  std::size_t filled = 0;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string_view text = base::trimmed(header ? file.header(c) : file.field(row, c));
    filled += text.empty() || text == "NA" ? 0U : 1U;
  }
  return filled;
}

// Titles or footnotes fill one field of several, if the program that wrote them filled up the rest.
bool has_texts_around(const files::CsvFile& file) {
  if (file.num_columns() < 2 || file.num_rows() == 0)
    return false;
  return filled_fields(file, 0, true) < 2 || filled_fields(file, 0, false) < 2 ||
         filled_fields(file, file.num_rows() - 1, false) < 2;
}

// A row of one text with blanks in it, among rows of codes and numbers, heads a block.
bool has_heads(const files::CsvFile& file) {
  if (file.num_columns() < 3)
    return false;
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    const std::string_view text = base::trimmed(file.field(row, 0));
    if (text.find(' ') != std::string_view::npos && filled_fields(file, row, false) == 1)
      return true;
  }
  return false;
}

ShapedTable plain_table(files::CsvFile file) {
  ShapedTable table;
  table.file = std::move(file);
  return table;
}

// ---- texts

class TextTable {
 public:
  TextTable(std::string text, const std::string& filename, const TableFileStyle& style)
      : text_(std::move(text)), filename_(filename), style_(style) {}

  Result<OpenedTable> open(files::Encoding encoding) {
    made_.text = TextStyle{';', encoding, true};
    Status plain = style_.shape.skip >= 0 || !style_.shape.rows.empty()
                       ? Status(Error{ErrorCode::kUnclearFormat, "", ""})
                       : read_plain();
    // Of a wide table the places of its fields are kept, so that it can be written as it came.
    const bool unsure = plain && style_.header.empty() &&
                        (has_texts(made_.table.file) || !style_.shape.wide.empty());
    if (plain && !unsure)
      return std::move(made_);
    Status shaped = style_.header.empty() ? read_block(plain.has_value()) : plain;
    if (!shaped && says_shape(style_.shape))
      return shaped.error();
    if (!shaped && plain && !(says_why(shaped.error()) && has_texts(made_.table.file)))
      return std::move(made_);  // as it stands
    if (!shaped)
      return ragged_ || plain || says_why(shaped.error()) ? shaped.error() : plain.error();
    return std::move(made_);
  }

 private:
  bool has_texts(const files::CsvFile& file) const {
    return has_texts_around(file) || (style_.alone && has_heads(file));
  }

  // Several blocks, and rows that are neither of the table nor footnotes.
  static bool says_why(const Error& error) {
    return error.code == ErrorCode::kUnclearFormat && !error.message.empty();
  }

  Status read_plain() {
    files::CsvLayout layout{';', style_.header};
    if (style_.separator) {
      layout.separator = *style_.separator;
    } else {
      LACUNA_TRY(layout.separator, guess_separator(text_, filename_));
    }
    LACUNA_TRY(files::CsvFile file, files::CsvFile::parse(text_, filename_, layout));
    made_.text->separator = layout.separator;
    made_.table = plain_table(std::move(file));
    return ok_status();
  }

  Status read_block(bool is_plain) {
    char separator = style_.separator.value_or(separator_of_most(text_));
    if (separator == '\0' || is_plain)
      separator = is_plain ? made_.text->separator : tab_by_name();
    if (separator == '\0')
      return Error{ErrorCode::kNoRows, "the separator is not certain", filename_};
    LACUNA_TRY(RawTable raw, raw_csv(text_, filename_, separator));
    LACUNA_TRY(TableBlock block, find_block(raw, style_.shape));
    if (block.whole && !says_shape(style_.shape) && style_.shape.wide.empty())
      return Error{ErrorCode::kUnclearFormat, "", filename_};  // nothing but the table
    LACUNA_RETURN_IF_ERROR(check_lengths(raw, block));
    made_.text->separator = separator;
    made_.table =
        table_of_block(std::make_shared<const RawTable>(std::move(raw)), std::move(block));
    note_texts();
    return ok_status();
  }

  char tab_by_name() const {
    return filename_.find(".tsv") != std::string::npos ||
                   filename_.find(".tab") != std::string::npos
               ? '\t'
               : '\0';
  }

  // Rows of the table have as many fields as its heading; those that were padded do not count.
  Status check_lengths(const RawTable& raw, const TableBlock& block) {
    const std::size_t fields = raw.spans[block.headings.back()].size();
    for (const std::size_t row : block.rows) {
      if (raw.spans[row].size() == fields)
        continue;
      ragged_ = true;
      return Error{ErrorCode::kBadField,
                   "the row has " + std::to_string(raw.spans[row].size()) +
                       " fields, but the heading has " + std::to_string(fields),
                   raw.place(row, 0)};
    }
    return ok_status();
  }

  void note_texts() {
    const TableBlock& block = made_.table.block;
    const std::size_t texts = block.titles.size() + block.footnotes.size();
    if (texts > 0)
      made_.table.notes.push_back(
          std::to_string(block.titles.size()) + " rows above the table and " +
          std::to_string(block.footnotes.size()) + " below it are titles and footnotes");
  }

  std::string text_;
  const std::string& filename_;
  const TableFileStyle& style_;
  OpenedTable made_;
  bool ragged_ = false;
};

Result<OpenedTable> open_text(std::string bytes,
                              const std::string& filename,
                              const TableFileStyle& style) {
  const files::Encoding likely = files::likely_encoding(bytes);
  const bool found = style.alone || likely == files::Encoding::kUtf16;
  const files::Encoding encoding = style.encoding.value_or(found ? likely : files::Encoding::kUtf8);
  LACUNA_TRY(std::string text, files::to_utf8(std::move(bytes), encoding, filename));
  LACUNA_TRY(OpenedTable opened, TextTable(text, filename, style).open(encoding));
  if (!style.alone || opened.table.raw || !style.header.empty() ||
      !first_line_is_data(opened.table.file))
    return opened;
  files::CsvLayout layout{opened.text->separator, {}};
  for (std::size_t c = 0; c < opened.table.file.num_columns(); ++c)
    layout.header.push_back("column " + std::to_string(c + 1));
  LACUNA_TRY(opened.table.file, files::CsvFile::parse(std::move(text), filename, layout));
  opened.text->has_header = false;
  return opened;
}

// ---- grids

std::string sheet_names(const std::vector<const Grid*>& grids) {
  std::string text;
  for (const Grid* grid : grids)
    text += (text.empty() ? "" : ", ") + base::in_quotes(grid->name);
  return text;
}

bool holds_table(const Grid& grid) {
  if (!grid.columns.empty())
    return !grid.rows.empty();
  const auto is_row = [](const std::vector<std::string>& row) {
    return row.size() > 1 && std::any_of(row.begin() + 1, row.end(), [](const std::string& text) {
             return is_number_cell(text);
           });
  };
  return std::count_if(grid.rows.begin(), grid.rows.end(), is_row) > 1;
}

Result<std::vector<const Grid*>> chosen_grids(const std::vector<Grid>& grids,
                                              const std::string& filename,
                                              const ShapeChoice& choice) {
  std::vector<const Grid*> found;
  for (const std::string& name : choice.sheets) {
    const auto at = std::find_if(
        grids.begin(), grids.end(), [&](const Grid& grid) { return grid.name == name; });
    if (at == grids.end()) {
      std::vector<std::string_view> names;
      std::vector<const Grid*> all;
      for (const Grid& grid : grids) {
        names.push_back(grid.name);
        all.push_back(&grid);
      }
      return Error{ErrorCode::kNoSuchThing,
                   "there is no sheet " + base::in_quotes(name) + ", only " + sheet_names(all) +
                       base::did_you_mean(name, names),
                   filename};
    }
    found.push_back(&*at);
  }
  if (!found.empty())
    return found;
  for (const Grid& grid : grids) {
    if (!grid.is_hidden && (grids.size() == 1 || holds_table(grid)))
      found.push_back(&grid);
  }
  if (found.size() > 1)
    return Error{ErrorCode::kUnclearFormat,
                 "there are tables in several sheets, " + sheet_names(found) + ": say which, " +
                     base::named_setting("[input]", "sheet", "\"" + found.front()->name + "\""),
                 filename};
  if (found.empty())
    return Error{ErrorCode::kUnclearFormat, "no sheet holds a table", filename};
  return found;
}

Result<ShapedTable> table_of(const Grid& grid,
                             const std::shared_ptr<const std::string>& bytes,
                             const ShapeChoice& choice) {
  auto raw = std::make_shared<RawTable>();
  raw->grid = grid;
  raw->bytes = bytes;
  if (!grid.columns.empty())
    return table_of_grid(std::move(raw));
  LACUNA_TRY(TableBlock block, find_block(*raw, choice));
  return table_of_block(std::move(raw), std::move(block));
}

Result<std::vector<Grid>> grids_of(Format format,
                                   const std::string& bytes,
                                   const std::string& filename) {
  const auto one = [](Result<Grid> grid) -> Result<std::vector<Grid>> {
    if (!grid)
      return grid.error();
    std::vector<Grid> grids;
    grids.push_back(std::move(grid).value());
    return grids;
  };
  switch (format) {
    case Format::kXlsx:
    case Format::kXls:
    case Format::kOds:
      return formats::read_workbook(bytes, filename);
    case Format::kSas7bdat:
    case Format::kSasXport:
    case Format::kStata:
    case Format::kSpss:
    case Format::kSpssPortable:
      return one(formats::read_stat_grid(bytes, filename));
    case Format::kPx:
      return one(formats::read_px(bytes, filename));
    case Format::kEurostatTsv:
      return one(formats::read_eurostat_tsv(bytes, filename));
    case Format::kSdmxCsv:
      return formats::read_sdmx_csv(bytes, filename);
    case Format::kSdmxJson:
      return formats::read_sdmx_json(bytes, filename);
    case Format::kJsonStat:
      return formats::read_json_stat(bytes, filename);
    case Format::kJson:
      return Error{ErrorCode::kOtherFormat,
                   "this is a JSON file that holds no table in JSON-stat or SDMX-JSON; a problem "
                   "of lacuna ends in .json",
                   filename};
    case Format::kParquet:
    case Format::kArrow:
      return Error{ErrorCode::kOtherFormat,
                   "this is " + std::string(formats::format_name(format)) +
                       ": let its name end in .parquet or .arrow",
                   filename};
    default:
      return formats::not_read(format, filename);
  }
}

Result<std::vector<OpenedTable>> open_grids(Format format,
                                            std::string bytes,
                                            const std::string& filename,
                                            const ShapeChoice& choice) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  LACUNA_TRY(const std::vector<Grid> grids, grids_of(format, *kept, filename));
  LACUNA_TRY(const std::vector<const Grid*> chosen, chosen_grids(grids, filename, choice));
  std::vector<OpenedTable> opened;
  for (const Grid* grid : chosen) {
    LACUNA_TRY(ShapedTable table, table_of(*grid, kept, choice));
    if (grids.size() > 1 && choice.sheets.empty())
      table.notes.push_back("read from the sheet " + base::in_quotes(grid->name));
    opened.push_back({std::move(table), std::nullopt});
  }
  return opened;
}

// What the job says of rows and of the heading.
Result<ShapedTable> as_chosen(ShapedTable table, const ShapeChoice& choice) {
  if (choice.as_it_is)
    return table;
  SpecLists now, later;
  for (const auto& each : choice.only)
    (table.file.find_column(each.first) < table.file.num_columns() ? now : later).push_back(each);
  LACUNA_RETURN_IF_ERROR(keep_only(now, table));
  LACUNA_RETURN_IF_ERROR(take_flags_off(choice, table));
  const bool says_wide = !choice.wide.empty();
  const std::vector<std::size_t> columns =
      says_wide || !later.empty() ? wide_columns(table, choice) : std::vector<std::size_t>{};
  if (!says_wide && columns.empty()) {
    LACUNA_RETURN_IF_ERROR(keep_only(later, table));
    return table;
  }
  if (columns.empty())
    return Error{ErrorCode::kUnclearFormat,
                 "there are no two columns of numbers next to each other whose names could be the "
                 "codes of " +
                     base::in_quotes(choice.wide.front()),
                 table.file.where_header()};
  const auto given = std::make_shared<const ShapedTable>(std::move(table));
  LACUNA_TRY(ShapedTable melt, melted(given, columns, choice));
  LACUNA_RETURN_IF_ERROR(keep_only(later, melt));
  return melt;
}

}  // namespace

// Whether a text of an unknown kind is a job: its first line that says something opens a section or
// sets a key.
static bool looks_like_job(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = base::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#')
      continue;
    const std::size_t name =
        line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    const bool key = name != std::string_view::npos && name > 0 &&
                     base::trimmed(line.substr(name)).starts_with('=');
    return (line.front() == '[' && line.back() == ']') || key;
  }
  return true;
}

bool is_table(std::string_view bytes, const std::string& filename) {
  if (is_table_name(filename))
    return true;
  const Format format = formats::recognise(bytes);
  if (format != Format::kUnknown)
    return format != Format::kJson;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const char opening = first == std::string_view::npos ? '\0' : bytes[first];
  return opening != '\0' && opening != '{' && opening != '0' && !looks_like_job(bytes);
}

Result<std::vector<OpenedTable>> open_tables(std::string bytes,
                                             const std::string& filename,
                                             const TableFileStyle& style) {
  std::vector<OpenedTable> opened;
  const Format format = formats::recognise(bytes);
  if (files::holds_columns(bytes, filename)) {
    LACUNA_TRY(files::CsvFile file, files::column_table(std::move(bytes), filename));
    opened.push_back({plain_table(std::move(file)), std::nullopt});
  } else if (format == Format::kUnknown) {
    LACUNA_TRY(OpenedTable one, open_text(std::move(bytes), filename, style));
    opened.push_back(std::move(one));
  } else {
    LACUNA_TRY(opened, open_grids(format, std::move(bytes), filename, style.shape));
  }
  for (OpenedTable& each : opened) {
    LACUNA_TRY(each.table, as_chosen(std::move(each.table), style.shape));
  }
  return opened;
}

}  // namespace lacuna::infer
