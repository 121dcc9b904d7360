// SPDX-License-Identifier: Apache-2.0
// Records to a tabulation in the most obvious way, for tests of the rules.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lacuna/tabulation.h"

namespace lacuna::testing {

struct NaiveRecord {
  std::vector<std::int32_t> codes;  // leaves, one per dimension
  std::int32_t respondent = -1;
  Units amount = 0;
  bool requested = false;
  bool waived = false;
};

inline std::set<std::int32_t> with_ancestors(const Dimension& dimension, std::int32_t leaf) {
  std::set<std::int32_t> codes{leaf};
  for (std::size_t before = 0; before != codes.size();) {
    before = codes.size();
    for (const Relation& relation : dimension.relations()) {
      for (const std::int32_t child : relation.children) {
        if (codes.contains(child))
          codes.insert(relation.parent);
      }
    }
  }
  return codes;
}

inline CellFacts facts_of(std::vector<Contribution> all, int top) {
  CellFacts facts;
  for (const Contribution& one : all) {
    facts.value += one.amount;
    facts.absolute += one.amount < 0 ? -one.amount : one.amount;
  }
  facts.contributors = facts.records = facts.weighted = static_cast<std::int64_t>(all.size());
  std::stable_sort(all.begin(), all.end(), [](const Contribution& a, const Contribution& b) {
    return std::abs(a.amount) > std::abs(b.amount);
  });
  if (all.size() > static_cast<std::size_t>(top))
    all.resize(static_cast<std::size_t>(top));
  facts.largest = all;
  return facts;
}

// A cell from amounts; respondents are anonymous.
inline CellFacts cell_of(const std::vector<Units>& amounts, int top = 100) {
  std::vector<Contribution> all;
  for (const Units amount : amounts)
    all.push_back({.amount = amount});
  return facts_of(all, top);
}

// What the respondents contribute to the cells that `cells_of_leaf` names for each combination of
// codes of their records.
inline std::shared_ptr<const LeafContributions> hold_naively(
    const std::vector<NaiveRecord>& records,
    const std::map<std::vector<std::int32_t>, std::set<std::vector<std::int32_t>>>& keys_of_leaf,
    const std::map<std::vector<std::int32_t>, std::uint32_t>& cells,
    std::int32_t respondents) {
  auto held = std::make_shared<LeafContributions>();
  std::map<std::vector<std::int32_t>, std::uint32_t> leaf_number;
  held->leaf_start.push_back(0);
  for (const auto& [leaf, keys] : keys_of_leaf) {
    leaf_number.emplace(leaf, static_cast<std::uint32_t>(leaf_number.size()));
    for (const auto& key : keys)
      held->leaf_cells.push_back(cells.at(key));
    held->leaf_start.push_back(held->leaf_cells.size());
  }
  held->start.push_back(0);
  for (std::int32_t who = 0; who < respondents; ++who) {
    std::map<std::uint32_t, Units> amounts;
    for (const NaiveRecord& record : records) {
      if (record.respondent == who)
        amounts[leaf_number.at(record.codes)] += record.amount;
    }
    for (const auto& [leaf, amount] : amounts)
      held->parts.push_back({leaf, amount});
    held->start.push_back(held->parts.size());
  }
  return held;
}

inline Tabulation tabulate_naively(std::vector<Dimension> dimensions,
                                   std::vector<LinkedTable> tables,
                                   const std::vector<NaiveRecord>& records,
                                   int decimals = 0,
                                   int top = 100) {
  std::map<std::vector<std::int32_t>, std::map<std::int32_t, Contribution>> cells;
  std::map<std::vector<std::int32_t>, std::int64_t> counts;
  std::map<std::vector<std::int32_t>, std::set<std::vector<std::int32_t>>> keys_of_leaf;
  std::map<std::vector<std::int32_t>, std::uint32_t> numbers;
  std::vector<std::map<std::int32_t, std::set<std::int32_t>>> lines(dimensions.size());
  std::int32_t anonymous = -2;
  std::int32_t respondents = 0;
  for (const NaiveRecord& record : records) {
    std::set<std::vector<std::int32_t>> touched;
    for (const LinkedTable& table : tables) {
      std::vector<std::vector<std::int32_t>> keys(1);
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        auto& line = lines[d][record.codes[d]];
        if (line.empty())
          line = with_ancestors(dimensions[d], record.codes[d]);
        const bool used =
            std::count(
                table.dimensions.begin(), table.dimensions.end(), static_cast<std::int32_t>(d)) > 0;
        const std::set<std::int32_t> here =
            used ? line : std::set<std::int32_t>{dimensions[d].total()};
        std::vector<std::vector<std::int32_t>> longer;
        for (const auto& key : keys) {
          for (const std::int32_t code : here) {
            longer.push_back(key);
            longer.back().push_back(code);
          }
        }
        keys = longer;
      }
      touched.insert(keys.begin(), keys.end());
    }
    keys_of_leaf[record.codes] = touched;
    const std::int32_t who = record.respondent >= 0 ? record.respondent : anonymous--;
    respondents = std::max(respondents, record.respondent + 1);
    for (const auto& key : touched) {
      Contribution& one = cells[key][who];
      one.respondent = record.respondent;
      one.amount += record.amount;
      one.requested |= record.requested;
      one.waived |= record.waived;
      ++counts[key];
    }
  }
  Tabulation result{.decimals = decimals,
                    .top = top,
                    .dimensions = std::move(dimensions),
                    .tables = std::move(tables),
                    .codes = {},
                    .cells = {},
                    .respondents = {},
                    .holdings = nullptr};
  for (const auto& [key, contributions] : cells) {
    numbers.emplace(key, static_cast<std::uint32_t>(numbers.size()));
    std::vector<Contribution> all;
    for (const auto& [who, one] : contributions)
      all.push_back(one);
    result.codes.insert(result.codes.end(), key.begin(), key.end());
    result.cells.push_back(facts_of(all, top));
    result.cells.back().records = counts[key];
  }
  for (std::int32_t i = 0; i < respondents; ++i)
    result.respondents.push_back("r" + std::to_string(i));
  result.holdings = hold_naively(records, keys_of_leaf, numbers, respondents);
  return result;
}

// Leaves below one total.
inline Dimension flat(const std::string& name, std::vector<std::string> leaves) {
  Relation relation{0, {}};
  for (std::size_t i = 0; i < leaves.size(); ++i)
    relation.children.push_back(static_cast<std::int32_t>(i) + 1);
  leaves.insert(leaves.begin(), "Total");
  return std::move(Dimension::build(name, std::move(leaves), {relation})).value();
}

// A two-way table from the contributions of its inner cells, each of another respondent; rows are
// named A, B, ..., columns 1, 2, ...
inline Tabulation two_way_of(const std::vector<std::vector<std::vector<Units>>>& rows) {
  std::vector<std::string> names, numbers;
  std::vector<NaiveRecord> records;
  std::int32_t respondent = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    names.push_back(std::string(1, static_cast<char>('A' + r)));
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (r == 0)
        numbers.push_back(std::to_string(c + 1));
      for (const Units amount : rows[r][c]) {
        records.push_back(
            {.codes = {static_cast<std::int32_t>(r) + 1, static_cast<std::int32_t>(c) + 1},
             .respondent = respondent++,
             .amount = amount});
      }
    }
  }
  return tabulate_naively(
      {flat("row", names), flat("column", numbers)}, {{"table", {0, 1}}}, records);
}

// The cell with these codes, or -1.
inline std::int32_t find_cell(const Tabulation& tabulation, const std::vector<std::string>& codes) {
  const std::size_t width = tabulation.dimensions.size();
  for (std::size_t cell = 0; cell < tabulation.cells.size(); ++cell) {
    bool same = true;
    for (std::size_t d = 0; d < width; ++d)
      same = same && tabulation.dimensions[d].code(tabulation.codes[cell * width + d]) == codes[d];
    if (same)
      return static_cast<std::int32_t>(cell);
  }
  return -1;
}

}  // namespace lacuna::testing
