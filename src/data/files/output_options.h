// SPDX-License-Identifier: Apache-2.0
// How released tables are written, whatever the format: flags, decimals, separators.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::files {

enum class FlagChoice : std::uint8_t { kAuto, kAbdv, kC, kConfStatus, kNone };
std::span<const std::string_view> enum_names(FlagChoice choice);

// Where a release says what a number stands for that is not published as it is.
enum class MeaningChoice : std::uint8_t { kAuto, kSidecar, kNone };
std::span<const std::string_view> enum_names(MeaningChoice choice);

struct OutputOptions {
  FlagChoice flags = FlagChoice::kAuto;
  std::int32_t decimals_shown = -1;  // -1: as many as the number needs
  std::string csv_separator = ";";
  std::string csv_decimal_mark = ".";
  std::string dataflow;  // of SDMX-CSV and SDMX-JSON; empty: made of the table's name
  std::string title;     // for readers of the table; empty: its name
  std::string subject_area;
  std::vector<std::string> notes;
  MeaningChoice meaning = MeaningChoice::kAuto;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        FieldInfo{.name = "flags",
                  .help =
                      "flags of the written tables: abdv (A, B sensitive, D other withheld, V "
                      "published), c (or blank), conf-status (Eurostat), none; auto: abdv for the "
                      "office, none in public files, which never show which cells are sensitive"},
        self.flags);
    visit(FieldInfo{.name = "decimals-shown",
                    .help = "digits after the decimal point in the written tables; an error if a "
                            "number has more",
                    .least = 0,
                    .most = 18,
                    .absent = "as many as each number needs"},
          self.decimals_shown);
    visit(FieldInfo{.name = "csv-separator",
                    .help = "separator of the columns of written .csv: one character, or tab"},
          self.csv_separator);
    visit(FieldInfo{.name = "csv-decimal-mark",
                    .help = "decimal mark of written .csv: point or comma"},
          self.csv_decimal_mark);
    visit(FieldInfo{.name = "dataflow",
                    .help = "the STRUCTURE_ID of written SDMX-CSV, and the id of SDMX-JSON",
                    .absent = "OFFICE:TABLE(1.0)"},
          self.dataflow);
    visit(FieldInfo{.name = "title",
                    .help = "title of the written tables (.px, .jsonstat.json, .sdmx.json, .xlsx)",
                    .absent = "the name of the table"},
          self.title);
    visit(FieldInfo{.name = "subject-area",
                    .help = "subject area of the written tables (.px, .xlsx)",
                    .absent = "the title"},
          self.subject_area);
    visit(FieldInfo{.name = "notes",
                    .help = "notes below the written tables, one or several (.px, .jsonstat.json, "
                            ".sdmx.json, .xlsx)"},
          self.notes);
    visit(FieldInfo{.name = "meaning",
                    .help = "what withheld, rounded and altered numbers mean, in words and for "
                            "programs. auto: in every public file that has a place for it, which "
                            "is all but .csv and .sdmx.csv; sidecar: also beside each public .csv, "
                            "as NAME-metadata.json; none: nowhere"},
          self.meaning);
  }

  char separator() const { return csv_separator == "tab" ? '\t' : csv_separator.front(); }
  char decimal_mark() const {
    return csv_decimal_mark == "," || csv_decimal_mark == "comma" ? ',' : '.';
  }
  Status validate() const;
};

}  // namespace lacuna::files
