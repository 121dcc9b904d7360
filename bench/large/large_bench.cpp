// SPDX-License-Identifier: Apache-2.0
// Large tables: the construction heuristic and the audit of what it made, one CSV row per file.
//
//   large_bench [--threads N] [--seconds S] [--cpu-seconds S] [--per-cell M] [--no-audit]
//   [--minimal] [--verbose] FILE|generated:DEPTH...
//
// --minimal: every level one unit (no exact disclosure) and as few cells as possible.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/generate/generate.h"
#include "data/jobfile/problem_file.h"
#include "lacuna/audit.h"
#include "protect/start/construct.h"

namespace lacuna {
namespace {

struct Setting {
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  double seconds = 600;
  double cpu_seconds = 0;  // of the construction, of all threads; 0: no limit
  double per_cell = 0;     // added to every cell's weight, in medians of the weights
  bool audit = true;
  bool minimal = false;
  bool verbose = false;
  std::vector<std::string> files;
};

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000000;
}

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string name_of(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, name.find('.'));
}

// "generated:D": a region tree of depth D with ten children each by an activity tree of about 100
// codes, 5% sensitive; D = 4 has more than a million cells.
Result<Problem> load(const std::string& path) {
  const std::string prefix = "generated:";
  if (path.rfind(prefix, 0) != 0)
    return jobfile::read_problem(path);
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {std::atoi(path.c_str() + prefix.size()), 2};
  options.fan_least = {10, 9};
  options.fan_most = {10, 9};
  options.weight = generation::GenerateWeight::kValue;
  options.skew = 6;
  options.sensitive_percent = 5;
  return generation::generate(options);
}

std::vector<double> raised_weights(const Table& table, double medians) {
  std::vector<double> weights;
  for (const Cell& cell : table.cells())
    weights.push_back(cell.weight);
  std::vector<double> sorted = weights;
  std::sort(sorted.begin(), sorted.end());
  for (double& weight : weights)
    weight += medians * sorted[sorted.size() / 2];
  return weights;
}

double weight_of(const Table& table, const Draft& draft) {
  double total = 0;
  for (const CellEntry& entry : draft.each())
    total += table.cell(entry.cell).weight;
  return total;
}

RunContext run_of(const Setting& setting, std::chrono::steady_clock::time_point start) {
  RunContext run;
  run.threads = setting.threads;
  run.deadline = start + std::chrono::milliseconds(static_cast<long>(setting.seconds * 1000));
  if (setting.verbose) {
    run.log = [start](std::string_view line) {
      std::fprintf(stderr,
                   "%8.2f %8.2f %.*s\n",
                   since(start),
                   cpu_seconds(),
                   static_cast<int>(line.size()),
                   line.data());
    };
  }
  return run;
}

// Within the CPU seconds of the setting, if it has any.
Result<start::Constructed> construct(const Problem& problem,
                                     const Setting& setting,
                                     RunContext run) {
  std::stop_source stop;
  run.stop = stop.get_token();
  const double cpu_start = cpu_seconds();
  const std::jthread watch([&](const std::stop_token& over) {
    while (!over.stop_requested() && setting.cpu_seconds > 0) {
      if (cpu_seconds() - cpu_start > setting.cpu_seconds)
        stop.request_stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  start::ConstructOptions options;
  if (setting.per_cell > 0)
    options.costs = raised_weights(problem.table(), setting.per_cell);
  if (setting.minimal)
    options.costs.assign(static_cast<std::size_t>(problem.table().num_cells()), 1.0);
  return start::construct_pattern(problem, options, run);
}

std::string verdict_on(const std::shared_ptr<const Problem>& problem,
                       const start::Constructed& made,
                       const Setting& setting) {
  if (!setting.audit || !made.complete)
    return made.complete ? "unaudited" : "incomplete";
  AuditOptions options;
  options.intervals = false;
  options.hints = made.witnesses;
  RunContext run;
  run.threads = setting.threads;
  const auto report = Auditor(problem).audit(made.draft, options, run);
  return report ? std::string(to_string(report->verdict)) : report.error().text();
}

bool measure(const std::string& path, const Setting& setting) {
  auto read = load(path);
  if (!read) {
    std::fprintf(stderr, "large_bench: %s\n", read.error().text().c_str());
    return false;
  }
  ProblemParts parts = std::move(read).value().parts();
  for (Requirement& need : parts.requirements) {
    if (setting.minimal)
      need = {.cell = need.cell, .attacker = need.attacker, .sliding = 1};
  }
  const auto problem = std::make_shared<const Problem>(assemble_problem(std::move(parts)).value());
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  const auto made = construct(*problem, setting, run_of(setting, start));
  const double construct_seconds = since(start);
  if (!made) {
    std::fprintf(stderr, "large_bench: %s: %s\n", path.c_str(), made.error().text().c_str());
    return false;
  }
  const double cost = weight_of(problem->table(), made->draft);
  int primary = 0;
  double primary_value = 0;
  for (const Cell& cell : problem->table().cells()) {
    if (cell.status == CellStatus::kPrimary) {
      ++primary;
      primary_value += cell.weight;
    }
  }
  const std::string verdict = verdict_on(problem, *made, setting);
  std::printf("%s,%d,%d,%d,%.0f,%.0f,%.2f,%.2f,%.2f,%ld,%s\n",
              name_of(path).c_str(),
              problem->table().num_cells(),
              primary,
              made->draft.count(StatementKind::kWithheld) - primary,
              cost - primary_value,
              cost,
              construct_seconds,
              since(start),
              cpu_seconds() - cpu_start,
              peak_mib(),
              verdict.c_str());
  std::fflush(stdout);
  return true;
}

int run_all(int argc, char** argv) {
  Setting setting;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--threads" && i + 1 < argc)
      setting.threads = std::atoi(argv[++i]);
    else if (arg == "--seconds" && i + 1 < argc)
      setting.seconds = std::atof(argv[++i]);
    else if (arg == "--cpu-seconds" && i + 1 < argc)
      setting.cpu_seconds = std::atof(argv[++i]);
    else if (arg == "--per-cell" && i + 1 < argc)
      setting.per_cell = std::atof(argv[++i]);
    else if (arg == "--minimal")
      setting.minimal = true;
    else if (arg == "--no-audit")
      setting.audit = false;
    else if (arg == "--verbose")
      setting.verbose = true;
    else
      setting.files.push_back(arg);
  }
  std::printf(
      "instance,cells,primary,secondary,value,cost,construct_seconds,seconds,cpu_seconds,peak_mib,"
      "verdict\n");
  bool good = true;
  for (const std::string& file : setting.files)
    good = measure(file, setting) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  return lacuna::run_all(argc, argv);
}
