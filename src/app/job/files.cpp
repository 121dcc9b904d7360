// SPDX-License-Identifier: Apache-2.0
// The public names of what the rooms of files read and write.
#include "lacuna/files.h"

#include <filesystem>
#include <memory>

#include "app/load/load.h"
#include "app/load/prepare.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/jobfile/problem_file.h"
#include "data/ptable_files/ptable_file.h"
#include "data/publish/pattern.h"
#include "data/publish/public_file.h"
#include "data/spec/spec_text.h"

namespace lacuna {

Result<Problem> load_problem(const std::string& path, const RunContext& run) {
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(path, run));
  return std::move(ready.problem);
}

Result<JobSpec> parse_job(const std::string& text, JobText form, const std::string& filename) {
  LACUNA_TRY(spec::ReadSpec read,
             form == JobText::kToml ? spec::read_spec_toml(text, filename)
                                    : spec::read_spec_json(text, filename));
  return std::move(read.job);
}

std::string job_text(const JobSpec& job, JobText form) {
  return form == JobText::kToml ? spec::spec_toml(job) : spec::spec_json(job);
}

Result<Problem> load_problem(const JobSpec& job, const std::string& folder, const RunContext& run) {
  const std::string name = (std::filesystem::path(folder) / "job.toml").string();
  load::Inputs inputs;
  inputs.jobs[name] =
      std::make_shared<const spec::ReadSpec>(spec::ReadSpec{job, spec::SpecPlaces(), false});
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(name, run, inputs));
  return std::move(ready.problem);
}

Status save_problem(const Problem& problem,
                    const std::string& path,
                    const std::vector<LinkedTable>& tables) {
  return jobfile::write_problem(problem, tables, path);
}

Result<Draft> load_draft(const std::string& path, Problem& problem) {
  return load::load_release(path, problem, {});
}

Status save_release(const AuditedRelease& release, const std::string& path) {
  return publish::write_public(release, path);
}

std::string release_csv(const AuditedRelease& release, char separator) {
  return publish::public_csv(release, separator);
}

std::string release_json(const AuditedRelease& release) {
  return publish::public_json(release);
}

Status save_certificate(const Problem& given,
                        const AuditedRelease& release,
                        const std::string& path) {
  const int decimals = release.problem().table().decimals();
  return files::write_file_atomically(
      path, certificate::write_certificate(given, decimals, release.content(), release.report()));
}

Result<AuditReport> verify_certificate(const Problem& given, const std::string& path) {
  Problem problem = given;
  LACUNA_TRY(const certificate::Certificate certificate, load::load_certificate(path, problem));
  return load::confirm_certificate(certificate, path, problem);
}

Result<Ptable> load_ptable(const std::string& path) {
  return ptable_files::read_ptable_file(path);
}

}  // namespace lacuna
