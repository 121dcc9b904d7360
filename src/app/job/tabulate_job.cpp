// SPDX-License-Identifier: Apache-2.0
// Tabulate: records to a table problem with its sensitive cells, and what is to be said of them.
// Shares of contributors are given without their identities.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "app/job/cell_columns.h"
#include "app/job/file_roles.h"
#include "app/job/jobs.h"
#include "app/load/attacker_summary.h"
#include "app/load/load.h"
#include "app/load/records.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "data/files/column_files.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/jobfile/problem_file.h"
#include "data/publish/column_output.h"
#include "data/publish/pattern.h"

namespace lacuna::job {
namespace {

struct Summary {
  std::int64_t records = 0;
  std::int64_t contributors = 0;
  double seconds = 0;
  std::map<std::string, std::int64_t> by_rule;  // a cell counts once per rule
};

Summary summarize(const load::SensitiveTables& tables) {
  Summary summary;
  const Tabulation& tabulation = tables.tabulation;
  for (const CellFacts& cell : tabulation.cells) {  // the largest is the total of a table
    summary.records = std::max(summary.records, cell.records);
    summary.contributors = std::max(summary.contributors, cell.contributors);
  }
  for (const auto& explanations : tables.report.explanations) {
    std::vector<std::string> rules;
    for (const Explanation& each : explanations)
      rules.push_back(each.rule);
    std::sort(rules.begin(), rules.end());
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    for (const std::string& rule : rules)
      ++summary.by_rule[rule];
  }
  return summary;
}

// The share of a contribution in the sum of all sizes, in percent.
void write_cell(base::JsonWriter& json, const load::SensitiveTables& tables, std::size_t c) {
  const Table& table = tables.problem.table();
  const CellId id{static_cast<std::int32_t>(c)};
  const CellFacts& facts = tables.tabulation.cells[c];
  const auto& reasons = tables.report.explanations[c];
  json.line().object([&] {
    json.member("cell", c);
    publish::write_codes(json.key("codes"), table, id);
    json.key("value").raw(base::format_units(facts.value, table.decimals()));
    json.member("records", facts.records).member("contributors", facts.contributors);
    json.member("weighted", facts.weighted);
    json.key("shares").list(facts.largest,
                            [&](const Contribution& each) { json.raw(share_text(each, facts)); });
    json.member("sensitive", table.cell(id).status == CellStatus::kPrimary);
    if (reasons.empty())
      return;
    json.key("reasons").list(reasons, [&](const Explanation& each) {
      json.object([&] { json.member("rule", each.rule).member("text", each.text); });
    });
  });
}

void write_key_checks(base::JsonWriter& json, const Tabulation& tabulation) {
  const KeyChecks& checks = tabulation.key_checks;
  json.object([&] {
    json.member("modulus", tabulation.keys->modulus);
    json.key("commonest_share").fixed(checks.share(), 9).member("classes", checks.classes);
    json.key("chi_square").fixed(checks.chi_square, 6);
    json.member("suspicious", checks.suspicious());
  });
}

std::string key_checks_text(const Tabulation& tabulation) {
  const KeyChecks& checks = tabulation.key_checks;
  return fmt::format(
      "keys below {}: the most frequent one is the key of {} of {} records; chi-square {:.1f} over "
      "{} classes{}\n",
      tabulation.keys->modulus,
      checks.commonest,
      checks.records,
      checks.chi_square,
      checks.classes,
      checks.suspicious() ? ": these keys do not look random; check how they were made" : "");
}

std::string summary_json(const load::SensitiveTables& tables, const Summary& summary, int threads) {
  const Table& table = tables.problem.table();
  const auto write = [&](base::JsonWriter& json) {
    json.member("records", summary.records).member("contributors", summary.contributors);
    json.member("tables", tables.tabulation.tables.size()).key("table").object([&] {
      json.member("cells", table.num_cells()).member("equations", table.num_equations());
    });
    if (!tables.policy.empty())
      json.member("policy", tables.policy);
    json.member("sensitive", tables.report.sensitive).key("rules").object([&] {
      for (const auto& [rule, count] : summary.by_rule)
        json.member(rule, count);
    });
    json.member("requirements", tables.problem.requirements().size());
    json.member("widened", tables.report.widened).member("cut", tables.report.cut);
    if (tables.tabulation.keys)
      write_key_checks(json.key("keys"), tables.tabulation);
    json.key("attackers")
        .raw(load::summarize_attackers(tables.problem, tables.report.attackers).json());
    json.key("seconds").fixed(summary.seconds, 6).member("threads", threads);
    json.key("cells").list([&] {
      for (std::size_t c = 0; c < tables.tabulation.cells.size(); ++c)
        write_cell(json, tables, c);
    });
  };
  return base::json_object(write) + "\n";
}

std::string summary_text(const load::SensitiveTables& tables, const Summary& summary) {
  std::string rules;
  for (const auto& [rule, count] : summary.by_rule)
    rules += fmt::format("{}{} {}", rules.empty() ? "" : ", ", rule, count);
  const AttackerCounts& attackers = tables.report.attackers;
  std::string out = tables.policy.empty() ? "" : tables.policy + "\n";
  out +=
      fmt::format("{} records of {} contributors; {} cells and {} equations in {} {}; {:.3f} s\n",
                  summary.records,
                  summary.contributors,
                  tables.problem.table().num_cells(),
                  tables.problem.table().num_equations(),
                  tables.tabulation.tables.size(),
                  tables.tabulation.tables.size() == 1 ? "table" : "linked tables",
                  summary.seconds);
  out += fmt::format(
      "{} sensitive cells{}\n", tables.report.sensitive, rules.empty() ? "" : " (" + rules + ")");
  load::AttackerSummary who = load::summarize_attackers(tables.problem, attackers);
  who.persons_left_out = tables.persons_left_out;
  out += "attackers: " + who.text() + "\n";
  out += fmt::format("{} requirements; {} attackers have some of their own, {} are merged\n",
                     tables.problem.requirements().size(),
                     attackers.kept + 1,
                     attackers.merged);
  if (tables.report.widened > 0)
    out +=
        fmt::format("{} cells have wider bounds so that their levels fit\n", tables.report.widened);
  if (tables.report.cut > 0)
    out += fmt::format("{} cells have levels cut at their bounds\n", tables.report.cut);
  if (tables.tabulation.keys)
    out += key_checks_text(tables.tabulation);
  constexpr std::size_t kListed = 40;
  std::size_t listed = 0;
  for (std::size_t c = 0; c < tables.report.explanations.size(); ++c) {
    const CellId id{static_cast<std::int32_t>(c)};
    for (const Explanation& each : tables.report.explanations[c]) {
      if (++listed > kListed)
        return out + "  ... (all of them with --json)\n";
      out += fmt::format("  {:<24} {}\n", tables.problem.table().label(id), each.text);
    }
  }
  return out;
}

std::string cells_csv(const publish::TextColumns& columns) {
  constexpr char kSeparator = ';';
  std::string out;
  const auto add = [&](std::size_t column, const std::string& text) {
    out += files::csv_quoted(text, kSeparator);
    out += column + 1 < columns.size() ? kSeparator : '\n';
  };
  for (std::size_t c = 0; c < columns.size(); ++c)
    add(c, columns[c].name);
  for (std::size_t row = 0; row < columns.front().texts.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      add(c, columns[c].texts[row]);
  }
  return out;
}

// As CSV, or as columns by the ending of the name.
Result<std::string> cells_file(const load::SensitiveTables& tables, const std::string& path) {
  const publish::TextColumns columns = tabulated_columns(tables);
  return files::is_column_file(path) ? publish::column_file(columns, {}, path) : cells_csv(columns);
}

Status write_outputs(const load::SensitiveTables& tables, const TabulateJob& job) {
  if (!job.output.empty())
    LACUNA_RETURN_IF_ERROR(
        jobfile::write_problem(tables.problem, tables.tabulation.tables, job.output));
  if (!job.table.empty()) {
    LACUNA_TRY(const std::string bytes, cells_file(tables, job.table));
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.table, bytes));
  }
  return ok_status();
}

}  // namespace

Result<JobOutput> run_job(const TabulateJob& job, const RunContext& given) {
  const RunContext run = with_progress(given);
  const auto start = std::chrono::steady_clock::now();
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_RETURN_IF_ERROR(publish::check_column_output(job.table));
  load::Inputs inputs;
  inputs.aggregates = job.aggregates;
  inputs.choices.policy = job.policy;
  LACUNA_TRY(const load::SensitiveTables tables, load::load_records(job.input, run, inputs));
  LACUNA_RETURN_IF_ERROR(write_outputs(tables, job));
  Summary summary = summarize(tables);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return JobOutput{
      ExitCode::kDone,
      job.json ? summary_json(tables, summary, run.threads) : summary_text(tables, summary)};
}

}  // namespace lacuna::job
