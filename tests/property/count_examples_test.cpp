// SPDX-License-Identifier: Apache-2.0
// The smallest tables in which whole numbers tell what reals leave open, through `protect`: their
// pattern is where suppression begins, the audit refutes it, and what is released in the end passes
// the audit and withholds all of the pattern.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "data/problems/problem_json.h"
#include "lacuna/audit.h"
#include "lacuna/protect.h"
#include "support/test_data.h"

namespace lacuna {
namespace {

const std::filesystem::path kFolder = testing::test_data("counts/integer");

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::int32_t> numbers_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istream_iterator<std::int32_t>(file), {}};
}

// The cells of the pattern that are free become withheld ones, whatever else is published.
std::string with_pattern(std::string text, const std::set<std::int32_t>& pattern) {
  const std::string word = "\"status\": \"";
  std::size_t at = text.find(word);
  for (std::int32_t cell = 0; at != std::string::npos; ++cell, at = text.find(word, at + 1)) {
    const std::size_t begin = at + word.size();
    if (pattern.contains(cell) && text.compare(begin, 5, "free\"") == 0)
      text.replace(begin, 4, "withheld");
  }
  return text;
}

// Nobody may be able to tell the primaries exactly, and nothing else is asked.
std::shared_ptr<const Problem> asked_of(const std::filesystem::path& stem,
                                        const std::set<std::int32_t>& pattern) {
  auto read =
      problems::read_problem_json(with_pattern(text_of(stem.string() + ".json"), pattern), "");
  EXPECT_TRUE(read) << read.error().text();
  Problem problem = *std::move(read);
  problem.drop_requirements([](const Requirement&) { return true; });
  CountRules rules;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status != CellStatus::kPrimary)
      continue;
    CountQuestion question;
    question.kind = CountKind::kExact;
    question.attacker = 0;
    question.cell = CellId{c};
    question.form = {{CellId{c}, 1}};
    rules.questions.push_back(std::move(question));
  }
  EXPECT_TRUE(problem.set_counts(std::move(rules)));
  return std::make_shared<const Problem>(std::move(problem));
}

class CountExamples : public ::testing::TestWithParam<const char*> {};

TEST_P(CountExamples, SuppressionGoesOnFromTheirPattern) {
  const std::filesystem::path stem = kFolder / GetParam();
  const auto pattern = numbers_in(stem.string() + ".withheld");
  const auto problem = asked_of(stem, pattern);
  ASSERT_FALSE(problem->counts()->questions.empty());
  Draft given;
  for (const std::int32_t cell : pattern)
    given.withhold(CellId{cell});
  const auto before = Auditor(problem).audit(given, {}, RunContext{});
  ASSERT_TRUE(before) << before.error().text();
  const bool told = before->verdict == Verdict::kExposed;
  EXPECT_EQ(told, std::string(GetParam()) != "geo_hole");  // there two values are left

  const auto found = protect(problem, {}, RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_TRUE(found->complete) << found->reason;
  const auto decided = decide_release(problem, *found, {}, RunContext{});
  ASSERT_TRUE(decided) << decided.error().text();
  ASSERT_TRUE(decided->release) << refusal_text(decided->refusal);
  const auto again = Auditor(problem).audit(found->draft, {}, RunContext{});
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->verdict, Verdict::kProtected);
  for (const std::int32_t cell : pattern)
    EXPECT_EQ(found->draft.state(CellId{cell}), StatementKind::kWithheld) << cell;
  const auto withheld = static_cast<std::size_t>(found->draft.count(StatementKind::kWithheld));
  EXPECT_EQ(withheld > pattern.size(), told);
}

INSTANTIATE_TEST_SUITE_P(All,
                         CountExamples,
                         ::testing::Values("pigeonhole",
                                           "oneway",
                                           "geo_rounding_fails",
                                           "geo_hole",
                                           "trees_rounding_fails"));

}  // namespace
}  // namespace lacuna
