// SPDX-License-Identifier: Apache-2.0
// Random records against an implementation that keeps every contributor of every cell in a map.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/random.h"
#include "unit/tabulate/cells.h"

namespace lacuna {
namespace {

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

std::string zone_of(const std::string& area) {
  return area < "r4" ? "west" : "east";
}
std::string kind_of(const std::string& area) {
  return (area.back() - '0') % 2 == 0 ? "town" : "land";
}

std::vector<PlainRecord> random_records(Random& random, bool negative) {
  std::vector<PlainRecord> records;
  const auto count = random.between(1, 1500);
  const auto respondents = random.between(1, 300);
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

RowRecords as_rows(const std::vector<PlainRecord>& records) {
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

struct PlainShare {
  std::string name;
  std::size_t first = 0;  // record
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

std::vector<std::vector<std::string>> codes_above(const PlainRecord& r) {
  const std::string size = r.size.empty() ? "?" : r.size;
  return {{"Total", r.act.substr(0, 1), r.act},
          {"Total", zone_of(r.area), kind_of(r.area), r.area},
          {"Total", size}};
}

// All combinations for the tables act x area x size (or act x area and area x size if linked).
std::set<CellNames> cells_of(const PlainRecord& record, bool linked) {
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

std::map<CellNames, PlainCell> plain_tabulate(const std::vector<PlainRecord>& records,
                                              bool linked,
                                              bool weighted) {
  std::map<CellNames, PlainCell> cells;
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const PlainRecord& r = records[i];
    const std::string name = r.holding.empty() ? "R" + r.respondent : "H" + r.holding;
    first.try_emplace(name, i);
    const Units amount = weighted ? r.tenths * r.quarters * 25 : r.tenths;
    for (const CellNames& names : cells_of(r, linked)) {
      PlainCell& cell = cells[names];
      cell.value += amount;
      cell.records += 1;
      cell.hundredths += r.quarters * 25;
      PlainShare& share = cell.shares[name];
      share.name = name;
      share.first = first[name];
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
                                                    : a.first < b.first;
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
  ASSERT_TRUE(tabulation.holdings);
  const Holdings& held = *tabulation.holdings;
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

TabulateOptions random_options(Random& random, bool linked, bool weighted, bool negative) {
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
  options.keep_holdings = true;
  return options;
}

TEST(RandomTabulate, EqualsThePlainImplementationWithAnyThreads) {
  const char* given = std::getenv("LACUNA_SEED");
  const std::uint64_t start = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  for (std::uint64_t seed = start; seed < start + 24; ++seed) {
    SCOPED_TRACE("LACUNA_SEED=" + std::to_string(seed));
    Random random(seed);
    const bool linked = random.chance(1, 2);
    const bool weighted = random.chance(1, 2);
    const bool negative = random.chance(1, 2);
    const auto records = random_records(random, negative);
    const TabulateOptions options = random_options(random, linked, weighted, negative);
    const auto plain = plain_tabulate(records, linked, weighted);
    for (const int threads : {1, 2, 4}) {
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
}  // namespace lacuna
