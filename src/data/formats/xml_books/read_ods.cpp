// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/read_ods.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "data/formats/sheet_cells.h"
#include "data/formats/xml_books/xml.h"

namespace lacuna::formats {
namespace {

constexpr std::uint64_t kMostRepeats = std::uint64_t{1} << 22U;

std::uint64_t repeats(pugi::xml_node node, const char* name) {
  return std::clamp<std::uint64_t>(whole_number(attribute_of(node, name), 1), 1, kMostRepeats);
}

struct OdsStyles {
  std::map<std::string, int, std::less<>> decimals;  // of cells, by the name of the style
  std::map<std::string, bool, std::less<>> hidden;   // of tables
};

// Styles of numbers first, then those of cells, which name them.
void add_styles(pugi::xml_node list, std::map<std::string, int>& formats, OdsStyles& styles) {
  for (const pugi::xml_node node : list.children()) {
    const std::string_view name = local_name(node.name());
    const bool is_percentage = name == "percentage-style";
    if (name != "number-style" && name != "currency-style" && !is_percentage)
      continue;
    const std::string_view places = attribute_of(child_of(node, "number"), "decimal-places");
    if (!places.empty())
      formats[std::string(attribute_of(node, "name"))] =
          static_cast<int>(std::min<std::uint64_t>(whole_number(places, 0), 30)) +
          (is_percentage ? 2 : 0);
  }
  for (const pugi::xml_node node : list.children()) {
    if (!is_named(node, "style"))
      continue;
    const std::string name(attribute_of(node, "name"));
    if (attribute_of(node, "family") == "table") {
      styles.hidden[name] = attribute_of(child_of(node, "table-properties"), "display") == "false";
    } else if (const auto found = formats.find(std::string(attribute_of(node, "data-style-name")));
               found != formats.end()) {
      styles.decimals[name] = found->second;
    }
  }
}

// Text of a paragraph: spans and links as their text, <text:s c="3"/> as three blanks.
void add_paragraph(pugi::xml_node paragraph, std::string& text) {
  pugi::xml_node node = paragraph.first_child();
  while (node) {
    const std::string_view name = local_name(node.name());
    const bool is_left_out = name == "annotation" || name == "ruby-text" || name == "note";
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata)
      text += node.value();
    else if (name == "s")
      text.append(std::min<std::uint64_t>(whole_number(attribute_of(node, "c"), 1), 1000), ' ');
    else if (name == "tab")
      text += '\t';
    else if (name == "line-break")
      text += '\n';
    if (node.first_child() && !is_left_out) {
      node = node.first_child();
      continue;
    }
    while (node != paragraph && !node.next_sibling())
      node = node.parent();
    if (node == paragraph)
      return;
    node = node.next_sibling();
  }
}

std::string shown_text(pugi::xml_node cell) {
  std::string text;
  bool is_first = true;
  for (const pugi::xml_node node : cell.children()) {
    if (!is_named(node, "p"))
      continue;
    if (!is_first)
      text += '\n';
    is_first = false;
    add_paragraph(node, text);
  }
  return text;
}

struct OdsCell {
  std::string text;
  int decimals = SheetCells::kNoNumber;
  bool is_open_formula = false;
};

class OdsReader {
 public:
  OdsReader(files::ZipReader zip, std::string_view bytes, const std::string& filename)
      : zip_(std::move(zip)), filename_(filename), budget_(bytes.size()) {}

  Result<std::vector<Grid>> read() {
    LACUNA_RETURN_IF_ERROR(check_password());
    LACUNA_TRY(const auto xml, read_xml(zip_, "content.xml", filename_));
    std::map<std::string, int> formats;
    if (zip_.find("styles.xml") != nullptr) {
      LACUNA_TRY(const auto shared, read_xml(zip_, "styles.xml", filename_));
      add_styles(child_of(shared->root(), "styles"), formats, styles_);
    }
    add_styles(child_of(xml->root(), "automatic-styles"), formats, styles_);
    const pugi::xml_node book = child_of(child_of(xml->root(), "body"), "spreadsheet");
    if (!book)
      return Error{ErrorCode::kDamaged, "the document holds no sheets", filename_};
    std::vector<Grid> grids;
    for (const pugi::xml_node table : book.children()) {
      if (!is_named(table, "table"))
        continue;
      SheetCells cells(filename_, std::string(attribute_of(table, "name")), budget_);
      row_ = 0;
      column_styles_.clear();
      LACUNA_RETURN_IF_ERROR(read_table(table, cells));
      if (cells.empty())
        continue;
      const auto hidden = styles_.hidden.find(attribute_of(table, "style-name"));
      LACUNA_TRY(Grid grid, cells.grid(hidden != styles_.hidden.end() && hidden->second));
      grids.push_back(std::move(grid));
    }
    return grids;
  }

 private:
  Status check_password() {
    if (zip_.find("META-INF/manifest.xml") == nullptr)
      return ok_status();
    LACUNA_TRY(const auto manifest, read_xml(zip_, "META-INF/manifest.xml", filename_));
    for (const pugi::xml_node entry : manifest->root().children()) {
      if (child_of(entry, "encryption-data"))
        return Error{ErrorCode::kOtherFormat,
                     "the workbook is encrypted: save it without a password",
                     filename_};
    }
    return ok_status();
  }

  // Rows stand in the table or in groups of it, one in another.
  Status read_table(pugi::xml_node table, SheetCells& cells) {
    pugi::xml_node node = table.first_child();
    while (node) {
      const std::string_view name = local_name(node.name());
      const bool is_group = name == "table-row-group" || name == "table-header-rows" ||
                            name == "table-rows" || name == "table-columns" ||
                            name == "table-column-group" || name == "table-header-columns";
      if (name == "table-row")
        LACUNA_RETURN_IF_ERROR(read_row(node, cells));
      else if (name == "table-column")
        add_column_style(node);
      if (is_group && node.first_child()) {
        node = node.first_child();
        continue;
      }
      while (node != table && !node.next_sibling())
        node = node.parent();
      if (node == table)
        break;
      node = node.next_sibling();
    }
    return ok_status();
  }

  void add_column_style(pugi::xml_node node) {
    constexpr std::uint64_t kMostColumns = 16'384;
    const std::uint64_t count = repeats(node, "number-columns-repeated");
    const std::string_view style = attribute_of(node, "default-cell-style-name");
    for (std::uint64_t i = 0; i < count && column_styles_.size() < kMostColumns; ++i)
      column_styles_.push_back(style);
  }

  Status read_row(pugi::xml_node row, SheetCells& cells) {
    const std::uint64_t rows = repeats(row, "number-rows-repeated");
    const std::string_view row_style = attribute_of(row, "default-cell-style-name");
    std::uint64_t column = 0;
    for (const pugi::xml_node node : row.children()) {
      const bool is_covered = is_named(node, "covered-table-cell");
      if (!is_covered && !is_named(node, "table-cell"))
        continue;
      const std::uint64_t columns = repeats(node, "number-columns-repeated");
      const OdsCell cell =
          is_covered ? OdsCell() : read_cell(node, style_of(node, row_style, column));
      if (!cell.text.empty())
        LACUNA_RETURN_IF_ERROR(add_cells(cell, rows, column, columns, cells));
      LACUNA_RETURN_IF_ERROR(cells.merge(row_,
                                         column,
                                         repeats(node, "number-rows-spanned"),
                                         repeats(node, "number-columns-spanned")));
      column += columns;
    }
    row_ += rows;
    return ok_status();
  }

  Status add_cells(const OdsCell& cell,
                   std::uint64_t rows,
                   std::uint64_t column,
                   std::uint64_t columns,
                   SheetCells& cells) {
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        if (cell.is_open_formula)
          cells.formula_without_value(row_ + r, column + c);
        LACUNA_RETURN_IF_ERROR(cells.add(row_ + r, column + c, cell.text, cell.decimals));
      }
    }
    return ok_status();
  }

  std::string_view style_of(pugi::xml_node cell, std::string_view row_style, std::uint64_t column) {
    const std::string_view own = attribute_of(cell, "style-name");
    if (!own.empty())
      return own;
    if (!row_style.empty())
      return row_style;
    return column < column_styles_.size() ? column_styles_[column] : std::string_view();
  }

  OdsCell read_cell(pugi::xml_node node, std::string_view style) const {
    const std::string_view type = attribute_of(node, "value-type");
    const std::string_view formula = attribute_of(node, "formula");
    if (type == "float" || type == "percentage" || type == "currency") {
      const auto found = styles_.decimals.find(style);
      return {plain_number_text(attribute_of(node, "value")),
              found == styles_.decimals.end() ? -1 : found->second,
              false};
    }
    if (type == "boolean")
      return {attribute_of(node, "boolean-value") == "true" ? "TRUE" : "FALSE"};
    if (type == "date") {
      std::string date(attribute_of(node, "date-value"));
      std::replace(date.begin(), date.end(), 'T', ' ');
      constexpr std::string_view kMidnight = " 00:00:00";
      return {date.ends_with(kMidnight) ? date.substr(0, date.size() - kMidnight.size()) : date};
    }
    std::string text = shown_text(node);
    if (text.empty())
      text = attribute_of(node, "string-value");
    if (text.empty() && type.empty() && !formula.empty()) {
      const std::size_t begin = formula.find('=');
      return {std::string(formula.substr(begin == std::string_view::npos ? 0 : begin)),
              SheetCells::kNoNumber,
              true};
    }
    return {std::move(text)};
  }

  files::ZipReader zip_;
  const std::string& filename_;
  SheetBudget budget_;
  OdsStyles styles_;
  std::vector<std::string_view> column_styles_;  // by column; they point into the document
  std::uint64_t row_ = 0;
};

}  // namespace

Result<std::vector<Grid>> read_ods(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(files::ZipReader zip, files::ZipReader::open(bytes, filename));
  return OdsReader(std::move(zip), bytes, filename).read();
}

}  // namespace lacuna::formats
