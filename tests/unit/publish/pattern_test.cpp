// SPDX-License-Identifier: Apache-2.0
#include "data/publish/pattern.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "support/random_problem.h"

namespace lacuna::publish {
namespace {

Table small_table() {
  const Dimension rows = Dimension::build("R", {"T", "a", "b"}, {{0, {1, 2}}}).value();
  TableBuilder builder(2, {rows});
  const Units values[] = {3075, 1050, 2025};
  for (std::int32_t c = 0; c < 3; ++c) {
    Cell cell;
    cell.value = values[c];
    static_cast<void>(builder.add_cell(cell, std::vector<std::int32_t>{c}).value());
  }
  static_cast<void>(
      builder.add_equation(std::vector<Term>{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}})
          .value());
  return std::move(builder).build().value();
}

std::string error_of(const std::string& text) {
  const auto draft = read_pattern(text, "p", small_table());
  return draft ? "no error" : base::in_full(draft.error().text());
}

TEST(Pattern, ReadsAListOfIndices) {
  const auto draft = read_pattern("# secondaries\n 1 \r\n\n2 # why\n", "p", small_table());
  ASSERT_TRUE(draft) << draft.error().text();
  EXPECT_EQ(draft->count(StatementKind::kWithheld), 2);
  EXPECT_EQ(write_pattern(*draft).value(), "1\n2\n");
  EXPECT_TRUE(read_pattern("# nothing\n", "p", small_table()).value().entries().empty());
}

TEST(Pattern, ReadsAResultExactly) {
  const auto draft = read_pattern(
      R"({"run": {"seed": 1}, "release": [
          {"cell": 0, "state": "rounded", "value": 30, "base": 5, "steps": 1},
          {"cell": 1, "state": "interval", "lower": 0.1, "upper": 1.2e1, "codes": ["a"]},
          {"cell": 2, "state": "altered", "value": 20.26, "lower": 15, "upper": 25}]})",
      "p",
      small_table());
  ASSERT_TRUE(draft) << draft.error().text();
  EXPECT_EQ(*draft->find(CellId{0}), (CellEntry{CellId{0}, Rounded{3000, 500, 1}}));
  EXPECT_EQ(*draft->find(CellId{1}), (CellEntry{CellId{1}, IntervalEnds{{10, 1200}}}));
  EXPECT_EQ(*draft->find(CellId{2}), (CellEntry{CellId{2}, Altered{2026, {1500, 2500}}}));
  EXPECT_EQ(write_release_entries(*draft, small_table()),
            "[\n{\"cell\":0,\"state\":\"rounded\",\"value\":30,\"base\":5,\"steps\":1,"
            "\"codes\":[\"T\"]},\n"
            "{\"cell\":1,\"state\":\"interval\",\"lower\":0.1,\"upper\":12,\"codes\":[\"a\"]},\n"
            "{\"cell\":2,\"state\":\"altered\",\"value\":20.26,\"lower\":15,\"upper\":25,"
            "\"codes\":[\"b\"]}]");
}

TEST(Pattern, PlacesEveryError) {
  EXPECT_EQ(error_of("1\nx\n"), "p:2:1: expected one cell index, found 'x'");
  EXPECT_EQ(error_of("1 2\n"), "p:1:1: expected one cell index, found '1 2'");
  EXPECT_EQ(error_of("3\n"), "p:1:1: there is no cell 3: the table has cells 0 to 2");
  EXPECT_EQ(error_of("1\n 1\n"), "p:2:2: cell 1 is listed twice");
  EXPECT_EQ(error_of("{}"), "p: the name 'release' is missing: this is not a result");
  EXPECT_EQ(error_of("{\"release\": 1}"), "p:release: expected an array, found a whole number");
  const auto entry = [](const std::string& inner) {
    return error_of("{\"release\": [{" + inner + "}]}");
  };
  EXPECT_EQ(entry("\"state\": \"withheld\""),
            "p:release[0]: the names 'codes' and 'cell' are missing");
  EXPECT_EQ(entry("\"cell\": 1"), "p:release[0]: the name 'state' is missing");
  EXPECT_EQ(entry("\"cell\": 9, \"state\": \"withheld\""),
            "p:release[0].cell: there is no cell 9: the table has cells 0 to 2");
  EXPECT_EQ(entry("\"cell\": 1, \"state\": \"withold\""),
            "p:release[0].state: unknown state 'withold'; did you mean 'withheld'?");
  EXPECT_EQ(entry("\"cell\": 1, \"stat\": \"withheld\""),
            "p:release[0]: unknown name 'stat'; did you mean 'state'?");
  EXPECT_EQ(entry("\"cell\": 1, \"state\": \"interval\", \"lower\": 0.001, \"upper\": 1"),
            "p:release[0].lower: the number 0.001 has more than 2 decimals");
  EXPECT_EQ(entry("\"cell\": 1, \"state\": \"interval\", \"lower\": 2, \"upper\": 1"),
            "p:release[0]: the lower end is above the upper end");
  EXPECT_EQ(entry("\"cell\": 1, \"state\": \"rounded\""),
            "p:release[0]: the name 'value' is missing: a cell that is rounded needs it");
  EXPECT_EQ(entry("\"cell\": 1, \"state\": \"rounded\", \"value\": 1, \"base\": -1"),
            "p:release[0].base: the base must be above zero");
  EXPECT_EQ(entry("\"cell\": 1, \"state\": \"withheld\", \"codes\": [\"c\"]"),
            "p:release[0].codes: the table has no cell R=c");
  EXPECT_EQ(entry("\"state\": \"withheld\", \"codes\": [\"a\", \"a\"]"),
            "p:release[0].codes: expected one code per dimension");
  EXPECT_EQ(error_of(R"({"release": [{"state": "withheld", "codes": ["a"]},
                                     {"cell": 1, "state": "withheld"}]})"),
            "p:release[1].cell: cell 1 is listed twice");
}

TEST(Pattern, CodesGoBeforeIndices) {
  const std::string text =
      R"({"release": [{"cell": 1, "state": "withheld", "codes": ["b"]},
                      {"state": "withheld", "codes": ["a"]}]})";
  EXPECT_EQ(write_pattern(read_pattern(text, "p", small_table()).value()).value(), "1\n2\n");
}

TEST(Pattern, AnEarlierReleaseMayHaveCellsThatAreGone) {
  const std::string text =
      R"({"release": [{"cell": 7, "state": "withheld", "codes": ["c"]},
                      {"cell": 9, "state": "withheld", "codes": ["b"]}]})";
  const auto earlier = read_earlier_pattern(text, "p", small_table());
  ASSERT_TRUE(earlier) << earlier.error().text();
  EXPECT_EQ(earlier->gone, 1);
  EXPECT_EQ(write_pattern(earlier->draft).value(), "2\n");
}

// What a reader sees of a cell is what its state says, nothing less and nothing more.
TEST(Pattern, ANumberWithoutItsRangeIsAnError) {
  const auto entry = [](const std::string& inner) {
    return error_of("{\"release\": [{\"cell\": 1, " + inner + "}]}");
  };
  EXPECT_EQ(entry(R"("state": "altered", "value": 10)"),
            "p:release[0]: the name 'lower' is missing: a cell that is altered needs it");
  EXPECT_EQ(entry(R"("state": "altered", "value": 10, "lower": null, "upper": null)"),
            "p:release[0]: the name 'lower' is missing: a cell that is altered needs it");
  EXPECT_EQ(entry(R"("state": "altered", "value": 10, "lower": 0)"),
            "p:release[0]: the name 'upper' is missing: a cell that is altered needs it");
  EXPECT_EQ(entry(R"("state": "rounded", "value": 10)"),
            "p:release[0]: the name 'base' is missing: a cell that is rounded needs it");
  EXPECT_EQ(entry(R"("state": "rounded", "value": 10, "lower": 0, "upper": 20)"),
            "p:release[0].lower: a cell that is rounded has no 'lower'");
  EXPECT_EQ(entry(R"("state": "withheld", "value": 10)"),
            "p:release[0].value: a cell that is withheld has no 'value'");
  EXPECT_EQ(entry(R"("state": "interval", "lower": 0, "upper": 20, "value": 10)"),
            "p:release[0].value: a cell that is interval has no 'value'");
  EXPECT_EQ(entry(R"("state": "rounded", "value": 10, "base": 5, "steps": 101)"),
            "p:release[0].steps: expected a number of steps from 0 to 100");
}

TEST(Pattern, AnAdjustedReleaseNeedsNoRanges) {
  const auto draft = read_pattern(
      R"({"adjusted": true, "release": [{"cell": 1, "state": "altered", "value": 10}]})",
      "p",
      small_table());
  ASSERT_TRUE(draft) << draft.error().text();
  EXPECT_TRUE(draft->adjusted());
  EXPECT_EQ(draft->find(CellId{1})->says, Statement{Adjusted{1000}});
  EXPECT_EQ(error_of(R"({"adjusted": true, "release": [{"cell": 1, "state": "altered", "value": 10,
                         "lower": 0, "upper": 20}]})"),
            "p:release[0].lower: a cell that is adjusted has no 'lower'");
}

TEST(Pattern, RoundTripsRandomDrafts) {
  base::Random random(testing::seed_in_use(14));
  for (int i = 0; i < 200; ++i) {
    const Problem problem = testing::random_problem(random, {.dimensions = i % 2 == 0});
    Draft draft;
    for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
      const CellId id{c};
      const Units value = problem.table().value(id);
      const Bounds around{value - random.between(0, 9), value + random.between(0, 9)};
      switch (random.between(0, 5)) {
        case 0:
          draft.withhold(id);
          break;
        case 1:
          draft.publish_interval(id, around);
          break;
        case 2:
          draft.publish_rounded(id, value + random.between(-2, 2), random.between(2, 9));
          break;
        case 3:
          draft.publish_altered(id, value + 1, around);
          break;
        case 4:
          draft.publish_rounded(id, value, random.between(2, 9), 3);
          break;
        default:
          break;
      }
    }
    const std::string text = "{\"release\":" + write_release_entries(draft, problem.table()) + "}";
    const auto again = read_pattern(text, "p", problem.table());
    ASSERT_TRUE(again) << again.error().text() << "\n" << text;
    EXPECT_EQ(again->entries(), draft.entries()) << text;
  }
}

TEST(Pattern, AListCannotHoldIntervals) {
  Draft draft;
  draft.publish_interval(CellId{1}, {0, 5});
  EXPECT_EQ(write_pattern(draft).error().text(),
            "cell 1: a list of indices cannot say that a cell is interval; write a result JSON "
            "instead");
}

}  // namespace
}  // namespace lacuna::publish
