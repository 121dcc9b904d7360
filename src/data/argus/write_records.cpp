// SPDX-License-Identifier: Apache-2.0
// Types 2 and 3 of <WRITETABLE>: one line per cell with its codes and its value. With AS+ the true
// value and the number of the status; of a rounded table the original beside the rounded value, of
// an adjusted one that and the status. Type 2 has the names on the first line.
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

std::string record_name(const std::string& name, bool quotes) {
  return quotes ? '"' + name + '"' : name;
}

// "<freq>" is what tau-ARGUS calls the response of a table of counts.
std::string record_header(const Table& table, const WriteOptions& options) {
  std::string line;
  for (const CodeList& list : table.variables)
    line += record_name(list.variable, options.quotes) + ",";
  std::string value = table.counts ? "Freq" : table.response;
  const bool rounded = table.protection == Protection::kRounded;
  const bool adjusted = table.protection == Protection::kAdjusted;
  if (!table.counts && (rounded || adjusted))
    value += rounded ? "_Round" : "_CTA";
  line += record_name(value, options.quotes);
  if (options.status && (rounded || adjusted)) {
    const std::string original = (table.counts ? "<freq>" : table.response) + "_Orig";
    line += "," + record_name(original, options.quotes);
  }
  if (options.status && !rounded)
    line += "," + record_name("Status", options.quotes);
  return line + kLineEnd;
}

std::string record_status(const Table& table, const Cell& cell) {
  const std::string number = "," + std::to_string(static_cast<int>(cell.status));
  if (!has_released_values(table))
    return number;
  const std::string original =
      cell.status == CellStatus::kEmpty
          ? ",-"
          : "," + fixed_text(cell.response, table.decimals, table.shown_decimals);
  return table.protection == Protection::kAdjusted ? original + number : original;
}

}  // namespace

std::string records_text(const Table& table, const WriteTable& command) {
  const WriteOptions& options = command.options;
  std::string text;
  if (options.first_line || command.type == 2)
    text += record_header(table, options);
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    const Cell& cell = table.cells[c];
    const bool empty = options.status ? cell.frequency == 0 : is_left_out(table, cell);
    if (options.skip_empty && empty)
      continue;
    const auto codes = table.codes_of(c);
    for (std::size_t v = 0; v < codes.size(); ++v)
      text += code_text(table.variables[v], codes[v], options.quotes) + ",";
    text += released_text(table, cell, options.status);
    if (options.status)
      text += record_status(table, cell);
    text += kLineEnd;
  }
  return text;
}

}  // namespace lacuna::argus
