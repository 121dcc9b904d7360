// SPDX-License-Identifier: Apache-2.0
// Files in and out: tables and jobs, releases, certificates (docs/formats.md). The ending of a name
// tells the format; .gz and .xz are unpacked. A file is written in one step, so that no
// half-written one is ever seen. Only what the audit has passed can be written as a release.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/job_spec.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/ptable.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

// Any format that holds a problem, and jobs over records, which are tabulated first. What is read
// differently from what the file says goes to the log. Errors carry file, line and column.
Result<Problem> load_problem(const std::string& path, const RunContext& run = {});

// Jobs as text: TOML for people, JSON for programs, with the same keys (docs/options.md). Errors
// carry the place in the text.
enum class JobText : std::uint8_t { kToml, kJson };
Result<JobSpec> parse_job(const std::string& text, JobText form, const std::string& filename);
std::string job_text(const JobSpec& job, JobText form);

// The problem of a job that is at hand as a value. The files that it names begin at the folder.
// Errors that are about the job itself name its part: "dimension[0].name".
Result<Problem> load_problem(const JobSpec& job,
                             const std::string& folder,
                             const RunContext& run = {});

// .jj, .json (each also .gz), or .toml, which writes the table as .csv beside it. Linked tables
// (`tables`) are known to .toml alone.
Status save_problem(const Problem& problem,
                    const std::string& path,
                    const std::vector<LinkedTable>& tables = {});

// The release of a file: a result, a public file, or indices; the sensitive cells and what is
// withheld already if the path is empty. A release with more decimals than the table turns the
// problem into one with as many.
Result<Draft> load_draft(const std::string& path, Problem& problem);

// The release as everyone may see it, and nothing else: .csv, .json, .xlsx, .px or .sdmx.csv.
Status save_release(const AuditedRelease& release, const std::string& path);
std::string release_csv(const AuditedRelease& release, char separator = ';');
std::string release_json(const AuditedRelease& release);

// The evidence behind a release, for the office. `given` is the problem as it was given: an
// adjusted release may have more decimals.
Status save_certificate(const Problem& given,
                        const AuditedRelease& release,
                        const std::string& path);
// What the evidence of a certificate shows when it is checked from the start, without a solver.
// Errors: a certificate for another problem, or one that cannot be read.
Result<AuditReport> verify_certificate(const Problem& given, const std::string& path);

// A perturbation table of the cell key method in any of its formats (docs/cellkey.md).
Result<Ptable> load_ptable(const std::string& path);

}  // namespace lacuna
