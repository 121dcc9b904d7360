// SPDX-License-Identifier: Apache-2.0
#include "table/digest.h"

#include "base/sha256.h"

namespace lacuna::inline table {

std::string table_digest(const Table& table) {
  std::string text = std::to_string(table.decimals());
  for (const Dimension& dimension : table.dimensions()) {
    for (std::int32_t code = 0; code < dimension.num_codes(); ++code)
      text += "\n" + dimension.name() + "=" + std::string(dimension.code(code));
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    text += "\n" + std::to_string(table.value(CellId{c}));
    for (const std::int32_t code : table.codes(CellId{c}))
      text += " " + std::to_string(code);
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    text += "\n" + std::to_string(table.rhs(EquationId{e}));
    for (const Term& term : table.equation(EquationId{e}))
      text += " " + std::to_string(term.coefficient) + "*" + std::to_string(term.cell.value);
  }
  return sha256_hex(text);
}

}  // namespace lacuna::inline table
