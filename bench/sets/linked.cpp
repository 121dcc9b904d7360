// SPDX-License-Identifier: Apache-2.0
// lacuna bench linked: complete suppression of systems in which tables share cells, each as one
// system. Generated ones: three tables that share a dimension whose leaves are grouped in two ways,
// and a table of five dimensions. Of a folder: the four turnover tables, which share their totals,
// beside the secondaries that the modular method of tau-ARGUS was recorded with
// (papers/turnover.csv), and three single tables with hierarchies in every dimension.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/generate/generate.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "bench/sets/output.h"
#include "bench/sets/papers.h"
#include "bench/sets/sets.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"

namespace lacuna::bench {
namespace {

using Turnover = std::vector<TurnoverRow>;

constexpr const char* kTurnoverSystem = "turnover, four linked tables";
constexpr std::array kSingle{
    "tauW_ind_size_p15", "ent_act_product_region_p10", "indiv_act_nuts_size_p15"};

generation::GenerateOptions three_tables() {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kLinked;
  options.tables = 3;
  options.second_hierarchy = true;
  options.depths = {3, 2};
  options.fan_least = {3, 3};
  options.fan_most = {5, 5};
  options.weight = generation::GenerateWeight::kValue;
  return options;
}

generation::GenerateOptions five_dimensions() {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kFlat;
  options.sizes = {4, 3, 3, 3, 2};
  options.sensitive_percent = 5;
  options.weight = generation::GenerateWeight::kValue;
  return options;
}

// The folder of a file of the first table, empty if one of the four is missing.
std::string turnover_folder(const std::string& instances, const Turnover& turnover) {
  std::string folder;
  for (const TurnoverRow& row : turnover) {
    const std::string path = find_instance(instances, row.table);
    if (path.empty())
      return "";
    folder = std::filesystem::absolute(path).parent_path().string();
    if (!std::filesystem::exists(folder + "/" + row.table + ".tab.xz"))
      return "";
  }
  return folder;
}

// The dimensions that stand first, or second, in the tables; each once.
std::string dimensions(const std::string& folder,
                       const Turnover& turnover,
                       std::string TurnoverRow::*which) {
  std::vector<std::string> known;
  std::string text;
  for (const TurnoverRow& row : turnover) {
    const std::string& name = row.*which;
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    known.push_back(name);
    text += fmt::format("[[dimension]]\nname = \"{}\"\nhierarchy = \"{}/hrc/{}_{}.hrc\"\n",
                        name,
                        folder,
                        row.table,
                        name);
  }
  return text;
}

// Values are costs, and everyone knows that no cell is larger than the grand total, as in the JJ
// files of the same tables.
std::string turnover_job(const std::string& folder, const Turnover& turnover) {
  std::string files;
  std::string tables;
  for (const TurnoverRow& row : turnover) {
    files += fmt::format("{}\"{}/{}.tab.xz\"", files.empty() ? "" : ", ", folder, row.table);
    tables += fmt::format("[[table]]\nname = \"{}\"\ndimensions = [\"{}\", \"{}\"]\n",
                          row.table,
                          row.first_dimension,
                          row.second_dimension);
  }
  return fmt::format(
             "[input]\ntable = [{}]\n[columns]\nvalue = \"value\"\nfrequency = \"freq\"\n"
             "status = \"status\"\nlower_level = \"lpl\"\nupper_level = \"upl\"\n"
             "[defaults]\nlower = 0\nupper = 182780310.0761\nweight = \"value\"\n",
             files) +
         dimensions(folder, turnover, &TurnoverRow::first_dimension) +
         dimensions(folder, turnover, &TurnoverRow::second_dimension) + tables;
}

// A cell that two tables show counts in both, as it does when tables are protected one by one.
void count_by_table(const Judged& judged, const std::vector<LinkedTable>& tables, BenchRow& row) {
  const Table& table = judged.problem.table();
  for (const CellEntry& entry : judged.found.draft.each()) {
    if (table.cell(entry.cell).status == CellStatus::kPrimary)
      continue;
    for (const LinkedTable& cross : tables)
      row.details[cross.name] += holds(cross, table.dimensions(), table.codes(entry.cell)) ? 1 : 0;
  }
}

void run_turnover(BenchRecorder& recorder, const Turnover& turnover, BenchCase run) {
  const std::string folder = turnover_folder(recorder.job().instances, turnover);
  if (folder.empty()) {
    recorder.note("turnover tables: not in the folder of the instances, left out");
    return;
  }
  const files::TemporaryFolder temporary("bench_linked");
  const std::string job = temporary.file("turnover.toml");
  if (!files::write_file_atomically(job, turnover_job(folder, turnover)))
    return;
  std::vector<LinkedTable> tables;
  run.instance = kTurnoverSystem;
  run.load = [&]() -> Result<Problem> {
    LACUNA_TRY(load::PreparedProblem loaded, load::load_prepared(job, {}));
    tables = std::move(loaded.tables);
    return std::move(loaded.problem);
  };
  run.measure = [&](const Judged& judged, BenchRow& row) { count_by_table(judged, tables, row); };
  for (const char* weights : {"value", "unity"}) {
    run.options = run.protect.weights = weights;
    recorder.run(run);
  }
}

std::string turnover_lines(const BenchRecorder& recorder, const Turnover& turnover) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> recorded{"modular, recorded"};
  int sum = 0;
  for (const TurnoverRow& table : turnover) {
    recorded.push_back(std::to_string(table.modular));
    sum += table.modular;
  }
  recorded.push_back(std::to_string(sum));
  lines.push_back(recorded);
  for (const BenchRow& row : recorder.rows()) {
    if (row.instance != kTurnoverSystem || !row.has_result() || row.method != "suppress")
      continue;
    std::vector<std::string> line{"ours, weights " + row.options};
    double ours = 0;
    for (const TurnoverRow& each : turnover) {
      line.push_back(fmt::format("{:.0f}", row.detail(each.table)));
      ours += row.detail(each.table);
    }
    line.push_back(fmt::format("{:.0f}", ours));
    lines.push_back(line);
  }
  if (lines.size() == 1)
    return "";
  std::vector<std::string> head{"secondaries"};
  for (const TurnoverRow& each : turnover)
    head.push_back(each.table);
  head.emplace_back("sum");
  return "\nThe four turnover tables; a cell that two tables show counts in both:\n\n" +
         markdown_table(head, lines);
}

std::string table_of(std::span<const BenchRow> rows) {
  return rows_table(
      rows,
      {text_column("system", &BenchRow::instance),
       count_column("cells", &BenchRow::cells),
       count_column("sensitive", &BenchRow::primary),
       text_column("weights", &BenchRow::options),
       count_column("secondary", &BenchRow::secondary),
       number_column("cost", &BenchRow::objective, "{:.6g}"),
       {"gap", [](const BenchRow& row) { return fmt::format("{:.2f}%", 100 * row.gap()); }},
       number_column("seconds", &BenchRow::seconds, "{:.1f}"),
       text_column("status", &BenchRow::status),
       text_column("verdict", &BenchRow::verdict)});
}

}  // namespace

Result<std::string> bench_linked(BenchRecorder& recorder) {
  LACUNA_TRY(const Turnover turnover, read_turnover(paper_text("turnover")));
  BenchCase run;
  run.method = "suppress";
  run.protect.method = Method::kSuppress;
  run.options = run.protect.weights = "cost";
  const auto generated = [&](const char* name, generation::GenerateOptions options) {
    options.seed = recorder.context().seed;
    run.instance = name;
    run.load = [options] { return generation::generate(options); };
    recorder.run(run);
  };
  generated("generated, three tables and two groupings", three_tables());
  generated("generated, five dimensions", five_dimensions());
  for (const char* name : kSingle) {
    const std::string path = find_instance(recorder.job().instances, name);
    if (path.empty() || recorder.stopped())
      continue;
    run.instance = name;
    run.load = [path] { return load_problem(path, {}); };
    recorder.run(run);
  }
  run_turnover(recorder, turnover, run);
  return table_of(recorder.rows()) + turnover_lines(recorder, turnover);
}

}  // namespace lacuna::bench
