// SPDX-License-Identifier: Apache-2.0
#include "data/argus/write_table.h"

#include <algorithm>

#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

std::string type_words(int type) {
  return "type " + std::to_string(type) + " (" + std::string(output_name(type)) + ")";
}

Error not_for_this_protection(int type, const std::string& why) {
  return {ErrorCode::kOptionConflict, "WRITETABLE " + type_words(type) + " " + why, ""};
}

Status check_type(const Table& table, int type) {
  const bool adjusted = table.protection == Protection::kAdjusted;
  const bool cell_keys = table.protection == Protection::kCellKeys;
  if (type < 1 || type > 7)
    return Error{ErrorCode::kOptionValue,
                 "WRITETABLE has no type " + std::to_string(type) + ": the types are 1 to 7",
                 ""};
  if (type == 7 && !cell_keys)
    return not_for_this_protection(7,
                                   "is for tables with cell keys: it needs SUPPRESS CKM before it");
  if ((type == 4 || type == 5) && adjusted)
    return not_for_this_protection(
        type, "is not for a table after CTA: it would hold the true values; types 1 to 3 are");
  if ((type == 4 || type == 5) && cell_keys)
    return not_for_this_protection(
        type, "is not for a table after CKM: it would hold the true values; types 1 to 3 are");
  if (type == 6 && table.protection == Protection::kRounded)
    return not_for_this_protection(
        6, "is not for a table after RND: it would hold the true values; types 1 to 5 are");
  return ok_status();
}

std::string cells_in_words(std::int64_t count, const char* kind) {
  return std::to_string(count) + " " + kind + (count == 1 ? " cell" : " cells");
}

// Whatever has been done to a table, these files tell what was to be hidden.
void warn_of_true_values(const Table& table,
                         const WriteTable& command,
                         std::vector<std::string>& notes) {
  const bool records = command.type == 2 || command.type == 3;
  if (command.type == 1 || (records && !command.options.status) ||
      (command.type == 7 && !command.options.for_office()))
    return;
  const std::string opening = type_words(command.type) + " holds the true values of ";
  const std::string closing = ": for the office only";
  if (has_released_values(table)) {
    if (command.type == 7 && command.options.cell_key)
      notes.push_back(type_words(7) + " with AC+ holds the keys" + closing);
    if (command.type == 7 && !command.options.original && !command.options.difference)
      return;
    notes.push_back(command.type == 4 ? type_words(4) + " holds the true frequencies" + closing
                                      : opening + "all cells next to the released ones" + closing);
    return;
  }
  const auto withheld = std::count_if(table.cells.begin(), table.cells.end(), [](const Cell& cell) {
    return is_withheld(cell.status);
  });
  const char* kind = table.protection == Protection::kSuppressed ? "suppressed" : "unsafe";
  if (withheld > 0)
    notes.push_back(opening + cells_in_words(withheld, kind) + closing);
}

void warn_of_lost_digits(const Table& table,
                         const WriteTable& command,
                         std::vector<std::string>& notes) {
  if ((command.type <= 4 || command.type == 7) && response_digits(table) > table.shown_decimals)
    notes.push_back("values are written with " + std::to_string(table.shown_decimals) +
                    " decimals, as <DECIMALS> says, though they have " +
                    std::to_string(response_digits(table)));
}

void warn_of_missing_audit(const Table& table,
                           const WriteTable& command,
                           std::vector<std::string>& notes) {
  if (command.type != 5 || !command.options.audit)
    return;
  const auto unknown = std::count_if(table.cells.begin(), table.cells.end(), [](const Cell& cell) {
    return is_withheld(cell.status) && !(cell.lowest && cell.highest);
  });
  if (unknown > 0)
    notes.push_back("AR+: " + cells_in_words(unknown, "withheld") +
                    " without an audit: the columns are 0 there");
}

}  // namespace

std::string_view output_name(int type) {
  switch (type) {
    case 1:
      return "CSV";
    case 2:
      return "CSV for pivot tables";
    case 3:
      return "code-value";
    case 4:
      return "SBS";
    case 5:
      return "intermediate";
    case 6:
      return "JJ";
    default:
      return "cell keys";
  }
}

Result<WrittenTable> write_table(const Table& table,
                                 const WriteTable& command,
                                 const std::string& path,
                                 const Metadata& source) {
  LACUNA_RETURN_IF_ERROR(check_type(table, command.type));
  WrittenTable written;
  switch (command.type) {
    case 1:
      written.files = {{path, matrix_text(table, command.options)}};
      break;
    case 2:
    case 3:
      written.files = {{path, records_text(table, command)}};
      break;
    case 4:
      written.files = {{path, sbs_text(table, command.options)}};
      break;
    case 5:
      written.files = intermediate_texts(table, command.options, path, source);
      break;
    case 6:
      written.files = {{path, jj_text(table, command.options)}};
      break;
    default:
      written.files = cell_key_texts(table, command.options, path, source);
  }
  warn_of_true_values(table, command, written.notes);
  warn_of_lost_digits(table, command, written.notes);
  warn_of_missing_audit(table, command, written.notes);
  return written;
}

}  // namespace lacuna::argus
