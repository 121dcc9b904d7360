// SPDX-License-Identifier: Apache-2.0
// Protect: a method proposes, the audit disposes, and only then is anything written.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "app/job/audit_and_write.h"
#include "app/job/calendar.h"
#include "app/job/derived_columns.h"
#include "app/job/jobs.h"
#include "app/job/judged_numbers.h"
#include "app/job/outcomes.h"
#include "app/job/owner_run.h"
#include "app/job/protect_files.h"
#include "app/job/protect_outputs.h"
#include "app/job/publish_back.h"
#include "app/job/record_release.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/load/provenance.h"
#include "app/load/verdict_basis.h"
#include "core/base/progress_meter.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/table/digest.h"
#include "core/table/unpublished.h"
#include "data/files/file.h"
#include "data/publish/release_formats.h"
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

bool has_place_for_columns(std::string_view ending) {
  return ending == ".csv" || ending == ".xlsx" || ending == ".parquet" || ending == ".arrow" ||
         ending == ".feather";
}

// Columns that nobody has stated stand in no file that has no place for them; that is said.
Status leave_out_unstated(const ProtectJob& job,
                          load::PreparedProblem& ready,
                          const RunContext& run) {
  if (!ready.together || ready.columns.empty())
    return ok_status();
  const std::vector<bool>& unstated = ready.together->unstated;
  if (std::find(unstated.begin(), unstated.end(), false) != unstated.end())
    return ok_status();
  bool fits = job.public_shape != PublicShape::kAsInput;
  for (const std::string& path : job.public_files) {
    LACUNA_TRY(const publish::ReleaseFormat* format,
               publish::release_format(path, publish::Audience::kPublic));
    fits = fits && has_place_for_columns(format->ending);
  }
  if (fits)
    return ok_status();
  if (job.public_shape == PublicShape::kAsInput)
    return Error{ErrorCode::kOptionValue,
                 "the shape of the input would leave the column " +
                     base::in_quotes(ready.columns.front().name) +
                     " as it is, whose numbers are computed from the cells: leave it out of the "
                     "input, or write another shape",
                 "--public-shape as-input"};
  for (const load::DerivedColumn& column : ready.columns) {
    if (run.log)
      run.log("the column " + base::in_quotes(column.name) +
              " is not published: this file has no place for it");
  }
  ready.columns.clear();
  return ok_status();
}

// Numbers that are judged as one system with the table are published beside blanks; a method that
// changes numbers would have to change all of them. Errors: such a method; files that have no place
// for columns.
Status check_together(const ProtectJob& job, const load::PreparedProblem& ready) {
  if (job.record)
    LACUNA_RETURN_IF_ERROR(check_record(ready.together.get()));
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
  if (load::has_variables(ready.columns) && has_cheapest(ready))
    return Error{ErrorCode::kUnsupported,
                 "derived numbers that are published where it is cheapest are not judged together "
                 "with [[shadow]]; say published = \"with-parts\" or \"everywhere\"",
                 ready.columns.front().where};
  for (const std::string& path : job.public_files) {
    LACUNA_TRY(const publish::ReleaseFormat* format,
               publish::release_format(path, publish::Audience::kPublic));
    const std::string_view ending = format->ending;
    if (!has_place_for_columns(ending))
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

bool has_everywhere(const load::PreparedProblem& ready) {
  return std::any_of(ready.columns.begin(), ready.columns.end(), [](const auto& column) {
    return column.everywhere;
  });
}

// The table with its other variables ([[shadow]]): a cell is withheld in all of them or in none.
// It begins with what is withheld for the table alone.
Result<ProtectResult> protect_variables(const ProtectJob& job,
                                        const ProtectOptions& options,
                                        load::PreparedProblem& ready,
                                        std::shared_ptr<const Problem>& given,
                                        const RunContext& run) {
  GrowFrom from;
  from.search = false;
  for (std::int32_t c = 0; c < ready.bare->table().num_cells(); ++c) {
    std::vector<CellId>& group = from.groups.emplace_back();
    group.push_back(CellId{c});
    for (const load::DerivedColumn& column : ready.columns) {
      if (column.variable && column.above[static_cast<std::size_t>(c)].value >= 0)
        group.push_back(column.above[static_cast<std::size_t>(c)]);
    }
  }
  LACUNA_TRY(const ProtectResult alone, protect(ready.bare, options, run));
  if (alone.complete) {
    for (const CellEntry& entry : alone.draft.each())
      from.withheld.push_back(entry.cell);
  }
  LACUNA_TRY(ProtectResult found, protect_with_numbers(job, options, given, from, run));
  if (!found.complete)
    return found;
  load::DerivedChoice choice;
  load::choose_variables(ready.columns, found.draft, choice);
  LACUNA_RETURN_IF_ERROR(load::choose_derived(ready, std::move(choice)));
  given = std::make_shared<const Problem>(ready.problem);
  found.witnesses.clear();  // of another system
  const std::int32_t own = ready.bare->table().num_cells();
  Draft draft;
  for (const CellEntry& entry : found.draft.each()) {
    if (entry.cell.value < own)
      draft.set(entry);
  }
  found.draft = with_cells_behind(std::move(draft), given->table(), own);
  if (alone.complete)
    found.bound = std::min(alone.bound, found.cost);
  return found;
}

// The log of the bound is part of the certificate.
Status check_place_of_log(const ProtectJob& job) {
  const bool asked = (job.method == Method::kSuppress && job.suppress.prove_bound) ||
                     (job.method == Method::kInterval && job.interval.prove_bound) ||
                     (job.method == Method::kAdjust && job.adjust.prove_bound);
  if (!asked || !job.certificate.empty())
    return ok_status();
  return Error{ErrorCode::kOptionValue,
               "the log of the bound goes into the certificate: name it with " +
                   base::named_option("certificate"),
               "--prove-bound"};
}

// The method, or a course by public parts alone, and what stands beside the cells. `given` becomes the problem that is to be audited.
Result<ProtectResult> search(const ProtectJob& job,
                             const ProtectOptions& options,
                             load::PreparedProblem& ready,
                             std::shared_ptr<const Problem>& given,
                             const RunContext& run) {
  if (job.asked.against == load::Against::kOwner)
    return protect_against_owner(job, given, run);
  const bool variables = load::has_variables(ready.columns);
  LACUNA_TRY(ProtectResult found,
             variables               ? protect_variables(job, options, ready, given, run)
             : has_everywhere(ready) ? protect_with_numbers(job, options, given, {}, run)
                                     : protect(given, options, run));
  if (!has_cheapest(ready))
    return found;
  LACUNA_TRY(PublishedBack back, publish_back(job, options, ready, given, std::move(found), run));
  given = std::move(back.given);
  back.found.note += (back.found.note.empty() || back.note.empty() ? "" : "; ") + back.note;
  return std::move(back.found);
}

// What readers get, for the store; where no file is named, the table as CSV.
Result<std::vector<store::NewFile>> published_files(const ProtectJob& job,
                                                    const ProtectOutcome& made,
                                                    const PassedRelease& judged) {
  const ReleaseContext& table = made.table;
  std::vector<publish::OutputFile> shown = table.outputs.shown;
  if (shown.empty()) {
    LACUNA_TRY(shown,
               publish::output_files("public.csv",
                                     publish::Audience::kPublic,
                                     table.given->table(),
                                     made.tables,
                                     job.written.title));
  }
  std::vector<store::NewFile> files;
  for (const publish::OutputFile& file : shown) {
    store::NewFile kept{std::string(store::kPublic), file.path, ""};
    LACUNA_TRY(kept.bytes,
               public_bytes(job,
                            file,
                            judged.release,
                            judged.summary,
                            table.basis,
                            table.source.get(),
                            table.columns));
    files.push_back(std::move(kept));
  }
  return files;
}

// The calendar, and the entry of the store. What is said of them comes after the summary.
Status finish_periods(const ProtectJob& job, ProtectOutcome& made, const RunContext& run) {
  if (!made.decision.passed)
    return ok_status();
  PassedRelease& judged = *made.decision.passed;
  const ReleaseContext& table = made.table;
  const Problem& problem = judged.release.problem();
  const std::int32_t own = table.own_cells < 0 ? problem.table().num_cells() : table.own_cells;
  if (!job.calendar.empty()) {
    LACUNA_TRY(const auto rows,
               calendar_of(problem,
                           own,
                           judged.release.content(),
                           table.together.get(),
                           table.changes,
                           table.reasons));
    LACUNA_RETURN_IF_ERROR(
        files::write_file_atomically(job.calendar, calendar_csv(rows, problem.table())));
    judged.remark += calendar_text(rows);
  }
  if (!job.record)
    return ok_status();
  if (!may_be_published(job.unasked, judged.release.report().verdict, table.basis)) {
    judged.remark += "the release is not put into the store, because nothing was asked of it\n";
    return ok_status();
  }
  ReleaseToRecord what{job.input,
                       job.inputs,
                       table.together.get(),
                       std::make_shared<const Problem>(problem),
                       own,
                       judged.release.content(),
                       judged.release.report().verdict,
                       std::string(to_string(job.method)),
                       {}};
  LACUNA_TRY(what.published, published_files(job, made, judged));
  LACUNA_TRY(const std::string recorded, record_release(what, job.engine, run));
  judged.remark += recorded;
  return ok_status();
}

// The cells that the last release of the store withholds, unless the job names other ones.
Status prefer_stored(const ProtectJob& job,
                     const load::PreparedProblem& ready,
                     ProtectOptions& options) {
  const bool has_store = ready.together && ready.together->stored;
  if (!has_store || !job.prefer.empty() || job.method != Method::kSuppress)
    return ok_status();
  const load::Stored& stored = *ready.together->stored;
  if (!stored.said.keep || stored.compared.empty())
    return ok_status();
  const Table& table = ready.bare->table();
  LACUNA_TRY(const load::StoredPeriod last,
             load::read_stored_period(stored, stored.compared.back(), table));
  std::vector<CellId> kept;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto& cell = last.cells[static_cast<std::size_t>(c)];
    if (cell && !cell->exact)
      kept.push_back(CellId{c});
  }
  options.suppress.preferred = std::move(kept);
  return ok_status();
}

// What `pairs_open` counts of a release.
double open_pairs(const JobDecision& decision) {
  for (const auto& [name, value] : decision.passed->summary.details) {
    if (name == "pairs_open")
      return value;
  }
  return 0;
}

// Pairs of a contributor and a cell that nobody asked about and that this pattern leaves exposed
// are asked in turn: the method goes on from its pattern with these as requirements, as long as
// fewer are left. What is audited and certified stays what was asked.
Status protect_open_pairs(const ProtectJob& job,
                          const ProtectOptions& options,
                          const load::PreparedProblem& ready,
                          ProtectOutcome& made,
                          ProtectResult& found,
                          const RunContext& run) {
  constexpr int kRounds = 3;
  constexpr std::int64_t kLeastWork = 2'000'000;
  const bool plain = job.method == Method::kSuppress && ready.columns.empty() &&
                     !ready.together && job.asked.against != load::Against::kOwner &&
                     !job.suppress.prove_bound;
  for (int round = 0; plain && round < kRounds; ++round) {
    if (!made.decision.passed || !made.decision.passed->with_open_pairs || run.should_stop())
      return ok_status();
    ProtectOptions again = options;
    again.suppress.start.clear();
    for (const CellEntry& entry : found.draft.each())
      again.suppress.start.push_back(entry.cell);
    again.suppress.start_evidence = found.witnesses;
    const auto more = protect(made.decision.passed->with_open_pairs,
                              again,
                              with_work(run, std::max(kLeastWork, found.work / 4)));
    if (!more || !more->complete)
      return ok_status();  // no pattern keeps these, or none was found: the summary counts them
    ProtectResult better = *more;
    better.bound = std::min(found.bound, better.cost);  // of what was asked
    if (better.why == StopReason::kOptimal && better.bound < better.cost)
      better.why = StopReason::kWork;
    better.work += found.work;
    better.reproducible = found.reproducible && !run.braked();  // it began where the last one ended
    LACUNA_TRY(JobDecision decision, audit_result(job, made.table, better, run));
    if (!decision.passed || open_pairs(decision) >= open_pairs(made.decision))
      return ok_status();
    made.decision = std::move(decision);
    found = std::move(better);
  }
  return ok_status();
}

// Readers know it already, whatever is published of the table.
JobOutput refused_beforehand(const ProtectJob& job,
                             const load::PreparedProblem& ready,
                             const Error& error) {
  return no_release(job,
                    ExitCode::kNotProtected,
                    (ready.columns.empty() ? "earlier releases already disclose it: "
                                           : "what is published together with the table already "
                                             "discloses it: ") +
                        error.text(),
                    {to_string(StopReason::kInfeasible), true, Verdict::kExposed});
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
  LACUNA_RETURN_IF_ERROR(check_place_of_log(job));
  load::Assessment asked = assessment_of(job);
  LACUNA_TRY(asked.keys, key_needs(job, run));
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(job.input, run, job.inputs, asked));
  LACUNA_RETURN_IF_ERROR(leave_out_unstated(job, ready, run));
  LACUNA_RETURN_IF_ERROR(check_together(job, ready));
  LACUNA_RETURN_IF_ERROR(check_owner_job(job, ready, given_run));
  LACUNA_TRY(ProtectOutputs outputs, plan_outputs(job, ready.problem.table(), ready.tables));
  const Status possible = check_requirements(ready.problem);
  load::VerdictBasis basis =
      load::judged_as(std::move(ready.basis), ready.problem, job.method == Method::kAdjust);
  auto given = std::make_shared<const Problem>(ready.problem);
  ProtectOutcome made{{given,
                       ready.attackers,
                       start,
                       std::move(outputs),
                       std::move(ready.reasons),
                       std::move(basis),
                       std::move(ready.source)},
                      std::move(ready.tables),
                      {}};
  made.table.together = ready.together;
  made.table.changes = ready.changes;
  if (ready.together)
    made.table.own_cells = ready.bare->table().num_cells();
  if (!possible) {
    made.decision.refusal = refused_beforehand(job, ready, possible.error());
    return made;
  }
  LACUNA_TRY(ProtectOptions options, options_with_files(job, *given, run));
  LACUNA_RETURN_IF_ERROR(prefer_stored(job, ready, options));
  LACUNA_TRY(ProtectResult found, search(job, options, ready, given, run));
  made.table.given = given;
  LACUNA_RETURN_IF_ERROR(write_trace(found.trace, job.trace_file));
  if (run.on_progress)
    run.on_progress({.phase = "audit"});  // its first group may take long
  LACUNA_TRY(made.decision, audit_result(job, made.table, found, run));
  LACUNA_RETURN_IF_ERROR(protect_open_pairs(job, options, ready, made, found, run));
  if (made.decision.passed)
    made.table.columns = derived_columns(ready,
                                         made.decision.passed->release.problem().table(),
                                         made.decision.passed->release.content());
  const bool judges_changes =
      ready.together && (!ready.together->before.empty() || ready.together->stored);
  if (options.suppress.preferred && !ready.knows_preferred && made.decision.passed &&
      !judges_changes)
    tell_of_difference(
        job.prefer,
        published_in_both(*options.suppress.preferred, made.decision.passed->release),
        *made.decision.passed);
  if (job.replay && made.decision.passed)
    LACUNA_RETURN_IF_ERROR(add_replays(job, given, given_run, *made.decision.passed));
  LACUNA_RETURN_IF_ERROR(finish_periods(job, made, run));
  return made;
}

Result<JobOutput> run_job(const ProtectJob& job, const RunContext& run) {
  LACUNA_TRY(ProtectOutcome made, run_protect(job, run));
  return write_audited(job, made.table, std::move(made.decision));
}

}  // namespace lacuna::job
