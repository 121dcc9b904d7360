// SPDX-License-Identifier: Apache-2.0
// Inspect: what is understood of a table file, printed as the job that reads it, as far as it goes.
#include <filesystem>

#include "app/job/file_roles.h"
#include "app/job/jobs.h"
#include "data/files/file.h"
#include "data/infer/table_guess.h"
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
  LACUNA_TRY(const infer::GuessedJob guessed,
             infer::guess_as_far(std::move(bytes), job.input, name, said));
  std::string text = guessed.text();
  const ExitCode code = guessed.open.empty() ? ExitCode::kDone : ExitCode::kBadInput;
  const std::string open = open_text(guessed);
  if (job.output.empty())
    return JobOutput{code, std::move(text), open};
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, text));
  return JobOutput{
      code, "", "wrote " + job.output + (open.empty() ? "" : ", in which something is open: " + open)};
}

}  // namespace lacuna::job
