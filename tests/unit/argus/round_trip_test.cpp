// SPDX-License-Identifier: Apache-2.0
// A table from records, written as type 5 and read again, is the same table.
#include <gtest/gtest.h>

#include <random>

#include "data/argus/write_table.h"
#include "unit/argus/job_parts.h"

namespace lacuna::argus {
namespace {

Metadata described() {
  Metadata metadata;
  metadata.filename = "job.rda";
  metadata.separator = ';';
  Variable size = code_variable("Size", 0, 3);
  size.missing = {"99"};
  Variable region = code_variable("Reg", 0, 2);
  region.hierarchical = true;
  region.hierarchy_file.text = "reg.hrc";
  region.lead = "@";
  Variable industry = code_variable("Ind", 0, 3);
  industry.hierarchical = true;
  industry.levels = {1, 2};
  Variable number = number_variable("Var", 0, 8);
  number.decimals = 2;
  metadata.variables = {size, region, industry, number};
  return metadata;
}

std::string random_records(unsigned seed) {
  std::mt19937 random(seed);
  const auto one_of = [&](const std::vector<std::string>& texts) {
    return texts[random() % texts.size()];
  };
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += one_of({"1", "20", "99", "7"}) + ";" + one_of({"11", "12", "21"}) + ";" +
            one_of({"101", "102", "250"}) + ";" + std::to_string(random() % 300) + "." +
            one_of({"25", "5", "0"}) + "\n";
  }
  return text;
}

void expect_same_cells(const Table& table, const Table& again) {
  ASSERT_EQ(again.cells.size(), table.cells.size());
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    EXPECT_EQ(again.variables[v].codes, table.variables[v].codes);
    EXPECT_EQ(again.variables[v].parents, table.variables[v].parents);
    EXPECT_EQ(again.variables[v].missing, table.variables[v].missing);
  }
  ASSERT_EQ(again.decimals, table.decimals);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    SCOPED_TRACE(table.label_of(i));
    EXPECT_EQ(again.cells[i].response, table.cells[i].response);
    EXPECT_EQ(again.cells[i].shadow, table.cells[i].shadow);
    EXPECT_EQ(again.cells[i].frequency, table.cells[i].frequency);
    EXPECT_EQ(again.cells[i].status, table.cells[i].status);
    ASSERT_EQ(again.cells[i].levels.has_value(), table.cells[i].levels.has_value());
    if (table.cells[i].levels) {
      EXPECT_EQ(again.cells[i].levels->upper, table.cells[i].levels->upper);
    }
  }
}

TEST(ArgusRoundTrip, RulesSayTheSameOfATableThatWasWrittenAndRead) {
  JobFolder job("argus_round_trip");
  job.write("reg.hrc", "N\n@11\n@12\nS\n@21\n");
  const SpecifyTable spec = table_spec({"Size", "Reg", "Ind"}, "Var");
  SafetyRule rules = given_rules();
  rules.prior_posterior[0] = PriorPosterior{15, 100, 1};
  rules.frequency[0] = Frequency{2, 30};
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const auto table = job.table(described(), random_records(seed), spec, rules);
    ASSERT_TRUE(table) << table.error().text();
    WriteTable command;
    command.type = 5;
    const auto written = write_table(*table, command, "out.csv", described());
    ASSERT_TRUE(written) << written.error().text();
    ASSERT_EQ(written->files.size(), 2U);
    const std::string path = job.write("out.rda", written->files[1].text);
    const auto metadata = read_metadata(written->files[1].text, path, DataKind::kTable);
    ASSERT_TRUE(metadata) << metadata.error().text();
    const auto again = job.ready_table(*metadata, written->files[0].text, spec, rules, {});
    ASSERT_TRUE(again) << again.error().text();
    expect_same_cells(*table, *again);
  }
}

}  // namespace
}  // namespace lacuna::argus
