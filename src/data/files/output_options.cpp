// SPDX-License-Identifier: Apache-2.0
#include "data/files/output_options.h"

#include <algorithm>
#include <array>

#include "core/base/spelling.h"

namespace lacuna::files {

std::span<const std::string_view> enum_names(FlagChoice) {
  static constexpr std::array<std::string_view, 5> kNames{
      "auto", "abdv", "c", "conf-status", "none"};
  return kNames;
}

std::span<const std::string_view> enum_names(MeaningChoice) {
  static constexpr std::array<std::string_view, 3> kNames{"auto", "sidecar", "none"};
  return kNames;
}

Status OutputOptions::validate() const {
  constexpr std::string_view kUnusable = "\"\r\n0123456789-";
  const bool one =
      csv_separator.size() == 1 && kUnusable.find(csv_separator.front()) == std::string_view::npos;
  if (!one && csv_separator != "tab")
    return Error{ErrorCode::kOptionValue,
                 "must be one character such as ; or the word tab, not '" + csv_separator + "'",
                 "--csv-separator"};
  constexpr std::array<std::string_view, 4> kMarks{".", ",", "point", "comma"};
  if (std::find(kMarks.begin(), kMarks.end(), csv_decimal_mark) == kMarks.end())
    return Error{ErrorCode::kOptionValue,
                 "must be point or comma, not '" + csv_decimal_mark + "'",
                 "--csv-decimal-mark"};
  if (separator() == decimal_mark())
    return Error{ErrorCode::kOptionConflict,
                 "is the separator as well; take another " + base::named_option("csv-separator"),
                 "--csv-decimal-mark"};
  return ok_status();
}

}  // namespace lacuna::files
