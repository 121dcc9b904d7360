// SPDX-License-Identifier: Apache-2.0
// Random records with holdings, weights, negative values, ties, several hierarchies and flags.
#pragma once

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "unit/tabulate/cells.h"

namespace lacuna::tabulation {

struct PlainRecord {
  std::string act;   // two digits
  std::string area;  // below a zone; and of a kind, which is a second hierarchy
  std::string size;
  Units tenths = 0;    // of the value
  Units quarters = 0;  // of the weight, times 25 in units of 0.01
  std::string respondent;
  std::string holding;
  bool requested = false;
  bool waived = false;
};

inline std::string zone_of(const std::string& area) {
  return area < "r4" ? "west" : "east";
}
inline std::string kind_of(const std::string& area) {
  return (area.back() - '0') % 2 == 0 ? "town" : "land";
}

inline std::vector<PlainRecord> random_records(base::Random& random, bool negative) {
  std::vector<PlainRecord> records;
  const auto count = random.between(1, 1500);
  // From a few with very many leaves each to many with one.
  const auto respondents = random.between(1, random.chance(1, 4) ? 10 : 3000);
  for (std::int64_t i = 0; i < count; ++i) {
    PlainRecord record;
    record.act = std::to_string(random.between(1, 3)) + std::to_string(random.between(1, 3));
    record.area = "r" + std::to_string(random.between(1, 7));
    record.size = random.chance(1, 20) ? "" : random.chance(1, 2) ? "s" : "l";
    record.tenths = random.between(negative ? -50 : 0, 50);
    record.quarters = random.between(0, 9);
    const auto who = random.between(1, respondents);
    // Long and short names, and some with a holding.
    record.respondent =
        (who % 3 == 0 ? "a respondent with a long name " : "R") + std::to_string(who);
    record.holding = who % 4 == 0 ? "R" + std::to_string(who % 5) : "";
    record.requested = random.chance(1, 4);
    record.waived = random.chance(3, 4);
    records.push_back(record);
  }
  return records;
}

inline RowRecords as_rows(const std::vector<PlainRecord>& records) {
  std::vector<std::vector<std::string>> rows;
  for (const PlainRecord& r : records) {
    const std::string sign = r.tenths < 0 ? "-" : "";
    const Units size = std::abs(r.tenths);
    rows.push_back({r.act,
                    zone_of(r.area),
                    kind_of(r.area),
                    r.area,
                    r.size,
                    sign + std::to_string(size / 10) + "." + std::to_string(size % 10),
                    std::to_string(r.quarters / 4) + "." + std::to_string(r.quarters % 4 * 25),
                    r.respondent,
                    r.holding,
                    r.requested ? "y" : "n",
                    r.waived ? "1" : ""});
  }
  return {{"act", "zone", "kind", "area", "size", "x", "w", "id", "group", "ask", "free"}, rows};
}

inline std::vector<std::vector<std::string>> codes_above(const PlainRecord& r) {
  const std::string size = r.size.empty() ? "?" : r.size;
  return {{"Total", r.act.substr(0, 1), r.act},
          {"Total", zone_of(r.area), kind_of(r.area), r.area},
          {"Total", size}};
}

// All combinations for the tables act x area x size (or act x area and area x size if linked).
inline std::set<CellNames> cells_of(const PlainRecord& record, bool linked) {
  const auto above = codes_above(record);
  std::set<CellNames> cells;
  for (const auto& act : above[0]) {
    for (const auto& area : above[1]) {
      for (const auto& size : above[2]) {
        if (!linked || act == "Total" || size == "Total")
          cells.insert({act, area, size});
      }
    }
  }
  return cells;
}

inline TabulateOptions random_options(base::Random& random,
                                      bool linked,
                                      bool weighted,
                                      bool negative) {
  TabulateOptions options;
  options.dimensions = {digit_dimension("ACT", "act", {1, 1}),
                        nested_dimension("AREA", {{"zone", "area"}, {"kind", "area"}}),
                        flat_dimension("SIZE", "size")};
  options.dimensions[2].missing = {MissingPolicy::kCode, {}, "?"};
  if (linked)
    options.tables = {{"one", {"ACT", "AREA"}}, {"two", {"SIZE", "AREA"}}};
  options.value = "x";
  options.decimals = 1;
  options.weight = weighted ? "w" : "";
  options.weight_decimals = 2;
  options.allow_negative = negative;
  options.respondent = "id";
  options.holding = "group";
  options.request = "ask";
  options.request_codes = {"y"};
  options.waiver = "free";
  options.top = static_cast<int>(random.between(0, 4));
  options.keep_contributions = true;
  return options;
}

}  // namespace lacuna::tabulation
