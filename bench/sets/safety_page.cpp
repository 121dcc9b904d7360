// SPDX-License-Identifier: Apache-2.0
// What the bench of safety prints: a line of counts, JSON, and a page.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/load/provenance.h"
#include "bench/sets/output.h"
#include "bench/sets/safety.h"
#include "lacuna/version.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;
using Counts = std::map<std::string, std::int64_t>;

std::int64_t count_of(const Counts& counts, const std::string& group, const std::string& name) {
  const auto found = counts.find(group + "|" + name);
  return found == counts.end() ? 0 : found->second;
}

Counts group_of(const Counts& counts, const std::string& group) {
  Counts found;
  for (const auto& [name, number] : counts) {
    if (name.starts_with(group + "|"))
      found[name.substr(group.size() + 1)] = number;
  }
  return found;
}

std::int64_t failures_of(const SafetyOutcome& outcome, const std::string& kind) {
  std::int64_t count = 0;
  for (const SafetyFailure& each : outcome.failures)
    count += each.kind == kind ? 1 : 0;
  return count;
}

std::string repeat(std::int64_t table, std::uint64_t seed) {
  return fmt::format("lacuna bench safety --seed {} --first {} --tables 1", seed, table);
}

// The numbers of the one line, by name.
std::vector<std::pair<const char*, std::int64_t>> totals(const SafetyOutcome& outcome) {
  const Counts& counts = outcome.counts;
  return {{"tables", count_of(counts, "all", "tables")},
          {"releases", count_of(counts, "all", "releases")},
          {"requirements", count_of(counts, "all", "requirements")},
          {"unanswered", count_of(counts, "all", "unanswered")},
          {"disagreements", failures_of(outcome, "disagreement")},
          {"unsafe", failures_of(outcome, "unsafe")},
          {"crashes", failures_of(outcome, "crash")},
          {"unsafe_shown", count_of(counts, "all", "unsafe shown")},
          {"unsafe_refused", count_of(counts, "all", "unsafe refused")},
          {"killed_and_resumed", count_of(counts, "killed", "resumed")},
          {"not_possible", count_of(counts, "nothing released", "not possible")},
          {"no_result_in_time", count_of(counts, "nothing released", "within the limit")},
          {"texts", count_of(counts, "all", "texts")}};
}

std::string line(const SafetyOutcome& outcome) {
  std::vector<std::int64_t> number;
  for (const auto& [name, value] : totals(outcome))
    number.push_back(value);
  return fmt::format(
      "{} tables, {} releases, {} requirements judged by library, verifier and plain linear "
      "program ({} without its answer): {} disagreements, {} unsafe, {} crashes; {} unsafe "
      "releases shown, {} refused; {} runs killed and resumed; nothing released {} (not possible "
      "{}, no result within the limit {}); {} texts and pages of front ends read",
      number[0],
      number[1],
      number[2],
      number[3],
      number[4],
      number[5],
      number[6],
      number[7],
      number[8],
      number[9],
      number[10] + number[11],
      number[10],
      number[11],
      number[12]);
}

std::string two_columns(const Counts& counts, const std::string& group, const char* name) {
  std::vector<std::vector<std::string>> lines;
  for (const auto& [each, number] : group_of(counts, group))
    lines.push_back({each, std::to_string(number)});
  return lines.empty() ? "" : markdown_table({name, "count"}, lines) + "\n";
}

std::string per_method(const Counts& counts) {
  constexpr double kMicro = 1'000'000;
  std::vector<std::vector<std::string>> lines;
  for (const auto& [method, runs] : group_of(counts, "method")) {
    const auto code = [&](int number) {
      return std::to_string(count_of(counts, "exit code", method + " " + std::to_string(number)));
    };
    const auto seconds = static_cast<double>(count_of(counts, "microseconds", method)) / kMicro;
    lines.push_back({method,
                     std::to_string(runs),
                     code(0),
                     code(1),
                     code(2),
                     code(3),
                     fmt::format("{:.3f}", seconds / static_cast<double>(runs))});
  }
  return markdown_table({"method",
                         "runs",
                         "protected (exit code 0)",
                         "not possible, explained (1)",
                         "not possible (2)",
                         "limit (3)",
                         "seconds per run, mean"},
                        lines) +
         "\n";
}

std::string failure_list(const SafetyOutcome& outcome, std::uint64_t seed) {
  std::string text;
  std::int64_t last = -1;
  for (const SafetyFailure& each : outcome.failures) {
    if (each.table != last)
      text += repeat(each.table, seed) + "\n";
    last = each.table;
    text += fmt::format("  {}: {}\n", each.kind, each.text);
    if (!each.command.empty())
      text += "    by " + each.command + "\n";
  }
  return text;
}

}  // namespace

std::string safety_text(const SafetyOutcome& outcome, std::uint64_t seed) {
  return line(outcome) + "\n" + failure_list(outcome, seed);
}

std::string safety_json(const SafetyOutcome& outcome, std::uint64_t seed) {
  Json json = Json::object();
  json["seed"] = seed;
  json["commit"] = std::string(commit());
  for (const auto& [name, number] : totals(outcome))
    json[name] = number;
  json["counts"] = outcome.counts;
  json["failures"] = Json::array();
  for (const SafetyFailure& each : outcome.failures)
    json["failures"].push_back({{"table", each.table},
                                {"kind", each.kind},
                                {"text", each.text},
                                {"run", each.command},
                                {"repeat", repeat(each.table, seed)}});
  return json.dump(1) + "\n";
}

std::string safety_page(const SafetyOutcome& outcome, const BenchJob& job, std::uint64_t seed) {
  const Counts& counts = outcome.counts;
  std::string text = fmt::format(
      "# lacuna bench safety\n\nRandom tables through every method and option of `lacuna "
      "protect`; whatever it wrote was read back and judged by the library, by "
      "`scripts/verify_certificate.py` and by a plain linear program over the whole table.\n\n"
      "{}, lacuna {}, commit {}: `lacuna bench safety --tables {} --first {} --seed {}`\n\n"
      "**{}.**\n\n",
      load::utc_now().substr(0, 10),
      version(),
      commit(),
      job.tables.empty() ? kSafetyTables : job.tables.front(),
      job.first,
      seed,
      line(outcome));
  if (!outcome.failures.empty())
    text += "## Failures\n\n```\n" + failure_list(outcome, seed) + "```\n\n";
  text += "## Methods\n\n" + per_method(counts);
  text += "## Options\n\n" + two_columns(counts, "option", "method and option");
  text += "## Shapes\n\n" + two_columns(counts, "shape", "trait of the table");
  text +=
      "## Verdicts\n\nOf the plain linear program on what was released (`close`: some level is "
      "met up to the tolerance, as optimal releases do; `none`: no engine answered):\n\n" +
      two_columns(counts, "plain linear program", "word");
  text += "Releases shown with one entry that tells more, by the library's verdict:\n\n" +
          two_columns(counts, "changed releases", "verdict");
  text += "The same with the evidence of the release before the change:\n\n" +
          two_columns(counts, "changed releases with old evidence", "verdict");
  text +=
      "## Words\n\nAudits and reports, as text, JSON and pages, with and without exact intervals, "
      "were read for claims of safety and figures that the plain linear program contradicts or "
      "that nobody computed:\n\n" +
      two_columns(counts, "words", "what was read");
  text += "## Killed and resumed\n\n" + two_columns(counts, "killed", "run");
  text += "## Nothing released\n\n" + two_columns(counts, "nothing released", "why") +
          two_columns(counts, "reason", "method, and what it says (N: a number, CELL: a cell)");
  return text;
}

job::ExitCode safety_code(const SafetyOutcome& outcome) {
  if (outcome.failures.empty())
    return job::ExitCode::kDone;
  return failures_of(outcome, "crash") > 0 ? job::ExitCode::kInternal
                                           : job::ExitCode::kNotProtected;
}

}  // namespace lacuna::bench
