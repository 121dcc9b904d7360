// SPDX-License-Identifier: Apache-2.0
// lacuna bench shared --instances FOLDER: complete suppression on every instance of a folder. If
// there is a best_known.csv (columns instance, csp_status, csp_objective, csp_bound, csp_secondary,
// csp_cpu_seconds), its instances are run, in its order, with its columns beside ours.
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/decimal.h"
#include "bench/sets/output.h"
#include "bench/sets/sets.h"
#include "job/load.h"

namespace lacuna::inline bench {
namespace {

using Listed = std::map<std::string, std::string>;

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');)
    out.push_back(field);
  return out;
}

std::vector<Listed> read_listed(const std::string& folder) {
  std::ifstream file(folder + "/best_known.csv");
  std::vector<Listed> listed;
  std::vector<std::string> head;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> parts = fields(line);
    if (head.empty()) {
      head = parts;
      continue;
    }
    Listed& row = listed.emplace_back();
    for (std::size_t c = 0; c < head.size() && c < parts.size(); ++c)
      row[head[c]] = parts[c];
  }
  return listed;
}

// How our objective compares with the listed one.
std::string against(const BenchRow& row, const std::string& listed) {
  const auto theirs = parse_double(listed);
  if (!theirs || !row.has_result() || *theirs <= 0)
    return "";
  return fmt::format("{:+.2f}%", 100 * (row.objective - *theirs) / *theirs);
}

std::vector<std::string> line_of(const BenchRow& row, Listed listed) {
  return {row.instance,
          std::to_string(row.cells),
          std::to_string(row.primary),
          row.method,
          row.status,
          row.verdict,
          row.has_result() ? format_double(row.objective) : "",
          row.has_result() ? fmt::format("{:.2f}", row.gap() * 100) : "",
          row.has_result() ? std::to_string(row.secondary) : "",
          fmt::format("{:.2f}", row.seconds),
          listed["csp_status"],
          listed["csp_objective"],
          against(row, listed["csp_objective"]),
          listed["csp_secondary"],
          listed["csp_cpu_seconds"]};
}

}  // namespace

Result<std::string> bench_shared(BenchRecorder& recorder) {
  const std::string& folder = recorder.job().instances;
  if (folder.empty() || !std::filesystem::is_directory(folder))
    return Error{ErrorCode::kBadOption, "name the folder of the instances", "--instances"};
  std::map<std::string, Listed> listed;
  std::vector<std::string> names;
  for (const Listed& row : read_listed(folder)) {
    const auto name = row.find("instance");
    if (name != row.end()) {
      names.push_back(name->second);
      listed[name->second] = row;
    }
  }
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
    run.method = run.protect.method = "suppress";
    run.load = [&] { return load_problem(path, {}); };
    recorder.run(run);
  }
  std::vector<std::vector<std::string>> lines;
  for (const BenchRow& row : recorder.rows())
    lines.push_back(line_of(row, listed[row.instance]));
  return markdown_table({"instance",
                         "cells",
                         "sensitive",
                         "method",
                         "status",
                         "verdict",
                         "objective",
                         "gap, %",
                         "secondary",
                         "seconds",
                         "listed status",
                         "listed objective",
                         "ours against it",
                         "listed secondary",
                         "listed CPU seconds"},
                        lines);
}

}  // namespace lacuna::inline bench
