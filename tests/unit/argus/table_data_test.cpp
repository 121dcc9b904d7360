// SPDX-License-Identifier: Apache-2.0
// Ready tables: what a line may say, what holds where it says nothing, sums.
#include "data/argus/table_data.h"

#include <gtest/gtest.h>

#include "unit/argus/job_parts.h"

namespace lacuna::argus {
namespace {

using Codes = std::vector<std::string>;

Variable column(const std::string& name, bool Variable::*role) {
  Variable variable;
  variable.name = name;
  variable.*role = true;
  variable.numeric = role != &Variable::status;
  return variable;
}

// Size;Reg;Var;Freq;Cost;Status;Low;Up
Metadata metadata() {
  Metadata metadata;
  metadata.filename = "job.rda";
  metadata.variables = {code_variable("Size", 0, 0),
                        code_variable("Reg", 0, 0),
                        number_variable("Var", 0, 0),
                        column("Freq", &Variable::frequency),
                        column("Cost", &Variable::cost),
                        column("Status", &Variable::status),
                        column("Low", &Variable::lower_level),
                        column("Up", &Variable::upper_level)};
  metadata.variables[1].missing = {"9"};
  metadata.variables[3].numeric = false;
  return metadata;
}

const SpecifyTable kSpec = table_spec({"Size", "Reg"}, "Var");
const std::string kCells =
    "\"Total\";Total;10,5;9;1;S;;\r\n"
    "1;Total;7.5;6;2;s;0;0\r\n"
    "10;;3;3;0;P\r\n"
    "Total;1;6;5;1;S;;\n"
    "Total;2;4.5;4;1;S;;\n"
    "// a comment\n\n"
    "1;1;5;4;;u;1,5;2\n"
    "1;2;2.5;2;;U;;\n"
    "10;1;1;1;;M\n"
    "10;2;2;2;;S;9;9";

Result<Table> read(JobFolder& job, const std::string& text, const ReadTable& how = {}) {
  return job.ready_table(metadata(), text, kSpec, SafetyRule(), how);
}

TEST(ArgusTableData, CellsWithTheirStatusCostAndLevels) {
  JobFolder job("argus_cells");
  const auto table = read(job, kCells);
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", " 1", "10"}));
  EXPECT_EQ(table->variables[1].codes, (Codes{"Total", "1", "2", "9"}));
  EXPECT_EQ(table->decimals, 1);
  EXPECT_EQ(table->cells[0].response, 105);
  EXPECT_EQ(cell_at(*table, {"1", "Total"}).status, CellStatus::kSafeManual);
  EXPECT_FALSE(cell_at(*table, {"1", "Total"}).levels);
  EXPECT_EQ(cell_at(*table, {"10", ""}).status, CellStatus::kProtected);
  EXPECT_EQ(cell_at(*table, {"10", ""}).cost, 0.0001);
  EXPECT_EQ(cell_at(*table, {"1", "1"}).status, CellStatus::kUnsafeManual);
  EXPECT_EQ(cell_at(*table, {"1", "1"}).levels->lower, mpq_class(3, 2));
  EXPECT_EQ(cell_at(*table, {"1", "1"}).levels->upper, 2);
  EXPECT_EQ(cell_at(*table, {"1", "1"}).cost, 5);
  EXPECT_EQ(cell_at(*table, {"1", "2"}).levels->upper, mpq_class(1, 2));  // 20 percent of 2.5
  EXPECT_EQ(cell_at(*table, {"10", "1"}).status, CellStatus::kSecondary);
  EXPECT_EQ(cell_at(*table, {"10", "9"}).status, CellStatus::kEmpty);
  EXPECT_TRUE(table->additive);
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), with);
}

TEST(ArgusTableData, SumsAreComparedExactly) {
  JobFolder job("argus_sums");
  const std::string broken = replaced(kCells, "1;2;2.5;2", "1;2;2.4;2");
  const auto strict = read(job, broken);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().code, ErrorCode::kNotAdditive);
  EXPECT_EQ(job.plain(strict.error()),
            "cells.tab: the table does not add up: Size=Total|Reg=2 is 4.5, its parts make 4.4; "
            "Size=1|Reg=Total is 7.5, its parts make 7.4 (<READTABLE> 1 recomputes totals, 2 takes "
            "the table as it is)");
  const auto free = read(job, broken, {2, false});
  ASSERT_TRUE(free) << free.error().text();
  EXPECT_FALSE(free->additive);
  EXPECT_EQ(free->cells[0].response, 105);
}

TEST(ArgusTableData, NumbersOfBinaryProgramsAddUp) {
  JobFolder job("argus_binary");
  std::string text = replaced(kCells, "1;2;2.5;2", "1;2;2.49999999999999;2");
  const auto table = read(job, text);
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_EQ(table->notes.size(), 1U);
  EXPECT_NE(table->notes[0].find("binary"), std::string::npos);
  EXPECT_EQ(table->cells[0].response, 1049999999999999);
}

TEST(ArgusTableData, TotalsAreRecomputed) {
  JobFolder job("argus_recompute");
  std::string text = replaced(kCells, "1;2;2.5;2", "1;2;3.5;2");
  text = replaced(text, "Total;2;4.5;4;1;S;;\n", "");
  text = replaced(text, "1;Total;7.5;6;2;s", "1;Total;7.5;6;2;U");
  const auto table = read(job, text, {1, false});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->cells[0].response, 115);
  EXPECT_EQ(cell_at(*table, {"Total", "2"}).response, 55);
  EXPECT_EQ(cell_at(*table, {"Total", "2"}).status, CellStatus::kSafeManual);
  EXPECT_EQ(cell_at(*table, {"1", "Total"}).status, CellStatus::kSafeManual);
  EXPECT_EQ(cell_at(*table, {"10", "Total"}).status, CellStatus::kProtected);
  EXPECT_EQ(table->notes,
            (Codes{"3 totals were not given, or not as the sum of their parts, and "
                   "are recomputed"}));
  const auto kept = read(job, text, {1, true});
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(cell_at(*kept, {"1", "Total"}).status, CellStatus::kUnsafeManual);
  EXPECT_EQ(cell_at(*kept, {"1", "Total"}).response, 85);
}

TEST(ArgusTableData, AStatusThatIsANumberIsNotShown) {
  JobFolder job("argus_status");
  const auto table = read(job, kCells + "\n5;1;3;1;;843211");
  ASSERT_FALSE(table);
  EXPECT_NE(base::in_full(table.error().text()).find("the status '843211' is not one"),
            std::string::npos);
  EXPECT_NE(
      base::without_confidential(table.error().text()).find("the status (not shown) is not one"),
      std::string::npos);
}

TEST(ArgusTableData, ErrorsOfLines) {
  JobFolder job("argus_lines");
  const auto fault = [&](const std::string& line) {
    const auto table = read(job, kCells + "\n" + line);
    return table ? std::string("no error") : job.plain(table.error());
  };
  EXPECT_EQ(fault("1;1;5;4;;U"), "cells.tab:12:1: the cell Size=1|Reg=1 stands here again");
  EXPECT_EQ(fault("5;1;;4;;E"), "cells.tab:12:5: the cell has a frequency but no value");
  EXPECT_EQ(fault("5;1;-;;;U"),
            "cells.tab:12:9: the cell has no value, so its status can only be E");
  EXPECT_EQ(fault("5;1;3;0;;S"), "cells.tab:12:7: the cell has a value but the frequency 0");
  EXPECT_EQ(fault("5;1;3;1;;E"), "cells.tab:12:10: the cell has a value, so it cannot be empty");
  EXPECT_EQ(fault("5;1;3;1;-1;S"), "cells.tab:12:9: a cost may not be negative");
  EXPECT_EQ(fault("5;1;3;1;;X"),
            "cells.tab:12:10: the status 'X' is not one of S (safe), U (unsafe), P (protected), M "
            "(secondary), E (empty)");
  EXPECT_EQ(fault("5;1;3;1;;U;-1;1"), "cells.tab:12:12: a protection level may not be negative");
  EXPECT_EQ(fault("5;1;three;1"),
            "cells.tab:12:5: Var is a number, and 'three' does not fit 18 digits");
  EXPECT_EQ(fault("5,1,3"), "cells.tab:12:1: there is no separator ';' in the line");
  EXPECT_EQ(fault("5;1;0;0;;S"), "no error");  // says nothing
  EXPECT_EQ(fault("5;1;;;;S"), "no error");
}

Metadata with_largest() {
  Metadata described = metadata();
  described.variables = {described.variables[0],
                         described.variables[2],
                         described.variables[3],
                         column("Top1", &Variable::max_score),
                         column("Top2", &Variable::max_score)};
  return described;
}

TEST(ArgusTableData, RulesLookAtTheColumns) {
  JobFolder job("argus_columns");
  SafetyRule rules = given_rules();
  rules.prior_posterior[0] = PriorPosterior{20, 100, 1};
  const SpecifyTable spec = table_spec({"Size"}, "Var");
  const std::string text = "Total;200;12;80;50\n1;100;6;80;15\n2;100;6;50;20\n";
  const auto table = job.ready_table(with_largest(), text, spec, rules, {});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->cells[1].status, CellStatus::kUnsafeRule);
  EXPECT_EQ(table->cells[1].levels->upper, 11);
  EXPECT_EQ(table->cells[2].status, CellStatus::kSafe);
  rules.prior_posterior[0]->n = 2;
  const auto few = job.ready_table(with_largest(), text, spec, rules, {});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().text(),
            "Size=Total: the rules look at the 3 largest contributions, and the file has 2 "
            "<MAXSCORE>");
  const auto fault = [&](const std::string& line) {
    const auto wrong = job.ready_table(with_largest(), line, spec, rules, {});
    return wrong ? std::string("no error") : job.plain(wrong.error());
  };
  EXPECT_EQ(fault("1;100;6;15;80\n"),
            "cells.tab:1:12: a contribution is larger than the one before it: the largest stands "
            "first");
  EXPECT_EQ(fault("1;100;6;80;21\n"),
            "cells.tab:1:9: the largest contributions make 101, more than the total of the cell");
}

TEST(ArgusTableData, WithoutFrequenciesContributorsAreUnknown) {
  JobFolder job("argus_without");
  Metadata without = with_largest();
  std::erase_if(without.variables, [](const Variable& variable) { return variable.frequency; });
  const SpecifyTable spec = table_spec({"Size"}, "Var");
  const std::string text = "Total;130;80;30\n1;100;80;15\n2;30;30;.\n";
  const auto table = job.ready_table(without, text, spec, SafetyRule(), {});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_FALSE(table->frequencies);
  EXPECT_EQ(table->cells[1].frequency, 1);
  const auto known = read(job, kCells);
  ASSERT_TRUE(known) << known.error().text();
  EXPECT_TRUE(known->frequencies);
}

TEST(ArgusTableData, CountsAloneAndTrees) {
  JobFolder job("argus_counts");
  Metadata described = metadata();
  Variable region = described.variables[1];
  region.missing.clear();
  region.total_code = "All";
  region.hierarchical = true;
  region.hierarchy_file.text = "reg.hrc";
  region.lead = "@";
  job.write("reg.hrc", "N\n@n1\n@n2\nS\n");
  described.variables = {region, column("Freq", &Variable::frequency)};
  SafetyRule rules = given_rules();
  rules.frequency[0] = Frequency{3, 30};
  const SpecifyTable spec = table_spec({"Reg"}, "<FREQ>");
  const auto table = job.ready_table(described, "All;12\n N;7\nn1;5\nn2;2\nS;5\n", spec, rules, {});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_TRUE(table->counts);
  EXPECT_EQ(table->variables[0].codes, (Codes{"All", "N", "n1", "n2", "S"}));
  EXPECT_EQ(cell_at(*table, {"n2"}).status, CellStatus::kUnsafeFrequency);
  EXPECT_EQ(cell_at(*table, {"N"}).response, 7);
  const auto unknown = job.ready_table(described, "All;12\nn3;7\n", spec, rules, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(job.plain(unknown.error()),
            "cells.tab:2:1: the code 'n3' of Reg is not in its tree; did you mean 'n1'?");
}

TEST(ArgusTableData, DigitLevelsHaveTheirParentsInTheFile) {
  JobFolder job("argus_digit_cells");
  Metadata described = metadata();
  described.variables = {described.variables[0], described.variables[2]};
  described.variables[0].hierarchical = true;
  described.variables[0].levels = {1, 2};
  const auto table = job.ready_table(described,
                                     "Total;12\n1;7\n101;5\n112;2\n2;5\n201;5\n",
                                     table_spec({"Size"}, "Var"),
                                     SafetyRule(),
                                     {});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->variables[0].codes, (Codes{"Total", "1", "101", "112", "2", "201"}));
  EXPECT_EQ(table->variables[0].parents, (std::vector<std::int32_t>{-1, 0, 1, 1, 0, 4}));
}

}  // namespace
}  // namespace lacuna::argus
