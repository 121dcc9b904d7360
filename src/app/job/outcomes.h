// SPDX-License-Identifier: Apache-2.0
// What jobs make, before any of it is written or printed: for bindings, which keep it in memory.
// run_job() (jobs.h) makes the same and writes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/job/audit_and_write.h"
#include "app/job/jobs.h"
#include "app/job/replay.h"
#include "app/load/verdict_basis.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/linked_tables.h"
#include "lacuna/report.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct ProtectOutcome {
  ReleaseContext table;
  std::vector<LinkedTable> tables;  // of a job with several, else empty
  JobDecision decision;
};
// The trace and the checkpoint are written on the way if the job names files for them.
Result<ProtectOutcome> run_protect(const ProtectJob& job, const RunContext& run);

// What is asked of a release of this table. An earlier one of this very table is known to its
// readers, so what it published cannot be withheld any more: to prefer it means to count it as
// released. One of another table (last month's) is a wish for the pattern and no more.
load::Assessment assessment_of(const ProtectJob& job);

struct AuditOutcome {
  Problem given;                           // the certificate is for the table as it was given
  std::shared_ptr<const Problem> problem;  // with as many decimals as the release
  std::vector<LinkedTable> tables;
  Draft draft;
  AuditReport report;
  load::VerdictBasis basis{};
  std::shared_ptr<const load::Together> together{};  // earlier periods, and the store; may be null
  load::JudgedChanges changes{};                     // since them
  std::int32_t own_cells = 0;                        // of the problem, those of the table
  std::string recorded{};                            // what was put into the store, in a line
  std::optional<ReplayOutcome> replay{};       // if it was asked for
  std::vector<certificate::Replay> replays{};  // the same by the numbers of the report's evidence
};
Result<AuditOutcome> run_audit(const AuditJob& job, const RunContext& run);

// What the evidence of a certificate shows when it is checked from the start.
Result<AuditReport> run_verify(const VerifyJob& job, const RunContext& run);

struct ReportOutcome {
  AuditReport audit;
  std::string html;        // empty: what is not protected, or not asked, has no public page
  std::string left_out{};  // why exact intervals were not computed; empty: nobody left them out
  // Of a table of counts some of which are published as other numbers; for the office.
  std::optional<CountMeasures> counts{};
  load::VerdictBasis basis{};
  std::optional<CheckedByThree> checked{};
};
Result<ReportOutcome> run_report(const ReportJob& job, const RunContext& run);
// Why there is none.
std::string no_page_text(const ReportJob& job, const ReportOutcome& made);

}  // namespace lacuna::job
