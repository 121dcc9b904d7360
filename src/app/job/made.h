// SPDX-License-Identifier: Apache-2.0
// What jobs make, before any of it is written or printed: for bindings, which keep it in memory.
// run_job() (jobs.h) makes the same and writes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "app/job/release_found.h"
#include "app/load/basis.h"
#include "lacuna/audit.h"
#include "lacuna/cross.h"
#include "lacuna/draft.h"
#include "lacuna/report.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct MadeRelease {
  ProtectedTable table;
  std::vector<CrossTable> tables;  // of a job with several, else empty
  Judgement judgement;
};
// The trace and the checkpoint are written on the way if the job names files for them.
Result<MadeRelease> make_release(const ProtectJob& job, const RunContext& run);

// What is asked of a release of this table. An earlier one of this very table is known to its
// readers, so what it published cannot be withheld any more: to prefer it means to count it as
// released. One of another table (last month's) is a wish for the pattern and no more.
load::Asked asked_by(const ProtectJob& job);

struct MadeAudit {
  Problem given;                           // the certificate is for the table as it was given
  std::shared_ptr<const Problem> problem;  // with as many decimals as the release
  std::vector<CrossTable> tables;
  Draft draft;
  AuditReport report;
  load::Basis basis{};
};
Result<MadeAudit> make_audit(const AuditJob& job, const RunContext& run);

// What the evidence of a certificate shows when it is checked from the start.
Result<AuditReport> make_verification(const VerifyJob& job, const RunContext& run);

struct MadeReport {
  AuditReport audit;
  std::string html;  // empty: what is not protected, or not asked, has no public page
  // Of a table of counts some of which are published as other numbers; for the office.
  std::optional<CountMeasures> counts{};
  load::Basis basis{};
};
Result<MadeReport> make_report(const ReportJob& job, const RunContext& run);
// Why there is none.
std::string no_page_text(const ReportJob& job, const MadeReport& made);

}  // namespace lacuna::job
