// SPDX-License-Identifier: Apache-2.0
#include "app/job/ptable_jobs.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/job/file_roles.h"
#include "core/base/readable.h"
#include "data/files/file.h"
#include "lacuna/tolerance.h"

namespace lacuna::job {
namespace {

std::string type_name(PtableType type) {
  return std::string(enum_names(type)[static_cast<std::size_t>(type)]);
}

void say(const RunContext& run, const std::string& note) {
  if (run.log)
    run.log(note);
}

// Means of rounded tables are a few units of the last digit away from 0.
std::string near_zero(double number) {
  return std::abs(number) < tol::kRowResidual ? "0" : base::readable(number);
}

std::string facts_text(const PtableFacts& facts) {
  std::string text = fmt::format("{:>5} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7} {:>6}{}\n",
                                 "i",
                                 "targets",
                                 "mean",
                                 "variance",
                                 "stays",
                                 "least",
                                 "most",
                                 "sum p",
                                 "  type");
  for (const PtableRowFacts& row : facts.rows)
    text += fmt::format("{:>5} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7} {:>6}  {}\n",
                        row.count,
                        row.targets,
                        near_zero(row.mean),
                        base::readable(row.variance),
                        base::readable(row.stay),
                        base::readable(row.least),
                        base::readable(row.most),
                        base::readable(row.sum),
                        type_name(row.type));
  text +=
      fmt::format("{}; largest noise {}; {}\n",
                  facts.for_counts ? "for counts" : "for magnitudes",
                  base::readable(facts.largest_noise),
                  facts.hidden_to > 0 ? fmt::format("1 to {} are never published", facts.hidden_to)
                                      : "every positive number may be published");
  for (const std::string& remark : facts.remarks)
    text += "note: " + remark + "\n";
  for (const std::string& fault : facts.faults)
    text += "fault: " + fault + "\n";
  return text;
}

nlohmann::ordered_json facts_json(const PtableFacts& facts) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const PtableRowFacts& row : facts.rows)
    rows.push_back({{"i", row.count},
                    {"type", type_name(row.type)},
                    {"targets", row.targets},
                    {"sum", row.sum},
                    {"mean", row.mean},
                    {"variance", row.variance},
                    {"stay", row.stay},
                    {"least", row.least},
                    {"most", row.most},
                    {"misstated", row.misstated}});
  return {{"for_counts", facts.for_counts},
          {"largest_noise", facts.largest_noise},
          {"js", facts.hidden_to},
          {"split", facts.is_split},
          {"changes_zero", facts.changes_zero},
          {"rows", std::move(rows)},
          {"notes", facts.remarks},
          {"faults", facts.faults}};
}

}  // namespace

Result<JobOutput> run_job(const PtableMakeJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_TRY(const PtableResult made, make_ptable(job.options));
  const auto keys = static_cast<std::uint64_t>(job.options.keys);
  LACUNA_TRY(const std::string text, ptable_text(made.table, job.format, keys));
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, text));
  for (const std::string& note : made.notes)
    say(run, note);
  const PtableFacts facts = ptable_facts(made.table);
  if (!job.json)
    return JobOutput{ExitCode::kDone, facts_text(facts)};
  nlohmann::ordered_json json = facts_json(facts);
  for (const std::string& note : made.notes)
    json["notes"].push_back(note);
  return JobOutput{ExitCode::kDone, json.dump() + "\n"};
}

Result<JobOutput> run_job(const PtableCheckJob& job, const RunContext&) {
  LACUNA_TRY(const Ptable table, ptable_files::read_ptable_file(job.input, {job.cycle}));
  const PtableFacts facts = ptable_facts(table);
  JobOutput output;
  output.code = facts.faults.empty() ? ExitCode::kDone : ExitCode::kBadInput;
  output.text = job.json ? facts_json(facts).dump() + "\n" : facts_text(facts);
  return output;
}

Result<JobOutput> run_job(const PtableConvertJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_TRY(const Ptable table, ptable_files::read_ptable_file(job.input, {job.cycle}));
  const auto keys = static_cast<std::uint64_t>(job.keys);
  LACUNA_TRY(const std::string text, ptable_files::ptable_text(table, job.format, keys));
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, text));
  if (const std::string loss = ptable_files::ptable_loss(table, job.format); !loss.empty())
    say(run, loss);
  return JobOutput{ExitCode::kDone, ""};
}

}  // namespace lacuna::job
