// SPDX-License-Identifier: Apache-2.0
// Numbers of withheld cells that stand in a workbook a second time: in cells that nobody judged, in
// filters, names, comments, drawings, lists of texts.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lacuna::formats {

class LeftoverNumbers {
 public:
  // A number of a cell that is withheld from now on. With fewer than five significant digits it is
  // too common for its reappearance to say anything, and is not looked for.
  void add(std::string_view number);
  bool empty() const { return numbers_.empty(); }
  // Whether the number is one of them.
  bool has(std::string_view number) const;
  // The first of them that stands in a text, with blanks, points, commas or apostrophes between its
  // thousands as well: as it stands there.
  std::optional<std::string> find_in(std::string_view text) const;

 private:
  std::set<std::string, std::less<>> numbers_;  // without sign
};

}  // namespace lacuna::formats
