// SPDX-License-Identifier: Apache-2.0
#include "lacuna/tabulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "unit/tabulate/cells.h"

namespace lacuna::tabulation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TabulateOptions two_dimensions() {
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg"), flat_dimension("ACT", "act")};
  options.value = "x";
  options.respondent = "id";
  return options;
}

RowRecords five_records() {
  return {{"reg", "act", "x", "id"},
          {{"N", "a", "10", "p"},
           {"N", "a", "4", "q"},
           {"N", "b", "3", "p"},
           {"S", "a", "2.5", "r"},
           {"N", "a", "7", "q"}}};
}

CellFacts cell(const Tabulation& tabulation, const CellNames& names) {
  const auto cells = cells_by_name(tabulation);
  const auto at = cells.find(names);
  EXPECT_NE(at, cells.end());
  return at == cells.end() ? CellFacts{} : at->second;
}

std::vector<std::pair<std::string, Units>> largest(const Tabulation& tabulation,
                                                   const CellNames& names) {
  std::vector<std::pair<std::string, Units>> list;
  for (const Contribution& share : cell(tabulation, names).largest) {
    const auto respondent = static_cast<std::size_t>(share.respondent);
    list.emplace_back(share.respondent < 0 ? "?" : tabulation.respondents[respondent],
                      share.amount);
  }
  return list;
}

using Pairs = std::vector<std::pair<std::string, Units>>;

TEST(Tabulate, AddsUpRecordsByHand) {
  RowRecords records = five_records();
  const auto result = tabulate(records, two_dimensions(), {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->decimals, 1);
  EXPECT_EQ(result->cells.size(), 8U);  // all but S x b
  const CellFacts total = cell(*result, {"Total", "Total"});
  EXPECT_EQ(total.value, 265);
  EXPECT_EQ(total.absolute, 265);
  EXPECT_EQ(total.records, 5);
  EXPECT_EQ(total.contributors, 3);
  EXPECT_EQ(total.weighted, 5);
  EXPECT_EQ(largest(*result, {"Total", "Total"}), (Pairs{{"p", 130}, {"q", 110}, {"r", 25}}));
  EXPECT_EQ(largest(*result, {"N", "a"}), (Pairs{{"q", 110}, {"p", 100}}));
  EXPECT_EQ(cell(*result, {"N", "a"}).contributors, 2);
  EXPECT_EQ(cell(*result, {"N", "a"}).records, 3);
  EXPECT_EQ(cells_by_name(*result).count({"S", "b"}), 0U);
}

TEST(Tabulate, BecomesATableWithAllItsEquations) {
  RowRecords records = five_records();
  const auto result = tabulate(records, two_dimensions(), {});
  ASSERT_TRUE(result);
  const auto table = table_of(*result);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->num_cells(), 8);
  EXPECT_EQ(table->num_equations(), 6);
  EXPECT_EQ(table->value(CellId{0}), 265);
  EXPECT_EQ(table->cell(CellId{0}).frequency, 3);
  EXPECT_EQ(table->cell(CellId{0}).prior.lower, 0);
}

TEST(Tabulate, KeepsEmptyCellsOnDemand) {
  RowRecords records = five_records();
  TabulateOptions options = two_dimensions();
  options.keep_empty_cells = true;
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cells.size(), 9U);
  const CellFacts empty = cell(*result, {"S", "b"});
  EXPECT_EQ(empty.records, 0);
  EXPECT_THAT(empty.largest, IsEmpty());
  EXPECT_TRUE(table_of(*result));
}

TEST(Tabulate, LinkedTablesShareTheirCells) {
  RowRecords records({"reg", "act", "size", "x"},
                     {{"N", "a", "s", "1"}, {"N", "b", "l", "2"}, {"S", "a", "l", "4"}});
  TabulateOptions options;
  options.dimensions = {
      flat_dimension("REG", "reg"), flat_dimension("ACT", "act"), flat_dimension("SIZE", "size")};
  options.tables = {{"one", {"REG", "ACT"}}, {"two", {"ACT", "SIZE"}}};
  options.value = "x";
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  // 8 cells in each table; the row ACT x Total (3 cells) is one and the same.
  EXPECT_EQ(result->cells.size(), 8U + 8U - 3U);
  EXPECT_EQ(cell(*result, {"Total", "a", "Total"}).value, 5);
  const auto table = table_of(*result);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->num_equations(), 6 + 6 - 1);
}

TEST(Tabulate, HoldingsAreContributors) {
  RowRecords records({"reg", "x", "id", "group"},
                     {{"N", "5", "p", "G"}, {"N", "6", "q", "G"}, {"N", "7", "G", ""}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  options.value = "x";
  options.respondent = "id";
  options.holding = "group";
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  // The holding G and the respondent G, who is in no holding, are two.
  EXPECT_EQ(cell(*result, {"N"}).contributors, 2);
  EXPECT_EQ(largest(*result, {"N"}), (Pairs{{"G", 11}, {"G", 7}}));
}

TEST(Tabulate, WeightsMultiplyExactly) {
  RowRecords records({"reg", "x", "w"}, {{"N", "1.25", "2.2"}, {"N", "3", "1.3"}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  options.value = "x";
  options.weight = "w";
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->decimals, 3);
  EXPECT_EQ(cell(*result, {"N"}).value, 2750 + 3900);
  EXPECT_EQ(cell(*result, {"N"}).weighted, 4);  // 3.5, rounded half up
  EXPECT_EQ(cell(*result, {"N"}).records, 2);
  EXPECT_EQ(largest(*result, {"N"}), (Pairs{{"?", 3900}, {"?", 2750}}));
}

TEST(Tabulate, CountsWithoutAResponse) {
  RowRecords records({"reg"}, {{"N"}, {"S"}, {"N"}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->decimals, 0);
  EXPECT_EQ(cell(*result, {"N"}).value, 2);
  EXPECT_EQ(cell(*result, {"N"}).contributors, 2);
}

TEST(Tabulate, NegativeContributionsOnDemand) {
  RowRecords records({"reg", "x", "id"}, {{"N", "-9", "p"}, {"N", "4", "q"}, {"S", "9", "p"}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  options.value = "x";
  options.respondent = "id";
  options.allow_negative = true;
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(cell(*result, {"N"}).value, -5);
  EXPECT_EQ(cell(*result, {"N"}).absolute, 13);
  EXPECT_EQ(largest(*result, {"N"}), (Pairs{{"p", -9}, {"q", 4}}));
  EXPECT_EQ(cell(*result, {"Total"}).absolute, 4);  // p adds nothing to the total
  const auto table = table_of(*result);
  ASSERT_TRUE(table);
  EXPECT_FALSE(table->cell(CellId{0}).prior.has_lower());
}

TEST(Tabulate, FlagsOfAContributor) {
  RowRecords records({"reg", "x", "id", "ask", "free"},
                     {{"N", "5", "p", "1", "1"},
                      {"N", "5", "p", "0", "0"},
                      {"N", "3", "q", "", "1"},
                      {"S", "1", "q", "", "1"}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  options.value = "x";
  options.respondent = "id";
  options.request = "ask";
  options.waiver = "free";
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result);
  const auto facts = cell(*result, {"N"});
  ASSERT_EQ(facts.largest.size(), 2U);
  EXPECT_TRUE(facts.largest[0].requested);  // on one record: counts
  EXPECT_FALSE(facts.largest[0].waived);    // on one record: not enough
  EXPECT_FALSE(facts.largest[1].requested);
  EXPECT_TRUE(facts.largest[1].waived);
  EXPECT_TRUE(cell(*result, {"Total"}).largest[1].waived);
}

TEST(Tabulate, DigitsMakeLevels) {
  RowRecords records({"act", "x"}, {{"111", "1"}, {"112", "2"}, {"121", "4"}, {"200", "8"}});
  TabulateOptions options;
  options.dimensions = {digit_dimension("ACT", "act", {1, 1, 1})};
  options.value = "x";
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(cell(*result, {"1"}).value, 7);
  EXPECT_EQ(cell(*result, {"11"}).value, 3);
  EXPECT_EQ(cell(*result, {"20"}).value, 8);
  EXPECT_EQ(result->cells.size(), 1U + 2U + 3U + 4U);
  EXPECT_TRUE(table_of(*result));
}

TEST(Tabulate, SeveralNestedHierarchiesOverTheSameLeaves) {
  RowRecords records({"big", "leaf", "kind", "x"},
                     {{"A", "a1", "u", "1"}, {"A", "a2", "v", "2"}, {"B", "b1", "u", "4"}});
  TabulateOptions options;
  options.dimensions = {nested_dimension("ACT", {{"big", "leaf"}, {"kind", "leaf"}})};
  options.value = "x";
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(cell(*result, {"A"}).value, 3);
  EXPECT_EQ(cell(*result, {"u"}).value, 5);
  EXPECT_EQ(cell(*result, {"Total"}).value, 7);
  const auto table = table_of(*result);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->num_equations(), 2 + 4);
}

TEST(Tabulate, MissingCodesAsTheCallerSays) {
  const auto run = [](MissingPolicy policy, std::string* log) {
    RowRecords records({"reg", "x"}, {{"N", "1"}, {"", "2"}, {"99", "4"}});
    TabulateOptions options;
    options.dimensions = {flat_dimension("REG", "reg")};
    options.dimensions[0].missing = {policy, {"99"}, "unknown"};
    options.value = "x";
    RunContext context;
    context.log = [log](std::string_view line) { *log = line; };
    return tabulate(records, options, context);
  };
  std::string log;
  const auto dropped = run(MissingPolicy::kDrop, &log);
  ASSERT_TRUE(dropped);
  EXPECT_EQ(cell(*dropped, {"Total"}).value, 1);
  EXPECT_EQ(log, "tabulate: 3 records, 2 of them dropped (2 without a code of REG), 2 cells");
  const auto own = run(MissingPolicy::kCode, &log);
  ASSERT_TRUE(own);
  EXPECT_EQ(cell(*own, {"unknown"}).value, 6);
  EXPECT_EQ(cell(*own, {"Total"}).value, 7);
  const auto refused = run(MissingPolicy::kError, &log);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      base::in_full(refused.error().text()),
      "record 2, column reg: 2 of 3 records cannot be used as they are, and this is the first "
      "of them:\n  column reg: 2 records without a code of dimension REG (record 2, column "
      "reg, '99' in record 3, column reg): missing = \"drop\" or \"code\" in its "
      "[[dimension]]");
}

TEST(Tabulate, RoundsRecordsOnDemand) {
  RowRecords records({"reg", "x"},
                     {{"N", "1.005"},
                      {"N", "-1.005"},
                      {"N", "0.0049999999999999999999"},
                      {"N", "2.5e-1"},
                      {"N", "44e-4"},
                      {"N", "5e-3"}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  options.value = "x";
  options.allow_negative = true;
  options.decimals = 2;
  options.round_values = true;
  options.top = 6;
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(largest(*result, {"N"}),
            (Pairs{{"?", 101}, {"?", -101}, {"?", 25}, {"?", 1}, {"?", 0}, {"?", 0}}));
}

TEST(Tabulate, TakesADecimalComma) {
  RowRecords records({"reg", "x"}, {{"N", "1,5"}, {"N", " 2 "}});
  TabulateOptions options;
  options.dimensions = {flat_dimension("REG", "reg")};
  options.value = "x";
  options.decimal_mark = ',';
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(cell(*result, {"N"}).value, 35);
  RowRecords wrong({"reg", "x"}, {{"N", "1.5"}});
  EXPECT_EQ(error_of(wrong, options),
            "record 1, column x: '1.5' is not a number with this decimal mark");
}

TEST(Tabulate, EmptyValuesAsTheCallerSays) {
  const auto run = [](EmptyValue policy) {
    RowRecords records({"reg", "x"}, {{"N", "1"}, {"N", ""}});
    TabulateOptions options;
    options.dimensions = {flat_dimension("REG", "reg")};
    options.value = "x";
    options.empty_value = policy;
    return tabulate(records, options, {});
  };
  EXPECT_EQ(cell(*run(EmptyValue::kZero), {"N"}).records, 2);
  EXPECT_EQ(cell(*run(EmptyValue::kDrop), {"N"}).records, 1);
  EXPECT_EQ(base::in_full(run(EmptyValue::kError).error().text()),
            "record 2, column x: the value is empty: say empty_value = \"zero\" or \"drop\" in "
            "[input]");
}

TEST(Tabulate, SaysWhatIsWrongWithANumber) {
  const auto error_with = [](const std::string& text, int decimals = -1) {
    RowRecords records({"reg", "x"}, {{"N", "1"}, {"N", text}});
    TabulateOptions options;
    options.dimensions = {flat_dimension("REG", "reg")};
    options.value = "x";
    options.decimals = decimals;
    return error_of(records, options);
  };
  EXPECT_EQ(error_with("NaN"), "record 2, column x: 'NaN' is not a number");
  EXPECT_EQ(error_with("inf"), "record 2, column x: 'inf' is not a number");
  EXPECT_EQ(error_with("12x"), "record 2, column x: '12x' is not a number");
  EXPECT_EQ(error_with("-"), "record 2, column x: '-' is not a number");
  EXPECT_EQ(error_with("-3"),
            "record 2, column x: the value is negative, which must be allowed expressly: "
            "negative = true in [input]");
  EXPECT_EQ(error_with("1e30"),
            "record 2, column x: the number 1e30 does not fit 63 bits with 0 decimals; use fewer "
            "decimals or a larger unit");
  EXPECT_EQ(error_with("1.25", 1),
            "record 2, column x: the number 1.25 has more than 1 decimals; allow more, or say "
            "round = true in [input]");
  EXPECT_EQ(error_with("4611686018427387903"),
            "REG=Total: the sum of the cell does not fit 63 bits with 0 decimals; use fewer "
            "decimals or a larger unit");
  EXPECT_EQ(error_with("1e-19"),
            "values and weights have more than 18 decimals together; choose a number of decimals "
            "and round");
}

TEST(Tabulate, SaysWhatIsWrongWithAWeight) {
  const auto error_with = [](const std::string& value, const std::string& weight) {
    RowRecords records({"reg", "x", "w"}, {{"N", value, weight}});
    TabulateOptions options;
    options.dimensions = {flat_dimension("REG", "reg")};
    options.value = "x";
    options.weight = "w";
    return error_of(records, options);
  };
  EXPECT_EQ(error_with("1", "-2"), "record 1, column w: the weight is negative");
  EXPECT_EQ(error_with("1", ""), "record 1, column w: '' is not a number");
  EXPECT_EQ(error_with("4000000000000000000", "2"),
            "record 1, column w: the weighted value does not fit 63 bits with 0 decimals; use "
            "fewer decimals or a larger unit");
}

// Where the columns of records have changed places, a name or a value stands for a code.
TEST(Tabulate, CodesThatAreNoneAreNotShown) {
  const auto reg = Dimension::build("REG", {"T", "N"}, {{0, {1}}});
  ASSERT_TRUE(reg);
  TabulateOptions options;
  options.dimensions = {given_dimension(*reg, "reg")};
  for (const char* text : {"Qorvex", "843211"}) {
    RowRecords records({"reg"}, {{"N"}, {text}});
    const auto result = tabulate(records, options, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(
        base::without_confidential(result.error().text()),
        "record 2, column reg: (not shown) is not a code of dimension REG: correct it, or say "
        "unknown = \"drop\" or \"missing\" in its [[dimension]]");
  }
}

TEST(Tabulate, SaysWhatIsWrongWithACode) {
  const auto reg = Dimension::build("REG", {"T", "N", "N1"}, {{0, {1}}, {1, {2}}});
  ASSERT_TRUE(reg);
  TabulateOptions options;
  options.dimensions = {given_dimension(*reg, "reg")};
  RowRecords unknown({"reg"}, {{"N1"}, {"X"}});
  EXPECT_EQ(
      error_of(unknown, options),
      "record 2, column reg: 'X' is not a code of dimension REG: correct it, or say unknown = "
      "\"drop\" or \"missing\" in its [[dimension]]");
  RowRecords inner({"reg"}, {{"N"}});
  EXPECT_EQ(error_of(inner, options),
            "record 1, column reg: 'N' is a total of dimension REG; records must have codes of the "
            "lowest level");

  options.dimensions = {digit_dimension("ACT", "reg", {2, 1})};
  EXPECT_EQ(error_of(inner, options),
            "record 1, column reg: the code 'N' of dimension ACT has 1 characters, but its levels "
            "have 3: correct it, or say missing_values = [\"<code>\"] in its [[dimension]], or "
            "unknown = \"drop\" or \"missing\" in its [[dimension]]");
  options.dimensions = {flat_dimension("REG", "reg")};
  RowRecords total({"reg"}, {{"Total"}});
  EXPECT_EQ(error_of(total, options),
            "record 1, column reg: the code 'Total' is the name of the total of dimension REG");
  options.dimensions = {nested_dimension("ACT", {{"big", "leaf"}})};
  RowRecords two_parents({"big", "leaf"}, {{"A", "1"}, {"B", "1"}});
  EXPECT_EQ(error_of(two_parents, options),
            "dimension ACT: the code '1' stands below both 'A' and 'B'");
  RowRecords leaf_and_parent({"big", "leaf"}, {{"A", "1"}, {"A", "A"}});
  EXPECT_EQ(error_of(leaf_and_parent, options),
            "dimension ACT: the code 'A' has records of its own and codes below it");
}

TEST(Tabulate, SaysWhatIsWrongWithTheRecords) {
  TabulateOptions options = two_dimensions();
  RowRecords none({"reg", "act", "x", "id"}, {});
  EXPECT_EQ(error_of(none, options), "no record is left for the table");
  RowRecords no_column({"reg", "act", "id"}, {});
  EXPECT_EQ(error_of(no_column, options), "records: the records have no column 'x'");
  RowRecords nobody({"reg", "act", "x", "id"}, {{"N", "a", "1", ""}});
  EXPECT_EQ(error_of(nobody, options),
            "record 1, column id: the respondent of the record is empty; say missing_respondent = "
            "\"drop\" or \"own\" in [columns]");
}

TEST(Tabulate, SaysWhatIsWrongWithTheOptions) {
  const auto error_with = [](auto change) {
    TabulateOptions options = two_dimensions();
    change(options);
    RowRecords records = five_records();
    return error_of(records, options);
  };
  using O = TabulateOptions;
  EXPECT_EQ(error_with([](O& o) { o.dimensions.clear(); }),
            "dimensions: a table needs at least one dimension");
  EXPECT_EQ(error_with([](O& o) { o.dimensions[1].name = "REG"; }),
            "dimension REG: two dimensions have this name");
  EXPECT_EQ(error_with([](O& o) { o.dimensions[1].chains.clear(); }),
            "dimension ACT: the dimension has no column");
  EXPECT_EQ(error_with([](O& o) {
              o.dimensions[1].chains = {{"a", "b"}};
            }),
            "dimension ACT: only a nested dimension may have several columns");
  EXPECT_EQ(error_with([](O& o) {
              o.dimensions[1] = nested_dimension("ACT", {{"a"}, {"b"}});
            }),
            "dimension ACT: the hierarchies end in different columns");
  EXPECT_EQ(error_with([](O& o) {
              o.dimensions[1] = digit_dimension("ACT", "act", {2, 0});
            }),
            "dimension ACT: every level needs at least one digit");
  EXPECT_EQ(error_with([](O& o) { o.dimensions[1].missing.policy = MissingPolicy::kCode; }),
            "dimension ACT: records without a code need a code of their own");
  EXPECT_EQ(error_with([](O& o) {
              o.tables = {{"t", {"REG", "AKT"}}};
            }),
            "table t: there is no dimension 'AKT'");
  EXPECT_EQ(error_with([](O& o) {
              o.tables = {{"t", {"REG"}}};
            }),
            "dimension ACT: no table uses the dimension");
  EXPECT_EQ(error_with([](O& o) { o.decimals = 19; }),
            "decimals: the number of decimals must be from 0 to 18");
  EXPECT_EQ(error_with([](O& o) { o.weight_decimals = -2; }),
            "weight-decimals: the number of decimals must be from 0 to 18");
  EXPECT_EQ(error_with([](O& o) { o.round_values = true; }),
            "round-values: rounding needs a number of decimals");
  EXPECT_EQ(error_with([](O& o) { o.decimal_mark = ';'; }),
            "decimal-mark: the decimal mark must be a point or a comma");
  EXPECT_EQ(error_with([](O& o) { o.top = 101; }),
            "top: the number of largest contributions must be from 0 to 100");
}

TEST(Tabulate, StopsWhenAsked) {
  RowRecords records = five_records();
  RunContext run;
  std::stop_source stop;
  stop.request_stop();
  run.stop = stop.get_token();
  const auto result = tabulate(records, two_dimensions(), run);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text(), "the tabulation was stopped before it was complete");
}

TEST(Tabulate, ReportsProgress) {
  RowRecords records = five_records();
  std::vector<std::string> phases;
  RunContext run;
  run.on_progress = [&](const Progress& progress) { phases.emplace_back(progress.phase); };
  ASSERT_TRUE(tabulate(records, two_dimensions(), run));
  EXPECT_THAT(phases, ::testing::Contains("reading"));
}

}  // namespace
}  // namespace lacuna::tabulation
