// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/field_tools.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/sets/peers.h"
#include "bench/sets/process.h"
#include "core/base/decimal.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/jobfile/problem_file.h"
#include "data/publish/pattern.h"
#include "lacuna/version.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;

constexpr int kCannot = 5, kLate = 6;  // exit codes of the script
constexpr double kKibPerMib = 1024;

// An audit may take as long as a run, but not less than this.
constexpr double kLeastAudit = 60;

double audit_seconds(double limit) {
  return std::max(limit, kLeastAudit);
}

std::string text_of(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_string()
             ? json[name].get<std::string>()
             : "";
}

// ---- ours

struct OurRun {
  FieldQuestion question;
  Effort effort;
  const char* options;
};

constexpr OurRun kOurRuns[] = {
    {FieldQuestion::kLevels, Effort::kDefault, "suppress"},
    {FieldQuestion::kLevels, Effort::kFast, "suppress --effort fast"},
    {FieldQuestion::kNotExact, Effort::kDefault, "suppress, levels of zero"},
    {FieldQuestion::kRespondents, Effort::kDefault, "suppress, all attackers"},
};

FieldRow run_one(const FieldTable& table, const OurRun& ours, BenchRecorder& recorder) {
  BenchCase run;
  run.instance = table.name;
  run.method = "suppress";
  run.options =
      fmt::format("{}{}", to_string(ours.question), ours.effort == Effort::kFast ? " fast" : "");
  run.with_peers = false;
  run.protect.method = Method::kSuppress;
  run.protect.effort = ours.effort;
  run.load = [&]() -> Result<Problem> {
    LACUNA_TRY(const Problem problem, table.load());
    return ask(problem, ours.question);
  };
  run.measure = [&](const Judged& judged, BenchRow& row) {
    const auto all = table.load();
    if (!all)
      return;
    const auto counts = judge_field(
        *all, judged.found.draft, audit_seconds(recorder.limit(run)), recorder.context());
    if (counts)
      row.details.insert(counts->begin(), counts->end());
  };
  FieldRow row;
  row.run = recorder.run(run);
  if (row.run.details.contains("method_cpu"))  // without the audits, which the same process did
    row.run.cpu_seconds = row.run.detail("method_cpu");
  row.is_judged = row.run.details.contains("asked");
  row.tool = "Lacuna";
  row.version = version();
  row.options = ours.options;
  row.weights = "as given";
  row.asked = to_string(ours.question);
  row.limit = recorder.limit(run);
  return row;
}

// In a child, because nothing is to be solved in this process.
bool respondents_of(const FieldTable& table, std::string& trouble) {
  const ChildResult told = run_apart(
      [&] {
        const auto problem = table.load();
        return problem ? std::string(has_respondents(*problem) ? "yes" : "no")
                       : problem.error().text();
      },
      {});
  if (told.output != "yes" && told.output != "no")
    trouble = told.output + told.trouble;
  return told.output == "yes";
}

// ---- a pattern, whoever made it

std::string judged_text(const FieldTable& table, const std::string& pattern, double seconds) {
  const auto judge = [&]() -> Result<Json> {
    LACUNA_TRY(const Problem problem, table.load());
    LACUNA_TRY(const std::string text, files::read_file(pattern));
    LACUNA_TRY(const Draft draft, publish::read_pattern(text, pattern, problem.table()));
    LACUNA_TRY(const FieldCounts counts, judge_field(problem, draft, seconds, RunContext{}));
    BenchRow row;
    describe(problem, row);
    return Json{{"cells", row.cells},
                {"equations", row.equations},
                {"primary", row.primary},
                {"counts", counts}};
  };
  const auto judged = judge();
  return judged ? judged->dump() : Json{{"error", judged.error().text()}}.dump();
}

// The columns of BenchRow that the summary and rows.csv want.
void take_over(FieldRow& row) {
  row.is_judged = true;
  row.run.objective = row.count("cost");
  row.run.secondary = static_cast<std::int64_t>(row.count("secondary"));
  row.run.verdict = row.count("exposed") > 0     ? "exposed"
                    : row.count("undecided") > 0 ? "undecided"
                    : row.count("asked") > 0     ? "protected"
                                                 : "unasked";
}

void judge(const FieldTable& table, const std::string& pattern, FieldRow& row) {
  const ChildResult child =
      run_apart([&] { return judged_text(table, pattern, audit_seconds(row.limit)); }, {});
  const Json told = Json::parse(child.output, nullptr, false);
  if (!child.finished || !told.is_object() || !told.contains("counts")) {
    row.run.status = "failed";
    row.run.note = "the pattern could not be judged: " + text_of(told, "error") + child.trouble;
    return;
  }
  row.run.cells = told["cells"];
  row.run.equations = told["equations"];
  row.run.primary = told["primary"];
  row.run.details = told["counts"].get<FieldCounts>();
  take_over(row);
}

// ---- theirs

FieldRow row_of(const FieldTable& table, const PeerTool& peer) {
  FieldRow row;
  row.run.instance = table.name;
  row.run.method = peer.peer;
  row.run.verdict = "none";
  row.tool = peer.tool;
  row.version = peer.version;
  row.options = peer.options;
  row.weights = peer.weights;
  row.asked = peer.asked;
  return row;
}

void tell_why(const ChildResult& ran, BenchRow& row) {
  row.status = ran.code == kCannot ? "refused" : ran.code == kLate ? "limit" : "failed";
  row.note = ran.trouble;
  const std::string known = fmt::format("exit code {}: ", ran.code);
  if ((ran.code == kCannot || ran.code == kLate) && row.note.starts_with(known))
    row.note = row.note.substr(known.size());
}

FieldRow run_peer(const FieldTable& table,
                  const PeerTool& peer,
                  const files::TemporaryFolder& folder,
                  BenchRecorder& recorder) {
  FieldRow row = row_of(table, peer);
  row.limit = recorder.job().seconds;
  ChildLimits limits;
  constexpr double kGrace = 120;  // the script ends its tools itself; this is a brake
  limits.longest = std::chrono::seconds(static_cast<std::int64_t>(row.limit + kGrace));
  limits.stop = recorder.context().stop;
  const std::string pattern = folder.file(peer.peer + ".txt");
  const ChildResult ran = run_program({recorder.job().peer_runner,
                                       peer.peer,
                                       folder.file("problem.json"),
                                       pattern,
                                       fmt::format("{:g}", row.limit)},
                                      limits);
  row.run.cpu_seconds = ran.cpu_seconds;
  row.run.peak_memory = static_cast<double>(ran.peak_kib) / kKibPerMib;
  if (!ran.finished) {
    tell_why(ran, row.run);
    return row;
  }
  const Json told = Json::parse(ran.output, nullptr, false);
  row.run.status = "finished";
  if (told.is_object()) {
    row.run.seconds = told.value("seconds", 0.0);
    row.run.cpu_seconds = told.value("cpu", row.run.cpu_seconds);
  }
  judge(table, pattern, row);
  return row;
}

// What all peers are told: the outsider's question, and no attacker besides.
std::string write_question(const FieldTable& table, const std::string& path) {
  const ChildResult written = run_apart(
      [&] {
        const auto write = [&]() -> Status {
          LACUNA_TRY(const Problem problem, table.load());
          LACUNA_TRY(const Problem levels, ask(problem, FieldQuestion::kLevels));
          return jobfile::write_problem(levels, path);
        };
        const Status status = write();
        return status ? std::string() : status.error().text();
      },
      {});
  return written.output + written.trouble;
}

// ---- patterns of a folder

// "# name: text" at the head of a pattern.
std::string told_in(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  const std::string head = "# " + name + ":";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(head))
      continue;
    const std::size_t first = line.find_first_not_of(' ', head.size());
    const std::size_t last = line.find_last_not_of(" \r");
    return first == std::string::npos ? "" : line.substr(first, last - first + 1);
  }
  return "";
}

FieldRow pattern_row(const FieldTable& table, const std::filesystem::path& path, double limit) {
  FieldRow row;
  row.run.instance = table.name;
  row.run.method = row.tool = path.stem().string();
  row.run.verdict = "none";
  row.source = FieldSource::kPattern;
  row.limit = limit;
  const auto text = files::read_file(path.string());
  if (!text) {
    row.run.status = "failed";
    row.run.note = text.error().text();
    return row;
  }
  row.version = told_in(*text, "version");
  row.options = told_in(*text, "options");
  row.weights = told_in(*text, "weights");
  row.asked = told_in(*text, "asked");
  const std::string status = told_in(*text, "status");
  row.run.status = status.empty() ? "finished" : status;
  if (const auto seconds = base::parse_double(told_in(*text, "seconds")))
    row.run.seconds = *seconds;
  judge(table, path.string(), row);
  row.limit = 0;  // what limit they had, nobody says
  return row;
}

}  // namespace

std::vector<PeerTool> peer_tools(BenchRecorder& recorder) {
  const std::string& runner = recorder.job().peer_runner;
  if (runner.empty() || !std::filesystem::exists(runner)) {
    recorder.note("Peers were not run: scripts/run_peer is not there.");
    return {};
  }
  const ChildResult told = run_program({runner, "--list"}, {});
  const Json list = Json::parse(told.output, nullptr, false);
  std::vector<PeerTool> peers;
  if (told.finished && list.is_array()) {
    for (const Json& each : list) {
      peers.push_back({text_of(each, "peer"),
                       text_of(each, "tool"),
                       text_of(each, "version"),
                       text_of(each, "options"),
                       text_of(each, "asked"),
                       text_of(each, "weights"),
                       text_of(each, "missing")});
    }
  } else {
    recorder.note("Peers were not run: the list of them could not be had. " + told.trouble);
  }
  return peers;
}

std::vector<FieldRow> run_ours(const FieldTable& table, BenchRecorder& recorder) {
  std::vector<FieldRow> rows;
  std::string trouble;
  const bool respondents = respondents_of(table, trouble);
  if (!trouble.empty()) {
    recorder.note(fmt::format("{} was left out: {}", table.name, trouble));
    return rows;
  }
  for (const OurRun& ours : kOurRuns) {
    if (!recorder.stopped() && (respondents || ours.question != FieldQuestion::kRespondents))
      rows.push_back(run_one(table, ours, recorder));
  }
  return rows;
}

std::vector<FieldRow> run_theirs(const FieldTable& table,
                                 const std::vector<PeerTool>& peers,
                                 BenchRecorder& recorder) {
  std::vector<FieldRow> rows;
  const files::TemporaryFolder folder("field");
  const std::string trouble = write_question(table, folder.file("problem.json"));
  if (!trouble.empty()) {
    recorder.note(fmt::format("Peers were not run on {}: {}", table.name, trouble));
    return rows;
  }
  for (const PeerTool& peer : peers) {
    if (!peer.missing.empty() || recorder.stopped())
      continue;
    rows.push_back(run_peer(table, peer, folder, recorder));
    recorder.add(rows.back().run);
  }
  return rows;
}

std::vector<FieldRow> judge_patterns(const FieldTable& table,
                                     const std::string& folder,
                                     BenchRecorder& recorder) {
  std::vector<std::filesystem::path> paths;
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(folder) / table.name, none))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<FieldRow> rows;
  for (const std::filesystem::path& path : paths) {
    rows.push_back(pattern_row(table, path, recorder.job().seconds));
    recorder.add(rows.back().run);
  }
  return rows;
}

}  // namespace lacuna::bench
