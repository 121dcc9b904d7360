// SPDX-License-Identifier: Apache-2.0
#include "data/argus/table.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace lacuna::argus {

bool is_unsafe(CellStatus status) {
  switch (status) {
    case CellStatus::kUnsafeRule:
    case CellStatus::kUnsafeRequest:
    case CellStatus::kUnsafeFrequency:
    case CellStatus::kUnsafeZero:
    case CellStatus::kUnsafeManual:
      return true;
    case CellStatus::kSafe:
    case CellStatus::kSafeManual:
    case CellStatus::kProtected:
    case CellStatus::kSecondary:
    case CellStatus::kSecondaryManual:
    case CellStatus::kEmptyNonStructural:
    case CellStatus::kEmpty:
      break;
  }
  return false;
}

bool is_secondary(CellStatus status) {
  return status == CellStatus::kSecondary || status == CellStatus::kSecondaryManual;
}

bool is_withheld(CellStatus status) {
  return is_unsafe(status) || is_secondary(status);
}

bool has_withheld(const Table& table) {
  return std::any_of(table.cells.begin(), table.cells.end(), [](const Cell& cell) {
    return is_withheld(cell.status);
  });
}

bool is_empty(CellStatus status) {
  return status == CellStatus::kEmpty || status == CellStatus::kEmptyNonStructural;
}

char letter_of(CellStatus status) {
  if (is_unsafe(status))
    return 'U';
  if (is_secondary(status))
    return 'M';
  if (is_empty(status))
    return 'E';
  return status == CellStatus::kProtected ? 'P' : 'S';
}

std::string_view words_for(CellStatus status) {
  switch (status) {
    case CellStatus::kSafe:
      return "Safe";
    case CellStatus::kSafeManual:
      return "Safe (from manual)";
    case CellStatus::kUnsafeRule:
      return "Unsafe";
    case CellStatus::kUnsafeRequest:
      return "Unsafe (request)";
    case CellStatus::kUnsafeFrequency:
      return "Unsafe (frequency)";
    case CellStatus::kUnsafeZero:
      return "Unsafe (zero cell)";
    case CellStatus::kUnsafeManual:
      return "Unsafe (from manual)";
    case CellStatus::kProtected:
      return "Protected";
    case CellStatus::kSecondary:
      return "Secondary";
    case CellStatus::kSecondaryManual:
      return "Secondary (from manual)";
    case CellStatus::kEmptyNonStructural:
      return "Empty (non-structural)";
    case CellStatus::kEmpty:
      return "Empty";
  }
  return "";
}

std::int32_t CodeList::level(std::int32_t code) const {
  std::int32_t depth = 0;
  while (parents[static_cast<std::size_t>(code)] >= 0) {
    code = parents[static_cast<std::size_t>(code)];
    ++depth;
  }
  return depth;
}

std::int32_t CodeList::find(std::string_view code) const {
  if (code.empty())
    return 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == code)
      return static_cast<std::int32_t>(i);
  }
  const std::string_view wanted = base::trimmed(code);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (base::trimmed(codes[i]) == wanted)
      return static_cast<std::int32_t>(i);
  }
  return -1;
}

Result<Dimension> dimension_of(const CodeList& list) {
  std::vector<std::vector<std::int32_t>> children(list.codes.size());
  for (std::int32_t i = 1; i < list.size(); ++i)
    children[static_cast<std::size_t>(list.parents[static_cast<std::size_t>(i)])].push_back(i);
  std::vector<Relation> relations;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!children[i].empty())
      relations.push_back({static_cast<std::int32_t>(i), std::move(children[i])});
  }
  return Dimension::build(list.variable, list.codes, std::move(relations));
}

std::size_t Table::index_of(const std::vector<std::int32_t>& codes) const {
  std::size_t index = 0;
  for (std::size_t v = 0; v < variables.size(); ++v)
    index = index * variables[v].codes.size() + static_cast<std::size_t>(codes[v]);
  return index;
}

std::vector<std::int32_t> Table::codes_of(std::size_t cell) const {
  std::vector<std::int32_t> codes(variables.size());
  for (std::size_t v = variables.size(); v-- > 0;) {
    codes[v] = static_cast<std::int32_t>(cell % variables[v].codes.size());
    cell /= variables[v].codes.size();
  }
  return codes;
}

std::string Table::label_of(std::size_t cell) const {
  const auto codes = codes_of(cell);
  std::string label;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    label += (v == 0 ? "" : "|") + variables[v].variable + "=" +
             std::string(base::trimmed(variables[v].codes[static_cast<std::size_t>(codes[v])]));
  }
  return label;
}

}  // namespace lacuna::argus
