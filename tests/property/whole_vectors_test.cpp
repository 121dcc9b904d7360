// SPDX-License-Identifier: Apache-2.0
// Tables of counts whose whole-number values were listed by another program (enumeration of all
// tables): for every withheld cell the ends and all values, with confirmed evidence.
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "data/jobfile/problem_file.h"
#include "judge/attack/checker.h"
#include "judge/attack/integer_tree.h"
#include "judge/attack/search.h"
#include "lacuna/draft.h"
#include "support/test_data.h"
#include "support/whole_evidence.h"

namespace lacuna {
namespace {

using testing::FiledReach;

const std::filesystem::path kFolder = testing::test_data("counts/integer");

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The object "whole_number_values" alone: a label, and a list of numbers.
std::map<std::string, std::set<Units>> listed_values(const std::string& text) {
  std::map<std::string, std::set<Units>> result;
  std::size_t at = text.find("{", text.find("\"whole_number_values\""));
  const std::size_t end = text.find("}", at);
  while ((at = text.find("\"", at)) < end) {
    const std::size_t close = text.find("\"", at + 1);
    std::set<Units>& values = result[text.substr(at + 1, close - at - 1)];
    const std::size_t last = text.find("]", close);
    for (std::size_t i = text.find("[", close) + 1; i < last; ++i) {
      Units value = 0;
      const auto parsed = std::from_chars(text.data() + i, text.data() + last, value);
      if (parsed.ec != std::errc())
        continue;
      values.insert(value);
      i = static_cast<std::size_t>(parsed.ptr - text.data());
    }
    at = last;
  }
  return result;
}

std::string codes_text(const Table& table, CellId cell) {
  std::string text;
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d) {
    text += d == 0 ? "" : "|";
    text += table.dimensions()[d].code(codes[d]);
  }
  return text;
}

Draft withheld_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  Draft draft;
  for (std::int32_t cell = 0; file >> cell;)
    draft.withhold(CellId{cell});
  return draft;
}

void check_cell(const attack::AttackView& view, CellId cell, const std::set<Units>& expected) {
  const Table& table = view.table();
  const LinearForm form{{cell, 1}};
  attack::Search search(view, {});
  const Units value = table.value(cell);
  for (const Direction direction : {Direction::kLow, Direction::kHigh}) {
    FiledReach filed(search.extent(form, direction, RunContext{}));
    ASSERT_TRUE(filed.confirm(table, view.slacks(), form, direction));
    ASSERT_TRUE(filed.end.exact());
    const Units end =
        direction == Direction::kHigh ? *expected.rbegin() - value : value - *expected.begin();
    EXPECT_EQ(filed.end.bound, end);
  }
  const auto found =
      search.values(form, *expected.begin() - value, *expected.rbegin() - value, RunContext{});
  ASSERT_TRUE(found);
  std::set<Units> values;
  for (const attack::FormValue& each : *found)
    values.insert(value + each.move);
  EXPECT_EQ(values, expected);
}

TEST(WholeVectors, EveryWithheldCell) {
  std::size_t cells = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    const std::size_t ending = name.find(".expected.json");
    if (ending == std::string::npos)
      continue;
    SCOPED_TRACE(name);
    const std::filesystem::path stem = kFolder / name.substr(0, ending);
    const auto problem = jobfile::read_problem(stem.string() + ".json");
    ASSERT_TRUE(problem) << problem.error().text();
    const Table& table = problem->table();
    const Draft draft = withheld_in(stem.string() + ".withheld");
    const attack::AttackView view(
        table, attack::attacker_slacks(table, draft, problem->attackers().front()), {}, nullptr);
    const auto expected = listed_values(text_of(entry.path()));
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const auto listed = expected.find(codes_text(table, CellId{c}));
      if (listed == expected.end())
        continue;
      SCOPED_TRACE(listed->first);
      check_cell(view, CellId{c}, listed->second);
      ++cells;
    }
  }
  EXPECT_GT(cells, 50U);
}

}  // namespace
}  // namespace lacuna
