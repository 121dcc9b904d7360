// SPDX-License-Identifier: Apache-2.0
// Inspect: what is understood of a table file, printed as the job that reads it.
#include <filesystem>

#include "app/job/file_roles.h"
#include "app/job/jobs.h"
#include "data/files/file.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/record_job.h"

namespace lacuna::job {

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
  LACUNA_TRY(const infer::GuessedJob guessed, infer::guess_job(std::move(bytes), job.input, name));
  std::string text = guessed.text();
  if (job.output.empty())
    return JobOutput{ExitCode::kDone, std::move(text)};
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, text));
  return JobOutput{ExitCode::kDone, "", "wrote " + job.output};
}

}  // namespace lacuna::job
