// SPDX-License-Identifier: Apache-2.0
#include "data/files/sheet.h"

#include <algorithm>

#include "core/base/spelling.h"
#include "core/table/unpublished.h"
#include "data/files/csv.h"

namespace lacuna::files {
namespace {

void sort_by_codes(const Table& table, TableView& view) {
  const auto before = [&](CellId a, CellId b) {
    const auto one = table.codes(a), other = table.codes(b);
    for (const std::size_t d : view.dimensions) {
      if (one[d] != other[d])
        return one[d] < other[d];
    }
    return false;
  };
  if (!std::is_sorted(view.cells.begin(), view.cells.end(), before))
    std::stable_sort(view.cells.begin(), view.cells.end(), before);
}

}  // namespace

TableView whole_view(const Table& table, std::string name) {
  TableView view{std::move(name), {}, {}};
  for (std::size_t d = 0; d < table.dimensions().size(); ++d)
    view.dimensions.push_back(d);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (!table::is_unpublished(table.cell(CellId{c})))
      view.cells.push_back(CellId{c});
  }
  sort_by_codes(table, view);
  return view;
}

std::vector<TableView> views_of(const Table& table,
                                std::span<const LinkedTable> tables,
                                const std::string& name) {
  if (tables.size() < 2) {
    const bool named = !tables.empty() && !tables.front().name.empty();
    return {whole_view(table, named ? tables.front().name : name)};
  }
  std::vector<TableView> views;
  for (const LinkedTable& each : tables) {
    TableView& view = views.emplace_back();
    view.name = each.name.empty() ? name + "_" + std::to_string(views.size()) : each.name;
    view.dimensions.assign(each.dimensions.begin(), each.dimensions.end());
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      if (!table::is_unpublished(table.cell(CellId{c})) &&
          holds(each, table.dimensions(), table.codes(CellId{c})))
        view.cells.push_back(CellId{c});
    }
    sort_by_codes(table, view);
  }
  return views;
}

std::vector<SheetField> key_of(const Table& table, const TableView& view, CellId cell) {
  if (table.dimensions().empty())
    return {{std::to_string(cell.value), true}};
  std::vector<SheetField> key;
  for (const std::size_t d : view.dimensions)
    key.push_back({table.dimensions()[d].code(table.codes(cell)[d]), false});
  return key;
}

std::vector<std::string> key_header(const Table& table, const TableView& view) {
  if (table.dimensions().empty())
    return {"cell"};
  std::vector<std::string> names;
  for (const std::size_t d : view.dimensions)
    names.push_back(table.dimensions()[d].name());
  return names;
}

std::string own_column(std::string_view name, const Table& table) {
  std::string own(name);
  const auto is_taken = [&](const Dimension& dimension) { return dimension.name() == own; };
  const auto& dimensions = table.dimensions();
  while (std::any_of(dimensions.begin(), dimensions.end(), is_taken))
    own += '_';
  return own;
}

Result<std::string> with_shown_decimals(const std::string& number, int decimals) {
  if (decimals < 0)
    return number;
  const std::size_t point = number.find('.');
  const std::size_t has = point == std::string::npos ? 0 : number.size() - point - 1;
  const auto wanted = static_cast<std::size_t>(decimals);
  if (has > wanted)
    return Error{ErrorCode::kOptionConflict,
                 "a number has " + std::to_string(has) +
                     " digits after the point, so readers would see another number than the one "
                     "that the audit has judged: show " +
                     std::to_string(has) +
                     ", or have the table rounded before it is protected (`decimals` with " +
                     base::named_setting("[input]", "round", "true") + ")",
                 "--decimals-shown " + std::to_string(decimals)};
  if (wanted == 0)
    return number;
  return number + (has == 0 ? "." : "") + std::string(wanted - has, '0');
}

std::string csv_header(std::span<const std::string> names, const OutputOptions& options) {
  std::string text;
  for (const std::string& name : names)
    text += csv_quoted(name, options.separator()) + options.separator();
  text.back() = '\n';  // in place of the last separator
  return text;
}

void append_csv_row(std::string& text,
                    std::span<const SheetField> row,
                    const OutputOptions& options) {
  const char separator = options.separator(), mark = options.decimal_mark();
  for (const SheetField& field : row) {
    const std::size_t begin = text.size();
    text += field.is_number ? field.text : csv_quoted(field.text, separator);
    if (field.is_number)
      std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '.', mark);
    text += separator;
  }
  text.back() = '\n';
}

std::string sheet_csv(const Sheet& sheet, const OutputOptions& options) {
  std::string text = csv_header(sheet.header, options);
  for (const auto& row : sheet.rows)
    append_csv_row(text, row, options);
  return text;
}

}  // namespace lacuna::files
