// SPDX-License-Identifier: Apache-2.0
// Protect: a method proposes, the audit disposes, and only then is anything written.

#include <fmt/core.h>

#include <chrono>

#include "app/job/audit_and_write.h"
#include "app/job/jobs.h"
#include "app/job/outcomes.h"
#include "app/job/protect_files.h"
#include "app/job/protect_outputs.h"
#include "app/job/publish_back.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/load/provenance.h"
#include "app/load/verdict_basis.h"
#include "core/base/progress_meter.h"
#include "core/table/digest.h"
#include "core/table/unpublished.h"
#include "lacuna/audit.h"

namespace lacuna::job {
namespace {

void begin_reading(const RunContext& run) {
  constexpr double kShare = 0.01;  // of the progress
  if (!run.meter)
    return;
  run.meter->begin({.until = kShare});
  run.on_progress({.phase = "reading"});
}

std::int64_t published_in_both(const std::vector<CellId>& withheld_before,
                               const AuditedRelease& release) {
  const Table& table = release.problem().table();
  std::vector<bool> hidden(static_cast<std::size_t>(table.num_cells()), false);
  for (const CellId cell : withheld_before)
    hidden[static_cast<std::size_t>(cell.value)] = true;
  std::int64_t both = 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool shown = release.content().is_exact(CellId{c});
    both += shown && !hidden[static_cast<std::size_t>(c)] &&
                    !table::is_unpublished(table.cell(CellId{c}))
                ? 1
                : 0;
  }
  return both;
}

// Whoever has last month's release and this one can take the one from the other. Nobody asked what
// that tells, so it is said.
void tell_of_difference(const std::string& earlier, std::int64_t both, PassedRelease& judged) {
  judged.summary.details.emplace_back("published_in_both", static_cast<double>(both));
  std::string& note = judged.summary.note;
  note += (note.empty() ? "" : "; ") +
          fmt::format(
              "the difference between this release and {} is not audited: {} cells are published "
              "in both, and where a single contributor has changed, the difference discloses its "
              "change ([[before]] in the job has it judged, docs/periods.md)",
              earlier,
              both);
}

// Numbers that are judged as one system with the table are published beside blanks; a method that
// changes numbers would have to change all of them. Errors: such a method; files that have no place
// for columns.
Status check_together(const ProtectJob& job, const load::PreparedProblem& ready) {
  if (!ready.together)
    return ok_status();
  const bool judged =
      ready.problem.table().num_cells() > ready.bare->table().num_cells() || has_cheapest(ready);
  if (judged && job.method != Method::kSuppress)
    return Error{ErrorCode::kUnsupported,
                 "numbers that are published beside withheld cells, and changes since earlier "
                 "periods, are judged for --method suppress alone; with published = "
                 "\"with-parts\" derived numbers are computed from what is published",
                 "--method " + std::string(to_string(job.method))};
  if (ready.columns.empty())
    return ok_status();
  for (const std::string& path : job.public_files) {
    LACUNA_TRY(const publish::ReleaseFormat* format,
               publish::release_format(path, publish::Audience::kPublic));
    const std::string_view ending = format->ending;
    if (ending != ".csv" && ending != ".xlsx" && ending != ".parquet" && ending != ".arrow" &&
        ending != ".feather")
      return Error{ErrorCode::kOutputName,
                   "a " + std::string(ending) +
                       " file has no place for derived columns; write .csv or .xlsx",
                   "--public " + path};
  }
  if (job.public_shape == PublicShape::kAsInput)
    return Error{ErrorCode::kOptionValue,
                 "the shape of the input has no place for derived columns",
                 "--public-shape as-input"};
  return ok_status();
}

// What the public file has besides. Numbers are those of the release, whatever its method.
std::vector<publish::ExtraColumn> columns_of(const load::PreparedProblem& ready,
                                             const AuditedRelease& release) {
  std::vector<publish::ExtraColumn> columns;
  const Table& table = release.problem().table();
  for (std::size_t i = 0; i < ready.columns.size(); ++i) {
    load::DerivedColumn column = ready.columns[i];
    const std::optional<std::vector<bool>> chosen =
        ready.choice ? (*ready.choice)[i] : std::nullopt;
    columns.push_back({column.name, load::derived_texts(column, chosen, table, release.content())});
    columns.back().texts.resize(static_cast<std::size_t>(table.num_cells()));
  }
  return columns;
}

}  // namespace

load::Assessment assessment_of(const ProtectJob& job) {
  load::Assessment asked = job.asked;
  if (waiver_of(job) != Waiver::kNothing)
    asked.waiver = waiver_of(job);
  asked.preferred = job.prefer;
  return asked;
}

Result<ProtectOutcome> run_protect(const ProtectJob& job, const RunContext& given_run) {
  const auto start = std::chrono::steady_clock::now();
  const RunContext run = with_progress(given_run);
  begin_reading(run);
  LACUNA_RETURN_IF_ERROR(check_output_names(job));
  load::Assessment asked = assessment_of(job);
  LACUNA_TRY(asked.keys, key_needs(job, run));
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(job.input, run, job.inputs, asked));
  LACUNA_RETURN_IF_ERROR(check_together(job, ready));
  LACUNA_TRY(ProtectOutputs outputs, plan_outputs(job, ready.problem.table(), ready.tables));
  const Status possible = check_requirements(ready.problem);
  load::VerdictBasis basis =
      load::judged_as(std::move(ready.basis), ready.problem, job.method == Method::kAdjust);
  const auto given = std::make_shared<const Problem>(ready.problem);
  ProtectOutcome made{{given,
                       ready.attackers,
                       start,
                       std::move(outputs),
                       std::move(ready.reasons),
                       std::move(basis),
                       std::move(ready.source)},
                      std::move(ready.tables),
                      {}};
  if (ready.together)
    made.table.own_cells = ready.bare->table().num_cells();
  if (!possible) {
    made.decision.refusal =
        no_release(job,
                   ExitCode::kNotProtected,
                   (ready.columns.empty() ? "earlier releases already disclose it: "
                                          : "what is published together with the table already "
                                            "discloses it: ") +
                       possible.error().text(),
                   {to_string(StopReason::kInfeasible), true, Verdict::kExposed});
    return made;
  }
  LACUNA_TRY(const ProtectOptions options, options_with_files(job, *given, run));
  LACUNA_TRY(ProtectResult found, protect(given, options, run));
  if (has_cheapest(ready)) {
    LACUNA_TRY(PublishedBack back, publish_back(job, options, ready, given, std::move(found), run));
    made.table.given = std::move(back.given);
    found = std::move(back.found);
    found.note += (found.note.empty() || back.note.empty() ? "" : "; ") + back.note;
  }
  LACUNA_RETURN_IF_ERROR(write_trace(found.trace, job.trace_file));
  if (run.on_progress)
    run.on_progress({.phase = "audit"});  // its first group may take long
  LACUNA_TRY(made.decision, audit_result(job, made.table, found, run));
  if (made.decision.passed)
    made.table.columns = columns_of(ready, made.decision.passed->release);
  const bool judges_changes = ready.together && !ready.together->before.empty();
  if (options.suppress.preferred && !ready.knows_preferred && made.decision.passed &&
      !judges_changes)
    tell_of_difference(
        job.prefer,
        published_in_both(*options.suppress.preferred, made.decision.passed->release),
        *made.decision.passed);
  return made;
}

Result<JobOutput> run_job(const ProtectJob& job, const RunContext& run) {
  LACUNA_TRY(ProtectOutcome made, run_protect(job, run));
  return write_audited(job, made.table, std::move(made.decision));
}

}  // namespace lacuna::job
