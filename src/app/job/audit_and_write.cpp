// SPDX-License-Identifier: Apache-2.0
#include "app/job/audit_and_write.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "app/job/cellkey_text.h"
#include "app/job/ending_text.h"
#include "app/load/assessment.h"
#include "app/load/provenance.h"
#include "app/load/verdict_basis.h"
#include "core/base/grace_period.h"
#include "core/base/json_writer.h"
#include "core/base/readable.h"
#include "core/base/spelling.h"
#include "core/table/digest.h"
#include "judge/audit/bystanders.h"
#include "lacuna/audit.h"
#include "lacuna/report.h"
#include "lacuna/version.h"

namespace lacuna::job {
namespace {

publish::RunSummary summarize(const Problem& problem,
                              const ProtectResult& found,
                              const ProtectJob& job,
                              const RunContext& run) {
  publish::RunSummary summary;
  summary.method = to_string(job.method);
  summary.cells = problem.table().num_cells();
  for (const Cell& cell : problem.table().cells())
    summary.primary += cell.status == CellStatus::kPrimary ? 1 : 0;
  summary.suppressed = found.draft.count(StatementKind::kWithheld);
  summary.secondary = std::max<std::int64_t>(0, summary.suppressed - summary.primary);
  summary.objective = found.cost;
  summary.bound = found.bound;
  summary.bound_log = found.bound_log;
  summary.status = to_string(found.why);
  summary.details = found.details;
  const load::HiddenOnly hidden = load::hidden_only(problem);
  if (hidden.cells > 0)
    summary.details.emplace_back("zero_level_cells", static_cast<double>(hidden.cells));
  if (hidden.cut > 0)
    summary.details.emplace_back("levels_cut", static_cast<double>(hidden.cut));
  summary.note = found.note;
  if (const std::string remark = load::hidden_only_text(hidden); !remark.empty())
    summary.note += (summary.note.empty() ? "" : "; ") + remark;
  summary.reproducible = found.reproducible;
  summary.work = found.work;
  summary.threads = run.threads;
  summary.seed = run.seed;
  summary.version = version();
  summary.input = job.input;
  summary.table = table::table_digest(problem.table());
  summary.options = job.given;
  return summary;
}

// Of the cells of the table alone, without those of what is published together with it.
void count_own(const ReleaseContext& table, const Draft& draft, publish::RunSummary& summary) {
  if (table.own_cells < 0)
    return;
  const Table& all = table.given->table();
  for (std::int32_t c = table.own_cells; c < all.num_cells(); ++c) {
    summary.primary -= all.cell(CellId{c}).status == CellStatus::kPrimary ? 1 : 0;
    summary.suppressed -= draft.state(CellId{c}) == StatementKind::kWithheld ? 1 : 0;
  }
  summary.cells = table.own_cells;
  summary.secondary = std::max<std::int64_t>(0, summary.suppressed - summary.primary);
}

std::optional<double> detail(const publish::RunSummary& run, std::string_view wanted) {
  for (const auto& [name, value] : run.details) {
    if (name == wanted)
      return value;
  }
  return std::nullopt;
}

std::string what_is_published(const publish::RunSummary& run) {
  std::string text = fmt::format("{} of {} cells withheld", run.suppressed, run.cells);
  if (const auto deviation = detail(run, "mean_deviation")) {
    text += fmt::format(", numbers off by {:.4g} on average", *deviation);
  } else {
    text += fmt::format(" ({} primary, {} secondary)", run.primary, run.secondary);
  }
  if (const auto loss = detail(run, "off_center_loss")) {
    text += fmt::format(", {} intervals {:.1f}% wider to lie off centre",
                        detail(run, "intervals").value_or(0),
                        *loss * 100);
  }
  return text;
}

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths)
    text += (text.empty() ? "" : ", ") + path;
  return text;
}

std::string line_of(const std::string& text) {
  return text.empty() ? "" : text + "\n";
}

// The verdict alone where it says all; else what was asked, or waived.
std::string first_words(const ProtectJob& job,
                        const PassedRelease& judged,
                        const ReleaseContext& table) {
  const AuditReport& report = judged.release.report();
  if (report.verdict == Verdict::kProtected)
    return judged.summary.verdict + ":";
  return load::headline(report, table.basis.rules, table.basis.lifted, waived_by(job)) + ";";
}

std::string summary_text(const ProtectJob& job,
                         const PassedRelease& judged,
                         const ReleaseContext& table) {
  const publish::RunSummary& run = judged.summary;
  return fmt::format("{}{} {}, cost {} (bound {}, gap {:.2f}%), {}, {:.3f} s\nattackers: {}\n{}",
                     line_of(run.read_as),
                     first_words(job, judged, table),
                     what_is_published(run),
                     base::readable(run.objective),
                     base::readable(run.bound),
                     run.gap() * 100,
                     ending_text(run.status, run.reproducible),
                     run.seconds,
                     table.attackers.text(),
                     run.note.empty() ? "" : run.note + "\n");
}

void add_note(const std::string& remark, publish::RunSummary& summary) {
  if (!remark.empty())
    summary.note += (summary.note.empty() ? "" : "; ") + remark;
}

// What a reader of the result must know of its verdict.
void add_verdict(const ProtectJob& job, const ReleaseContext& table, PassedRelease& judged) {
  const AuditReport& report = judged.release.report();
  publish::RunSummary& summary = judged.summary;
  summary.verdict = to_string(report.verdict);
  std::string remark = load::lifted_text(table.basis.lifted);
  if (report.verdict == Verdict::kUnasked)
    remark = load::unasked_text(report, table.basis.rules, table.basis.lifted);
  add_note(remark, summary);
  if (report.verdict == Verdict::kWaived)
    add_note(load::headline(report, table.basis.rules, table.basis.lifted, waived_by(job)),
             summary);
}

// Of the pairs that the evidence of the release leaves open, those that an audit of their own does
// not show to be protected. The verdict and the certificate are about what was asked; this is said
// beside them.
std::vector<std::pair<std::int32_t, CellId>> still_open(const ProtectJob& job,
                                                        const audit::ProblemWithPairs& asked,
                                                        const PassedRelease& judged,
                                                        const RunContext& run) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = job.engine;
  verdicts.only = asked.added;
  std::set<std::pair<std::int32_t, CellId>> shown;
  const auto report = Auditor(asked.problem).audit(judged.release.content(), verdicts, run);
  if (report) {
    for (const Finding& finding : report->of(Domain::kRational)) {
      if (finding.verdict == Verdict::kProtected)
        shown.emplace(finding.question.attacker, finding.question.cell);
    }
  }
  std::vector<std::pair<std::int32_t, CellId>> open;
  for (const std::int32_t index : asked.added) {
    const Requirement& need = asked.problem->requirements()[static_cast<std::size_t>(index)];
    if (!shown.contains({need.attacker, need.cell}))
      open.emplace_back(need.attacker, need.cell);
  }
  return open;
}

// Where contributors were asked about in the sums of their own cells alone: how much of the rest
// the evidence of this very release shows, what an audit of the others shows, and what is left.
void tell_of_pairs(const ProtectJob& job,
                   const ReleaseContext& table,
                   const RunContext& run,
                   PassedRelease& judged) {
  const AuditReport& report = judged.release.report();
  const auto& who = table.attackers.respondents;
  if (!who || who->out_of_reach == 0 || report.verdict != Verdict::kProtected)
    return;
  const Problem& problem = judged.release.problem();
  const std::vector<Attacker> none;
  const std::vector<Attacker>& covered =
      table.attackers.covered ? *table.attackers.covered : none;
  const audit::PairsLeftOpen left =
      audit::pairs_left_open(problem, judged.release.content(), report, covered);
  const audit::ProblemWithPairs asked = audit::with_pairs(problem, covered, left.pairs);
  std::vector<std::pair<std::int32_t, CellId>> open;
  if (!asked.added.empty())
    open = still_open(job, asked, judged, run);
  if (!open.empty())
    judged.with_open_pairs = asked.problem;
  judged.summary.details.emplace_back("pairs_beyond", static_cast<double>(who->out_of_reach));
  judged.summary.details.emplace_back("pairs_open", static_cast<double>(open.size()));
  std::string text = fmt::format(
      "{} pairs of a contributor and a sensitive cell outside its sums were not asked one by one: "
      "the evidence of this release shows that the levels hold for all",
      who->out_of_reach);
  if (!asked.added.empty())
    text += fmt::format(" except for {} contributors and {} cells; an audit of their {} pairs "
                        "shows that the levels hold for {}",
                        left.attackers,
                        left.cells,
                        asked.added.size(),
                        open.empty() ? "all of these"
                                     : std::to_string(asked.added.size() - open.size()) +
                                           ", and not for " + std::to_string(open.size()));
  add_note(text, judged.summary);
}

void add_guesses(const ProtectJob& job, const ProtectResult& found, PassedRelease& judged) {
  const AuditedRelease& released = judged.release;
  judged.guesses = guesses_of(released.problem(), found, released.report(), job.near);
  for (auto& detail : guess_details(judged.guesses))
    judged.summary.details.push_back(std::move(detail));
  judged.summary.states.emplace_back("guess_state", to_string(judged.guesses.now.state()));
}

void add_cell_keys(const ProtectResult& found, PassedRelease& judged) {
  if (!found.cell_keys)
    return;
  judged.summary.cell_keys = cell_key_json(*found.cell_keys);
  judged.remark = cell_key_text(*found.cell_keys);
}

// What may help where the audit says no.
std::string remedy(const ProtectJob& job) {
  if (job.method == Method::kCellKey && job.exposed == ExposedRule::kRefuse)
    return "; " + base::named_option("exposed", "withhold") + " leaves such cells blank";
  if (job.method == Method::kRound && job.round.midpoint)
    return "; the base alone determines midpoints: without " + base::named_option("midpoint") +
           ", or with " + base::named_option("method", "small-counts") +
           ", the run searches for numbers that pass";
  return "";
}

JobDecision refused(const ProtectJob& job,
                    ExitCode code,
                    const std::string& message,
                    const Ending& ending) {
  return {std::nullopt, no_release(job, code, message, ending), std::nullopt};
}

// What would help: of counts, that readers know less of them, or that fewer attack.
std::string remedy(const Problem& problem, const AuditReport& report) {
  bool none_is_empty = false, by_counted = false;
  for (const Finding& finding : report.findings) {
    if (finding.verdict != Verdict::kExposed)
      continue;
    by_counted = by_counted || finding.question.attacker > 0;
    none_is_empty = none_is_empty || (finding.question.kind == CountKind::kSmall &&
                                      problem.table().cell(finding.question.cell).prior.lower >= 1);
  }
  std::string text;
  if (none_is_empty)
    text += "; readers know that no listed count is 0, since empty cells have no row: " +
            base::named_setting("[input]", "empty_cells", "true") + " lists them";
  if (by_counted && problem.counts())
    text += "; " + base::named_setting("[attackers]", "respondents", "false") +
            " stops treating the persons who are counted as attackers";
  return text;
}

JobDecision refused_by(const AuditReport& report,
                       const ProtectJob& job,
                       const Problem& problem,
                       Ending ending) {
  ending.verdict = report.verdict;
  JobDecision decision = refused(job,
                                 ExitCode::kNotProtected,
                                 refusal_text(report, problem.table()) + remedy(problem, report) +
                                     "; nothing is released" + remedy(job),
                                 ending);
  decision.refused_by = report;
  return decision;
}

// Whether a run that was stopped has nothing better than to withhold every cell that may be. Where
// the sensitive cells are all there is, nothing better exists.
bool nothing_is_left(const Table& table, const ProtectResult& found) {
  const bool stopped = found.why == StopReason::kLimit || found.why == StopReason::kCancelled ||
                       found.why == StopReason::kWork;
  return stopped && withholds_all(table, found.draft);
}

// What is said if the method has nothing that the audit could look at.
std::optional<JobOutput> without_draft(const ProtectJob& job,
                                       const Table& table,
                                       const ProtectResult& found,
                                       const Ending& ending) {
  if (!found.reason.empty())
    return no_release(job, ExitCode::kNotProtected, found.reason, ending);
  if (!found.complete) {
    const bool stopped = found.why == StopReason::kCancelled;
    return no_release(job,
                      ExitCode::kNoResult,
                      stopped ? "stopped without a complete result; nothing is released"
                              : "no complete result within the limit; nothing is released",
                      ending);
  }
  if (!job.accept_all_withheld && nothing_is_left(table, found)) {
    return no_release(job,
                      ExitCode::kNoResult,
                      "the run was stopped when its only safe pattern still withheld all cells; "
                      "nothing is released; allow more time or work, or take " +
                          base::named_option("accept-all-withheld"),
                      ending);
  }
  return std::nullopt;
}

}  // namespace

std::string waived_by(const ProtectJob& job) {
  return waiver_of(job) == Waiver::kNothing ? load::waived_by(job.asked) : "--exposed report";
}

bool withholds_all(const Table& table, const Draft& draft) {
  bool secondary = false;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const Cell& cell = table.cell(id);
    if (!may_be_withheld(cell))
      continue;
    if (draft.state(id) != StatementKind::kWithheld)
      return false;
    secondary = secondary || cell.status == CellStatus::kFree;
  }
  return secondary;
}

JobOutput no_release(const ProtectJob& job,
                     ExitCode code,
                     const std::string& message,
                     const Ending& ending) {
  if (!job.json)
    return {code, "", message};
  const auto write = [&](base::JsonWriter& json) {
    json.member("method", to_string(job.method)).member("status", ending.status);
    json.member("verdict", to_string(ending.verdict)).member("reproducible", ending.reproducible);
    json.member("message", message);
  };
  return {code, base::json_object(write) + "\n", ""};
}

// The problem of the audit is the given one; nothing of it comes from the method.
Result<JobDecision> audit_result(const ProtectJob& job,
                                 const ReleaseContext& table,
                                 const ProtectResult& found,
                                 const RunContext& run) {
  Ending ending{to_string(found.why), found.reproducible};
  if (auto nothing = without_draft(job, table.given->table(), found, ending))
    return JobDecision{std::nullopt, *std::move(nothing), std::nullopt};
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = job.engine;
  const RunContext audit_run = base::audit_run_with_grace(run, table.start);
  const auto decided = decide_release(table.given, found, verdicts, audit_run);
  if (!decided && decided.error().kind() != ErrorKind::kOption) {  // a draft beyond judging
    return refused(
        job, ExitCode::kNotProtected, decided.error().text() + "; nothing is released", ending);
  }
  LACUNA_TRY(const ReleaseDecision decision, decided);
  if (!decision.release && decision.refusal.verdict == Verdict::kUndecided &&
      audit_run.should_stop()) {
    const std::string why = audit_run.out_of_time() ? "the limit was reached" : "stopped";
    ending.reproducible = false;
    return refused(job,
                   ExitCode::kNoResult,
                   why + " before the audit was complete; nothing is released",
                   ending);
  }
  if (!decision.release && !found.judged) {
    ending.reproducible = false;
    return refused(job,
                   ExitCode::kNoResult,
                   "no complete result within the limit; nothing is released",
                   ending);
  }
  if (!decision.release)
    return refused_by(decision.refusal, job, *table.given, ending);
  const AuditedRelease& released = *decision.release;
  PassedRelease judged{released, summarize(*table.given, found, job, run), {}};
  publish::RunSummary& summary = judged.summary;
  count_own(table, found.draft, summary);
  const InformationLoss loss =
      information_loss(released.problem(), released.content(), released.report());
  summary.loss = information_loss_json(loss, released.problem().table().decimals());
  add_guesses(job, found, judged);
  add_verdict(job, table, judged);
  tell_of_pairs(job, table, audit_run, judged);
  add_cell_keys(found, judged);
  summary.engine = released.report().engine;
  summary.attackers = table.attackers.json();
  summary.read_as = table.basis.read_as;
  summary.status_read = table.basis.status_reading;
  summary.policy = table.basis.policy;
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - table.start).count();
  summary.finished = load::utc_now();
  return JobDecision{std::move(judged), {}, std::nullopt};
}

Result<JobOutput> write_audited(const ProtectJob& job,
                                const ReleaseContext& table,
                                JobDecision decision) {
  if (!decision.passed)
    return std::move(decision.refusal);
  const PassedRelease& judged = *decision.passed;
  const Verdict verdict = judged.release.report().verdict;
  ProtectOutputs outputs = table.outputs;
  std::string message;
  if (!outputs.shown.empty() && !may_be_published(job.unasked, verdict, table.basis)) {
    outputs.shown.clear();
    message = unpublished_text("--public " + listed(job.public_files));
  }
  LACUNA_RETURN_IF_ERROR(write_outputs(job,
                                       outputs,
                                       *table.given,
                                       judged.release,
                                       judged.summary,
                                       table.reasons,
                                       table.basis,
                                       table.source.get(),
                                       table.columns));
  return JobOutput{code_of(verdict, !table.basis.rules.empty()),
                   job.json ? publish::run_json(judged.summary) + "\n"
                            : summary_text(job, judged, table) + line_of(table.basis.policy) +
                                  line_of(table.basis.status_reading) + guess_text(judged.guesses) +
                                  judged.remark,
                   message};
}

}  // namespace lacuna::job
