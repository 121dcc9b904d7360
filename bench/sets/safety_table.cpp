// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/safety_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "bench/sets/process.h"
#include "bench/sets/safety_draw.h"
#include "bench/sets/safety_words.h"
#include "data/files/file.h"
#include "data/jobfile/problem_file.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kOneInKilled = 200, kOneInChanged = 5, kOneInUnasked = 3;

struct Ended {  // how a run ended
  int code = 0;
  std::string text, message;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

// Why nothing was released; with --json the message is part of the text.
std::string reason_of(const Ended& ended) {
  const Json json = Json::parse(ended.text, nullptr, false);
  return json.is_object() ? json.value("message", "") : ended.message;
}

// Without its numbers and cells, and short, so that it can be counted.
std::string countable(const std::string& reason) {
  constexpr std::size_t kLong = 70;
  static const std::regex names("[A-Za-z]+=[^ ,:;]+"), numbers("-?[0-9][0-9.]*");
  const std::string text = std::regex_replace(reason, names, "CELL");
  return std::regex_replace(text, numbers, "N").substr(0, kLong);
}

class TableTest {
 public:
  TableTest(const SafetySetup& setup, std::int64_t number, const std::string& folder)
      : setup_(setup),
        number_(number),
        folder_(folder),
        table_(folder + "/table.json"),
        random_(safety_stream(setup.seed, number)) {}

  SafetyOutcome test() {
    const auto drawn = draw_table(random_);
    if (!drawn) {
      fail("crash", drawn.error().text());
      return std::move(outcome_);
    }
    for (const std::string& trait : drawn->traits)
      count("shape", trait);
    if (const Status written = jobfile::write_problem(drawn->problem, table_); !written) {
      fail("crash", written.error().text());
      return std::move(outcome_);
    }
    ++outcome_.counts["all|tables"];
    outcome_.counts["all|cells"] += drawn->problem.table().num_cells();
    const bool kill = random_.chance(1, kOneInKilled);
    const int runs = !kill && random_.chance(2, 3) ? 2 : 1;
    for (int r = 0; r < runs; ++r)
      test_run(drawn->problem, r, kill);
    test_words();
    return std::move(outcome_);
  }

 private:
  void count(const std::string& group, const std::string& name) {
    ++outcome_.counts[group + "|" + name];
  }
  void fail(const std::string& kind, const std::string& text) {
    outcome_.failures.push_back({number_, kind, text, command_});
  }

  // By a stream of its own, so that tables and runs stay those of their numbers.
  void test_words() {
    base::Random random = safety_stream(~setup_.seed, number_);
    if (!random.chance(1, kOneInUnasked))
      return;
    const std::string own = folder_ + "/unasked";
    std::filesystem::create_directories(own);
    command_ = "lacuna audit and report, nothing asked, in " + own;
    const WordsTest words = bench::test_unasked(table_, own, random, {});
    outcome_.counts["words|texts of releases with nothing asked, or waived"] += words.texts;
    outcome_.counts["words|tables of which nothing is asked"] += words.unasked;
    outcome_.counts["words|their releases from elsewhere"] += words.elsewhere;
    outcome_.counts["words|... told by their sums, surely"] += words.exposed;
    outcome_.counts["words|exposed releases, waived"] += words.waived;
    outcome_.counts["all|texts"] += words.texts;
    for (const std::string& text : words.troubles)
      fail("disagreement", text);
  }

  void test_run(const Problem& problem, int number, bool kill) {
    place_ = folder_ + "/" + std::to_string(number);
    std::filesystem::create_directories(place_);
    auto drawn = draw_run(problem, earlier_, place_, random_);
    if (!drawn)
      return fail("crash", drawn.error().text());
    DrawnRun run = std::move(drawn).value();
    if (kill && run.job.method == Method::kSuppress && run.job.checkpoint.empty()) {
      run.job.checkpoint = place_ + "/checkpoint";
      run.words.insert(run.words.end(), {"--checkpoint", run.job.checkpoint});
    }
    name_outputs(run);
    count("method", method_of(run));
    for (const std::string& option : run.options)
      count("option", method_of(run) + " " + option);
    const auto start = std::chrono::steady_clock::now();
    const Ended ended = kill ? kill_and_resume(run) : run_here(run);
    outcome_.counts["microseconds|" + method_of(run)] +=
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                              start)
            .count();
    look_at(run, ended);
  }

  void name_outputs(DrawnRun& run) {
    run.job.input = table_;
    run.job.outputs = {place_ + "/result.json"};
    run.job.public_files = {place_ + (random_.chance(1, 2) ? "/public.csv" : "/public.json")};
    run.job.certificate = place_ + "/certificate.json";
    run.job.given = joined(run.words);
    run.words.insert(run.words.end(),
                     {"-o",
                      run.job.outputs.front(),
                      "--public",
                      run.job.public_files.front(),
                      "--certificate",
                      run.job.certificate});
    run.words.insert(run.words.begin(), {"lacuna", "protect", table_});
    command_ = joined(run.words);
    if (const Status noted = files::write_file_atomically(command_file(folder_), command_ + "\n");
        !noted)
      fail("crash", noted.error().text());
  }

  static Ended run_here(const DrawnRun& run) {
    RunContext context;
    context.threads = run.threads;
    context.seed = run.seed;
    context.deadline = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                           std::chrono::duration<double>(run.seconds));
    const auto output = job::run_job(run.job, context);
    if (!output)
      return {static_cast<int>(job::ExitCode::kBadInput), "", output.error().text()};
    return {static_cast<int>(output->code), output->text, output->message};
  }

  // ---- runs that are killed

  Ended run_apart_program(const DrawnRun& run, const ChildLimits& limits) const {
    std::vector<std::string> command = run.words;
    command.front() = setup_.program;
    const ChildResult child = run_program(command, limits);
    return {child.code, child.output, child.trouble};
  }

  Ended kill_and_resume(const DrawnRun& run) {
    constexpr std::int64_t kLatest = 120;  // milliseconds; many runs are over by then
    ChildLimits limits;
    limits.longest = std::chrono::seconds(60);
    limits.signal = random_.chance(1, 2) ? SIGKILL : SIGINT;
    limits.patience = std::chrono::milliseconds(random_.between(0, kLatest));
    const Ended first = run_apart_program(run, limits);
    count("killed", limits.signal == SIGKILL ? "by SIGKILL" : "by SIGINT");
    count("killed", first.code < 0 ? "before the end" : "too late, or it ended by itself");
    if (first.message.starts_with("killed after"))
      fail("crash", "a run that was interrupted does not stop");
    look_at_what_is_left(run, first);
    ChildLimits patient;
    patient.longest = std::chrono::seconds(60);
    count("killed", "resumed");
    return run_apart_program(run, patient);
  }

  // Whatever is there is whole, and what a reader could see of it is safe.
  void look_at_what_is_left(const DrawnRun& run, const Ended& first) {
    if (first.code >= 0)
      return look_at(run, first);
    for (const std::string& path : {run.job.outputs.front(), run.job.certificate}) {
      const auto text = files::read_file(path);
      if (text && !Json::accept(*text))
        fail("disagreement", "a run that was killed leaves a file half written: " + path);
    }
    if (std::filesystem::exists(run.job.checkpoint)) {
      const auto text = files::read_file(run.job.checkpoint);
      if (!text || !text->ends_with("\nend\n"))
        fail("disagreement", "a run that was killed leaves its checkpoint half written");
    }
    if (!std::filesystem::exists(run.job.public_files.front()))
      return;
    count("killed", "after the public file was written");
    DrawnRun left = run;  // the result is written last
    if (!std::filesystem::exists(run.job.outputs.front()))
      left.job.outputs = run.job.public_files;
    judge(left, false);
  }

  // ---- what a run leaves

  void look_at(const DrawnRun& run, const Ended& ended) {
    count("exit code", method_of(run) + " " + std::to_string(ended.code));
    switch (ended.code) {
      case static_cast<int>(job::ExitCode::kDone):
        return look_at_release(run, ended);
      case static_cast<int>(job::ExitCode::kUnasked):
        return look_at_unasked(run);
      case static_cast<int>(job::ExitCode::kBadInput):
      case static_cast<int>(job::ExitCode::kNotProtected):
        look_at_refusal(run, ended);
        break;
      case static_cast<int>(job::ExitCode::kNoResult):
        count("nothing released", "within the limit");
        break;
      default:
        fail("crash", ended.message);
    }
    if (ended.message.empty() && ended.text.empty())
      fail("disagreement", "nothing is released and nobody is told why");
    for (const std::string& path : outputs(run)) {
      if (std::filesystem::exists(path))
        fail("disagreement", "nothing is released, but there is " + path);
    }
  }

  static std::string method_of(const DrawnRun& run) {
    return std::string(to_string(run.job.method));
  }
  static std::vector<std::string> outputs(const DrawnRun& run) {
    return {run.job.outputs.front(), run.job.public_files.front(), run.job.certificate};
  }

  void look_at_release(const DrawnRun& run, const Ended& ended) {
    if (ended.text.find("protected") == std::string::npos)
      fail("disagreement", "exit code 0 without a verdict: " + ended.text);
    for (const std::string& path : outputs(run)) {
      if (!std::filesystem::exists(path))
        return fail("disagreement", "exit code 0, but there is no " + path);
    }
    look_for_leftovers();
    count("released", method_of(run));
    judge(run, random_.chance(1, kOneInChanged));
    if (run.job.method != Method::kAdjust && !run.job.perturb.range_unknown)
      earlier_.push_back({run.job.outputs.front(), run.job.public_files.front()});
  }

  // All that is sensitive is known in advance, so nothing is asked: the office has the result and
  // the evidence, readers have nothing, and everyone who judges it must say the same.
  void look_at_unasked(const DrawnRun& run) {
    if (std::filesystem::exists(run.job.public_files.front()))
      fail("disagreement", "nothing was asked, but there is " + run.job.public_files.front());
    for (const std::string& path : {run.job.outputs.front(), run.job.certificate}) {
      if (!std::filesystem::exists(path))
        return fail("disagreement", "nothing was asked, and there is no " + path);
    }
    look_for_leftovers();
    count("nothing asked", method_of(run));
    DrawnRun office = run;
    office.job.public_files = run.job.outputs;
    judge(office, false);
  }

  void look_for_leftovers() {
    const std::set<std::string> known{"result.json",
                                      "public.csv",
                                      "public.json",
                                      "certificate.json",
                                      "checkpoint",
                                      "cells.csv",
                                      "trace.csv",
                                      "judge"};  // ours
    for (const auto& entry : std::filesystem::directory_iterator(place_)) {
      const std::string name = entry.path().filename().string();
      if (!known.contains(name) && !killed())
        fail("disagreement", "a file is left over: " + name);
    }
  }
  bool killed() const { return outcome_.counts.contains("killed|before the end"); }

  // What was asked cannot be had. Where withholding is allowed without limit that can be checked;
  // elsewhere no method may make what the audit then refuses, but for the one that says so.
  void look_at_refusal(const DrawnRun& run, const Ended& ended) {
    const job::ProtectJob& job = run.job;
    const std::string said = ended.message + ended.text;
    count("reason", method_of(run) + ": " + countable(reason_of(ended)));
    const bool withholds = job.method == Method::kSuppress || job.method == Method::kInterval ||
                           job.method == Method::kCombined;
    const bool limited = job.suppress.max_withheld >= 0 || job.suppress.minimum_width > 0 ||
                         job.combined.max_intervals >= 0 || job.combined.interval_width > 0 ||
                         job.combined.interval_level > 0;
    count("nothing released", "not possible");
    if (withholds && !limited)
      return look_whether_nothing_would_do(run, said);
    // docs/rounding.md says so of the first; the second withholds all there is when time is out.
    if ((job.method == Method::kRound && job.effort == Effort::kFast) || (withholds && run.hasty))
      return;
    for (const char* word : {"the audit", "add up", "does not contain its true value"}) {
      if (said.find(word) != std::string::npos)
        return fail("disagreement", "what a method made is refused: " + said);
    }
  }

  void look_whether_nothing_would_do(const DrawnRun& run, const std::string& said) {
    const auto safe = safe_if_all_is_withheld(table_, asked_of(run), {});
    if (!safe)
      return fail("disagreement", "the table cannot be read back: " + safe.error().text());
    if (*safe)
      return fail("disagreement", "refused, although withholding every cell is safe: " + said);
    count("nothing released", "not possible, and confirmed: no withheld cells would do");
  }

  static load::Assessment asked_of(const DrawnRun& run) {
    load::Assessment asked = run.job.asked;
    if (!run.job.prefer.empty())  // of this very table, so it counts as released
      asked.released.push_back(run.job.prefer);
    return asked;
  }

  void judge(const DrawnRun& run, bool change) {
    const std::string own = place_ + "/judge";  // what we write to judge is no leftover of the run
    std::filesystem::create_directories(own);
    const ReleaseFiles files{table_,
                             run.job.outputs.front(),
                             run.job.public_files.front(),
                             run.job.certificate,
                             own,
                             asked_of(run)};
    Judgement judgement = judge_files(files, change, random_, {});
    ++outcome_.counts["all|releases"];
    outcome_.counts["all|requirements"] += judgement.looked_at;
    outcome_.counts["all|unanswered"] += judgement.unanswered;
    outcome_.counts["all|texts"] += judgement.texts;
    for (const std::string& text : judgement.troubles)
      fail("disagreement", text);
    for (CertifiedPair& pair : judgement.pairs)
      outcome_.pairs.push_back({std::move(pair), command_});
  }

  const SafetySetup& setup_;
  std::int64_t number_;
  const std::string& folder_;
  std::string table_, place_, command_;
  base::Random random_;
  std::vector<EarlierRun> earlier_;
  SafetyOutcome outcome_;
};

Json json_of(const RunPair& each) {
  const Opinions& said = each.pair.opinions;
  return {{"table", each.pair.table},
          {"certificate", each.pair.certificate},
          {"zeros_meant", each.pair.zeros_meant},
          {"kind", static_cast<int>(said.kind)},
          {"result", said.result},
          {"shown", said.shown},
          {"confirmed", said.confirmed},
          {"plain", said.plain},
          {"plain_complete", said.plain_complete},
          {"command", each.command}};
}

RunPair pair_of(const Json& json) {
  RunPair each;
  each.pair.table = json["table"];
  each.pair.certificate = json["certificate"];
  each.pair.zeros_meant = json["zeros_meant"];
  Opinions& said = each.pair.opinions;
  said.kind = static_cast<ReleaseKind>(json["kind"].get<int>());
  said.result = json["result"];
  said.shown = json["shown"];
  said.confirmed = json["confirmed"];
  said.plain = json["plain"];
  said.plain_complete = json["plain_complete"];
  each.command = json["command"];
  return each;
}

}  // namespace

std::string command_file(const std::string& folder) {
  return folder + "/command";
}

SafetyOutcome test_table(const SafetySetup& setup, std::int64_t number, const std::string& folder) {
  return TableTest(setup, number, folder).test();
}

void conclude(std::int64_t table, SafetyOutcome& outcome) {
  for (const auto& [pair, command] : outcome.pairs) {
    const Opinions& said = pair.opinions;
    const bool unsafe = calls_unsafe(said);
    for (const std::string& text : disagreements(said))
      outcome.failures.push_back({table, unsafe ? "unsafe" : "disagreement", text, command});
    if (said.kind == ReleaseKind::kReleased)
      ++outcome.counts["plain linear program|" + said.plain];
    if (said.kind == ReleaseKind::kChanged)
      ++outcome.counts["changed releases|" + said.result];
    if (said.kind == ReleaseKind::kTampered)
      ++outcome.counts["changed releases with old evidence|" + said.confirmed];
    if (is_unsafe(said)) {
      ++outcome.counts["all|unsafe shown"];
      outcome.counts["all|unsafe refused"] += is_refused(said) ? 1 : 0;
    }
  }
  outcome.pairs.clear();
}

std::string pack(const SafetyOutcome& outcome) {
  Json json{{"counts", outcome.counts}, {"failures", Json::array()}, {"pairs", Json::array()}};
  for (const SafetyFailure& each : outcome.failures)
    json["failures"].push_back({each.table, each.kind, each.text, each.command});
  for (const RunPair& each : outcome.pairs)
    json["pairs"].push_back(json_of(each));
  return json.dump();
}

SafetyOutcome unpack_outcome(const std::string& text) {
  const Json json = Json::parse(text);
  SafetyOutcome outcome;
  outcome.counts = json["counts"].get<std::map<std::string, std::int64_t>>();
  for (const Json& each : json["failures"])
    outcome.failures.push_back({each[0], each[1], each[2], each[3]});
  for (const Json& each : json["pairs"])
    outcome.pairs.push_back(pair_of(each));
  return outcome;
}

void merge(const SafetyOutcome& part, SafetyOutcome& whole) {
  for (const auto& [name, number] : part.counts)
    whole.counts[name] += number;
  whole.failures.insert(whole.failures.end(), part.failures.begin(), part.failures.end());
}

}  // namespace lacuna::bench
