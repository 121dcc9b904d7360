// SPDX-License-Identifier: Apache-2.0
// Every output of <WRITETABLE>, byte by byte, of tables that fit on a page.
#include "data/argus/write_table.h"

#include <gtest/gtest.h>

#include "data/argus/write_parts.h"
#include "data/problems/jj.h"

namespace lacuna::argus {
namespace {

CodeList flat_list(const std::string& name, std::vector<std::string> codes) {
  CodeList list;
  list.variable = name;
  list.parents.assign(codes.size(), 0);
  list.parents[0] = -1;
  list.codes = std::move(codes);
  list.missing.assign(list.codes.size(), false);
  return list;
}

// Rows T, A, B and columns T, x, y; (A,y) = 20 is unsafe by a rule with levels of 4.
Table nine_cells() {
  Table table;
  table.response = "V";
  table.spec.response.text = "V";
  table.variables = {flat_list("Row", {"T", "A", "B"}), flat_list("Col", {"Total", "x", "y"})};
  for (const Units value : {100, 60, 40, 55, 35, 20, 45, 25, 20}) {
    Cell cell;
    cell.response = cell.shadow = value;
    cell.cost = static_cast<double>(value);
    cell.frequency = value / 5;
    cell.status = CellStatus::kSafe;
    table.cells.push_back(cell);
  }
  table.cells[5].status = CellStatus::kUnsafeRule;
  table.cells[5].levels = ProtectionLevels{4, 4};
  return table;
}

Table suppressed_cells() {
  Table table = nine_cells();
  for (const std::size_t cell : {4U, 7U, 8U})
    table.cells[cell].status = CellStatus::kSecondary;
  table.protection = Protection::kSuppressed;
  return table;
}

void make_empty(Cell& cell) {
  cell = Cell{};
}

std::string without_returns(std::string text) {
  std::erase(text, '\r');
  return text;
}

WrittenTable written(const Table& table, int type, const WriteOptions& options = {}) {
  WriteTable command;
  command.type = type;
  command.options = options;
  auto result = write_table(table, command, "out/o.csv", {});
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(result).value() : WrittenTable{};
}

// Without the carriage returns, which one test of their own looks at.
std::string text_of(const Table& table, int type, const WriteOptions& options = {}) {
  return without_returns(written(table, type, options).files.at(0).text);
}

std::string refusal(const Table& table, int type) {
  WriteTable command;
  command.type = type;
  const auto result = write_table(table, command, "o.csv", {});
  return result ? "" : result.error().text();
}

TEST(WriteTypes, LinesEndWithCrLf) {
  EXPECT_EQ(written(suppressed_cells(), 1).files[0].text,
            ",\"Total\",\"x\",\"y\"\r\n\"T\",100,60,40\r\n\"A\",55,x,x\r\n\"B\",45,x,x\r\n\r\n");
}

TEST(WriteTypes, MatrixHasLayersAboveTwoVariables) {
  Table table = nine_cells();
  table.variables.insert(table.variables.begin(), flat_list("Top", {"Total", "1"}));
  const std::vector<Cell> cells = table.cells;
  table.cells.insert(table.cells.end(), cells.begin(), cells.end());
  make_empty(table.cells[16]);
  WriteOptions options;
  options.quotes = false;
  EXPECT_EQ(text_of(table, 1, options),
            "Var 1,Total\n,Total,x,y\nT,100,60,40\nA,55,35,x\nB,45,25,20\n\n"
            "Var 1,1\n,Total,x,y\nT,100,60,40\nA,55,35,x\nB,45,-,20\n\n");
}

TEST(WriteTypes, FourVariablesNameBothLayersOnALine) {
  Table table = nine_cells();
  table.variables.insert(table.variables.begin(), flat_list("Two", {"Total"}));
  table.variables.insert(table.variables.begin(), flat_list("One", {"All"}));
  EXPECT_EQ(text_of(table, 1).substr(0, 30), "Var 1,\"All\", Var 2,\"Total\"\n,\"T");
}

TEST(WriteTypes, MatrixOfOneVariableIsOneRowWithoutALineEnd) {
  Table table = nine_cells();
  table.variables.erase(table.variables.begin());
  table.cells.resize(3);
  EXPECT_EQ(text_of(table, 1), ",\"Total\",\"x\",\"y\"\n,100,60,40");
}

TEST(WriteTypes, PivotHasNamesAndCodeValueOnlyWithFl) {
  const Table table = suppressed_cells();
  const std::string cells =
      "\"T\",\"Total\",100\n\"T\",\"x\",60\n\"T\",\"y\",40\n\"A\",\"Total\",55\n\"A\",\"x\",x\n"
      "\"A\",\"y\",x\n\"B\",\"Total\",45\n\"B\",\"x\",x\n\"B\",\"y\",x\n";
  EXPECT_EQ(text_of(table, 2), "\"Row\",\"Col\",\"V\"\n" + cells);
  EXPECT_EQ(text_of(table, 3), cells);
  WriteOptions options;
  options.first_line = true;
  EXPECT_EQ(text_of(table, 3, options), "\"Row\",\"Col\",\"V\"\n" + cells);
}

TEST(WriteTypes, StatusComesWithTrueValuesAndAWarning) {
  Table table = suppressed_cells();
  make_empty(table.cells[7]);
  WriteOptions options;
  options.status = options.first_line = true;
  options.quotes = false;
  EXPECT_EQ(text_of(table, 3, options),
            "Row,Col,V,Status\nT,Total,100,1\nT,x,60,1\nT,y,40,1\nA,Total,55,1\nA,x,35,11\n"
            "A,y,20,3\nB,Total,45,1\nB,x,-,14\nB,y,20,11\n");
  EXPECT_EQ(written(table, 3, options).notes,
            std::vector<std::string>{"type 3 (code-value) holds the true values of 3 suppressed "
                                     "cells: for the office only"});
  EXPECT_TRUE(written(table, 3).notes.empty());
  options.skip_empty = true;
  EXPECT_EQ(text_of(table, 3, options).find("-,14"), std::string::npos);
}

TEST(WriteTypes, RoundedAndAdjustedTablesHaveTheOriginalBeside) {
  Table table = nine_cells();
  for (Cell& cell : table.cells)
    cell.published = (cell.response + 5) / 10 * 10;
  table.protection = Protection::kRounded;
  make_empty(table.cells[8]);
  WriteOptions options;
  options.status = true;
  options.quotes = false;
  EXPECT_EQ(text_of(table, 2, options).substr(0, 51),
            "Row,Col,V_Round,V_Orig\nT,Total,100,100\nT,x,60,60\nT,");
  EXPECT_NE(text_of(table, 2, options).find("A,y,20,20\n"), std::string::npos);
  EXPECT_NE(text_of(table, 2, options).find("B,y,-,-\n"), std::string::npos);
  table.protection = Protection::kAdjusted;
  EXPECT_EQ(text_of(table, 2, options).substr(0, 47),
            "Row,Col,V_CTA,V_Orig,Status\nT,Total,100,100,1\nT");
  EXPECT_NE(text_of(table, 2, options).find("A,y,20,20,3\n"), std::string::npos);
  EXPECT_EQ(text_of(table, 1).substr(0, 40),
            ",\"Total\",\"x\",\"y\"\n\"T\",100,60,40\n\"A\",60,40");
  table.counts = true;
  EXPECT_EQ(text_of(table, 2, options).substr(0, 33), "Row,Col,Freq,<freq>_Orig,Status\nT");
}

TEST(WriteTypes, QuotesInCodesBecomeApostrophes) {
  Table table = nine_cells();
  table.variables[0].codes[1] = "A \"1\"";
  EXPECT_NE(text_of(table, 3).find("\"A '1'\",\"x\",35\n"), std::string::npos);
}

TEST(WriteTypes, ReleasesHaveTheDecimalsOfTheMetadata) {
  Table table = nine_cells();
  table.decimals = 2;  // 1.00, 0.60, ...
  table.cells[0].response = -105;
  EXPECT_EQ(text_of(table, 1).substr(0, 27), ",\"Total\",\"x\",\"y\"\n\"T\",-1,1,0");
  table.shown_decimals = 1;
  EXPECT_EQ(text_of(table, 1).substr(17, 16), "\"T\",-1.0,0.6,0.4");
  EXPECT_EQ(written(table, 1).notes,
            std::vector<std::string>{
                "values are written with 1 decimals, as <DECIMALS> says, though they have 2"});
}

TEST(WriteTypes, SbsHasFrequencyFlagAndShares) {
  Table table = suppressed_cells();
  table.rules.prior_posterior[0] = PriorPosterior{20, 100, 1};
  table.variables[0].hierarchical = true;
  table.cells[5].largest = {15, 4};
  table.cells[0].status = CellStatus::kProtected;
  table.cells[1].status = CellStatus::kUnsafeFrequency;
  table.cells[2].status = CellStatus::kUnsafeManual;
  table.cells[3].holdings = 2;
  make_empty(table.cells[8]);
  WriteOptions options;
  options.levels = true;
  options.quotes = false;
  EXPECT_EQ(text_of(table, 4, options),
            "T,0,Total,0,100,20,V\nT,0,x,0,60,12,A\nT,0,y,0,40,8,B,0.0,0.0\nA,1,Total,0,55,2,V\n"
            "A,1,x,0,35,7,D\nA,1,y,0,20,4,F,75.0,20.0\nB,1,Total,0,45,9,V\nB,1,x,0,25,5,D\n");
}

TEST(WriteTypes, SbsSharesOfDominanceAreOfOneOrTwo) {
  Table table = nine_cells();
  table.cells[5].largest = {15, 4, 1};
  table.rules.dominance[0] = Dominance{1, 70};
  EXPECT_NE(text_of(table, 4).find("\"A\",\"y\",20,4,B,75.0\n"), std::string::npos);
  table.rules.dominance[1] = Dominance{3, 90};
  EXPECT_NE(text_of(table, 4).find("\"A\",\"y\",20,4,C,95.0\n"), std::string::npos);
  table.rules.dominance[2] = Dominance{2, 90};  // holdings go first
  table.cells[5].largest_holdings = {10, 3};
  EXPECT_NE(text_of(table, 4).find("\"A\",\"y\",20,4,C,65.0\n"), std::string::npos);
  table.cells[5].shadow = 0;
  EXPECT_NE(text_of(table, 4).find("\"A\",\"y\",20,4,C,0.0\n"), std::string::npos);
}

// The layout of the recorded jobs, without the blanks that older versions wrote.
TEST(WriteTypes, IntermediateHasEverythingThatIsReadBack) {
  Table table = suppressed_cells();
  table.rules.prior_posterior[0] = PriorPosterior{20, 100, 1};
  table.variables[1].codes[1] = "        1814";
  table.cells[0].largest = {30, 12};
  table.cells[5].largest = {20};
  table.cells[5].levels = ProtectionLevels{mpq_class(154, 5), mpq_class(154, 5)};
  make_empty(table.cells[8]);
  EXPECT_EQ(
      text_of(table, 5),
      "\"T\";\"Total\";100;20;100;100;30;12;S;1;1\n\"T\";\"        1814\";60;12;60;60;0;0;S;1;1\n"
      "\"T\";\"y\";40;8;40;40;0;0;S;1;1\n\"A\";\"Total\";55;11;55;55;0;0;S;1;1\n"
      "\"A\";\"        1814\";35;7;35;35;0;0;M;1;1\n\"A\";\"y\";20;4;20;20;20;0;U;19.9;30.8\n"
      "\"B\";\"Total\";45;9;45;45;0;0;S;1;1\n\"B\";\"        1814\";25;5;25;25;0;0;M;1;1\n"
      "\"B\";\"y\";0;0;0;0;0;0;E;0;1\n");
  EXPECT_EQ(written(table, 5).files[1].path, "out/o.rda");
}

TEST(WriteTypes, IntermediateWithFewerColumnsOrHoldings) {
  Table table = nine_cells();
  table.rules.dominance[2] = Dominance{1, 60};
  table.cells[5].holdings = 3;
  table.cells[5].largest_holdings = {14};
  WriteOptions options;
  options.holdings = true;
  EXPECT_NE(text_of(table, 5, options).find("\"A\";\"y\";20;3;20;20;14;U;4;4\n"),
            std::string::npos);
  options.status_only = true;
  options.quotes = false;
  EXPECT_NE(text_of(table, 5, options).find("A;y;20;3;20;U;4;4\n"), std::string::npos);
  options.holdings = false;
  EXPECT_NE(text_of(table, 5, options).find("A;y;20;4;20;U;4;4\n"), std::string::npos);
  table.counts = true;  // the response is the frequency
  options.status_only = false;
  EXPECT_NE(text_of(table, 5, options).find("A;y;20;20;U;4;4\n"), std::string::npos);
  make_empty(table.cells[8]);
  EXPECT_NE(text_of(table, 5, options).find("B;y;0;0;E;0;1\n"), std::string::npos);
  options.skip_empty = true;
  EXPECT_EQ(text_of(table, 5, options).find("B;y"), std::string::npos);
}

TEST(WriteTypes, IntermediateWithWhatAReaderCanInfer) {
  Table table = suppressed_cells();
  table.cells[5].lowest = 0;
  table.cells[5].highest = mpq_class(81, 2);
  WriteOptions options;
  options.audit = true;
  const std::string text = text_of(table, 5, options);
  EXPECT_NE(text.find("\"A\";\"y\";20;4;20;20;U;4;4;0;40;40;100.00;102.50;202.50\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"T\";\"y\";40;8;40;40;S;1;1;0;0;0;0;0;0\n"), std::string::npos);
  EXPECT_EQ(written(table, 5, options).notes.at(1),
            "AR+: 3 withheld cells without an audit: the columns are 0 there");
}

TEST(WriteTypes, IntermediateKeepsTheDigitsThatAddUp) {
  Table table = nine_cells();
  table.decimals = 1;
  table.cells[5].levels = ProtectionLevels{mpq_class(1, 3), mpq_class(1, 3)};
  EXPECT_NE(text_of(table, 5).find("\"A\";\"x\";3.5;7;35;35.0;S;0.1;0.1\n"), std::string::npos);
  EXPECT_NE(text_of(table, 5).find(";U;0.3333333334;0.3333333334\n"), std::string::npos);
}

TEST(WriteTypes, CostsAreThoseWithLambda) {
  Table table = nine_cells();
  table.spec.lambda = 0.5;
  EXPECT_NE(text_of(table, 5).find("\"T\";\"Total\";100;20;100;10;S"), std::string::npos);
  table.spec.lambda = 0;
  EXPECT_NE(text_of(table, 5).find("\"T\";\"Total\";100;20;100;5;S"), std::string::npos);
}

const char* const kCellsBeforeLevels[] = {"100 20000",
                                          "60 12000",
                                          "40 8000",
                                          "55 11000",
                                          "35 7000",
                                          "20 4000",
                                          "45 9000",
                                          "25 5000",
                                          "20 4000"};

std::string jj_lines(const std::string& statuses) {
  std::string text = "0\n9\n";
  for (std::size_t c = 0; c < statuses.size(); ++c) {
    const char status = statuses[c];
    text += std::to_string(c) + " " + kCellsBeforeLevels[c] + " " + status;
    text += status == 'z'   ? " 0 150 0.000 0.000 0\n"
            : status == 'u' ? " 0.0 150.0 4.000 4.000 0\n"
                            : " 0.0 150.0 0.000 1.000 0\n";
  }
  return text +
         "6\n0 3 : 0 (-1) 3 (1) 6 (1)\n0 3 : 1 (-1) 4 (1) 7 (1)\n0 3 : 2 (-1) 5 (1) 8 (1)\n"
         "0 3 : 0 (-1) 1 (1) 2 (1)\n0 3 : 3 (-1) 4 (1) 5 (1)\n0 3 : 6 (-1) 7 (1) 8 (1)\n";
}

TEST(WriteTypes, JjIsTheWorkedExample) {
  Table table = suppressed_cells();
  EXPECT_EQ(text_of(table, 6), jj_lines("ssssmusmm"));
  table.cells[2].status = CellStatus::kProtected;
  EXPECT_EQ(text_of(table, 6), jj_lines("sszsmusmm"));
}

TEST(WriteTypes, JjIsReadByItsReader) {
  Table table = suppressed_cells();
  table.decimals = 1;
  table.cells[5].levels = ProtectionLevels{50, mpq_class(61, 3)};  // more than there is
  const std::string text = written(table, 6).files[0].text;
  EXPECT_NE(text.find("5 2.0 4000 u 0.00 22.34 1.9900 20.3334 0.0\r\n"), std::string::npos) << text;
  const auto problem = problems::read_jj(text, "o.jj");
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->table().num_cells(), 9);
}

TEST(WriteTypes, JjWithUnitCostAndNegativeValues) {
  Table table = nine_cells();
  table.spec.cost_kind = CostKind::kUnity;
  table.cells[4].response = -35;
  const std::string text = text_of(table, 6);
  EXPECT_NE(text.find("\n4 -35 1 s -52.5 150.0 0.000 1.000 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n5 20 1 u -52.5 150.0 4.000 4.000 0\n"), std::string::npos);
}

// Total > N > N1 > {N11, N12}, S > S1: N1 and S1 say nothing new.
Table trivial_levels() {
  Table table;
  CodeList list = flat_list("Reg", {"Total", "N", "N1", "N11", "N12", "S", "S1"});
  list.hierarchical = true;
  list.parents = {-1, 0, 1, 2, 2, 0, 5};
  table.variables = {list};
  for (const Units value : {10, 7, 7, 4, 3, 3, 3}) {
    Cell cell;
    cell.response = value;
    cell.cost = static_cast<double>(value);
    cell.status = CellStatus::kSafe;
    table.cells.push_back(cell);
  }
  return table;
}

TEST(WriteTypes, JjWithoutTrivialLevels) {
  const Table table = trivial_levels();
  const std::string all = text_of(table, 6);
  EXPECT_EQ(all.substr(all.find("\n4\n")),
            "\n4\n0 3 : 0 (-1) 1 (1) 5 (1)\n0 2 : 1 (-1) 2 (1)\n0 3 : 2 (-1) 3 (1) 4 (1)\n"
            "0 2 : 5 (-1) 6 (1)\n");
  WriteOptions options;
  options.remove_trivial = true;
  const std::string fewer = text_of(table, 6, options);
  EXPECT_EQ(fewer.substr(0, 4), "0\n5\n");
  EXPECT_EQ(fewer.substr(fewer.find("\n2\n")),
            "\n2\n0 3 : 0 (-1) 1 (1) 4 (1)\n0 3 : 1 (-1) 2 (1) 3 (1)\n");
}

TEST(WriteTypes, RecodedTreesAreWrittenBesideTheMetadata) {
  Table table = trivial_levels();
  table.response = "V";
  Metadata source;
  source.variables.emplace_back().name = "REG";
  source.variables[0].hierarchical = true;
  source.variables[0].levels = {1, 1, 1};
  table.variables[0].recoded = true;
  WriteTable command;
  command.type = 5;
  const auto result = write_table(table, command, "out/o.csv", source);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->files.size(), 3U);
  EXPECT_EQ(result->files[2].path, "out/o_1.hrc");
  EXPECT_EQ(without_returns(result->files[2].text), "N\n@N1\n@@N11\n@@N12\nS\n@S1\n");
  EXPECT_NE(result->files[1].text.find("\"o_1.hrc\""), std::string::npos);
}

TEST(WriteTypes, MetadataNameTheColumns) {
  Table table = nine_cells();
  table.spec.shadow.text = "v";  // the response itself
  table.spec.cost_kind = CostKind::kVariable;
  table.spec.cost.text = "W";
  table.decimals = 1;
  table.rules.dominance[0] = Dominance{2, 80};
  const auto files = written(table, 5).files;
  auto metadata = read_metadata(files[1].text, files[1].path, DataKind::kTable);
  ASSERT_TRUE(metadata) << metadata.error().text();
  std::string names;
  for (const Variable& variable : metadata->variables)
    names += variable.name + " ";
  EXPECT_EQ(names,
            "Row Col V FreqVar v_Shadow W Top1 Top2 StatusVar LowerProtLevel UpperProtLevel ");
  EXPECT_EQ(metadata->variables[0].total_code, "T");
  EXPECT_EQ(metadata->variables[2].decimals, 1);
  EXPECT_TRUE(metadata->variables[5].cost);
}

TEST(WriteTypes, MissingCodesHaveTheBlanksOfTheTable) {
  Table table = nine_cells();
  table.variables[1].codes[2] = "   9";
  Metadata source;
  source.variables.emplace_back().name = "Col";
  source.variables[0].missing = {"9", "8"};
  WriteTable command;
  command.type = 5;
  const auto result = write_table(table, command, "o.csv", source);
  ASSERT_TRUE(result);
  EXPECT_NE(result->files[1].text.find("Col \"   9\" \"8\"\r\n"), std::string::npos)
      << result->files[1].text;
}

TEST(WriteTypes, TypesThatAreNotForAProtectionAreRefused) {
  Table table = nine_cells();
  EXPECT_EQ(refusal(table, 7),
            "WRITETABLE type 7 (cell keys) is for tables with cell keys: it needs SUPPRESS CKM "
            "before it");
  EXPECT_EQ(refusal(table, 8), "WRITETABLE has no type 8: the types are 1 to 7");
  table.protection = Protection::kAdjusted;
  EXPECT_NE(refusal(table, 4), "");
  EXPECT_NE(refusal(table, 5), "");
  EXPECT_EQ(refusal(table, 6), "");
  table.protection = Protection::kRounded;
  EXPECT_EQ(refusal(table, 4), "");
  EXPECT_EQ(refusal(table, 5), "");
  EXPECT_EQ(refusal(table, 6),
            "WRITETABLE type 6 (JJ) is not for a table after RND: it would hold the true values; "
            "types 1 to 5 are");
}

TEST(WriteTypes, NumbersAreRoundedToTheEvenDigit) {
  EXPECT_EQ(fixed_text(Units{25}, 1, 0), "2");
  EXPECT_EQ(fixed_text(Units{35}, 1, 0), "4");
  EXPECT_EQ(fixed_text(Units{-251}, 2, 0), "-3");
  EXPECT_EQ(fixed_text(Units{-4}, 1, 0), "0");
  EXPECT_EQ(fixed_text(Units{-4}, 1, 3), "-0.400");
  EXPECT_EQ(fixed_text(Units{0}, 0, 2), "0.00");
  EXPECT_EQ(fixed_text(mpq_class(2, 3), 1), "0.7");
  EXPECT_EQ(level_text(mpq_class(5), 0), "5");
  EXPECT_EQ(level_text(mpq_class(5), 2), "5.00");
  EXPECT_EQ(level_text(mpq_class(2, 3), 0), "0.666666667");
}

}  // namespace
}  // namespace lacuna::argus
