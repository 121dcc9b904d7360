// SPDX-License-Identifier: Apache-2.0
#include "app/check/store.h"

#include <gtest/gtest.h>

#include "data/files/file.h"
#include "support/temporary_folder.h"

namespace lacuna::checking {
namespace {

StoreEntry entry_of(const std::string& name) {
  StoreEntry entry;
  entry.at = "2026-01-02T03:04:05Z";
  entry.by = "A \"B\" C";
  entry.threshold = 10;
  entry.decisions.push_back({name, "00ff", "pass", true, {}});
  CheckTable table;
  table.name = table.file = name;
  table.subset_text = "age >= 18";
  table.subset = *conditions_of("age >= 18", "");
  table.dimensions.push_back({"sex", "Sex", "All", {{"All", {"F", "M"}}}, false});
  table.rows.push_back({{"F"}, "12", std::nullopt, "", "a.csv:2:3", {}});
  table.rows.push_back({{"M"}, "", infer::range_of("<5"), "<5", "a.csv:3:3", {}});
  entry.tables.push_back(table);
  return entry;
}

class StoreTest : public ::testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "p.released.log").string(); }
  Store read() const {
    const auto store = read_store(path());
    EXPECT_TRUE(store) << store.error().text();
    return *store;
  }

 private:
  lacuna::testing::UniqueFolder folder_;
};

TEST_F(StoreTest, WhatWasAddedIsReadAgain) {
  EXPECT_TRUE(read().entries.empty());
  ASSERT_TRUE(append_to_store(read(), entry_of("a.csv")));
  ASSERT_TRUE(append_to_store(read(), entry_of("b.csv")));
  const Store store = read();
  ASSERT_EQ(store.entries.size(), 2U);
  EXPECT_EQ(store.entries[1].number, 2);
  EXPECT_EQ(store.entries[0].by, "A \"B\" C");
  const CheckTable& table = store.entries[1].tables.front();
  EXPECT_EQ(table.dimensions.front().relations.front().children.size(), 2U);
  EXPECT_EQ(table.rows[0].number, "12");
  ASSERT_TRUE(table.rows[1].range);
  EXPECT_EQ(table.rows[1].range->upper, "5");
  EXPECT_EQ(table.subset.front().text, "age>=18");
  EXPECT_NE(store.release_of("00ff"), nullptr);
  EXPECT_EQ(store.release_of("ff00"), nullptr);
}

TEST_F(StoreTest, WhoeverReadAnOlderStoreMayNotAdd) {
  const Store before = read();
  ASSERT_TRUE(append_to_store(before, entry_of("a.csv")));
  const Status again = append_to_store(before, entry_of("b.csv"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "another run has added to the store; run this one again");
}

TEST_F(StoreTest, EveryChangeIsFound) {
  for (const char* name : {"a.csv", "b.csv", "c.csv"})
    ASSERT_TRUE(append_to_store(read(), entry_of(name)));
  const std::string good = *files::read_file(path());
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < good.size(); at = good.find('\n', at) + 1)
    lines.push_back(good.substr(at, good.find('\n', at) - at + 1));
  ASSERT_EQ(lines.size(), 3U);
  std::vector<std::string> damaged{lines[0] + lines[2],              // one is taken out
                                   lines[1] + lines[2],              // the first is
                                   lines[0] + lines[0] + lines[1],   // one stands twice
                                   lines[1] + lines[0] + lines[2],   // another order
                                   good.substr(0, good.size() - 1),  // cut
                                   good + "{}\n",
                                   good + "\n"};
  for (std::size_t i = 0; i < good.size(); i += 37) {
    damaged.push_back(good);
    damaged.back()[i] = damaged.back()[i] == 'x' ? 'y' : 'x';
  }
  for (const std::string& text : damaged) {
    ASSERT_TRUE(files::write_file_atomically(path(), text));
    EXPECT_FALSE(read_store(path())) << text;
  }
}

}  // namespace
}  // namespace lacuna::checking
