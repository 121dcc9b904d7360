// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/peers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/sets/process.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/jobfile/problem_file.h"
#include "data/publish/pattern.h"
#include "lacuna/audit.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 2> kPeers{"gconfid", "pytauargus"};
constexpr int kCannot = 5;  // exit code of the script: not installed, or not for such tables

Result<Problem> load(const BenchCase& bench_case) {
  LACUNA_TRY(Problem problem, bench_case.load());
  return weigh(std::move(problem), weight_formula(bench_case.protect));
}

std::string said(const Status& status) {
  return status ? "" : status.error().text();
}

// In a child: what the pattern costs and whether it is safe.
Status judge(const BenchCase& bench_case, const std::string& pattern, Json& out) {
  LACUNA_TRY(Problem loaded, load(bench_case));
  const auto problem = std::make_shared<const Problem>(std::move(loaded));
  LACUNA_TRY(const std::string text, files::read_file(pattern));
  LACUNA_TRY(const Draft draft, publish::read_pattern(text, pattern, problem->table()));
  BenchRow row;
  describe(*problem, row);
  double cost = 0;
  for (const CellEntry& entry : draft.each())
    cost += problem->table().cell(entry.cell).weight;
  AuditOptions verdicts;
  verdicts.intervals = false;
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(draft, verdicts, RunContext{}));
  out = {
      {"cells", row.cells},
      {"equations", row.equations},
      {"primary", row.primary},
      {"objective", cost},
      {"secondary", std::max<std::int64_t>(0, draft.count(StatementKind::kWithheld) - row.primary)},
      {"verdict", to_string(report.verdict)},
      {"exposed", report.count(Verdict::kExposed, Domain::kRational)}};
  return ok_status();
}

void fill(const Json& judged, BenchRow& row) {
  row.cells = judged["cells"];
  row.equations = judged["equations"];
  row.primary = judged["primary"];
  row.objective = judged["objective"];
  row.secondary = judged["secondary"];
  row.verdict = judged["verdict"];
  if (row.verdict != "protected")
    row.note = fmt::format("{} requirements exposed", judged["exposed"].get<int>());
}

void run_peer(const std::string& peer,
              const BenchCase& bench_case,
              const files::TemporaryFolder& folder,
              BenchRecorder& recorder) {
  const double seconds = recorder.limit(bench_case);
  ChildLimits limits;
  constexpr double kGrace = 120;  // to start, and to install once
  limits.longest = std::chrono::seconds(static_cast<std::int64_t>(seconds * 2 + kGrace));
  limits.stop = recorder.context().stop;
  const std::string pattern = folder.file(peer + ".txt");
  const ChildResult ran = run_program({recorder.job().peer_runner,
                                       peer,
                                       folder.file("problem.json"),
                                       pattern,
                                       fmt::format("{:g}", seconds)},
                                      limits);
  if (!ran.finished && ran.trouble.rfind(fmt::format("exit code {}", kCannot), 0) == 0) {
    recorder.note(fmt::format("Peer {} was not run on some tables: {}.", peer, ran.trouble));
    return;
  }
  BenchRow row;
  row.instance = bench_case.instance;
  row.method = peer;
  row.options = bench_case.options;
  row.seed = recorder.context().seed;
  row.status = "failed";
  row.verdict = "none";
  row.note = ran.trouble;
  constexpr double kKibPerMib = 1024;
  row.peak_memory = static_cast<double>(ran.peak_kib) / kKibPerMib;
  row.cpu_seconds = ran.cpu_seconds;
  const Json told = Json::parse(ran.output, nullptr, false);
  if (ran.finished && told.is_object()) {
    row.seconds = told.value("seconds", 0.0);
    row.engine = peer + " " + told.value("version", "");
    const ChildResult judged = run_apart(
        [&] {
          Json out;
          const Status status = judge(bench_case, pattern, out);
          return status ? out.dump() : Json{{"error", said(status)}}.dump();
        },
        {});
    const Json result = Json::parse(judged.output, nullptr, false);
    if (result.is_object() && !result.contains("error")) {
      row.status = kPeerStatus;
      fill(result, row);
    } else {
      row.note = result.is_object() ? result.value("error", "") : judged.trouble;
    }
  }
  recorder.add(std::move(row));
}

}  // namespace

void run_peers(const BenchCase& bench_case, BenchRecorder& recorder) {
  const std::string& runner = recorder.job().peer_runner;
  if (runner.empty() || !std::filesystem::exists(runner)) {
    recorder.note("Peers were not run: scripts/run_peer is not there.");
    return;
  }
  const files::TemporaryFolder folder("peers");
  const ChildResult written = run_apart(
      [&] {
        const auto problem = load(bench_case);
        return problem ? said(jobfile::write_problem(*problem, folder.file("problem.json")))
                       : problem.error().text();
      },
      {});
  if (!written.finished || !written.output.empty()) {
    recorder.note("Peers were not run on " + bench_case.instance + ": " + written.output +
                  written.trouble);
    return;
  }
  for (const char* peer : kPeers) {
    if (!recorder.stopped())
      run_peer(peer, bench_case, folder, recorder);
  }
}

}  // namespace lacuna::bench
