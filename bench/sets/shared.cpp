// SPDX-License-Identifier: Apache-2.0
// lacuna bench shared --instances FOLDER: complete suppression on every instance of a folder. If
// there is a best_known.csv (columns instance, csp_status, csp_objective, csp_bound, csp_secondary,
// csp_cpu_seconds), its instances are run, in its order, with its columns beside ours.
#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <map>

#include "app/load/load.h"
#include "bench/sets/output.h"
#include "bench/sets/sets.h"
#include "core/base/decimal.h"
#include "data/files/csv.h"
#include "data/files/file.h"

namespace lacuna::bench {
namespace {

using Listed = std::map<std::string, std::string, std::less<>>;  // by column

struct BestKnown {
  std::vector<std::string> names;  // in the order of the file
  std::map<std::string, Listed, std::less<>> rows;
};

// Empty if there is no such file.
Result<BestKnown> read_best_known(const std::string& folder) {
  const std::string path = folder + "/best_known.csv";
  BestKnown known;
  if (!std::filesystem::exists(path))
    return known;
  LACUNA_TRY(std::string text, files::read_file(path));
  LACUNA_TRY(const files::CsvFile file, files::CsvFile::parse(std::move(text), path, ','));
  const std::size_t name = file.find_column("instance");
  if (name == file.num_columns())
    return Error{ErrorCode::kMissingColumn, "there is no column 'instance'", file.where_header()};
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    known.names.emplace_back(file.field(r, name));
    Listed& row = known.rows[known.names.back()];
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      row[std::string(file.header(c))] = file.field(r, c);
  }
  return known;
}

std::string listed(const BestKnown& known, const BenchRow& row, std::string_view column) {
  const auto found = known.rows.find(row.instance);
  if (found == known.rows.end())
    return "";
  const auto field = found->second.find(column);
  return field == found->second.end() ? "" : field->second;
}

// How our objective compares with the listed one.
std::string against(const BenchRow& row, const std::string& listed) {
  const auto theirs = base::parse_double(listed);
  if (!theirs || !row.has_result() || *theirs <= 0)
    return "";
  return fmt::format("{:+.2f}%", 100 * (row.objective - *theirs) / *theirs);
}

std::string table_of(std::span<const BenchRow> rows, const BestKnown& known) {
  const auto with_result = [](std::string head, std::string (*text)(const BenchRow& row)) {
    return RowColumn{std::move(head),
                     [text](const BenchRow& row) { return row.has_result() ? text(row) : ""; }};
  };
  const auto theirs = [&known](std::string head, std::string_view column) {
    return RowColumn{std::move(head),
                     [&known, column](const BenchRow& row) { return listed(known, row, column); }};
  };
  return rows_table(
      rows,
      {text_column("instance", &BenchRow::instance),
       count_column("cells", &BenchRow::cells),
       count_column("sensitive", &BenchRow::primary),
       text_column("method", &BenchRow::method),
       text_column("status", &BenchRow::status),
       text_column("verdict", &BenchRow::verdict),
       with_result("objective",
                   [](const BenchRow& row) { return base::format_double(row.objective); }),
       with_result("gap, %",
                   [](const BenchRow& row) { return fmt::format("{:.2f}", row.gap() * 100); }),
       with_result("secondary", [](const BenchRow& row) { return std::to_string(row.secondary); }),
       number_column("seconds", &BenchRow::seconds, "{:.2f}"),
       theirs("listed status", "csp_status"),
       theirs("listed objective", "csp_objective"),
       {"ours against it",
        [&known](const BenchRow& row) {
          return against(row, listed(known, row, "csp_objective"));
        }},
       theirs("listed secondary", "csp_secondary"),
       theirs("listed CPU seconds", "csp_cpu_seconds")});
}

}  // namespace

Result<std::string> bench_shared(BenchRecorder& recorder) {
  const std::string& folder = recorder.job().instances;
  if (folder.empty() || !std::filesystem::is_directory(folder))
    return Error{ErrorCode::kOptionMissing, "name the folder of the instances", "--instances"};
  LACUNA_TRY(const BestKnown known, read_best_known(folder));
  std::vector<std::string> names = known.names;
  if (names.empty()) {
    for (const std::string& path : all_instances(folder))
      names.push_back(instance_name(path));
  }
  for (const std::string& name : names) {
    const std::string path = find_instance(folder, name);
    if (path.empty() || recorder.stopped())
      continue;
    BenchCase run;
    run.instance = name;
    run.method = "suppress";
    run.protect.method = Method::kSuppress;
    run.load = [&] { return load_problem(path, {}); };
    recorder.run(run);
  }
  return table_of(recorder.rows(), known);
}

}  // namespace lacuna::bench
