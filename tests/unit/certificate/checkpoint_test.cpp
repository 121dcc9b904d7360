// SPDX-License-Identifier: Apache-2.0
#include "data/certificate/checkpoint.h"

#include <gtest/gtest.h>

namespace lacuna::certificate {
namespace {

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.problem_sha256 = "ab12";
  checkpoint.stage = {SuppressStage::Name::kStarted, 12'345};
  checkpoint.options_sha256 = "cd34";
  checkpoint.withheld = {CellId{0}, CellId{7}};
  Displacement move;
  move.cells = {CellId{0}, CellId{7}};
  move.moves = {Integer(-3), *Integer::parse("123456789012345678901234567890")};
  move.denominator = 2;
  checkpoint.evidence = {move};
  return checkpoint;
}

TEST(Checkpoint, RoundTrip) {
  const std::string text = write_checkpoint(sample());
  const auto read = read_checkpoint(text, "cp", 8);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->problem_sha256, "ab12");
  EXPECT_EQ(read->stage, sample().stage);
  EXPECT_EQ(read->options_sha256, "cd34");
  EXPECT_EQ(read->withheld, sample().withheld);
  EXPECT_EQ(read->evidence, sample().evidence);
  Checkpoint empty;
  empty.problem_sha256 = "0";
  const auto bare = read_checkpoint(write_checkpoint(empty), "cp", 8);
  ASSERT_TRUE(bare);
  EXPECT_TRUE(bare->withheld.empty() && bare->evidence.empty());
}

// What is written can be read again: evidence too long for the reader is left out.
TEST(Checkpoint, LeavesOutEvidenceThatIsTooLong) {
  Checkpoint saved;
  saved.problem_sha256 = "abc";
  saved.withheld = {CellId{1}};
  saved.evidence.push_back({{CellId{1}}, {*Integer::parse(std::string(300, '7'))}, 1});
  saved.evidence.push_back({{CellId{1}}, {Integer(7)}, 2});
  const auto again = read_checkpoint(write_checkpoint(saved), "c", 3);
  ASSERT_TRUE(again) << again.error().text();
  ASSERT_EQ(again->evidence.size(), 1U);
  EXPECT_EQ(again->evidence[0].denominator, 2);
}

// Files of before there were stages.
TEST(Checkpoint, ReadsTheFirstVersion) {
  const auto read = read_checkpoint("lacuna-checkpoint 1\nproblem ab\nwithheld 1\nend\n", "cp", 3);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->stage, SuppressStage());
  EXPECT_EQ(read->withheld, std::vector<CellId>{CellId{1}});
}

TEST(Checkpoint, RefusesStagesThatCannotBe) {
  const std::string head = "lacuna-checkpoint 2\nproblem ab\nstage ";
  const std::string tail = " cd\nwithheld 1\nend\n";
  EXPECT_TRUE(read_checkpoint(head + "started 5" + tail, "cp", 3));
  for (const char* bad :
       {"begun 5", "started -5", "started 5.5", "started", "started 99999999999999999999"})
    EXPECT_FALSE(read_checkpoint(head + bad + tail, "cp", 3)) << bad;
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const std::string text = write_checkpoint(sample());
  const auto trouble = [](const std::string& bad) {
    const auto read = read_checkpoint(bad, "cp", 8);
    return read ? std::string() : read.error().text();
  };
  EXPECT_EQ(trouble("x"), "cp:1: this is not a checkpoint");
  EXPECT_EQ(trouble(""), "cp:1: this is not a checkpoint");
  for (std::size_t cut = 0; cut + 2 < text.size(); ++cut)
    EXPECT_NE(trouble(text.substr(0, cut)), "") << cut;
  const auto read = read_checkpoint(text, "cp", 7);  // a table without cell 7
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().text(), "cp:4: expected the index of a cell");
  std::string backwards = text;
  backwards.replace(backwards.find("0:-3 7:"), 7, "7:-3 0:");
  EXPECT_EQ(trouble(backwards), "cp:5: expected a denominator and pairs CELL:MOVE by rising cell");
}

}  // namespace
}  // namespace lacuna::certificate
