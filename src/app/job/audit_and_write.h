// SPDX-License-Identifier: Apache-2.0
// The second half of `protect`: what a method has found is audited and, if it passes, written.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/job/guess_text.h"
#include "app/job/jobs.h"
#include "app/job/protect_outputs.h"
#include "app/load/attacker_summary.h"
#include "app/load/together.h"
#include "app/load/verdict_basis.h"
#include "data/infer/shape.h"
#include "data/publish/release_file.h"
#include "lacuna/audit.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct ReleaseContext {
  std::shared_ptr<const Problem> given;  // certificate and audit are for the table as it was given
  load::AttackerSummary attackers;
  std::chrono::steady_clock::time_point start;         // of the run
  ProtectOutputs outputs{};                            // where everything goes
  std::vector<std::string> reasons{};                  // by cell: why it is sensitive; may be empty
  load::VerdictBasis basis{};                          // of its verdict
  std::shared_ptr<const infer::TableSource> source{};  // where the numbers stand in the input
  std::vector<publish::ExtraColumn> columns{};         // derived, of the release
  std::shared_ptr<const load::Together> together{};  // earlier periods, and the store; may be null
  load::JudgedChanges changes{};                     // since them
  std::int32_t own_cells = -1;  // those that follow are of what is published together; -1: none
};

struct Ending {  // of a run without a release
  std::string_view status;
  bool reproducible = true;
  Verdict verdict = Verdict::kUndecided;
};

// What such a run says: a sentence, or an object.
JobOutput no_release(const ProtectJob& job,
                     ExitCode code,
                     const std::string& message,
                     const Ending& ending);

struct PassedRelease {  // what has passed the audit
  AuditedRelease release;
  publish::RunSummary summary;
  GuessesOfRun guesses;
  std::string remark{};  // lines after the summary
  // The problem with the pairs that nobody asked about and that this release leaves exposed, or
  // undecided; null if there are none.
  std::shared_ptr<const Problem> with_open_pairs{};
};

struct JobDecision {
  std::optional<PassedRelease> passed;
  JobOutput refusal{};  // if there is none: why, for whoever called
  // ... and what the audit found, if it was the audit that said no.
  std::optional<AuditReport> refused_by{};
};

// Who lets out what is exposed.
std::string waived_by(const ProtectJob& job);

// Whether every cell that may be withheld is, and not because all of them must be: safe, but hardly
// a release.
bool withholds_all(const Table& table, const Draft& draft);

// Nothing is written.
Result<JobDecision> audit_result(const ProtectJob& job,
                                 const ReleaseContext& table,
                                 const ProtectResult& found,
                                 const RunContext& run);

// What has passed is written; of what nothing was asked no public file, unless rules or an option
// say that this is meant. A draft that does not fit the table or that the audit refuses is no
// error of the user's: exit code 2, nothing written, and what --json prints says why. Errors:
// outputs that cannot be written.
Result<JobOutput> write_audited(const ProtectJob& job,
                                const ReleaseContext& table,
                                JobDecision decision);

}  // namespace lacuna::job
