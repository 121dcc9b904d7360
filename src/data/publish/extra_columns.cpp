// SPDX-License-Identifier: Apache-2.0
#include "data/publish/extra_columns.h"

#include <array>
#include <utility>

#include "core/base/text.h"
#include "data/files/json_tree.h"
#include "data/problems/cell_index.h"
#include "data/publish/pattern.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kDerived = "derived";
constexpr std::array<std::string_view, 2> kColumnNames{"name", "numbers"};
constexpr std::array<std::string_view, 3> kNumberNames{"cell", "number", "codes"};

// By its codes where it has some, as the order of the rows may be another one.
Result<CellId> cell_of(const Table& table,
                       const problems::CellIndex& index,
                       files::JsonNode entry,
                       files::JsonNode cell,
                       files::JsonNode codes) {
  if (codes.present()) {
    LACUNA_RETURN_IF_ERROR(codes.expect(files::JsonKind::kArray));
    std::vector<std::string_view> names;
    for (const files::JsonNode item : codes.children()) {
      LACUNA_TRY(names.emplace_back(), item.string());
    }
    const auto found = names.size() == table.dimensions().size() ? index.find(names) : std::nullopt;
    return found ? Result<CellId>(*found) : codes.error("the table has no such cell");
  }
  if (!cell.present())
    return entry.error("the names 'codes' and 'cell' are missing");
  LACUNA_TRY(const std::int64_t number, cell.integer());
  if (number < 0 || number >= table.num_cells())
    return cell.error("the table has no such cell");
  return CellId{static_cast<std::int32_t>(number)};
}

// `where` is the path of the column, as paths of nodes take long to find.
Result<ReadExtraColumn> read_column(files::JsonNode node,
                                    const std::string& where,
                                    const Table& table,
                                    const problems::CellIndex& index) {
  LACUNA_TRY(const auto members, files::members_of(node, kColumnNames));
  const auto& [name, numbers] = members;
  if (!name.present() || !numbers.present())
    return node.error("a derived column needs 'name' and 'numbers'");
  ReadExtraColumn column;
  LACUNA_TRY(column.name, name.string());
  LACUNA_RETURN_IF_ERROR(numbers.expect(files::JsonKind::kArray));
  for (const files::JsonNode entry : numbers.children()) {
    LACUNA_TRY(const auto parts, files::members_of(entry, kNumberNames));
    const auto& [cell, number, codes] = parts;
    if (!number.present())
      return entry.error("the name 'number' is missing");
    ReadExtraColumn::Number& read = column.numbers.emplace_back();
    LACUNA_TRY(read.cell, cell_of(table, index, entry, cell, codes));
    LACUNA_TRY(read.text, number.number_text());
    read.where = where + ".numbers[" + std::to_string(column.numbers.size() - 1) + "].number";
  }
  return column;
}

}  // namespace

void write_extra_columns(base::JsonWriter& json,
                         std::span<const ExtraColumn> columns,
                         const Table& table) {
  json.list(columns, [&](const ExtraColumn& column) {
    std::vector<CellId> cells;
    for (std::size_t c = 0; c < column.texts.size(); ++c) {
      if (!column.texts[c].empty())
        cells.push_back(CellId{static_cast<std::int32_t>(c)});
    }
    json.line().object([&] {
      json.member("name", column.name).key("numbers").list(cells, [&](CellId cell) {
        json.line().object([&] {
          json.member("cell", cell.value);
          json.key("number").raw(column.texts[static_cast<std::size_t>(cell.value)]);
          if (!table.codes(cell).empty())
            write_codes(json.key("codes"), table, cell);
        });
      });
    });
  });
}

Result<std::vector<ReadExtraColumn>> read_extra_columns(std::string_view text,
                                                        const std::string& filename,
                                                        const Table& table) {
  std::vector<ReadExtraColumn> columns;
  const std::string_view begun = base::trimmed(text.substr(0, 100));
  if (!begun.starts_with('{') || text.find("\"derived\"") == std::string_view::npos)
    return columns;
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  const problems::CellIndex index(table);
  for (const files::JsonNode member : tree.root().children()) {
    if (member.key() != kDerived)
      continue;
    LACUNA_RETURN_IF_ERROR(member.expect(files::JsonKind::kArray));
    for (const files::JsonNode column : member.children()) {
      const std::string where = filename + ":derived[" + std::to_string(columns.size()) + "]";
      LACUNA_TRY(columns.emplace_back(), read_column(column, where, table, index));
    }
  }
  return columns;
}

}  // namespace lacuna::publish
