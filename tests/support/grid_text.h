// SPDX-License-Identifier: Apache-2.0
// Grids as text, for comparisons in tests.
#pragma once

#include <string>

#include "data/formats/grid.h"

namespace lacuna::testing {

// "r:d|t:t|value:v" and the rows below, with '|' between fields: d dimension, t time, m measure,
// v value, c confidentiality, o observation status, l label, n note, ? open.
inline std::string grid_text(const formats::Grid& grid) {
  constexpr char kRoles[] = {'?', 'd', 't', 'm', 'v', 'c', 'o', 'l', 'n'};
  std::string text;
  for (const formats::GridColumn& column : grid.columns)
    text += (text.empty() ? "" : "|") + column.name + ":" +
            kRoles[static_cast<std::size_t>(column.role)];
  for (const auto& row : grid.rows) {
    text += "\n";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "" : "|") + row[i];
  }
  return text;
}

inline std::string trees_text(const formats::Grid& grid) {
  std::string text;
  for (const formats::GridTree& tree : grid.trees) {
    for (const auto& [parent, children] : tree.parts) {
      text += tree.column + ": " + parent + " =";
      for (const std::string& child : children)
        text += " " + child;
      text += "\n";
    }
  }
  return text;
}

inline std::string signs_text(const formats::Grid& grid) {
  constexpr const char* kMeanings[] = {"withheld", "absent", "not applicable", "zero"};
  std::string text;
  for (const formats::GridSign& sign : grid.signs)
    text += sign.text + " " + kMeanings[static_cast<std::size_t>(sign.meaning)] +
            (sign.said.empty() ? "" : " (" + sign.said + ")") + "\n";
  return text;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

}  // namespace lacuna::testing
