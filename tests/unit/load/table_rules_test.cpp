// SPDX-License-Identifier: Apache-2.0
#include "app/load/table_rules.h"

#include <gtest/gtest.h>

#include <map>

#include "core/base/decimal.h"
#include "core/base/random.h"
#include "lacuna/records.h"
#include "lacuna/tabulate.h"
#include "support/random_problem.h"

namespace lacuna::load {
namespace {

Result<jobfile::Job> read(const std::string& job, const std::string& csv) {
  return jobfile::read_job_text(
      job, "t.toml", [csv](const std::string&) { return Result<std::string>(csv); });
}

Tabulation random_tabulation(base::Random& random) {
  std::vector<std::vector<std::string>> rows;
  const std::int64_t records = random.between(8, 60);
  for (std::int64_t i = 0; i < records; ++i) {
    rows.push_back({std::string(1, static_cast<char>('a' + random.between(0, 3))),
                    std::string(1, static_cast<char>('p' + random.between(0, 2))),
                    std::to_string(random.between(1, random.between(1, 1000))),
                    "firm" + std::to_string(i)});
  }
  RowRecords source({"reg", "size", "v", "firm"}, std::move(rows));
  TabulateOptions options;
  options.dimensions = {flat_dimension("reg", "reg"), flat_dimension("size", "size")};
  options.value = "v";
  options.respondent = "firm";
  options.top = 3;
  return tabulate(source, options, {}).value();
}

// The cells with their frequencies and the two largest contributions.
std::string csv_of(const Tabulation& tabulation) {
  std::string csv = "reg;size;v;n;m1;m2\n";
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    const CellFacts& facts = tabulation.cells[c];
    for (std::size_t d = 0; d < 2; ++d)
      csv += tabulation.dimensions[d].code(tabulation.codes[c * 2 + d]) + ";";
    csv += std::to_string(facts.value) + ";" + std::to_string(facts.contributors);
    for (std::size_t i = 0; i < 2; ++i)
      csv += ";" + (i < facts.largest.size() ? std::to_string(facts.largest[i].amount) : "");
    csv += "\n";
  }
  return csv;
}

std::string job_of(const std::string& largest, const std::string& rest) {
  return "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\nfrequency = \"n\"\nlargest = " +
         largest + "\n[[dimension]]\nname = \"reg\"\n[[dimension]]\nname = \"size\"\n" + rest;
}

std::vector<Requirement> of_outsider(const Problem& problem) {
  std::vector<Requirement> needs;
  for (const Requirement& need : problem.requirements()) {
    if (need.attacker == 0)
      needs.push_back(need);
  }
  return needs;
}

// With all that the rules look at in its columns, a table says what its records say.
TEST(TableRules, AgreeWithTheRulesOverRecords) {
  base::Random random(testing::seed_in_use(18));
  for (int i = 0; i < 60; ++i) {
    const Tabulation tabulation = random_tabulation(random);
    SensitivityOptions options;
    options.minimum_frequency = 3;
    options.p_percent = 15;
    options.dominance = {{2, 90}};
    SensitivityReport report;
    const auto by_records = make_sensitive_problem(tabulation, options, {}, report);
    ASSERT_TRUE(by_records) << by_records.error().text();
    const std::string rules =
        "[[rule]]\ntype = \"frequency\"\nn = 3\nrange = 20\n[[rule]]\ntype = \"p-percent\"\np = "
        "15\n"
        "[[rule]]\ntype = \"dominance\"\nn = 2\nk = 90\n";
    auto job = read(job_of("[\"m1\", \"m2\"]", rules), csv_of(tabulation));
    ASSERT_TRUE(job) << job.error().text();
    const auto by_table = apply_rules(*job);
    ASSERT_TRUE(by_table) << by_table.error().text();
    ASSERT_EQ(by_table->problem.table().num_cells(), by_records->table().num_cells());
    for (std::int32_t c = 0; c < by_records->table().num_cells(); ++c)
      EXPECT_EQ(by_table->problem.table().cell(CellId{c}).status,
                by_records->table().cell(CellId{c}).status);
    EXPECT_EQ(of_outsider(by_table->problem), of_outsider(*by_records));

    // What is not known is taken at its worst: no cell becomes safe by it.
    auto less = read(job_of("[\"m1\"]", rules), csv_of(tabulation));
    ASSERT_TRUE(less) << less.error().text();
    const auto strict = apply_rules(*less);
    ASSERT_TRUE(strict) << strict.error().text();
    for (std::int32_t c = 0; c < by_records->table().num_cells(); ++c) {
      if (by_records->table().cell(CellId{c}).status == CellStatus::kPrimary) {
        EXPECT_EQ(strict->problem.table().cell(CellId{c}).status, CellStatus::kPrimary);
      }
    }
  }
}

// A sole contributor knows its cell and every sum that it holds alone, and the least that it has in
// all others.
TEST(TableRules, SoleContributorsKnowTheirCells) {
  auto job = read(
      "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\nfrequency = \"n\"\nstatus = \"s\"\n"
      "[[dimension]]\nname = \"a\"\ntotal = \"T\"\n"
      "tree = { T = [\"A\", \"B\"], A = [\"A1\"], B = [\"B1\", \"B2\"] }\n",
      "a;v;n;s\nT;100;9;s\nA;60;1;u\nA1;60;1;u\nB;40;8;s\nB1;30;1;u\nB2;10;7;s\n");
  ASSERT_TRUE(job) << job.error().text();
  ASSERT_TRUE(job->contributions);
  const auto ruled = apply_rules(*job);
  ASSERT_TRUE(ruled) << ruled.error().text();
  ASSERT_EQ(ruled->problem.attackers().size(),
            3U);  // the outsider, the firm of A and A1, that of B1
  const Attacker& first = ruled->problem.attackers()[1];
  std::map<std::int32_t, Bounds> known;
  for (const Knowledge& each : first.known)
    known[each.cell.value] = each.bounds;
  EXPECT_EQ(known[1], (Bounds{60, 60}));
  EXPECT_EQ(known[2], (Bounds{60, 60}));
  EXPECT_EQ(known[0].lower, 60);
  for (const Requirement& need : ruled->problem.requirements()) {
    const bool own = need.attacker == 1 && (need.cell == CellId{1} || need.cell == CellId{2});
    EXPECT_FALSE(own) << "nobody is kept from what it knows";
  }
}

TEST(TableRules, OnlyTheOutsiderWhereTheJobSaysSo) {
  const auto job = read(
      "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\nfrequency = \"n\"\nstatus = \"s\"\n"
      "[attackers]\nrespondents = false\n[[dimension]]\nname = \"a\"\ntotal = \"T\"\n",
      "a;v;n;s\nT;10;3;s\nx;6;1;u\ny;4;2;s\n");
  ASSERT_TRUE(job) << job.error().text();
  EXPECT_FALSE(job->contributions);
}

}  // namespace
}  // namespace lacuna::load
