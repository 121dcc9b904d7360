// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/sets/peers.h"
#include "bench/sets/process.h"
#include "lacuna/report.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Rows cross from the child to the parent as JSON.
std::string pack(const BenchRow& row) {
  Json json{{"cells", row.cells},
            {"equations", row.equations},
            {"primary", row.primary},
            {"status", row.status},
            {"objective", row.objective},
            {"bound", row.bound},
            {"secondary", row.secondary},
            {"seconds", row.seconds},
            {"verdict", row.verdict},
            {"engine", row.engine},
            {"note", row.note},
            {"details", Json::object()},
            {"trace", Json::array()}};
  for (const auto& [name, value] : row.details) {
    if (std::isfinite(value))
      json["details"][name] = value;
  }
  for (const TracePoint& point : row.trace) {
    if (std::isfinite(point.incumbent) && std::isfinite(point.bound))
      json["trace"].push_back({point.seconds, point.incumbent, point.bound});
  }
  return json.dump();
}

double number_of(const Json& json) {  // infinities are null
  return json.is_number() ? json.get<double>() : 0;
}

void unpack(const std::string& text, BenchRow& row) {
  const Json json = Json::parse(text);
  row.cells = json["cells"];
  row.equations = json["equations"];
  row.primary = json["primary"];
  row.status = json["status"];
  row.objective = number_of(json["objective"]);
  row.bound = number_of(json["bound"]);
  row.secondary = json["secondary"];
  row.seconds = number_of(json["seconds"]);
  row.verdict = json["verdict"];
  row.engine = json["engine"];
  row.note = json["note"];
  for (const auto& [name, value] : json["details"].items())
    row.details[name] = number_of(value);
  for (const Json& point : json["trace"])
    row.trace.push_back({number_of(point[0]), number_of(point[1]), number_of(point[2])});
}

void fail(const std::string& why, BenchRow& row) {
  row.status = "failed";
  row.verdict = "none";
  row.note = why;
}

Solve method_of(const BenchCase& bench_case) {
  if (bench_case.solve)
    return bench_case.solve;
  ProtectOptions options = bench_case.protect;
  options.off_center = 0;  // what is measured is the method, not what is done to its intervals
  return [options](const std::shared_ptr<const Problem>& problem, const RunContext& run) {
    return protect(problem, options, run);
  };
}

Result<std::shared_ptr<const Problem>> problem_of(const BenchCase& bench_case) {
  LACUNA_TRY(Problem problem, bench_case.load());
  return std::make_shared<const Problem>(std::move(problem));
}

Status audit(const BenchCase& bench_case,
             const std::shared_ptr<const Problem>& given,
             const ProtectResult& found,
             const RunContext& run,
             BenchRow& row) {
  LACUNA_TRY(const auto problem, problem_to_audit(given, found));
  AuditOptions options;
  options.intervals = options.all_withheld = bench_case.exact_widths;
  options.hints = found.witnesses;
  const auto start = std::chrono::steady_clock::now();
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(found.draft, options, run));
  row.verdict = to_string(report.verdict);
  row.engine = report.engine;
  row.details["audit_seconds"] = since(start);
  const InformationLoss loss = information_loss(*problem, found.draft, report);
  row.details["hidden"] = static_cast<double>(loss.cells);
  row.details["width"] = loss.width.to_double();
  row.secondary =
      std::max<std::int64_t>(0, found.draft.count(StatementKind::kWithheld) - row.primary);
  if (bench_case.measure)
    bench_case.measure({*problem, found, report}, row);
  return ok_status();
}

// In the child, from beginning to end.
Status measure(const BenchCase& bench_case, double seconds, RunContext run, BenchRow& row) {
  LACUNA_TRY(const auto problem, problem_of(bench_case));
  describe(*problem, row);
  const auto start = std::chrono::steady_clock::now();
  std::vector<TracePoint> seen;
  run.on_progress = [&](const Progress& now) {
    const bool news =
        seen.empty() || seen.back().incumbent != now.incumbent || seen.back().bound != now.bound;
    if (news && std::isfinite(now.incumbent) && now.incumbent > 0 && std::isfinite(now.bound))
      seen.push_back({since(start), now.incumbent, now.bound});
  };
  const RunContext unlimited = run;
  run.deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::chrono::duration<double>(seconds));
  const std::clock_t cpu = std::clock();
  LACUNA_TRY(const ProtectResult found, method_of(bench_case)(problem, run));
  row.seconds = since(start);
  row.details["method_cpu"] = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  row.status = to_string(found.why);
  row.objective = found.cost;
  row.bound = found.bound;
  row.verdict = "none";
  row.note = found.reason;
  for (const auto& [name, value] : found.details)
    row.details[name] = value;
  row.trace = found.trace.empty() ? seen : found.trace;
  if (found.complete || !bench_case.needs_complete) {
    row.trace.push_back({row.seconds, found.cost, found.bound, found.work});
    LACUNA_RETURN_IF_ERROR(audit(bench_case, problem, found, unlimited, row));
  }
  return ok_status();
}

}  // namespace

double BenchRow::detail(const std::string& name) const {
  const auto found = details.find(name);
  return found == details.end() ? 0 : found->second;
}

void describe(const Problem& problem, BenchRow& row) {
  row.cells = problem.table().num_cells();
  row.equations = problem.table().num_equations();
  row.primary = 0;
  for (const Cell& cell : problem.table().cells())
    row.primary += cell.status == CellStatus::kPrimary ? 1 : 0;
}

BenchRow BenchRecorder::run(const BenchCase& bench_case) {
  BenchRow row;
  const double seconds = limit(bench_case);
  ChildLimits limits;
  // Reading and the audit are not limited; a run that is far beyond all limits hangs.
  constexpr double kFactor = 10, kGrace = 900;
  limits.longest = std::chrono::seconds(static_cast<std::int64_t>(seconds * kFactor + kGrace));
  limits.stop = run_.stop;
  const ChildResult child = run_apart(
      [&] {
        BenchRow inner;
        RunContext context;
        context.threads = run_.threads;
        context.seed = run_.seed;
        if (const Status status = measure(bench_case, seconds, context, inner); !status)
          fail(status.error().text(), inner);
        return pack(inner);
      },
      limits);
  if (child.finished)
    unpack(child.output, row);
  else
    fail(child.trouble, row);
  constexpr double kKibPerMib = 1024;
  row.peak_memory = static_cast<double>(child.peak_kib) / kKibPerMib;
  row.cpu_seconds = child.cpu_seconds;
  row.instance = bench_case.instance;
  row.method = bench_case.method;
  row.options = bench_case.options;
  row.seed = run_.seed;
  add(row);
  if (job_.peers && bench_case.with_peers && bench_case.method == "suppress" && !stopped())
    run_peers(bench_case, *this);
  return row;
}

void BenchRecorder::note(std::string line) {
  if (std::find(notes_.begin(), notes_.end(), line) == notes_.end())
    notes_.push_back(std::move(line));
}

void BenchRecorder::add(BenchRow row) {
  if (run_.log) {
    run_.log(fmt::format("{} {}{}{}: {} {} {:.2f} s{}{}",
                         row.instance,
                         row.method,
                         row.options.empty() ? "" : " ",
                         row.options,
                         row.status,
                         row.verdict,
                         row.seconds,
                         row.note.empty() ? "" : ": ",
                         row.note));
  }
  rows_.push_back(std::move(row));
}

bool BenchRecorder::wants_table(std::int32_t table) const {
  return job_.tables.empty() ||
         std::find(job_.tables.begin(), job_.tables.end(), table) != job_.tables.end();
}

std::string instance_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, name.find(".jj"));
}

std::vector<std::string> all_instances(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".jj") || name.ends_with(".jj.xz") || name.ends_with(".jj.gz"))
      paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return instance_name(a) < instance_name(b);
  });
  return paths;
}

std::string find_instance(const std::string& folder, const std::string& name) {
  if (folder.empty())
    return "";
  for (const std::string& path : all_instances(folder)) {
    if (instance_name(path) == name)
      return path;
  }
  return "";
}

}  // namespace lacuna::bench
