// SPDX-License-Identifier: Apache-2.0
// From records to tables: fixed and free format, code lists, sums, weights, holdings, requests.
#include "data/argus/microdata.h"

#include <gtest/gtest.h>

#include "data/argus/table_sums.h"
#include "unit/argus/job_parts.h"

namespace lacuna::argus {
namespace {

using Codes = std::vector<std::string>;

// Size at 1-2, Reg at 3-4, Var at 5-9.
Metadata fixed_metadata() {
  Metadata metadata;
  metadata.filename = "job.rda";
  metadata.fixed = true;
  metadata.variables = {
      code_variable("Size", 1, 2), code_variable("Reg", 3, 2), number_variable("Var", 5, 5)};
  return metadata;
}

Metadata free_metadata() {
  Metadata metadata;
  metadata.filename = "job.rda";
  metadata.separator = ';';
  metadata.variables = {
      code_variable("Size", 0, 3), code_variable("Reg", 0, 2), number_variable("Var", 0, 5)};
  return metadata;
}

const SpecifyTable kSpec = table_spec({"Size", "Reg"}, "Var");

TEST(ArgusMicrodata, FixedWidthKeepsTheBlanksOfCodes) {
  JobFolder job("argus_fixed");
  const auto table = job.table(
      fixed_metadata(), " 1 A   10\r\n10 A  2.5\r\n\r\n 1B     1\r\n\x1A", kSpec, given_rules());
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", " 1", "10"}));
  EXPECT_EQ(table->variables[1].codes, (Codes{"Total", " A", "B "}));
  EXPECT_EQ(table->decimals, 1);
  EXPECT_EQ(table->cells[0].response, 135);
  EXPECT_EQ(table->cells[0].frequency, 3);
  EXPECT_EQ(cell_at(*table, {" 1", "Total"}).response, 110);
  EXPECT_EQ(cell_at(*table, {"1", "A"}).response, 100);
  EXPECT_EQ(cell_at(*table, {"10", "B "}).status, CellStatus::kEmpty);
}

TEST(ArgusMicrodata, FreeFormatPadsAndCutsCodes) {
  JobFolder job("argus_free");
  const auto data =
      job.records(free_metadata(), "\"1\"; A ;3\n12345;\"B;\";1,5\n\"12345\";A;\n", kSpec);
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_EQ(data->notes,
            (Codes{"Size: 1 codes are longer than its 3 characters and are cut there",
                   "Var: 1 records have no number, which counts as 0",
                   "Var: 1 numbers have a comma for the decimal point"}));
  const auto table = make_table(*data, kSpec, given_rules(), {}, RunContext{});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", "  1", "123"}));
  EXPECT_EQ(table->variables[1].codes, (Codes{"Total", " A", "B;"}));
  EXPECT_EQ(table->cells[0].response, 45);
  EXPECT_EQ(table->cells[0].frequency, 3);
}

TEST(ArgusMicrodata, LatinOneBecomesUtf8) {
  JobFolder job("argus_latin");
  const auto table = job.table(free_metadata(), "\xC5l;A;1\n\xC5l;B;2\n", kSpec, given_rules());
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", " \xC3\x85l"}));
}

TEST(ArgusMicrodata, MissingCodesStandLastWhetherTheyOccurOrNot) {
  JobFolder job("argus_missing");
  Metadata metadata = fixed_metadata();
  metadata.variables[0].missing = {"0", "98"};
  metadata.variables[2].missing = {"99999", "X"};
  const auto data = job.records(metadata, " 0 A   10\n50 A99999\n50 A    X\n", kSpec);
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_EQ(
      data->notes,
      (Codes{
          "Var: 1 records have the code for 'not known', which counts as 0",
          "Var: 1 records have the number that is its missing code, which counts as this number"}));
  const auto table = make_table(*data, kSpec, given_rules(), {}, RunContext{});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", "50", " 0", "98"}));
  EXPECT_EQ(table->variables[0].missing, (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(table->cells[0].response, 100009);
}

TEST(ArgusMicrodata, DigitLevelsAddPrefixesAndIgnoreFillingZeros) {
  JobFolder job("argus_digits");
  Metadata metadata = free_metadata();
  metadata.variables[0].hierarchical = true;
  metadata.variables[0].levels = {1, 2, 0, 0};
  metadata.variables[0].missing = {"999"};
  const auto table =
      job.table(metadata, "100;A;1\n112;A;2\n200;A;4\n999;A;8\n", kSpec, given_rules());
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", "1", "100", "112", "2", "200", "999"}));
  EXPECT_EQ(table->variables[0].parents, (std::vector<std::int32_t>{-1, 0, 1, 1, 0, 4, 0}));
  EXPECT_EQ(cell_at(*table, {"1", "Total"}).response, 3);
  EXPECT_EQ(cell_at(*table, {"999", "A"}).response, 8);
  EXPECT_EQ(table->cells[0].response, 15);
}

TEST(ArgusMicrodata, TreeFilesSayTheOrderAndTheCodes) {
  JobFolder job("argus_tree");
  Metadata metadata = free_metadata();
  metadata.variables[1].hierarchical = true;
  metadata.variables[1].hierarchy_file.text = "REG.hrc";
  metadata.variables[1].lead = "@";
  job.write("reg.hrc", "S\n@ 2\n@ 1\nN\n@3\n");
  const auto table = job.table(metadata, "a;1;1\na;2;2\na;3;4\n", kSpec, given_rules());
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[1].codes, (Codes{"Total", "S", " 2", " 1", "N", "3"}));
  EXPECT_EQ(cell_at(*table, {"Total", "S"}).response, 3);
  EXPECT_EQ(cell_at(*table, {"Total", "N"}).response, 4);
  const auto unknown = job.table(metadata, "a;1;1\n\na;4;2\n", kSpec, given_rules());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(job.plain(unknown.error()),
            "records.asc:3:3: the code ' 4' of Reg is not in its tree; did you mean ' 2'?");
  // A record whose fields have moved may have the name of a respondent or a number for a code.
  EXPECT_NE(base::without_confidential(unknown.error().text()).find("the code (not shown) of Reg"),
            std::string::npos);
  const auto parent = job.table(metadata, "a;N;1\n", kSpec, given_rules());
  ASSERT_FALSE(parent);
  EXPECT_EQ(job.plain(parent.error()),
            "records.asc:1:3: the code ' N' of Reg has others below it in its tree; records must "
            "have codes of the lowest level");
}

TEST(ArgusMicrodata, ErrorsNameTheirPlace) {
  JobFolder job("argus_errors");
  const auto fault = [&](const Metadata& metadata, const std::string& text) {
    const auto data = job.records(metadata, text, kSpec);
    return data ? std::string("no error") : job.plain(data.error());
  };
  EXPECT_EQ(fault(fixed_metadata(), " 1 A   10\n 1 A  1\n"),
            "records.asc:2:8: the record ends before Var, which has characters 5 to 9");
  EXPECT_EQ(fault(free_metadata(), "1;A;1\n2;B\n"),
            "records.asc:2:4: the record ends before Var, which is field 3 between ';'");
  EXPECT_EQ(fault(free_metadata(), "1;A;x1\n"),
            "records.asc:1:5: Var is a number, and 'x1' does not fit 18 digits");
  EXPECT_EQ(fault(free_metadata(), "1;;1\n"),
            "records.asc:1:3: the code of Reg is empty, which tau-ARGUS would take for the total");
  Metadata labelled = free_metadata();
  labelled.variables[0].total_code = "all";
  EXPECT_EQ(fault(labelled, "1;A;1\nall;A;1\n"),
            "records.asc:2:1: the code 'all' of Size is the label of its total; give it another by "
            "<TOTCODE>");
  EXPECT_EQ(fault(free_metadata(), "\n\r\n"), "records.asc: the file has no records");
  const auto wrong = job.records(free_metadata(), "1;A;1\n", table_spec({"Sise", "Reg"}, "Var"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().text(), "there is no variable 'Sise' in job.rda; did you mean 'Size'?");
}

TEST(ArgusMicrodata, TooManyCellsAreRefusedWithTheSizes) {
  CodeList large;
  large.variable = "Id";
  large.codes.resize(10000);
  const auto count = num_cells({large, large});
  ASSERT_FALSE(count);
  EXPECT_EQ(
      count.error().text(),
      "the table has 10000 (Id) x 10000 (Id) cells, and 20000000 is the limit: recode a variable");
}

Metadata full_metadata() {
  Metadata metadata = free_metadata();
  Variable weight = number_variable("W", 0, 4);
  weight.numeric = false;
  weight.weight = true;
  Variable holding;
  holding.name = "H";
  holding.length = 3;
  holding.holding = true;
  Variable request;
  request.name = "R";
  request.length = 1;
  request.request = true;
  request.request_codes = {"y", "z"};
  metadata.variables.insert(metadata.variables.end(), {weight, holding, request});
  return metadata;
}

TEST(ArgusMicrodata, WeightsMultiplyValuesButNotFrequencies) {
  JobFolder job("argus_weights");
  SafetyRule rules = given_rules();
  rules.weights = true;
  rules.dominance[0] = Dominance{2, 60};
  const auto table =
      job.table(full_metadata(), "1;A;10;1.5;a;\n1;A;4;2;a;\n1;A;6;1;b;\n", kSpec, rules);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->decimals, 1);
  EXPECT_EQ(table->cells[0].response, 290);
  EXPECT_EQ(table->cells[0].frequency, 3);
  EXPECT_EQ(table->cells[0].largest, (std::vector<Units>{100, 60}));
  EXPECT_EQ(table->cells[0].cost, 29);
  EXPECT_EQ(table->weights[0].sum, 45);
  EXPECT_EQ(table->weights[0].largest, (std::vector<Units>{15, 10}));
  // 1.5 units of 10 and half a unit of 6 are 18 of 29, above 60%; 18 / 0.6 - 29 = 1.
  EXPECT_EQ(table->cells[0].status, CellStatus::kUnsafeRule);
  EXPECT_EQ(table->cells[0].levels->upper, 1);
}

TEST(ArgusMicrodata, RecordsOfAHoldingAreAddedUpWhereverTheyStand) {
  JobFolder job("argus_holdings");
  SafetyRule rules = given_rules();
  rules.dominance[2] = Dominance{1, 50};
  const std::string text = "1;A;10;1;a;\n1;A;9;1;b;\n1;A;5;1;a;\n2;A;1;1;b;\n1;A;3;1;c;\n";
  const auto table = job.table(full_metadata(), text, kSpec, rules);
  ASSERT_TRUE(table) << table.error().text();
  const Cell& cell = cell_at(*table, {"1", "A"});
  EXPECT_EQ(cell.frequency, 4);
  EXPECT_EQ(cell.holdings, 3);
  EXPECT_EQ(cell.largest_holdings, (std::vector<Units>{15}));
  EXPECT_EQ(cell.status, CellStatus::kUnsafeRule);
  EXPECT_EQ(cell.levels->upper, 3);  // 2 * 15 - 27
  EXPECT_EQ(table->cells[0].holdings, 3);
  EXPECT_EQ(table->cells[0].largest_holdings, (std::vector<Units>{15}));
  ASSERT_EQ(table->notes.size(), 1U);
  EXPECT_NE(table->notes[0].find("wherever they stand"), std::string::npos);
}

TEST(ArgusMicrodata, RulesNeedTheirVariables) {
  JobFolder job("argus_unfit");
  const auto fault = [&](const Metadata& metadata, const SafetyRule& rules, SpecifyTable spec) {
    const auto table = job.table(metadata, "1;A;1;1;a;\n", spec, rules);
    return table ? std::string("no error") : table.error().text();
  };
  SafetyRule rules = given_rules();
  rules.frequency[1] = Frequency{3, 10};
  EXPECT_EQ(fault(free_metadata(), rules, kSpec),
            "a rule is about holdings, and no variable is the <HOLDING> in job.rda");
  rules.weights = true;
  EXPECT_EQ(fault(full_metadata(), rules, kSpec),
            "rules about holdings cannot be weighted: leave out WGT(1)");
  rules = given_rules();
  rules.dominance[0] = Dominance{1, 50};
  EXPECT_EQ(fault(full_metadata(), rules, table_spec({"Size"}, "<freq>")),
            "NK, P, REQ and ZERO are not for a table of counts; FREQ is");
}

TEST(ArgusMicrodata, ThoseWhoAskForProtection) {
  JobFolder job("argus_request");
  SafetyRule rules = given_rules();
  rules.request[0] = Request{50, 20, 3, 15};
  const std::string text =
      "1;A;10;1;a;y\n1;A;9;1;b;\n1;A;5;1;a;\n"  // asks with 10 of 24, and 50% are allowed
      "2;A;10;1;a;z\n2;A;9;1;b;\n2;A;5;1;a;\n"  // asks with 10 of 24, and 20% are allowed
      "3;A;1;1;a;y\n3;A;99;1;b;\n"              // two records are less than three
      "4;A;10;1;a;\n";                          // nobody asks
  const auto table = job.table(full_metadata(), text, kSpec, rules);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(cell_at(*table, {"1", "A"}).status, CellStatus::kSafe);
  EXPECT_EQ(cell_at(*table, {"2", "A"}).status, CellStatus::kUnsafeRequest);
  EXPECT_EQ(cell_at(*table, {"2", "A"}).levels->upper, mpq_class(18, 5));  // 15% of 24
  EXPECT_EQ(cell_at(*table, {"3", "A"}).status, CellStatus::kUnsafeRequest);
  EXPECT_EQ(cell_at(*table, {"4", "A"}).status, CellStatus::kSafe);
}

TEST(ArgusMicrodata, CountsAndPrices) {
  JobFolder job("argus_costs");
  SafetyRule rules = given_rules();
  rules.frequency[0] = Frequency{2, 30};
  const std::string text = "1;A;10;1;a;\n1;B;9;1;b;\n2;A;5;1;a;\n2;A;5;1;a;\n";
  SpecifyTable spec = table_spec({"Size", "Reg"}, "<freq>");
  auto table = job.table(full_metadata(), text, spec, rules);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_TRUE(table->counts);
  EXPECT_EQ(table->cells[0].response, 4);
  EXPECT_EQ(table->cells[0].cost, 4);
  EXPECT_EQ(cell_at(*table, {"1", "A"}).status, CellStatus::kUnsafeFrequency);
  EXPECT_EQ(cell_at(*table, {"1", "A"}).levels->upper, 1);
  EXPECT_EQ(cell_at(*table, {"1", "A"}).levels->lower, mpq_class(9, 10));
  spec = kSpec;
  spec.cost_kind = CostKind::kFrequency;
  table = job.table(full_metadata(), text, spec, rules);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->cells[0].cost, 4);
  spec.cost_kind = CostKind::kVariable;
  spec.cost.text = "var";
  table = job.table(full_metadata(), text, spec, rules);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->cells[0].cost, 29);
}

TEST(ArgusMicrodata, DistancePricesNeighborsOfUnsafeCellsLow) {
  JobFolder job("argus_distance");
  SafetyRule rules = given_rules();
  rules.frequency[0] = Frequency{2, 30};
  Metadata metadata = free_metadata();
  metadata.variables[0].distance = {1, 3, 5, 7, 9};
  SpecifyTable spec = table_spec({"Size"}, "Var");
  spec.cost_kind = CostKind::kDistance;
  const std::string text = "1;A;1\n2;A;1\n2;A;1\n3;A;1\n3;A;1\n4;A;1\n4;A;1\n";
  const auto table = job.table(metadata, text, spec, rules);
  ASSERT_TRUE(table) << table.error().text();
  std::vector<double> costs;
  for (const Cell& cell : table->cells)
    costs.push_back(cell.cost);
  EXPECT_EQ(costs, (std::vector<double>{10, 1, 2, 4, 6}));  // code 1 alone is unsafe
}

TEST(ArgusMicrodata, RecodesByLevelFileAndTree) {
  JobFolder job("argus_recode");
  Metadata metadata = free_metadata();
  metadata.variables[0].hierarchical = true;
  metadata.variables[0].levels = {1, 2};
  const auto data = job.records(metadata, "111;A;1\n112;B;2\n211;C;4\n", kSpec);
  ASSERT_TRUE(data) << data.error().text();
  AppliedRecode by_level;
  by_level.recode.variable.text = "size";
  by_level.recode.level = 1;
  AppliedRecode by_file;
  by_file.recode.variable.text = "Reg";
  by_file.path = job.write("reg.grc", "X : A - B\n");
  auto table = make_table(*data, kSpec, given_rules(), {by_level, by_file}, RunContext{});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", "1", "2"}));
  EXPECT_EQ(table->variables[1].codes, (Codes{"Total", " C", " X"}));
  EXPECT_EQ(cell_at(*table, {"1", "X"}).response, 3);
  EXPECT_EQ(cell_at(*table, {"1", "X"}).frequency, 2);
  AppliedRecode by_tree = by_level;
  by_tree.path = job.write("size.grc", "<TREERECODE>\n2\n");
  table = make_table(*data, kSpec, given_rules(), {by_level, by_tree}, RunContext{});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", "1", "111", "112", "2"}));
  AppliedRecode flat = by_file;
  flat.path.clear();
  flat.recode.level = 1;
  table = make_table(*data, kSpec, given_rules(), {flat}, RunContext{});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().text(),
            "a recode by level is for variables with a tree, and Reg has none");
}

}  // namespace
}  // namespace lacuna::argus
