// SPDX-License-Identifier: Apache-2.0
// lacuna bench linked: complete suppression of systems in which tables share cells, each as one
// system. Generated ones: three tables that share a dimension whose leaves are grouped in two ways,
// and a table of five dimensions. Of a folder: the four turnover tables, which share their totals,
// beside the secondaries that the modular method of tau-ARGUS was recorded with (83, 88, 82 and 101
// in five passes), and three single tables with hierarchies in every dimension.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "bench/sets/output.h"
#include "bench/sets/sets.h"
#include "io/file.h"
#include "io/temporary_folder.h"
#include "job/load.h"
#include "lacuna/generate.h"

namespace lacuna::inline bench {
namespace {

struct Listed {
  const char* name;
  const char* first;  // dimensions
  const char* second;
  int modular;  // secondaries recorded
};
constexpr std::array<Listed, 4> kTurnover{{{"turnover_act_cj", "ACTIVITY", "CJ", 83},
                                           {"turnover_act_size", "ACTIVITY", "SIZE", 88},
                                           {"turnover_nuts_cj", "NUTS", "CJ", 82},
                                           {"turnover_nuts_size", "NUTS", "SIZE", 101}}};
constexpr const char* kTurnoverSystem = "turnover, four linked tables";
constexpr std::array kSingle{
    "tauW_ind_size_p15", "ent_act_product_region_p10", "indiv_act_nuts_size_p15"};

GenerateOptions three_tables() {
  GenerateOptions options;
  options.kind = GenerateKind::kLinked;
  options.tables = 3;
  options.second_hierarchy = true;
  options.depths = {3, 2};
  options.fan_least = {3, 3};
  options.fan_most = {5, 5};
  options.weight = GenerateWeight::kValue;
  return options;
}

GenerateOptions five_dimensions() {
  GenerateOptions options;
  options.kind = GenerateKind::kFlat;
  options.sizes = {4, 3, 3, 3, 2};
  options.sensitive_percent = 5;
  options.weight = GenerateWeight::kValue;
  return options;
}

// The folder of a file of the first table, empty if one of the four is missing.
std::string turnover_folder(const std::string& instances) {
  std::string folder;
  for (const Listed& table : kTurnover) {
    const std::string path = find_instance(instances, table.name);
    if (path.empty())
      return "";
    folder = std::filesystem::absolute(path).parent_path().string();
    if (!std::filesystem::exists(folder + "/" + table.name + ".tab.xz"))
      return "";
  }
  return folder;
}

std::string dimension(const std::string& folder, const Listed& table, const char* name) {
  return fmt::format("[[dimension]]\nname = \"{}\"\nhierarchy = \"{}/hrc/{}_{}.hrc\"\n",
                     name,
                     folder,
                     table.name,
                     name);
}

// Values are costs, and everyone knows that no cell is larger than the grand total, as in the JJ
// files of the same tables.
std::string turnover_job(const std::string& folder) {
  std::string files;
  std::string tables;
  for (const Listed& table : kTurnover) {
    files += fmt::format("{}\"{}/{}.tab.xz\"", files.empty() ? "" : ", ", folder, table.name);
    tables += fmt::format("[[table]]\nname = \"{}\"\ndimensions = [\"{}\", \"{}\"]\n",
                          table.name,
                          table.first,
                          table.second);
  }
  return fmt::format(
             "[input]\ntable = [{}]\n[columns]\nvalue = \"value\"\nfrequency = \"freq\"\n"
             "status = \"status\"\nlower_level = \"lpl\"\nupper_level = \"upl\"\n"
             "[defaults]\nlower = 0\nupper = 182780310.0761\nweight = \"value\"\n",
             files) +
         dimension(folder, kTurnover[0], "ACTIVITY") + dimension(folder, kTurnover[2], "NUTS") +
         dimension(folder, kTurnover[0], "CJ") + dimension(folder, kTurnover[1], "SIZE") + tables;
}

bool is_in(const Table& table, CellId cell, const CrossTable& cross) {
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const bool crossed =
        std::find(cross.dimensions.begin(), cross.dimensions.end(), static_cast<std::int32_t>(d)) !=
        cross.dimensions.end();
    if (!crossed && codes[d] != table.dimensions()[d].total())
      return false;
  }
  return true;
}

// A cell that two tables show counts in both, as it does when tables are protected one by one.
void count_by_table(const Judged& judged, const std::vector<CrossTable>& tables, BenchRow& row) {
  const Table& table = judged.problem.table;
  for (const CellEntry& entry : judged.found.draft.entries()) {
    if (table.cell(entry.cell).status == CellStatus::kPrimary)
      continue;
    for (const CrossTable& cross : tables)
      row.details[cross.name] += is_in(table, entry.cell, cross) ? 1 : 0;
  }
}

void run_turnover(BenchRecorder& recorder, BenchCase run) {
  const std::string folder = turnover_folder(recorder.job().instances);
  if (folder.empty()) {
    recorder.note("turnover tables: not in the folder of the instances, left out");
    return;
  }
  const TemporaryFolder temporary("bench_linked");
  const std::string job = temporary.file("turnover.toml");
  if (!write_file_atomically(job, turnover_job(folder)))
    return;
  std::vector<CrossTable> tables;
  run.instance = kTurnoverSystem;
  run.load = [&]() -> Result<Problem> {
    LACUNA_TRY(LoadedProblem loaded, load_tables(job, {}));
    tables = std::move(loaded.tables);
    return std::move(loaded.problem);
  };
  run.measure = [&](const Judged& judged, BenchRow& row) { count_by_table(judged, tables, row); };
  for (const char* weights : {"value", "unity"}) {
    run.options = run.protect.weights = weights;
    recorder.run(run);
  }
}

std::string turnover_lines(const BenchRecorder& recorder) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> recorded{"modular, recorded"};
  int sum = 0;
  for (const Listed& table : kTurnover) {
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
    for (const Listed& table : kTurnover) {
      line.push_back(fmt::format("{:.0f}", row.detail(table.name)));
      ours += row.detail(table.name);
    }
    line.push_back(fmt::format("{:.0f}", ours));
    lines.push_back(line);
  }
  if (lines.size() == 1)
    return "";
  std::vector<std::string> head{"secondaries"};
  for (const Listed& table : kTurnover)
    head.emplace_back(table.name);
  head.emplace_back("sum");
  return "\nThe four turnover tables; a cell that two tables show counts in both:\n\n" +
         markdown_table(head, lines);
}

std::vector<std::string> line_of(const BenchRow& row) {
  return {row.instance,
          std::to_string(row.cells),
          std::to_string(row.primary),
          row.options,
          std::to_string(row.secondary),
          fmt::format("{:.6g}", row.objective),
          fmt::format("{:.2f}%", 100 * row.gap()),
          fmt::format("{:.1f}", row.seconds),
          row.status,
          row.verdict};
}

}  // namespace

Result<std::string> bench_linked(BenchRecorder& recorder) {
  BenchCase run;
  run.method = run.protect.method = "suppress";
  run.options = run.protect.weights = "cost";
  const auto generated = [&](const char* name, GenerateOptions options) {
    options.seed = recorder.context().seed;
    run.instance = name;
    run.load = [options] { return generate(options); };
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
  run_turnover(recorder, run);
  std::vector<std::vector<std::string>> lines;
  for (const BenchRow& row : recorder.rows())
    lines.push_back(line_of(row));
  return markdown_table({"system",
                         "cells",
                         "sensitive",
                         "weights",
                         "secondary",
                         "cost",
                         "gap",
                         "seconds",
                         "status",
                         "verdict"},
                        lines) +
         turnover_lines(recorder);
}

}  // namespace lacuna::inline bench
