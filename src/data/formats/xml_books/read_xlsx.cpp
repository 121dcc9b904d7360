// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/read_xlsx.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "data/formats/sheet_cells.h"
#include "data/formats/xml_books/xlsx_parts.h"

namespace lacuna::formats {
namespace {

class XlsxReader {
 public:
  XlsxReader(files::ZipReader zip, std::string_view bytes, const std::string& filename)
      : zip_(std::move(zip)), filename_(filename), budget_(bytes.size()) {}

  Result<std::vector<Grid>> read() {
    LACUNA_TRY(parts_, read_parts(zip_, filename_));
    LACUNA_TRY(styles_, read_styles(zip_, parts_, filename_));
    LACUNA_TRY(strings_, read_shared_strings(zip_, parts_, filename_));
    std::vector<Grid> grids;
    for (const XlsxSheet& sheet : parts_.sheets) {
      SheetCells cells(filename_, sheet.name, budget_);
      LACUNA_RETURN_IF_ERROR(read_sheet(sheet, cells));
      if (cells.empty())
        continue;
      LACUNA_TRY(Grid grid, cells.grid(sheet.is_hidden));
      grids.push_back(std::move(grid));
    }
    return grids;
  }

 private:
  Status read_sheet(const XlsxSheet& sheet, SheetCells& cells) {
    LACUNA_TRY(const auto xml, read_xml(zip_, sheet.part, filename_));
    const auto visit = [&](pugi::xml_node cell, std::uint64_t row, std::uint64_t column) {
      return add_cell(cell, row, column, cells);
    };
    LACUNA_RETURN_IF_ERROR(each_cell(child_of(xml->root(), "sheetData"), cells.where(), visit));
    for (const pugi::xml_node merge : child_of(xml->root(), "mergeCells").children()) {
      const std::string_view range = attribute_of(merge, "ref");
      const std::size_t colon = range.find(':');
      std::uint64_t top = 0, left = 0, bottom = 0, right = 0;
      if (colon != std::string_view::npos && read_place(range.substr(0, colon), top, left) &&
          read_place(range.substr(colon + 1), bottom, right) && bottom >= top && right >= left)
        LACUNA_RETURN_IF_ERROR(cells.merge(top, left, bottom - top + 1, right - left + 1));
    }
    return ok_status();
  }

  Status add_cell(pugi::xml_node cell, std::uint64_t row, std::uint64_t column, SheetCells& cells) {
    const std::string_view type = attribute_of(cell, "t");
    if (type == "inlineStr")
      return cells.add(row, column, rich_text(child_of(cell, "is")));
    const pugi::xml_node formula = child_of(cell, "f");
    const pugi::xml_node value = child_of(cell, "v");
    const std::string_view text = value.text().get();
    // Programs that cannot compute store 0 and let others compute when they load the file.
    const bool is_open =
        (text.empty() && type != "str") || (text == "0" && parts_.computes_on_load);
    if (formula && is_open) {
      cells.formula_without_value(row, column);
      return cells.add(row, column, std::string("=") + formula.text().get());
    }
    if (type == "s") {
      const std::uint64_t index = whole_number(text, strings_.size());
      if (text.empty())
        return ok_status();
      if (index >= strings_.size())
        return Error{ErrorCode::kDamaged,
                     "the workbook is damaged: cell " + column_letters(column) +
                         std::to_string(row + 1) + " holds a text that its list does not have",
                     cells.where()};
      return cells.add(row, column, strings_[index]);
    }
    if (type == "b")
      return cells.add(row, column, text == "1" || text == "true" ? "TRUE" : "FALSE");
    if (type == "str" || type == "e" || type == "d")
      return cells.add(row, column, std::string(text));
    return add_number(cell, text, row, column, cells);
  }

  Status add_number(pugi::xml_node cell,
                    std::string_view text,
                    std::uint64_t row,
                    std::uint64_t column,
                    SheetCells& cells) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      return cells.add(row, column, std::string(text));
    const std::uint64_t style = whole_number(attribute_of(cell, "s"), 0);
    const NumberFormat format = style < styles_.size() ? styles_[style] : NumberFormat();
    if (format.has_date || format.has_time)
      return cells.add(row, column, excel_time(value, format, parts_.from_1904));
    return cells.add(row, column, plain_number(value), format.decimals);
  }

  files::ZipReader zip_;
  const std::string& filename_;
  SheetBudget budget_;
  XlsxParts parts_;
  std::vector<NumberFormat> styles_;
  std::vector<std::string> strings_;
};

}  // namespace

Result<std::vector<Grid>> read_xlsx(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(files::ZipReader zip, files::ZipReader::open(bytes, filename));
  return XlsxReader(std::move(zip), bytes, filename).read();
}

}  // namespace lacuna::formats
