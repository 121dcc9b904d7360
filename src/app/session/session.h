// SPDX-License-Identifier: Apache-2.0
// What objects of another language hold: problems, audits, releases and jobs of tau-ARGUS, each
// made once and never changed, so that any thread may read them; and what is made of them. Python
// and R wrap these; nothing here knows either.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/argus_run/argus_tables.h"
#include "app/job/explain_job.h"
#include "app/job/jobs.h"
#include "app/job/outcomes.h"
#include "app/load/load.h"
#include "app/session/options.h"
#include "data/columns/output_table.h"

namespace lacuna::session {

struct SessionProblem {
  std::shared_ptr<const load::LoadedProblem> loaded;
  std::string path;  // of its file, or a name in memory: what results and titles are made of
  std::vector<std::string> notes;
  std::vector<jobfile::JobOption> settings;  // [options] of its job
  load::TableChoices choices;                // how its table is read
  std::shared_ptr<const columns::OutputTable>
      facts;  // of a tabulation: counts and shares; else null
  // The inputs of a job on this problem, which it knows by its path.
  load::Inputs inputs() const;
};

struct SessionAudit {
  job::AuditOutcome made;
  std::vector<std::string> notes;
};

struct SessionRelease {
  SessionProblem problem;    // as it was read
  job::ProtectJob job;       // with all options, and texts that they name
  GivenOptions given;        // as they were given, to be stored
  job::ProtectOutcome made;  // with a release
  // The evidence that came with it and was confirmed; null: that of the audit.
  std::shared_ptr<const AuditReport> confirmed;
  std::vector<std::string> notes;
  bool interrupted = false;
  bool restored = false;  // its run was another process's, which may say what it likes of it

  const job::PassedRelease& run() const { return *made.decision.passed; }
  std::string result_text() const;  // the office's JSON
  std::string certificate_text() const;
  std::string title() const;
  SessionAudit audit() const;
};

// ---- problems

// `path` names a file, or a job among the inputs.
Result<SessionProblem> begin_problem(const std::string& path,
                                     const load::Inputs& inputs,
                                     const GivenOptions& given,
                                     job::RunOptions& run);
// Reads it. With `records` it must be a job over records, and what they gave is kept as facts.
Status read_problem(SessionProblem& problem,
                    bool records,
                    const load::Inputs& inputs,
                    const RunContext& run);
Result<SessionProblem> generate_problem(const GivenOptions& given);

struct ProblemCounts {
  std::int64_t cells = 0;
  std::int64_t equations = 0;
  std::int64_t sensitive = 0;
  std::int64_t withheld = 0;
  std::int64_t requirements = 0;
  std::int64_t attackers = 0;
};
ProblemCounts counts_of(const SessionProblem& problem);

// Of a table that is read already nothing can be asked anew.
Status refuse_policy(const load::TableChoices& choices);

// A job on a problem: options as given and as the problem's own job has them, and texts that the
// call holds in memory.
template <class Job>
Result<Job> job_on(const SessionProblem& problem,
                   const GivenOptions& given,
                   const load::Inputs& named,
                   job::RunOptions& run) {
  Job job;
  LACUNA_RETURN_IF_ERROR(set_options(job, run, given, problem.settings));
  LACUNA_RETURN_IF_ERROR(refuse_policy(job.inputs.choices));
  job.input = problem.path;
  job.inputs = problem.inputs();
  job.inputs.texts = named.texts;
  job.inputs.unwritten = named.unwritten;
  return job;
}
Result<job::ProtectJob> protect_job(const SessionProblem& problem,
                                    const GivenOptions& given,
                                    const load::Inputs& named,
                                    job::RunOptions& run);
// The page about a release of ours, judged by what it was protected for.
Result<job::ReportJob> report_job(const SessionRelease& release,
                                  const std::string& path,
                                  const GivenOptions& given,
                                  job::RunOptions& run);
// Makes the page and writes it if the job names an output.
Result<job::ReportOutcome> write_report(const job::ReportJob& job, const RunContext& run);
// Why cells of a release of ours are withheld, by what it was protected for.
Result<job::ExplainJob> explain_job(const SessionRelease& release,
                                    const GivenOptions& given,
                                    job::RunOptions& run);
// The table itself (an empty result), or a release of it, as text for a terminal.
Result<std::string> show(const SessionProblem& problem,
                         const std::string& result,
                         const load::Inputs& named);

// ---- columns; one whose name an earlier one has, as a dimension may, gets an underscore

columns::OutputTable named_apart(columns::OutputTable table);
Result<columns::OutputTable> cells_of(const SessionProblem& problem);
// Whether the release may go to readers by what was asked of it, or by the word of its run.
bool is_public(const SessionRelease& release);
// Of one table of several, or (-1) of all cells. Errors: nothing was asked of it, and nobody, here
// or in the run, has said that it is to be published all the same.
Result<columns::OutputTable> published(const SessionRelease& release,
                                       int index,
                                       job::UnaskedRule word = job::UnaskedRule::kRefuse);
// What was published of every cell in the earlier periods of its job ([[before]], [store]) and is
// in this one, a column for each; null where it was withheld, or was not in the table. Errors: as
// above.
Result<columns::OutputTable> periods(const SessionRelease& release,
                                     job::UnaskedRule word = job::UnaskedRule::kRefuse);
Result<columns::OutputTable> office(const SessionRelease& release);
Result<columns::OutputTable> verdicts_of(const SessionAudit& audit);
Result<columns::OutputTable> findings_of(const SessionAudit& audit);
Result<columns::OutputTable> findings_of_counts(const SessionAudit& audit);

// ---- releases

// A release from what was kept of it: its table, the options, its result as JSON, and its
// certificate, which may be empty. It is audited again, with the certificate as a hint; what is
// said of the run is taken as it is. Errors: it is damaged, of another table, or not safe.
struct SavedRelease {
  std::string result, run, certificate;
};
Result<SessionRelease> restore_release(const SessionProblem& problem,
                                       const GivenOptions& given,
                                       const load::Inputs& named,
                                       const SavedRelease& kept);

// The same of what came back from a worker that need not be trusted: first its certificate is
// confirmed, without a solver, for exactly this table and what it returned.
Result<SessionRelease> accept_release(const SessionProblem& problem,
                                      const GivenOptions& given,
                                      const load::Inputs& named,
                                      const SavedRelease& kept);

// What the audit refused, if it was the audit that said no.
std::optional<SessionAudit> refused_audit(const job::ProtectOutcome& made);

// Files for the public and for the office, and the certificate; any may be empty. All are written
// or none.
struct ReleaseFiles {
  std::vector<std::string> shown, kept;
  std::string certificate;
  job::UnaskedRule unasked = job::UnaskedRule::kRefuse;  // on top of what the run was asked
};
Status write_release(const SessionRelease& release,
                     const ReleaseFiles& files,
                     const GivenOptions& given);

// The bytes of a public file by its ending (".csv"); options as of write_release(). Errors as
// there.
Result<std::string> published_bytes(const SessionRelease& release,
                                    const std::string& ending,
                                    const GivenOptions& given);

std::string certificate_text(const SessionAudit& audit);

// ---- jobs of tau-ARGUS

struct SessionArgusTable {
  std::shared_ptr<const argus_run::ArgusRun> run;  // of which it is a table
  std::size_t index = 0;
  std::shared_ptr<const SessionRelease> release;  // of this table, perhaps with others; may be null

  const argus_run::ArgusRunTable& table() const { return run->tables[index]; }
};

// Tables that were protected together have one release. `job` is the path of the job.
Result<std::vector<SessionArgusTable>> tables_of(
    const std::shared_ptr<const argus_run::ArgusRun>& run, const std::string& job);
// Cells by status; no value.
std::map<std::string, std::int64_t> counts_of(const SessionArgusTable& table);

}  // namespace lacuna::session
