// SPDX-License-Identifier: Apache-2.0
// Random records against an implementation that keeps every contributor of every cell in a map.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "unit/tabulate/random_records.h"

namespace lacuna::tabulation {
namespace {

struct PlainShare {
  std::string name;
  Units amount = 0;
  bool requested = false;
  bool waived = true;
};
struct PlainCell {
  Units value = 0;
  std::int64_t records = 0;
  Units hundredths = 0;  // of weights
  std::map<std::string, PlainShare> shares;
};

std::map<CellNames, PlainCell> plain_tabulate(const std::vector<PlainRecord>& records,
                                              bool linked,
                                              bool weighted) {
  std::map<CellNames, PlainCell> cells;
  for (const PlainRecord& r : records) {
    const std::string name = r.holding.empty() ? "R" + r.respondent : "H" + r.holding;
    const Units amount = weighted ? r.tenths * r.quarters * 25 : r.tenths;
    for (const CellNames& names : cells_of(r, linked)) {
      PlainCell& cell = cells[names];
      cell.value += amount;
      cell.records += 1;
      cell.hundredths += r.quarters * 25;
      PlainShare& share = cell.shares[name];
      share.name = name;
      share.amount += amount;
      share.requested = share.requested || r.requested;
      share.waived = share.waived && r.waived;
    }
  }
  return cells;
}

std::vector<PlainShare> sorted_shares(const PlainCell& cell) {
  std::vector<PlainShare> shares;
  for (const auto& [name, share] : cell.shares)
    shares.push_back(share);
  std::sort(shares.begin(), shares.end(), [](const PlainShare& a, const PlainShare& b) {
    return std::abs(a.amount) != std::abs(b.amount) ? std::abs(a.amount) > std::abs(b.amount)
                                                    : a.name < b.name;
  });
  return shares;
}

void expect_same(const CellFacts& facts,
                 const PlainCell& plain,
                 const Tabulation& tabulation,
                 bool weighted) {
  EXPECT_EQ(facts.value, plain.value);
  EXPECT_EQ(facts.records, plain.records);
  EXPECT_EQ(facts.contributors, static_cast<std::int64_t>(plain.shares.size()));
  EXPECT_EQ(facts.weighted, weighted ? (plain.hundredths + 50) / 100 : plain.records);
  const auto shares = sorted_shares(plain);
  Units absolute = 0;
  for (const PlainShare& share : shares)
    absolute += std::abs(share.amount);
  EXPECT_EQ(facts.absolute, absolute);
  ASSERT_EQ(facts.largest.size(),
            std::min(shares.size(), static_cast<std::size_t>(tabulation.top)));
  for (std::size_t i = 0; i < facts.largest.size(); ++i) {
    const Contribution& got = facts.largest[i];
    EXPECT_EQ(got.amount, shares[i].amount);
    EXPECT_EQ(got.requested, shares[i].requested);
    EXPECT_EQ(got.waived, shares[i].waived);
    EXPECT_EQ(tabulation.respondents[static_cast<std::size_t>(got.respondent)],
              shares[i].name.substr(1));
  }
}

// What each respondent adds to each cell by the holdings is what the cells list of it.
void expect_holdings(const Tabulation& tabulation) {
  ASSERT_TRUE(tabulation.contributions);
  const LeafContributions& held = *tabulation.contributions;
  ASSERT_EQ(held.start.size(), tabulation.respondents.size() + 1);
  std::map<std::pair<std::size_t, std::int32_t>, Units> amounts;  // cell and respondent
  for (std::size_t who = 0; who < tabulation.respondents.size(); ++who) {
    for (std::size_t i = held.start[who]; i < held.start[who + 1]; ++i) {
      const std::uint32_t leaf = held.parts[i].leaf;
      for (std::size_t c = held.leaf_start[leaf]; c < held.leaf_start[leaf + 1]; ++c)
        amounts[{held.leaf_cells[c], static_cast<std::int32_t>(who)}] += held.parts[i].amount;
    }
  }
  for (std::size_t cell = 0; cell < tabulation.cells.size(); ++cell) {
    for (const Contribution& one : tabulation.cells[cell].largest)
      EXPECT_EQ(amounts.at({cell, one.respondent}), one.amount);
  }
}

TEST(RandomTabulate, EqualsThePlainImplementationWithAnyThreads) {
  const char* given = std::getenv("LACUNA_SEED");
  const std::uint64_t start = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  for (std::uint64_t seed = start; seed < start + 24; ++seed) {
    SCOPED_TRACE("LACUNA_SEED=" + std::to_string(seed));
    base::Random random(seed);
    const bool linked = random.chance(1, 2);
    const bool weighted = random.chance(1, 2);
    const bool negative = random.chance(1, 2);
    const auto records = random_records(random, negative);
    const TabulateOptions options = random_options(random, linked, weighted, negative);
    const auto plain = plain_tabulate(records, linked, weighted);
    for (const int threads : {1, 2, 3, 4}) {
      RowRecords rows = as_rows(records);
      RunContext run;
      run.threads = threads;
      const auto result = tabulate(rows, options, run);
      ASSERT_TRUE(result) << result.error().text();
      expect_holdings(*result);
      const auto cells = cells_by_name(*result);
      ASSERT_EQ(cells.size(), plain.size());
      for (const auto& [names, cell] : plain) {
        ASSERT_TRUE(cells.contains(names));
        expect_same(cells.at(names), cell, *result, weighted);
      }
      const auto table = table_of(*result);
      ASSERT_TRUE(table) << table.error().text();
    }
  }
}

}  // namespace
}  // namespace lacuna::tabulation
