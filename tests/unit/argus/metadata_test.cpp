// SPDX-License-Identifier: Apache-2.0
#include "data/argus/metadata.h"

#include <gtest/gtest.h>

namespace lacuna::argus {
namespace {

using Texts = std::vector<std::string>;

Metadata read(const std::string& text, DataKind kind) {
  const auto metadata = read_metadata(text, "m.rda", kind);
  if (!metadata) {
    ADD_FAILURE() << metadata.error().text();
    return {};
  }
  return *metadata;
}

std::string fault(const std::string& text, DataKind kind) {
  const auto metadata = read_metadata(text, "m.rda", kind);
  return metadata ? "no error" : metadata.error().text();
}

std::string records_fault(const std::string& text) {
  return fault(text, DataKind::kMicrodata);
}

std::string table_fault(const std::string& text) {
  return fault(text, DataKind::kTable);
}

// A table that is complete but for what a test adds.
std::string table_with(const std::string& text) {
  return "Size\n<RECODEABLE> <TOTCODE> Total\nValue\n<NUMERIC>\n" + text;
}

TEST(Metadata, FixedFormat) {
  const Metadata metadata = read(
      "// records\r\nYear 1 2 99 \"9 \"\r\n  <RECODEABLE>\r\n  <DISTANCE> 2 4\r\n"
      "\tIndustryCode\t4 5 99999\r\n <RECODABLE> <HIERLEVELS> 3 1 1 0 0 <HIERARCHICAL>\r\n"
      "\"Two words\" 12  2\r\n<recodeable>\r\n<CODELIST> region file.cdl\r\n<HIERARCHICAL>\r\n"
      "<HIERCODELIST> \"\\\\scb\\x\\r.hrc\"\r\n<HIERLEADSTRING> \"@\"\r\n<TOTCODE> \"All of "
      "it\"\r\n"
      "Wgt 15 4\r\n<WEIGHT> <DECIMALS> 1\r\nVar2 28 10\r\n<NUMERIC>\r\n<TRUNCABLE>\r\n"
      "Firm 40 3\r\n<HOLDING>\r\nReq 99 1\r\n<REQUEST> \"1\" \"2\"",
      DataKind::kMicrodata);
  EXPECT_TRUE(metadata.fixed);
  ASSERT_EQ(metadata.variables.size(), 7U);
  const auto& variables = metadata.variables;
  EXPECT_EQ(variables[0].missing, (Texts{"99", "9 "}));
  EXPECT_EQ(variables[0].start, 1U);
  EXPECT_EQ(variables[0].length, 2U);
  EXPECT_EQ(variables[0].distance, (std::vector<int>{2, 4, 4, 4, 4}));
  EXPECT_EQ(variables[0].total_code, "Total");
  EXPECT_FALSE(variables[0].hierarchical);
  EXPECT_EQ(variables[1].levels, (std::vector<int>{3, 1, 1}));
  EXPECT_TRUE(variables[1].hierarchical && variables[1].has_tree());
  EXPECT_EQ(variables[2].name, "Two words");
  EXPECT_EQ(variables[2].code_list.text, "region file.cdl");
  EXPECT_EQ(variables[2].hierarchy_file.text, "\\\\scb\\x\\r.hrc");
  EXPECT_EQ(variables[2].hierarchy_file.place.line, 11U);
  EXPECT_EQ(variables[2].lead, "@");
  EXPECT_EQ(variables[2].total_code, "All of it");
  EXPECT_TRUE(variables[3].weight);
  EXPECT_EQ(variables[3].decimals, 1);
  EXPECT_TRUE(variables[4].numeric && variables[4].truncable);
  EXPECT_TRUE(variables[5].holding);
  EXPECT_EQ(variables[6].request_codes, (Texts{"1", "2"}));
  EXPECT_EQ(metadata.find("wgt"), &variables[3]);
  EXPECT_EQ(metadata.find("none"), nullptr);
  EXPECT_TRUE(metadata.notes.empty());
}

TEST(Metadata, FreeFormat) {
  const Metadata metadata = read(
      "  <SEPARATOR> \",\"\r\nAge 15\r\n  <RECODABLE>\r\nAge 3\r\nResp 15 \"\" \r\n  <NUMERIC>",
      DataKind::kMicrodata);
  EXPECT_FALSE(metadata.fixed);
  EXPECT_EQ(metadata.separator, ',');
  EXPECT_EQ(metadata.variables[0].length, 15U);
  EXPECT_TRUE(metadata.variables[2].missing.empty());
  EXPECT_EQ(
      metadata.notes,
      (Texts{"m.rda:4:1: the variable 'Age' is described twice: the one on line 2 is meant"}));
  const Metadata later =
      read("// first\n<SEPARATOR> \"\t\"\nA 1\n<RECODEABLE>", DataKind::kMicrodata);
  EXPECT_EQ(later.separator, '\t');
  EXPECT_EQ(later.notes,
            (Texts{"m.rda:2:1: <SEPARATOR> is not on the first line, where tau-ARGUS wants it"}));
}

TEST(Metadata, BothRoles) {
  const Metadata metadata = read("A 1 2\n<NUMERIC>\n<RECODEABLE>", DataKind::kMicrodata);
  EXPECT_TRUE(metadata.variables[0].numeric && metadata.variables[0].recodeable);
}

TEST(Metadata, CellKeys) {
  const Metadata metadata = read(
      "<SEPARATOR> ;\nA 1\n<RECODEABLE>\nK 9\n<RECORDKEY>\n<PFILE> \"f.txt\"\n"
      "<PFILE_CONT> \"c.txt\"\n<PFILE_SEP> s.txt\nV 9\n<NUMERIC>\n<CKM> t(3)\n"
      "<INCLUDEZEROS> Y\n<PARITY> n\n<SEPARATION> y\n<SCALING> F(1.1,0.05,100,3,0.5,0.3)\n"
      "W 9\n<NUMERIC>\n<CKM> N\nX 9\n<NUMERIC>\n<CKM> V\n<SCALING> n ( 2 )",
      DataKind::kMicrodata);
  const Variable& key = metadata.variables[1];
  EXPECT_TRUE(key.record_key);
  EXPECT_EQ(key.ptable.text, "f.txt");
  EXPECT_EQ(key.ptable_continuous.text, "c.txt");
  EXPECT_EQ(key.ptable_separation.text, "s.txt");
  const auto& options = metadata.variables[2].cell_key;
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->type, 'T');
  EXPECT_EQ(options->top, 3);
  EXPECT_TRUE(options->include_zeros && options->separation && !options->parity);
  EXPECT_EQ(options->scaling, "F(1.1,0.05,100,3,0.5,0.3)");
  EXPECT_EQ(metadata.variables[3].cell_key->type, 'N');
  EXPECT_EQ(metadata.variables[4].cell_key->scaling, "N(2)");
}

TEST(Metadata, CellKeyErrors) {
  const std::string start = "<SEPARATOR> ;\nA 1\n<RECODEABLE>\n";
  const std::string key = start + "K 9\n<RECORDKEY>\n<PFILE> f\n<PFILE_CONT> c\n";
  EXPECT_EQ(records_fault(start + "K 9\n<RECORDKEY>"),
            "m.rda:4:1: <RECORDKEY> of 'K' needs <PFILE>");
  EXPECT_EQ(records_fault(key + "L 9\n<RECORDKEY> <PFILE> g"),
            "m.rda:8:1: a second <RECORDKEY>: one variable may have it");
  EXPECT_EQ(records_fault(start + "V 9\n<CKM> M"),
            "m.rda:4:1: <CKM> of 'V' is about a numeric variable: <NUMERIC> is missing");
  EXPECT_EQ(records_fault(start + "V 9\n<NUMERIC> <CKM> M"),
            "m.rda:4:1: <CKM> of 'V' needs a variable with <RECORDKEY>");
  EXPECT_EQ(records_fault(start + "K 9\n<RECORDKEY> <PFILE> f\nV 9\n<NUMERIC> <CKM> M"),
            "m.rda:6:1: <CKM> of 'V' needs <PFILE_CONT> at the variable with <RECORDKEY>");
  EXPECT_EQ(records_fault(key + "V 9\n<NUMERIC> <CKM> M"),
            "m.rda:8:1: <CKM> of 'V' needs <SCALING>");
  EXPECT_EQ(
      records_fault(key + "V 9\n<NUMERIC> <CKM> M\n<SCALING> F(1,2,3)"),
      "m.rda:8:1: <CKM> of 'V': <SCALING> 'F(1,2,3)' does not have the numbers F(s0,s1,x,q) or "
      "N(s1), and one more for every largest contribution but the first");
  EXPECT_EQ(records_fault(key + "V 9\n<NUMERIC> <CKM> Q"),
            "m.rda:9:17: expected N, M, D, V or T(k) after <CKM>, not 'Q'");
  EXPECT_EQ(records_fault(key + "V 9\n<NUMERIC> <CKM> T(0)"),
            "m.rda:9:19: k of T(k) must be a whole number from 1 to 100, not '0'");
  EXPECT_EQ(records_fault(key + "V 9\n<PARITY> Y"), "m.rda:9:1: <PARITY> stands after <CKM>");
  EXPECT_EQ(records_fault(key + "V 9\n<CKM> M <PARITY> 1"),
            "m.rda:9:18: expected Y or N after <PARITY>, not '1'");
  EXPECT_EQ(records_fault(key + "V 9\n<CKM> M <SCALING> G(1)"),
            "m.rda:9:19: expected F(...) or N(...) after <SCALING>, not 'G'");
}

TEST(Metadata, Table) {
  const Metadata metadata = read(
      "   <SEPARATOR> \";\"\n<SAFE> s <UNSAFE> \"U\"\n<PROTECT> \"Z\"\nSize \"99\"\n<RECODEABLE>\n"
      "<TOTCODE> \"Total\"\nRegion \"99\" \"98\"\n<RECODEABLE>\n<TOTCODE> T\n<HIERARCHICAL>\n"
      "<HIERCODELIST> \"r.hrc\"\nVar2\n<NUMERIC>\n<DECIMALS> 2\nFreqVar\n<FREQUENCY>\nSh\n"
      "<NUMERIC> <SHADOW>\nCo\n<NUMERIC> <COSTVAR>\nTop1\n<MAXSCORE>\nTop2\n<MAXSCORE>\nSt\n"
      "<STATUS>\nLo\n<NUMERIC> <LOWERPL>\nUp\n<UPPERPL>\nKey\n<CELLKEY>",
      DataKind::kTable);
  EXPECT_FALSE(metadata.fixed);
  EXPECT_EQ(metadata.safe, "s");
  EXPECT_EQ(metadata.unsafe, "U");
  EXPECT_EQ(metadata.protect, "Z");
  const auto& variables = metadata.variables;
  ASSERT_EQ(variables.size(), 12U);
  EXPECT_EQ(variables[1].missing, (Texts{"99", "98"}));
  EXPECT_EQ(variables[1].total_code, "T");
  EXPECT_EQ(variables[1].lead, ".");
  EXPECT_EQ(variables[2].decimals, 2);
  EXPECT_TRUE(variables[3].frequency && variables[4].shadow && variables[5].cost);
  EXPECT_TRUE(variables[6].max_score && variables[8].status && variables[9].lower_level);
  EXPECT_TRUE(variables[9].numeric && variables[10].upper_level);
}

TEST(Metadata, TableWithoutTotals) {
  const Metadata metadata = read("Size\n<RECODEABLE>\nF\n<FREQUENCY>", DataKind::kTable);
  EXPECT_EQ(metadata.variables[0].total_code, "Total");
  EXPECT_EQ(
      metadata.notes,
      (Texts{"m.rda:1:1: 'Size' has no <TOTCODE>, which tau-ARGUS asks for: 'Total' is taken"}));
}

TEST(Metadata, TableErrors) {
  EXPECT_EQ(table_fault("Size\n<RECODEABLE> <TOTCODE> T"),
            "m.rda: no variable is a response (<NUMERIC>) or has <FREQUENCY>");
  EXPECT_EQ(table_fault(table_with("A\n<SHADOW>\nB\n<NUMERIC> <SHADOW>")),
            "m.rda:7:1: a second <SHADOW>: 'A' and 'B'");
  EXPECT_EQ(table_fault(table_with("A\n<COST>\nB\n<COSTVAR>")),
            "m.rda:7:1: a second <COST>: 'A' and 'B'");
  EXPECT_EQ(table_fault(table_with("A\n<FREQUENCY>\nB\n<FREQUENCY>")),
            "m.rda:7:1: a second <FREQUENCY>: 'A' and 'B'");
  EXPECT_EQ(table_fault(table_with("A\n<LOWERPL>\nB\n<LOWERPL>")),
            "m.rda:7:1: a second <LOWERPL>: 'A' and 'B'");
  EXPECT_EQ(table_fault(table_with("A\n<UPPERPL>\nB\n<UPPERPL>")),
            "m.rda:7:1: a second <UPPERPL>: 'A' and 'B'");
  EXPECT_EQ(table_fault(table_with("A\n<STATUS>\nB\n<STATUS>")),
            "m.rda:7:1: a second <STATUS>: 'A' and 'B'");
  EXPECT_EQ(table_fault(table_with("A\n<WEIGHT>")),
            "m.rda:6:1: <WEIGHT> is about records, and these are metadata of a table");
  EXPECT_EQ(table_fault("<SAFE>\n" + table_with("")), "m.rda:1:7: expected a letter after <SAFE>");
  EXPECT_EQ(table_fault("V\n<NUMERIC>"),
            "m.rda: no variable has <RECODEABLE>: a table needs an explanatory variable");
}

TEST(Metadata, RecordsErrors) {
  EXPECT_EQ(
      records_fault("<SPSS>\nA 1 2"),
      "m.rda:1:1: system files of SPSS are not read: export the data as text, and describe it "
      "with <SEPARATOR> or with the place of every variable");
  EXPECT_EQ(records_fault(""), "m.rda: no variable is described");
  EXPECT_EQ(records_fault("RDX3\nX"),
            "m.rda: this is a data file of R, which has the same ending: metadata are text");
  EXPECT_EQ(records_fault("<NUMERIC>"), "m.rda:1:1: <NUMERIC> stands before the first variable");
  EXPECT_EQ(records_fault("A"),
            "m.rda:1:2: expected the first character and the length of 'A'; separated data have "
            "<SEPARATOR> on the first line");
  EXPECT_EQ(
      records_fault("A 0 1"),
      "m.rda:1:3: the first character of 'A' must be a whole number from 1 to 32000, not '0'");
  EXPECT_EQ(records_fault("A 1"),
            "m.rda:1:4: the length of 'A' must be a whole number from 1 to 32000, not nothing");
  EXPECT_EQ(records_fault("A 1 2 999"),
            "m.rda:1:7: the missing code '999' is longer than 'A', which has 2 characters");
  EXPECT_EQ(records_fault("A 1 2 \"\" 99"),
            "m.rda:1:10: the second missing code is given and the first is empty");
  EXPECT_EQ(records_fault("A 1 2\n<RECODEABEL>"),
            "m.rda:2:1: unknown keyword '<RECODEABEL>'; did you mean '<RECODEABLE>'?");
  EXPECT_EQ(records_fault("A 1 2\n<FREQUENCY>"),
            "m.rda:2:1: <FREQUENCY> is about tables, and these are metadata of records");
  EXPECT_EQ(records_fault("A 1 2\n<RECODEABLE>\na 3 1"),
            "m.rda:3:1: the variable 'a' is described twice");
  EXPECT_EQ(records_fault("<SEPARATOR> \" \"\nA 1"),
            "m.rda:1:13: expected one character other than a blank after <SEPARATOR>, not ' '");
  EXPECT_EQ(records_fault("A 1 2\n<RECODEABLE>\nR 3 1\n<REQUEST>"),
            "m.rda:3:1: <REQUEST> of 'R' has no code");
  EXPECT_EQ(records_fault("A 1 2\n<DECIMALS> x"),
            "m.rda:2:12: <DECIMALS> must be a whole number from 0 to 15, not 'x'");
  EXPECT_EQ(records_fault("A 1 2\n<CODELIST>"),
            "m.rda:2:11: expected the name of a file after <CODELIST>");
}

TEST(Metadata, TreeErrorsAndNotes) {
  const auto with = [](const std::string& text) { return "A 1 3\n<RECODEABLE>\n" + text; };
  EXPECT_EQ(records_fault(with("<HIERARCHICAL>")),
            "m.rda:1:1: 'A' has <HIERARCHICAL>, but neither <HIERCODELIST> nor <HIERLEVELS>");
  EXPECT_EQ(records_fault(with("<HIERARCHICAL> <HIERCODELIST> f <HIERLEADSTRING> \"\"")),
            "m.rda:1:1: the <HIERLEADSTRING> of 'A' is empty");
  EXPECT_EQ(records_fault(with("<HIERLEVELS> 1 1")),
            "m.rda:1:1: the <HIERLEVELS> of 'A' add up to 2, but its length is 3");
  EXPECT_EQ(records_fault(with("<HIERLEVELS> 1 0 2")),
            "m.rda:3:1: <HIERLEVELS> has the digits of every level, at least two numbers above 0; "
            "zeros may stand at the end");
  EXPECT_EQ(records_fault(with("<HIERLEVELS> 3 0")).substr(0, 10), "m.rda:3:1:");
  EXPECT_EQ(records_fault(with("<HIERLEVELS> 1 1 1 1 1 1 1 1 1 1 1")),
            "m.rda:3:34: <HIERLEVELS> has at most 10 numbers");
  EXPECT_EQ(
      records_fault(with("<HIERLEVELS> 1 x")),
      "m.rda:3:16: a number of <HIERLEVELS> must be a whole number from 0 to 1000000, not 'x'");
  const Metadata flat = read(with("<HIERCODELIST> f"), DataKind::kMicrodata);
  EXPECT_FALSE(flat.variables[0].has_tree());
  EXPECT_EQ(
      flat.notes,
      (Texts{"m.rda:1:1: 'A' has <HIERCODELIST> without <HIERARCHICAL>: the tree is not used, "
             "as in tau-ARGUS"}));
  const Metadata levels =
      read(with("<HIERARCHICAL>\n<HIERCODELIST> f\n<HIERLEVELS> 1 2"), DataKind::kMicrodata);
  EXPECT_EQ(levels.notes,
            (Texts{"m.rda:1:1: 'A' has <HIERLEVELS> and <HIERCODELIST>: the levels count"}));
  EXPECT_TRUE(levels.variables[0].hierarchy_file.text.empty());
  const Metadata file =
      read(with("<HIERLEVELS> 1 2\n<HIERARCHICAL>\n<HIERCODELIST> f"), DataKind::kMicrodata);
  EXPECT_TRUE(file.variables[0].levels.empty());
}

TEST(Metadata, Notes) {
  const Metadata metadata =
      read("A 1 3 a b c\n<RECODEABLE> x\nB 3 1\n<HOLDING>", DataKind::kMicrodata);
  EXPECT_EQ(metadata.notes,
            (Texts{"m.rda:1:11: ignored: 'c'",
                   "m.rda:2:14: ignored: 'x'",
                   "m.rda:3:1: the variables 'A' and 'B' overlap"}));
}

TEST(Metadata, WrittenAndReadAgain) {
  const std::string text =
      "   <SEPARATOR> \";\"\r\n"
      "   <PROTECT> \"Z\"\r\n"
      "Size \"99\"\r\n"
      "    <RECODEABLE>\r\n"
      "    <TOTCODE> \"All sizes\"\r\n"
      "    <DISTANCE> 2 4 4 4 4\r\n"
      "    <HIERARCHICAL>\r\n"
      "    <HIERLEVELS> 2 2 2\r\n"
      "\"Re gion\"\r\n"
      "    <RECODEABLE>\r\n"
      "    <TOTCODE> \"Total\"\r\n"
      "    <CODELIST> \"r.cdl\"\r\n"
      "    <HIERARCHICAL>\r\n"
      "    <HIERCODELIST> \"r.hrc\"\r\n"
      "    <HIERLEADSTRING> \"@\"\r\n"
      "Var2\r\n"
      "    <NUMERIC>\r\n"
      "    <DECIMALS> 2\r\n"
      "FreqVar\r\n"
      "    <FREQUENCY>\r\n"
      "Var2_Shadow\r\n"
      "    <NUMERIC> <SHADOW>\r\n"
      "Var2_Cost\r\n"
      "    <NUMERIC> <COSTVAR>\r\n"
      "Top1\r\n"
      "    <MAXSCORE>\r\n"
      "StatusVar\r\n"
      "    <STATUS>\r\n"
      "LowerProtLevel\r\n"
      "    <NUMERIC> <LOWERPL>\r\n"
      "UpperProtLevel\r\n"
      "    <NUMERIC> <UPPERPL>\r\n";
  EXPECT_EQ(write_table_metadata(read(text, DataKind::kTable)), text);
}

}  // namespace
}  // namespace lacuna::argus
