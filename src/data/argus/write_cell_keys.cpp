// SPDX-License-Identifier: Apache-2.0
// Type 7 of <WRITETABLE>: one line per cell with its codes and the number that the cell key method
// has published; AO+ adds the original, AD+ published less original, AC+ the key of the cell. With
// one of these it is for the office, and SE+ leaves out the empty cells; without, the file is for
// readers, and SE+ leaves out all zeros, of which they must not know which are true.
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

std::string key_text(const Table& table, std::size_t cell) {
  std::string digits = std::to_string(table.key_modulus + table.keys[cell].key).substr(1);
  return "0." + digits;
}

std::string office_columns(const Table& table, const WriteOptions& options, std::size_t index) {
  const Cell& cell = table.cells[index];
  const auto number = [&](Units units) {
    return fixed_text(units, table.decimals, table.shown_decimals);
  };
  std::string text;
  if (options.original)
    text += ";" + number(cell.response);
  if (options.difference)
    text += is_blank(table, cell) ? ";x" : ";" + number(cell.published.value_or(0) - cell.response);
  if (options.cell_key)
    text += ";" + key_text(table, index);
  return text;
}

}  // namespace

std::vector<OutputText> cell_key_texts(const Table& table,
                                       const WriteOptions& options,
                                       const std::string& path,
                                       const Metadata& source) {
  std::string text;
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    const Cell& cell = table.cells[c];
    const bool empty = options.for_office() ? is_empty(cell.status) : is_left_out(table, cell);
    if (options.skip_empty && empty)
      continue;
    const auto codes = table.codes_of(c);
    for (std::size_t v = 0; v < codes.size(); ++v)
      text += code_text(table.variables[v], codes[v], options.quotes) + ";";
    text += is_blank(table, cell)
                ? "x"
                : fixed_text(cell.published.value_or(0), table.decimals, table.shown_decimals);
    text += office_columns(table, options, c) + kLineEnd;
  }
  std::vector<OutputText> files{{path, std::move(text)}};
  for (OutputText& file : cell_key_metadata(table, options, path, source))
    files.push_back(std::move(file));
  return files;
}

}  // namespace lacuna::argus
