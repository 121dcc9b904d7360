// SPDX-License-Identifier: Apache-2.0
#include "data/problems/apriori.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"

namespace lacuna::problems {
namespace {

// Total > A (> A1 alone) and B; Total > 1, 2.
std::vector<Dimension> dimensions() {
  return {std::move(Dimension::build("NACE", {"Total", "A", "A1", "B"}, {{0, {1, 3}}, {1, {2}}}))
              .value(),
          std::move(Dimension::build("REG", {"Total", "1", "2"}, {{0, {1, 2}}})).value()};
}

Result<AprioriFile> from_csv(const std::string& text, AprioriOptions options = {}) {
  return read_apriori_csv(text, "m.csv", dimensions(), 2, options);
}
Result<AprioriFile> from_hst(const std::string& text, AprioriOptions options = {';'}) {
  return read_hst(text, "m.hst", dimensions(), 2, options);
}

TEST(Apriori, CsvSaysWhatItSays) {
  const auto file = from_csv(
      "REG,status,NACE,cost,lower,upper,sliding,lower_bound,upper_bound\n"
      "1,unsafe,A,,1.005,2,,0,inf\n"
      ",P,B,2.5,,,,,\n");
  ASSERT_TRUE(file) << file.error().text();
  ASSERT_EQ(file->entries.size(), 2u);
  const AprioriEntry& first = file->entries[0];
  EXPECT_EQ(first.codes, (std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(first.status, AprioriStatus::kUnsafe);
  EXPECT_EQ(first.lower, 101);  // levels are rounded up
  EXPECT_EQ(first.upper, 200);
  EXPECT_EQ(first.sliding, std::nullopt);
  EXPECT_EQ(first.lower_bound, 0);
  EXPECT_EQ(first.upper_bound, kUnboundedAbove);
  EXPECT_EQ(first.where, "m.csv:2:1");
  const AprioriEntry& second = file->entries[1];
  EXPECT_EQ(second.codes, (std::vector<std::int32_t>{3, 0}));
  EXPECT_EQ(second.status, AprioriStatus::kMustPublish);
  EXPECT_EQ(second.cost, 2.5);
  EXPECT_FALSE(second.has_levels() || second.has_bounds());
}

TEST(Apriori, HstHasTheActionsOfTauArgus) {
  const auto file = from_hst(
      "A;1;u\n"
      "A;1;PL;3;4.25\r\n"
      "\n"
      "\"B\";;C;0\n"
      "B;2;ml\n"
      "Total;;S\n"
      ";2;W;7.5");
  ASSERT_TRUE(file) << file.error().text();
  ASSERT_EQ(file->entries.size(), 6u);
  EXPECT_EQ(file->entries[0].status, AprioriStatus::kUnsafe);
  EXPECT_EQ(file->entries[1].lower, 300);
  EXPECT_EQ(file->entries[1].upper, 425);
  EXPECT_EQ(file->entries[1].where, "m.hst:2:1");
  EXPECT_EQ(file->entries[2].cost, 1);
  EXPECT_EQ(file->entries[3].status, AprioriStatus::kSecondary);
  EXPECT_EQ(file->entries[4].status, AprioriStatus::kSafe);
  EXPECT_EQ(file->entries[5].cost, 7.5);
  EXPECT_EQ(file->entries[5].codes, (std::vector<std::int32_t>{0, 2}));
}

std::vector<AprioriEntry> without_places(AprioriFile file) {
  for (AprioriEntry& entry : file.entries)
    entry.where.clear();
  return file.entries;
}

TEST(Apriori, RoundTrips) {
  const auto file = from_hst("A;1;U\nA;1;PL;3;4.25\nB;2;C;2.5\nB;Total;P\nB;1;M\n");
  ASSERT_TRUE(file);
  const auto hst = write_hst(file->entries, dimensions(), 2, ';');
  ASSERT_TRUE(hst);
  EXPECT_EQ(hst.value(), "A;1;U\nA;1;PL;3;4.25\nB;2;C;2.5\nB;Total;P\nB;1;M\n");
  std::vector<AprioriEntry> entries = without_places(file.value());
  entries[0].sliding = 700;
  entries[0].lower_bound = kUnboundedBelow;
  entries[2].upper_bound = kUnboundedAbove;
  const auto again = from_csv(write_apriori_csv(entries, dimensions(), 2, ','));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(without_places(again.value()), entries);
  EXPECT_FALSE(write_hst(entries, dimensions(), 2, ';'));
  entries = {{.codes = {0, 0}, .lower = 1}};
  EXPECT_FALSE(write_hst(entries, dimensions(), 2, ';'));
}

TEST(Apriori, ExpandsOneChildLevels) {
  AprioriOptions options{';'};
  options.expand_trivial = true;
  const auto file = from_hst("A1;1;U\n", options);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->entries.size(), 2u);
  EXPECT_FALSE(file->entries[0].if_present);
  EXPECT_EQ(file->entries[1].codes, (std::vector<std::int32_t>{1, 1}));
  EXPECT_TRUE(file->entries[1].if_present);
}

TEST(Apriori, SkipsBadLinesOnDemand) {
  AprioriOptions options{';'};
  options.ignore_errors = true;
  const auto file = from_hst("A;1;U\nZ;1;U\nA;1;X\nA;2;S\n", options);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->entries.size(), 2u);
  EXPECT_EQ(file->skipped, 2);
}

std::string said(const Result<AprioriFile>& result) {
  return result ? "no error" : base::in_full(result.error().text());
}

TEST(Apriori, ErrorsNameThePlace) {
  EXPECT_EQ(said(from_csv("NACE,REG,status\nA,1,maybe\n")),
            "m.csv:2:5: the status 'maybe' is not one of S, U, P, M");
  EXPECT_EQ(said(from_csv("NACE,REG,status\nA,9,U\n")), "m.csv:2:3: dimension REG has no code '9'");
  EXPECT_EQ(said(from_csv("NACE,REG,statis\nA,1,U\n")),
            "m.csv:1:1: the column 'statis' is neither a dimension nor one of status, cost, lower, "
            "upper, sliding, lower_bound, upper_bound; did you mean 'status'?");
  EXPECT_EQ(said(from_csv("NACE,REG,cost,cost\nA,1,1,2\n")),
            "m.csv:1:1: there are two columns 'cost'");
  EXPECT_EQ(said(from_csv("NACE,REG,cost\nA,1,-2\n")), "m.csv:2:5: a cost may not be negative");
  EXPECT_EQ(said(from_csv("NACE,REG,lower\nA,1,-2\n")),
            "m.csv:2:5: a protection level may not be negative");
  EXPECT_EQ(said(from_hst("A;1;U\nA;1;PL;3\n")), "m.hst:2:5: the action 'PL' takes 2 numbers");
  EXPECT_EQ(said(from_hst("A;1;Q\n")), "m.hst:1:5: the action 'Q' is not one of S, U, P, M, C, PL");
  EXPECT_EQ(said(from_hst("A;1;AB;1;2\n")),
            "m.hst:1:5: bounds (AB) cannot be set here; use a CSV file with lower_bound");
  EXPECT_EQ(said(from_hst("A,1,U\n")), "m.hst:1:1: the first line has no separator ';'");
  EXPECT_EQ(said(from_hst("A;1;U\nA;1\n")),
            "m.hst:2:1: the line has 2 fields, but 2 codes and an action are expected");
  EXPECT_EQ(said(from_hst("A;1;C;x\n")), "m.hst:1:7: the cost 'x' is not a number");
}

}  // namespace
}  // namespace lacuna::problems
