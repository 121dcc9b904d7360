// SPDX-License-Identifier: Apache-2.0
// What a store asks of a new table: which entries are compared, and what follows from the ends that
// were proven then.
#include "app/load/stored_periods.h"

#include <gtest/gtest.h>

#include "lacuna/count_rules.h"
#include "read_table.h"
#include "support/temporary_folder.h"

namespace lacuna::load {
namespace {

using testing::branches;
using testing::cell_at;
using testing::UniqueFolder;

constexpr const char* kCells =
    "branch;value;contributors;state;lower;upper\nall;60;;published;;\na;21;;published;;\n"
    "b;17;3;withheld;0;39\nc;22;;withheld;0;39\n";

void add(const std::string& folder, const std::string& period, bool revision = false) {
  const auto store = store::read_store(folder);
  ASSERT_TRUE(store) << store.error().text();
  store::StoreEntry entry;
  entry.period = period;
  entry.revision = revision;
  entry.at = "2026-05-01T00:00:00Z";
  entry.method = "suppress";
  entry.verdict = "protected";
  const Status done = store::add_entry(
      *store, entry, {{std::string(store::kCells), "cells.csv", kCells}});
  ASSERT_TRUE(done) << done.error().text();
}

// The periods of the entries that the run for `period` is compared with.
std::vector<std::string> compared(const std::string& folder, JobSpec::Store said) {
  said.folder = folder;
  const auto stored = read_stored(said, "job.toml:9:1", "", {"x.csv"});
  EXPECT_TRUE(stored) << stored.error().text();
  std::vector<std::string> titles;
  for (const std::size_t entry : stored->compared)
    titles.push_back(stored->store.entries[entry].title());
  return titles;
}

using Titles = std::vector<std::string>;

TEST(StoredPeriods, AllEarlierOnesOrTheLast) {
  const UniqueFolder folder;
  const std::string store = folder.file("kept");
  ASSERT_TRUE(store::make_store(store));
  for (const char* period : {"p1", "p2", "p3"})
    add(store, period);
  JobSpec::Store said;
  said.period = "p4";
  EXPECT_EQ(compared(store, said), (Titles{"p1", "p2", "p3"}));
  said.last = 2;
  EXPECT_EQ(compared(store, said), (Titles{"p2", "p3"}));
  said.last = 1;
  EXPECT_EQ(compared(store, said), Titles{"p3"});
  // A period that is in the store is judged with those before it ...
  said.last = 0;
  said.period = "p2";
  EXPECT_EQ(compared(store, said), Titles{"p1"});
  // ... and its correction with all, which count as one period for the last ones.
  said.revision = true;
  EXPECT_EQ(compared(store, said), (Titles{"p1", "p2", "p3"}));
  add(store, "p2", true);
  said = {};
  said.period = "p4";
  said.last = 2;
  EXPECT_EQ(compared(store, said), (Titles{"p2", "p2 (revision, entry 4)", "p3"}));
}

TEST(StoredPeriods, ThePeriodIsNamedByTheInput) {
  const UniqueFolder folder;
  const std::string store = folder.file("kept");
  ASSERT_TRUE(store::make_store(store));
  JobSpec::Store said;
  said.folder = "kept";
  const auto stored = read_stored(said, "w", folder.path().string(), {"data/2026-05.csv"});
  ASSERT_TRUE(stored) << stored.error().text();
  EXPECT_EQ(stored->period, "2026-05");
  said.folder = "";
  EXPECT_FALSE(read_stored(said, "w", folder.path().string(), {"x.csv"}));
  said.folder = "kept";
  EXPECT_FALSE(read_stored(said, "w", folder.path().string(), {})) << "nothing names it";
  said.revision = true;
  EXPECT_FALSE(read_stored(said, "w", folder.path().string(), {"x.csv"})) << "nothing to revise";
}

TEST(StoredPeriods, CellsComeBackByTheirCodes) {
  const UniqueFolder folder;
  const std::string path = folder.file("kept");
  ASSERT_TRUE(store::make_store(path));
  add(path, "p1");
  Stored stored;
  stored.store = store::read_store(path).value();
  const Problem problem = branches({60, 20, 19, 21});
  const auto read = read_stored_period(stored, 0, problem.table());
  ASSERT_TRUE(read) << read.error().text();
  const auto at = [&](const char* code) {
    return *read->cells[static_cast<std::size_t>(cell_at(problem.table(), code).value)];
  };
  EXPECT_TRUE(at("a").exact);
  EXPECT_EQ(at("a").value, "21");
  EXPECT_FALSE(at("b").exact);
  EXPECT_EQ(at("b").upper, "39");
  EXPECT_EQ(at("b").frequency, 3);
  const Problem other = testing::read_table("place;n\nall;5\nx;5\n", {"place"}, "value = \"n\"");
  const auto refused = read_stored_period(stored, 0, other.table());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOtherTable);
}

// ---- what is asked

Problem counted(const std::vector<Units>& values) {
  CountOptions options;
  options.threshold = 3;
  options.kinds = {CountKind::kExact};
  return with_count_rules(branches(values), options).value();
}

StoredCell published(Units value) {
  return {std::to_string(value), "", "", -1, true};
}

StoredCell withheld(Units value, const std::string& lower, const std::string& upper) {
  return {std::to_string(value), lower, upper, -1, false};
}

// Cells in the order all, a, b, c.
Stored with_periods(const std::vector<std::vector<StoredCell>>& periods) {
  Stored stored;
  const Problem problem = branches({60, 20, 19, 21});
  for (const auto& cells : periods) {
    StoredPeriod& period = stored.periods.emplace_back();
    period.name = "p" + std::to_string(stored.periods.size());
    period.cells.resize(static_cast<std::size_t>(problem.table().num_cells()));
    const std::vector<std::string> codes{"all", "a", "b", "c"};
    for (std::size_t i = 0; i < cells.size(); ++i)
      period.cells[static_cast<std::size_t>(cell_at(problem.table(), codes[i]).value)] = cells[i];
  }
  return stored;
}

struct Asked {
  StoredCounts counts;
  JudgedChanges changes;
  Problem problem;
};

Asked asked_by(const Stored& stored) {
  const Problem now = counted({60, 20, 19, 21});
  table::Appendix to(now);
  Asked made;
  auto counts = add_stored(to, now, stored, 0, made.changes);
  EXPECT_TRUE(counts) << counts.error().text();
  made.counts = *counts;
  auto built = std::move(to).build();
  EXPECT_TRUE(built) << built.error().text();
  made.problem = *std::move(built);
  return made;
}

TEST(StoredPeriods, AChangeSinceANumberThatIsOutIsOneCell) {
  const Asked made =
      asked_by(with_periods({{published(60), published(21), published(19), published(20)}}));
  EXPECT_EQ(made.counts.sensitive, 2);  // a and c by one person each
  EXPECT_EQ(made.counts.safe, 0);
  EXPECT_EQ(made.counts.asked, 2);
  EXPECT_EQ(made.problem.table().num_cells(), 6);
  ASSERT_EQ(made.changes.asked.size(), 2U);
  for (const AskedChange& each : made.changes.asked) {
    const Units change = made.problem.table().value(each.cell) - each.added;
    EXPECT_EQ(std::abs(change), 1);
    EXPECT_EQ(each.added, 1000);
  }
}

TEST(StoredPeriods, WhatWasWithheldThenMayMakeItSafe) {
  const Asked made = asked_by(
      with_periods({{published(60), withheld(21, "15", "25"), published(19), published(20)}}));
  EXPECT_EQ(made.counts.sensitive, 2);
  EXPECT_EQ(made.counts.safe, 1);
  EXPECT_EQ(made.counts.asked, 1);
}

TEST(StoredPeriods, OfTwoPeriodsOneAsksForBoth) {
  const std::vector<StoredCell> cells{published(60), published(21), published(19), published(20)};
  const Asked made = asked_by(with_periods({cells, cells}));
  EXPECT_EQ(made.counts.sensitive, 4);
  EXPECT_EQ(made.counts.implied, 2);
  EXPECT_EQ(made.counts.asked, 2);
  for (const AskedChange& each : made.changes.asked)
    EXPECT_EQ(each.since, "p2") << "of equals the latest";
}

TEST(StoredPeriods, EndsThatDoNotHoldTheValueAreDamage) {
  const Problem now = counted({60, 20, 19, 21});
  table::Appendix to(now);
  JudgedChanges changes;
  const auto counts = add_stored(
      to,
      now,
      with_periods({{published(60), withheld(21, "22", "25"), published(19), published(20)}}),
      0,
      changes);
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().code, ErrorCode::kDamaged);
}

}  // namespace
}  // namespace lacuna::load
