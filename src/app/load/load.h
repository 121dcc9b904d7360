// SPDX-License-Identifier: Apache-2.0
// Reading a problem for a job: what was read differently from what the file says goes to the log.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/load/assessment.h"
#include "app/load/attacker_summary.h"
#include "app/load/inputs.h"
#include "app/load/read_problem.h"
#include "app/load/records.h"
#include "app/load/together.h"
#include "app/load/verdict_basis.h"
#include "data/certificate/certificate.h"
#include "data/infer/shape.h"
#include "data/jobfile/record_job.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/files.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/sensitivity.h"

namespace lacuna::load {

// What was read. What is asked of it comes with prepare() (prepare.h).
struct LoadedProblem {
  ReadProblem problem;
  std::vector<LinkedTable> tables;   // of a job with several, else empty
  std::vector<std::string> reasons;  // of a job over records: per cell, why it is sensitive
  AttackerSummary attackers;         // against whom, and what they know
  CountReading counts{};             // whether the numbers are counts, and who says so
  SensitivityOptions by_hand{};      // how the job protects cells that are called unsafe by hand
  VerdictBasis basis{};              // rules as stated, what was called safe by hand, the status
  // Of a table in a shape of its own: where its numbers stand in its file.
  std::shared_ptr<const infer::TableSource> source{};
  // What is published together with it, and what readers have already; null: nothing.
  std::shared_ptr<const Together> together{};
};

// What a verdict on `problem` rests on, which is the problem that was read with what is asked.
VerdictBasis basis_of(const LoadedProblem& read,
                      const Problem& problem,
                      const CountAssessment& asked);

// As load_problem() of lacuna/files.h, with all that is known of the tables.
// Of what is asked, `known` (releases of other tables over the same units, differencing.h) and what
// goes before the [counts] of a job count here: which counts are sensitive is settled by reading.
Result<LoadedProblem> load_tables(const std::string& path,
                                  const RunContext& run,
                                  const Inputs& inputs = {},
                                  const Assessment& asked = {});

// What a job over records gives. Errors: it is over a table.
Result<SensitiveTables> load_records(const std::string& path,
                                     const RunContext& run,
                                     const Inputs& inputs = {},
                                     const Assessment& asked = {});
LoadedProblem loaded_from(SensitiveTables tables);
// Such a job before its records are read, with its policy; nothing if it is over a table.
Result<std::optional<jobfile::RecordJob>> load_record_job(const std::string& path,
                                                          const RunContext& run);

// As load_draft() of lacuna/files.h; what a reader of the verdict should know goes to the log.
// {table} in the path stands for the names of the tables, with a file each.
Result<Draft> load_release(const std::string& path,
                           Problem& problem,
                           const RunContext& run,
                           std::span<const LinkedTable> tables = {},
                           const Inputs& inputs = {});

// What an earlier release of any kind, of this table or of last month's, does not publish as it is.
// Cells go by their codes; how many there are no more goes to the log.
Result<Draft> load_earlier(const std::string& path,
                           const Table& table,
                           const RunContext& run,
                           const Inputs& inputs = {});

// A certificate that names this problem, and what its evidence shows when checked from the start.
// One with more decimals than the table turns the problem into one with as many. One for a release
// from elsewhere, of whose withheld cells something was asked because the table asks nothing, turns
// it into one that asks the same (ask_of_withheld of verdict_basis.h): of how many cells goes to
// `withheld`.
Result<certificate::Certificate> load_certificate(const std::string& path,
                                                  Problem& problem,
                                                  const Inputs& inputs = {},
                                                  std::int64_t* withheld = nullptr);
Result<AuditReport> confirm_certificate(const certificate::Certificate& certificate,
                                        const std::string& path,
                                        const Problem& problem);

// What the log of the bound in a certificate shows: no safe release of the kind costs less, and what
// the release costs. The certificate has a log.
struct ConfirmedBound {
  enum class Of : std::uint8_t { kPattern, kIntervals, kTables };
  Of of = Of::kPattern;
  Fraction at_least, weight;
  bool has_end = true;  // false: some width of the release has none, and is not in the weight
};
Result<ConfirmedBound> confirm_bound(const certificate::Certificate& certificate,
                                     const std::string& path,
                                     const Problem& problem);

// Neither separated text nor JSON of our own nor columns.
bool is_foreign(const std::string& bytes);

void log_all(const std::vector<std::string>& notes, const RunContext& run);

}  // namespace lacuna::load
