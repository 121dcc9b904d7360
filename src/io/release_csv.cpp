// SPDX-License-Identifier: Apache-2.0
#include "io/release_csv.h"

#include "base/decimal.h"
#include "io/csv.h"

namespace lacuna::inline io {
namespace {

std::string cell_name(const Table& table, CellId cell, char separator) {
  const auto codes = table.codes(cell);
  if (codes.empty())
    return std::to_string(cell.value);
  std::string name;
  for (std::size_t d = 0; d < codes.size(); ++d) {
    if (d > 0)
      name += separator;
    name += csv_quoted(table.dimensions()[d].code(codes[d]), separator);
  }
  return name;
}

// Nothing of a hidden cell but what is published of it.
std::string row_of(const Table& table, const Draft& draft, CellId cell, char separator) {
  const auto number = [&](Units value) { return format_units(value, table.decimals()); };
  const CellEntry* entry = draft.find(cell);
  const CellState state = draft.state(cell);
  std::string value, lower, upper;
  if (entry == nullptr) {
    value = lower = upper = number(table.value(cell));
  } else {
    if (state == CellState::kRounded || state == CellState::kAltered)
      value = number(entry->value);
    if (entry->bounds.has_lower())
      lower = number(entry->bounds.lower);
    if (entry->bounds.has_upper())
      upper = number(entry->bounds.upper);
  }
  std::string row = cell_name(table, cell, separator);
  for (const std::string& field : {std::string(to_string(state)), value, lower, upper})
    row += separator + field;
  return row + "\n";
}

}  // namespace

std::string release_csv(const AuditedRelease& release, char separator) {
  const Table& table = release.problem().table;
  std::string text;
  for (const Dimension& dimension : table.dimensions())
    text += csv_quoted(dimension.name(), separator) + separator;
  if (table.dimensions().empty())
    text += std::string("cell") + separator;
  for (const char* name : {"state", "value", "lower"})
    text += std::string(name) + separator;
  text += "upper\n";
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    text += row_of(table, release.content(), CellId{c}, separator);
  return text;
}

}  // namespace lacuna::inline io
