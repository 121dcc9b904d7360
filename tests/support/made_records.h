// SPDX-License-Identifier: Apache-2.0
// Records of enterprises as statistical offices have them, drawn from a seed: lines of fixed width
// with a holding, an industry of five digits, a size, a region of a tree, and an amount of two
// decimals. What a cell holds is computed here in the most obvious way, from the texts of the
// codes.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "lacuna/units.h"

namespace lacuna::testing {

struct MadeRecord {
  std::string holding, industry, size, region;
  Units cents = 0;
};

// Regions with the codes above them.
inline const std::map<std::string, std::vector<std::string>>& made_regions() {
  static const std::map<std::string, std::vector<std::string>> regions{{"01", {"No", "Total"}},
                                                                       {"02", {"No", "Total"}},
                                                                       {"05", {"So", "Total"}},
                                                                       {"06", {"So", "Total"}},
                                                                       {"07", {"So", "Total"}},
                                                                       {"11", {"Ea", "Total"}}};
  return regions;
}
inline constexpr const char* kMadeRegionTree = "No\n@01\n@02\nSo\n@05\n@06\n@07\nEa\n@11\n";

inline std::vector<MadeRecord> made_records(std::uint64_t seed, int count) {
  base::Random random(seed);
  std::vector<std::string> regions;
  for (const auto& [code, above] : made_regions())
    regions.push_back(code);
  std::vector<MadeRecord> records;
  for (int i = 0; i < count; ++i) {
    MadeRecord record;
    record.holding = std::to_string(100000000 + random.between(0, count / 3));
    // Few branches of few digits, so that some cells have one record and others hundreds.
    const std::int64_t branch =
        random.chance(1, 8) ? random.between(151, 163) : random.between(151, 154);
    record.industry = std::to_string(branch) + std::to_string(random.between(1, 3)) +
                      std::to_string(random.chance(1, 3) ? random.between(1, 2) : 0);
    record.size = std::to_string(random.chance(1, 20) ? 99 : random.between(2, 6));
    record.region = regions[static_cast<std::size_t>(random.between(0, 5))];
    const std::int64_t scale = random.chance(1, 6) ? 1'000'000 : 10'000;
    record.cents = random.chance(1, 15) ? 0 : random.between(1, 99) * scale / random.between(1, 60);
    records.push_back(std::move(record));
  }
  return records;
}

// Holding at 1-9, industry 10-14, size 15-16, region 17-18, amount 19-30.
inline std::string fixed_width(const std::vector<MadeRecord>& records) {
  const auto padded = [](std::string text, std::size_t width) {
    return std::string(width - text.size(), ' ') + text;
  };
  std::string text;
  for (const MadeRecord& record : records) {
    const std::string cents = std::to_string(100 + record.cents % 100).substr(1);
    text += padded(record.holding, 9) + padded(record.industry, 5) + padded(record.size, 2) +
            padded(record.region, 2) +
            padded(std::to_string(record.cents / 100) + "." + cents, 12) + "\r\n";
  }
  return text;
}

// The code of five digits, its first four, its first three, and the total.
inline std::vector<std::string> industry_line(const MadeRecord& record) {
  return {record.industry, record.industry.substr(0, 4), record.industry.substr(0, 3), "Total"};
}
inline std::vector<std::string> size_line(const MadeRecord& record) {
  return {record.size, "Total"};
}
inline std::vector<std::string> region_line(const MadeRecord& record) {
  std::vector<std::string> line{record.region};
  const auto& above = made_regions().at(record.region);
  line.insert(line.end(), above.begin(), above.end());
  return line;
}

struct MadeCell {
  Units cents = 0;
  std::int64_t records = 0;
  std::map<std::string, Units> by_holding;

  std::vector<Units> largest_holdings() const {
    std::vector<Units> amounts;
    for (const auto& [holding, amount] : by_holding)
      amounts.push_back(amount);
    std::sort(amounts.begin(), amounts.end(), std::greater<>());
    return amounts;
  }
};

using MadeCells = std::map<std::vector<std::string>, MadeCell>;
using CodeLine = std::vector<std::string> (*)(const MadeRecord&);

// Every cell of the table of these lines of codes that has a record.
inline MadeCells made_cells(const std::vector<MadeRecord>& records,
                            const std::vector<CodeLine>& lines) {
  MadeCells cells;
  for (const MadeRecord& record : records) {
    std::vector<std::vector<std::string>> keys(1);
    for (const CodeLine line : lines) {
      std::vector<std::vector<std::string>> longer;
      for (const auto& key : keys) {
        for (const std::string& code : line(record)) {
          longer.push_back(key);
          longer.back().push_back(code);
        }
      }
      keys = std::move(longer);
    }
    for (const auto& key : keys) {
      MadeCell& cell = cells[key];
      cell.cents += record.cents;
      ++cell.records;
      cell.by_holding[record.holding] += record.cents;
    }
  }
  return cells;
}

}  // namespace lacuna::testing
