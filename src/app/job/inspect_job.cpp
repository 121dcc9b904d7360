// SPDX-License-Identifier: Apache-2.0
// Inspect: what is understood of a table file, printed as the job that reads it, as far as it goes.
#include <filesystem>

#include "app/job/file_roles.h"
#include "app/job/jobs.h"
#include "app/load/recognise.h"
#include "app/load/run_policy.h"
#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "data/files/file.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/job_file.h"
#include "data/jobfile/record_job.h"

namespace lacuna::job {
namespace {

// What a user has to say; empty if nothing.
std::string open_text(const infer::GuessedJob& guessed) {
  std::string text;
  for (const Error& each : guessed.open)
    text += (text.empty() ? "" : "\n") + each.text();
  return text;
}

// Whether the user can say what is missing: of a file that cannot be read there is no job.
bool may_be_said(const Error& error) {
  return error.code == ErrorCode::kUnclearFormat || error.code == ErrorCode::kContradiction ||
         error.code == ErrorCode::kMissingColumn || error.code == ErrorCode::kUnknownCode;
}

// Where the table is, and what is open.
infer::GuessedJob nothing_but(const Error& error, const std::string& name, const JobSpec& said) {
  infer::GuessedJob guessed;
  guessed.job.input = said.input;
  guessed.job.input.table = {{SpecSource::Kind::kFile, name}};
  guessed.remarks[""] = {
      "This is what was understood of the table so far. What is not certain is marked OPEN: fill "
      "it in, then run lacuna protect on this file."};
  std::string line;
  for (const char c : base::in_full(error.message) + "\n") {  // a comment for each line
    if (c != '\n') {
      line += c;
      continue;
    }
    guessed.remarks["input"].push_back((guessed.remarks["input"].empty() ? "OPEN: " : "  ") + line);
    line.clear();
  }
  guessed.open.push_back(error);
  return guessed;
}

// Columns whose numbers are computed from the others, as sections of the job.
void add_derived(const std::string& bytes, infer::GuessedJob& guessed) {
  const spec::ReadSpec spec{guessed.job, spec::SpecPlaces()};
  const auto load = [&](const std::string&) { return Result<std::string>(bytes); };
  const auto read = jobfile::job_of(spec, load);
  if (!read)
    return;  // whoever runs the job says why
  for (const load::Recognised& found : load::recognise_unstated(spec, read->problem, load, {})) {
    std::vector<std::string>& remarks =
        guessed.remarks["derived[" + std::to_string(guessed.job.derived.size()) + "]"];
    remarks = {base::in_full(load::recognised_text(found))};
    if (found.by_column)
      remarks.push_back("leave this section out if " + base::in_quotes(found.column.population) +
                        " is not public: its numbers tell it");
    guessed.job.derived.push_back(found.column);
  }
}

// How the job that is written names the policy; that there is one is looked up.
Result<std::string> policy_for(const std::string& policy, const std::filesystem::path& folder) {
  if (policy.empty())
    return std::string();
  load::Inputs inputs;
  inputs.choices.policy = policy;
  const spec::ReadSpec none{{}, spec::SpecPlaces(), false};
  LACUNA_RETURN_IF_ERROR(load::policy_of(none, "", inputs));
  const std::filesystem::path path(policy);
  const bool moved = policies::is_policy_file(policy) && path.is_relative() && !folder.empty();
  return moved ? path.lexically_relative(folder).string() : policy;
}

}  // namespace

Result<JobOutput> run_job(const InspectJob& job, const RunContext&) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  if (jobfile::is_job_name(job.input))
    return Error{ErrorCode::kOptionValue,
                 "this is a job already; inspect takes the table (.csv, .parquet, ...)",
                 job.input};
  if (!job.output.empty() && !jobfile::is_job_name(job.output))
    return Error{ErrorCode::kOutputName, "the job must end in .toml", "-o " + job.output};
  LACUNA_TRY(std::string bytes, files::read_file(job.input));
  // A job names its files from its own folder.
  const auto folder = std::filesystem::path(job.output).parent_path();
  const std::filesystem::path table(job.input);
  const bool moved = table.is_relative() && !folder.empty();
  const std::string name = moved ? table.lexically_relative(folder).string() : table.string();
  LACUNA_TRY(const JobSpec said, job.choices.spec());
  LACUNA_TRY(std::string policy, policy_for(job.choices.policy, folder));
  auto found = infer::guess_as_far(bytes, job.input, name, said);
  if (!found && !may_be_said(found.error()))
    return found.error();
  infer::GuessedJob guessed =
      found ? std::move(found).value() : nothing_but(found.error(), name, said);
  if (guessed.open.empty())
    add_derived(bytes, guessed);
  guessed.job.policy = std::move(policy);
  std::string text = guessed.text();
  const ExitCode code = guessed.open.empty() ? ExitCode::kDone : ExitCode::kBadInput;
  const std::string open = open_text(guessed);
  if (job.output.empty())
    return JobOutput{code, std::move(text), open};
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, text));
  return JobOutput{
      code,
      "",
      "wrote " + job.output + (open.empty() ? "" : ", in which something is open: " + open)};
}

}  // namespace lacuna::job
