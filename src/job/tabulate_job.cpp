// SPDX-License-Identifier: Apache-2.0
// Tabulate: records to a table problem with its sensitive cells, and what is to be said of them.
// Shares of contributors are given without their identities.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "base/decimal.h"
#include "io/column_files.h"
#include "io/column_output.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/problem_file.h"
#include "io/record_job.h"
#include "job/attacker_summary.h"
#include "job/file_roles.h"
#include "job/jobs.h"
#include "job/records.h"

namespace lacuna::inline job {
namespace {

struct Summary {
  std::int64_t records = 0;
  std::int64_t contributors = 0;
  double seconds = 0;
  std::map<std::string, std::int64_t> by_rule;  // a cell counts once per rule
};

Summary summarize(const SensitiveTables& tables) {
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
std::string share_text(const Contribution& contribution, const CellFacts& cell) {
  if (cell.absolute == 0)
    return "0";
  constexpr double kPercent = 100;
  const double size = std::abs(static_cast<double>(contribution.amount));
  return fmt::format("{:.4f}", kPercent * size / static_cast<double>(cell.absolute));
}

std::string cell_json(const SensitiveTables& tables, std::size_t c) {
  const Table& table = tables.problem.table;
  const CellId id{static_cast<std::int32_t>(c)};
  const CellFacts& facts = tables.tabulation.cells[c];
  std::string codes;
  const auto indices = table.codes(id);
  for (std::size_t d = 0; d < indices.size(); ++d)
    codes += (d > 0 ? "," : "") + json_quoted(table.dimensions()[d].code(indices[d]));
  std::string shares;
  for (const Contribution& each : facts.largest)
    shares += (shares.empty() ? "" : ",") + share_text(each, facts);
  std::string out = fmt::format(
      "{{\"cell\":{},\"codes\":[{}],\"value\":{},\"records\":{},\"contributors\":{},"
      "\"weighted\":{},\"shares\":[{}],\"sensitive\":{}",
      c,
      codes,
      format_units(facts.value, table.decimals()),
      facts.records,
      facts.contributors,
      facts.weighted,
      shares,
      table.cell(id).status == CellStatus::kPrimary ? "true" : "false");
  std::string reasons;
  for (const Explanation& each : tables.report.explanations[c]) {
    reasons += (reasons.empty() ? "" : ",") + std::string("{\"rule\":") + json_quoted(each.rule) +
               ",\"text\":" + json_quoted(each.text) + "}";
  }
  if (!reasons.empty())
    out += ",\"reasons\":[" + reasons + "]";
  return out + "}";
}

std::string summary_json(const SensitiveTables& tables, const Summary& summary, int threads) {
  std::string rules;
  for (const auto& [rule, count] : summary.by_rule)
    rules += (rules.empty() ? "" : ",") + json_quoted(rule) + ":" + std::to_string(count);
  std::string out = fmt::format(
      "{{\"records\":{},\"contributors\":{},\"tables\":{},\"table\":{{\"cells\":{},"
      "\"equations\":{}}},\"sensitive\":{},\"rules\":{{{}}},\"requirements\":{},\"widened\":{},"
      "\"cut\":{},",
      summary.records,
      summary.contributors,
      tables.tabulation.tables.size(),
      tables.problem.table.num_cells(),
      tables.problem.table.num_equations(),
      tables.report.sensitive,
      rules,
      tables.problem.requirements.size(),
      tables.report.widened,
      tables.report.cut);
  out += fmt::format("\"attackers\":{},\"seconds\":{:.6f},\"threads\":{},\"cells\":[",
                     summarize_attackers(tables.problem, tables.report.attackers).json(),
                     summary.seconds,
                     threads);
  for (std::size_t c = 0; c < tables.tabulation.cells.size(); ++c)
    out += (c > 0 ? ",\n" : "\n") + cell_json(tables, c);
  return out + "]}\n";
}

std::string summary_text(const SensitiveTables& tables, const Summary& summary) {
  std::string rules;
  for (const auto& [rule, count] : summary.by_rule)
    rules += fmt::format("{}{} {}", rules.empty() ? "" : ", ", rule, count);
  const AttackerCounts& attackers = tables.report.attackers;
  std::string out =
      fmt::format("{} records of {} contributors; {} cells and {} equations in {} {}; {:.3f} s\n",
                  summary.records,
                  summary.contributors,
                  tables.problem.table.num_cells(),
                  tables.problem.table.num_equations(),
                  tables.tabulation.tables.size(),
                  tables.tabulation.tables.size() == 1 ? "table" : "linked tables",
                  summary.seconds);
  out += fmt::format(
      "{} sensitive cells{}\n", tables.report.sensitive, rules.empty() ? "" : " (" + rules + ")");
  out += "attackers: " + summarize_attackers(tables.problem, attackers).text() + "\n";
  out += fmt::format("{} requirements; {} attackers have some of their own, {} are merged\n",
                     tables.problem.requirements.size(),
                     attackers.kept + 1,
                     attackers.merged);
  if (tables.report.widened > 0)
    out +=
        fmt::format("{} cells have wider bounds so that their levels fit\n", tables.report.widened);
  if (tables.report.cut > 0)
    out += fmt::format("{} cells have levels cut at their bounds\n", tables.report.cut);
  constexpr std::size_t kListed = 40;
  std::size_t listed = 0;
  for (std::size_t c = 0; c < tables.report.explanations.size(); ++c) {
    const CellId id{static_cast<std::int32_t>(c)};
    for (const Explanation& each : tables.report.explanations[c]) {
      if (++listed > kListed)
        return out + "  ... (all of them with --json)\n";
      out += fmt::format("  {:<24} {}\n", tables.problem.table.label(id), each.text);
    }
  }
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(";\"\n\r") == std::string::npos)
    return text;
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// One row per cell: codes, value, counts, shares, status, and why.
std::string cells_csv(const SensitiveTables& tables) {
  const Table& table = tables.problem.table;
  const Tabulation& tabulation = tables.tabulation;
  std::string out;
  for (const Dimension& dimension : table.dimensions())
    out += csv_field(dimension.name()) + ";";
  out += "value;records;contributors;weighted;status";
  for (int i = 1; i <= tabulation.top; ++i)
    out += ";share" + std::to_string(i);
  out += ";reason\n";
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    const CellId id{static_cast<std::int32_t>(c)};
    const CellFacts& facts = tabulation.cells[c];
    const auto codes = table.codes(id);
    for (std::size_t d = 0; d < codes.size(); ++d)
      out += csv_field(table.dimensions()[d].code(codes[d])) + ";";
    out += fmt::format("{};{};{};{};{}",
                       format_units(facts.value, table.decimals()),
                       facts.records,
                       facts.contributors,
                       facts.weighted,
                       table.cell(id).status == CellStatus::kPrimary ? "u" : "s");
    for (std::size_t i = 0; i < static_cast<std::size_t>(tabulation.top); ++i)
      out += ";" + (i < facts.largest.size() ? share_text(facts.largest[i], facts) : "");
    std::string reason;
    for (const Explanation& each : tables.report.explanations[c])
      reason += (reason.empty() ? "" : ", ") + each.text;
    out += ";" + csv_field(reason) + "\n";
  }
  return out;
}

// As CSV, or as columns by the ending of the name.
Result<std::string> cells_file(const SensitiveTables& tables, const std::string& path) {
  std::string text = cells_csv(tables);
  if (!is_column_file(path))
    return text;
  LACUNA_TRY(const CsvFile file, CsvFile::parse(std::move(text), path, ';'));
  const std::size_t num_codes = tables.problem.table.dimensions().size();
  std::vector<bool> is_number(file.num_columns());
  for (std::size_t c = num_codes; c < is_number.size(); ++c)
    is_number[c] = file.header(c) != "status" && file.header(c) != "reason";
  return column_file(file, is_number, {}, path);
}

Status write_outputs(const SensitiveTables& tables, const TabulateJob& job) {
  if (!job.output.empty())
    LACUNA_RETURN_IF_ERROR(write_problem(tables.problem, tables.tabulation.tables, job.output));
  if (!job.table.empty()) {
    LACUNA_TRY(const std::string bytes, cells_file(tables, job.table));
    LACUNA_RETURN_IF_ERROR(write_file_atomically(job.table, bytes));
  }
  return ok_status();
}

}  // namespace

Result<JobOutput> run_job(const TabulateJob& job, const RunContext& given) {
  const RunContext run = with_progress(given);
  const auto start = std::chrono::steady_clock::now();
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_RETURN_IF_ERROR(check_column_output(job.table));
  LACUNA_TRY(const auto records, read_record_job(job.input));
  if (!records) {
    return Error{ErrorCode::kBadInput,
                 "this job is over a table; tabulate needs [input] with records = \"<file>\"",
                 job.input};
  }
  LACUNA_TRY(const SensitiveTables tables, tabulate_job(*records, run));
  LACUNA_RETURN_IF_ERROR(write_outputs(tables, job));
  Summary summary = summarize(tables);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return JobOutput{
      ExitCode::kDone,
      job.json ? summary_json(tables, summary, run.threads) : summary_text(tables, summary)};
}

}  // namespace lacuna::inline job
