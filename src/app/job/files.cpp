// SPDX-License-Identifier: Apache-2.0
// The public names of what io/ reads and writes.
#include "lacuna/files.h"

#include <filesystem>
#include <memory>

#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/publish/pattern.h"
#include "data/jobfile/problem_file.h"
#include "data/ptable_files/ptable_file.h"
#include "data/publish/public_file.h"
#include "data/spec/spec_text.h"
#include "app/load/load.h"
#include "app/load/prepare.h"

namespace lacuna {

Result<Problem> load_problem(const std::string& path, const RunContext& run) {
  LACUNA_TRY(PreparedProblem ready, load_prepared(path, run));
  return std::move(ready.problem);
}

Result<JobSpec> parse_job(const std::string& text, JobText form, const std::string& filename) {
  LACUNA_TRY(ReadSpec read,
             form == JobText::kToml ? read_spec_toml(text, filename)
                                    : read_spec_json(text, filename));
  return std::move(read.job);
}

std::string job_text(const JobSpec& job, JobText form) {
  return form == JobText::kToml ? spec_toml(job) : spec_json(job);
}

Result<Problem> load_problem(const JobSpec& job,
                             const std::string& folder,
                             const RunContext& run) {
  const std::string name = (std::filesystem::path(folder) / "job.toml").string();
  Inputs inputs;
  inputs.jobs[name] = std::make_shared<const ReadSpec>(ReadSpec{job, SpecPlaces(), false});
  LACUNA_TRY(PreparedProblem ready, load_prepared(name, run, inputs));
  return std::move(ready.problem);
}

Status save_problem(const Problem& problem,
                    const std::string& path,
                    const std::vector<CrossTable>& tables) {
  return write_problem(problem, tables, path);
}

Result<Draft> load_draft(const std::string& path, Problem& problem) {
  return load_release(path, problem, {});
}

Status save_release(const AuditedRelease& release, const std::string& path) {
  return write_public(release, path);
}

std::string release_csv(const AuditedRelease& release, char separator) {
  return public_csv(release, separator);
}

std::string release_json(const AuditedRelease& release) {
  return public_json(release);
}

Status save_certificate(const Problem& given,
                        const AuditedRelease& release,
                        const std::string& path) {
  const int decimals = release.problem().table().decimals();
  return write_file_atomically(
      path, write_certificate(given, decimals, release.content(), release.report()));
}

Result<AuditReport> verify_certificate(const Problem& given, const std::string& path) {
  Problem problem = given;
  LACUNA_TRY(const Certificate certificate, load_certificate(path, problem));
  return confirm_certificate(certificate, path, problem);
}

Result<Ptable> load_ptable(const std::string& path) {
  return read_ptable_file(path);
}

}  // namespace lacuna
