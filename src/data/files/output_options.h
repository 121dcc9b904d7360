// SPDX-License-Identifier: Apache-2.0
// How released tables are written, whatever the format: flags, decimals, separators.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::files {

enum class FlagChoice : std::uint8_t { kAuto, kAbdv, kC, kConfStatus, kNone };
std::span<const std::string_view> enum_names(FlagChoice choice);

struct OutputOptions {
  FlagChoice flags = FlagChoice::kAuto;
  std::int32_t decimals_shown = -1;  // -1: as many as the number needs
  std::string csv_separator = ";";
  std::string csv_decimal_mark = ".";
  std::string dataflow;  // of SDMX-CSV; empty: made of the table's name

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "flags",
                    .help = "flags of the written tables: abdv (A, B sensitive, D other withheld, "
                            "V published), c (or blank), conf-status (Eurostat), none; auto: abdv "
                            "for the office, none in public files, which never tell sensitive "
                            "cells from others"},
          self.flags);
    visit(FieldInfo{.name = "decimals-shown",
                    .help = "digits after the point in the written tables; refused where a number "
                            "has more",
                    .least = 0,
                    .most = 18,
                    .absent = "as many as each number needs"},
          self.decimals_shown);
    visit(FieldInfo{.name = "csv-separator",
                    .help = "between the columns of written .csv: one character, or tab"},
          self.csv_separator);
    visit(FieldInfo{.name = "csv-decimal-mark", .help = "of written .csv: point or comma"},
          self.csv_decimal_mark);
    visit(FieldInfo{.name = "dataflow",
                    .help = "the STRUCTURE_ID of written SDMX-CSV",
                    .absent = "OFFICE:TABLE(1.0)"},
          self.dataflow);
  }

  char separator() const { return csv_separator == "tab" ? '\t' : csv_separator.front(); }
  char decimal_mark() const {
    return csv_decimal_mark == "," || csv_decimal_mark == "comma" ? ',' : '.';
  }
  Status validate() const;
};

}  // namespace lacuna::files
