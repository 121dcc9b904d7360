// SPDX-License-Identifier: Apache-2.0
#include "core/table/digest.h"

#include <charconv>
#include <limits>

#include "core/base/sha256.h"

namespace lacuna::table {
namespace {

void append_number(std::string& text, std::int64_t number) {
  char digits[std::numeric_limits<std::int64_t>::digits10 + 3];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  text.append(digits, end);
}

}  // namespace

std::string table_digest(const Table& table) {
  std::string text = std::to_string(table.decimals());
  for (const Dimension& dimension : table.dimensions()) {
    for (std::int32_t code = 0; code < dimension.num_codes(); ++code)
      text += "\n" + dimension.name() + "=" + std::string(dimension.code(code));
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    text += '\n';
    append_number(text, table.value(CellId{c}));
    for (const std::int32_t code : table.codes(CellId{c})) {
      text += ' ';
      append_number(text, code);
    }
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    text += '\n';
    append_number(text, table.rhs(EquationId{e}));
    for (const Term& term : table.equation(EquationId{e})) {
      text += ' ';
      append_number(text, term.coefficient);
      text += '*';
      append_number(text, term.cell.value);
    }
  }
  return base::sha256_hex(text);
}

}  // namespace lacuna::table
