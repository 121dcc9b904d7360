// SPDX-License-Identifier: Apache-2.0
#include "data/formats/grid.h"

#include <algorithm>

namespace lacuna::formats {

std::string column_letters(std::size_t column) {
  std::string letters;
  for (std::size_t rest = column + 1; rest > 0; rest = (rest - 1) / 26)
    letters += static_cast<char>('A' + (rest - 1) % 26);
  std::reverse(letters.begin(), letters.end());
  return letters;
}

std::string Grid::place(std::size_t row, std::size_t column) const {
  if (is_sheet)
    return where + ", cell " + column_letters(first_column + column) +
           std::to_string(first_row + row + 1);
  if (is_cross && row < rows.size()) {
    std::string codes;
    for (std::size_t i = 0; i < columns.size() && i < rows[row].size(); ++i) {
      const ColumnRole role = columns[i].role;
      if (role == ColumnRole::kDimension || role == ColumnRole::kTime ||
          role == ColumnRole::kMeasure)
        codes += (codes.empty() ? "" : " | ") + rows[row][i];
    }
    const bool named = column < columns.size();
    return where + ", cell " + codes + (named ? ", column " + columns[column].name : "");
  }
  const std::string named = column < columns.size() && !columns[column].name.empty()
                                ? columns[column].name
                                : std::to_string(first_column + column + 1);
  return where + ", row " + std::to_string(first_row + row + 1) + ", column " + named;
}

}  // namespace lacuna::formats
