// SPDX-License-Identifier: Apache-2.0
// Which changes are sensitive where there are no records of contributors.
#include "app/load/sensitive_changes.h"

#include <gtest/gtest.h>

#include "lacuna/count_rules.h"
#include "read_table.h"

namespace lacuna::load {
namespace {

using testing::branches;
using testing::cell_at;
using testing::read_table;

constexpr const char* kWhere = "job.toml:9:1";

Problem counted(const std::vector<Units>& values, std::int64_t threshold) {
  CountOptions options;
  options.threshold = threshold;
  options.kinds = {CountKind::kExact};
  return with_count_rules(branches(values), options).value();
}

Problem firms(const std::vector<Units>& numbers) {
  return read_table("branch;v;firms\nall;100;" + std::to_string(numbers[0]) + "\na;60;" +
                        std::to_string(numbers[1]) + "\nb;40;" + std::to_string(numbers[2]) + "\n",
                    {"branch"},
                    "value = \"v\"\nfrequency = \"firms\"");
}

// Codes and contributors of the sensitive changes.
std::map<std::string, std::int64_t> sensitive(const Problem& now,
                                              const Problem& before,
                                              const JobSpec::Changes& said,
                                              std::int64_t least,
                                              std::string* error = nullptr) {
  const std::optional<Problem> none;
  const std::string where = kWhere;
  ComparedPeriod compared{now, {}, said, where, none, false, least};
  for (const CellId cell : same_cells(now.table(), before.table())) {
    const Cell& then = before.table().cell(cell);
    compared.then.push_back(ThenCell{then.value, then.frequency});
  }
  const auto found = sensitive_changes(compared);
  if (!found) {
    if (error != nullptr)
      *error = found.error().text();
    return {};
  }
  std::map<std::string, std::int64_t> codes;
  for (const auto& [cell, change] : *found) {
    EXPECT_EQ(change.needs.size(), 1U);
    codes[now.table().dimensions()[0].code(now.table().codes(CellId{cell})[0])] =
        change.contributors;
  }
  return codes;
}

using Changes = std::map<std::string, std::int64_t>;

TEST(SensitiveChanges, CountsThatRiseOrFallByFewPersons) {
  const Problem now = counted({60, 20, 19, 21}, 3);
  EXPECT_EQ(sensitive(now, branches({60, 21, 17, 22}), {}, 0),
            (Changes{{"a", 1}, {"b", 2}, {"c", 1}}));
  EXPECT_EQ(sensitive(now, branches({57, 20, 16, 21}), {}, 0), Changes{}) << "three is enough";
}

TEST(SensitiveChanges, NewContributorsOfTablesThatAreCumulated) {
  JobSpec::Changes said;
  said.cumulated = true;
  EXPECT_EQ(sensitive(firms({12, 6, 6}), firms({9, 5, 4}), said, 3), (Changes{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(sensitive(firms({12, 6, 6}), firms({12, 6, 6}), said, 3), Changes{});
}

TEST(SensitiveChanges, WhoseTheyAreCannotAlwaysBeTold) {
  std::string error;
  sensitive(firms({12, 6, 6}), firms({9, 5, 4}), {}, 3, &error);
  EXPECT_NE(error.find("whose contributions have changed cannot be told from two tables"),
            std::string::npos);
  EXPECT_EQ(error.substr(0, 13), std::string(kWhere) + ":");
  JobSpec::Changes said;
  said.cumulated = true;
  error.clear();
  sensitive(branches({60, 20, 19, 21}), branches({60, 21, 17, 22}), said, 3, &error);
  EXPECT_FALSE(error.empty()) << "no numbers of contributors";
}

TEST(SensitiveChanges, ALevelAsksForADistance) {
  const Problem now = counted({60, 20, 19, 21}, 3);
  const Problem before = branches({59, 19, 19, 21});
  const std::optional<Problem> none;
  const std::string where = kWhere;
  JobSpec::Changes said;
  said.level.text = "150";
  ComparedPeriod compared{now, {}, said, where, none, false, 0};
  for (const CellId cell : same_cells(now.table(), before.table()))
    compared.then.push_back(ThenCell{before.table().value(cell), -1});
  const auto found = sensitive_changes(compared);
  ASSERT_TRUE(found) << found.error().text();
  const Requirement& need = found->at(cell_at(now.table(), "a").value).needs.front();
  EXPECT_EQ(need.lower, 2);  // 150% of one person, rounded up
  EXPECT_EQ(need.upper, 2);
  EXPECT_EQ(need.sliding, 0);
}

TEST(SensitiveChanges, CellsAreTheSameByTheirCodes) {
  const Problem one = branches({60, 20, 19, 21});
  const Problem other = read_table("branch;n\nc;5\na;7\nall;12\n", {"branch"}, "value = \"n\"");
  const std::vector<CellId> same = same_cells(one.table(), other.table());
  EXPECT_EQ(other.table().value(same[static_cast<std::size_t>(cell_at(one.table(), "a").value)]), 7);
  EXPECT_EQ(other.table().value(same[static_cast<std::size_t>(cell_at(one.table(), "c").value)]), 5);
  EXPECT_LT(same[static_cast<std::size_t>(cell_at(one.table(), "b").value)].value, 0);
}

TEST(SensitiveChanges, TheNumberThatIsAddedIsBeyondAllCounts) {
  EXPECT_EQ(shift_of(0), 1000);
  EXPECT_EQ(shift_of(100), 1000);
  EXPECT_EQ(shift_of(101), 10'000);
  EXPECT_EQ(shift_of(123'456), 10'000'000);
}

}  // namespace
}  // namespace lacuna::load
