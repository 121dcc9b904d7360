// SPDX-License-Identifier: Apache-2.0
#include "app/session/held.h"

#include <filesystem>
#include <set>

#include "core/base/check.h"
#include "core/base/spelling.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/publish/public_columns.h"
#include "data/publish/release_file.h"
#include "data/files/sheet.h"
#include "app/load/basis.h"
#include "app/load/by_hand.h"
#include "app/job/cell_columns.h"
#include "app/load/prepare.h"
#include "app/job/protect_outputs.h"
#include "lacuna/generate.h"

namespace lacuna::inline session {
namespace {

Result<OutputTable> typed(const TextColumns& columns) {
  LACUNA_TRY(OutputTable table, typed_columns(columns, {}));
  return named_apart(std::move(table));
}

}  // namespace

Inputs HeldProblem::inputs() const {
  Inputs inputs;
  inputs.problems[path] = loaded;
  return inputs;
}

// ---- problems

Result<HeldProblem> begin_problem(const std::string& path,
                                  const Inputs& inputs,
                                  const GivenOptions& given,
                                  RunOptions& run) {
  const auto text = inputs.texts.find(path);
  const auto job = inputs.jobs.find(path);
  TabulateJob ignored;
  HeldProblem problem;
  problem.path = path;
  LACUNA_TRY(problem.settings,
             job != inputs.jobs.end()
                 ? settings_of(*job->second)
                 : settings_of(path, text == inputs.texts.end() ? nullptr : &text->second));
  LACUNA_RETURN_IF_ERROR(set_options(ignored, run, given, problem.settings));
  return problem;
}

Status read_problem(HeldProblem& problem,
                    bool records,
                    const Inputs& inputs,
                    const RunContext& run) {
  if (!records) {
    LACUNA_TRY(LoadedProblem loaded, load_tables(problem.path, run, inputs));
    if (run.log && !loaded.basis.status_reading.empty())
      run.log(loaded.basis.status_reading);
    problem.loaded = std::make_shared<const LoadedProblem>(std::move(loaded));
    return ok_status();
  }
  LACUNA_TRY(SensitiveTables tables, load_records(problem.path, run, inputs));
  LACUNA_TRY(OutputTable facts, typed(tabulated_columns(tables)));
  problem.facts = std::make_shared<const OutputTable>(std::move(facts));
  problem.loaded = std::make_shared<const LoadedProblem>(loaded_from(std::move(tables)));
  return ok_status();
}

Result<HeldProblem> generate_problem(const GivenOptions& given) {
  GenerateJob job;
  RunOptions run;
  LACUNA_RETURN_IF_ERROR(set_options(job, run, given, {}));
  LACUNA_TRY(Problem made, generate(job.options));
  HeldProblem problem;
  problem.path = "generated";
  AttackerSummary attackers = summarize_attackers(made, std::nullopt);
  problem.loaded = std::make_shared<const LoadedProblem>(
      LoadedProblem{std::move(made), {}, {}, std::move(attackers)});
  return problem;
}

ProblemCounts counts_of(const HeldProblem& problem) {
  const Problem& held = problem.loaded->problem.as_read();
  ProblemCounts counts;
  counts.cells = held.table().num_cells();
  counts.equations = held.table().num_equations();
  counts.requirements = static_cast<std::int64_t>(held.requirements().size());
  counts.attackers = static_cast<std::int64_t>(held.attackers().size());
  for (const Cell& cell : held.table().cells()) {
    counts.sensitive += cell.status == CellStatus::kPrimary ? 1 : 0;
    counts.withheld += cell.status == CellStatus::kWithheld ? 1 : 0;
  }
  return counts;
}

// ---- jobs

Result<ProtectJob> protect_job(const HeldProblem& problem,
                               const GivenOptions& given,
                               const Inputs& named,
                               RunOptions& run) {
  LACUNA_TRY(ProtectJob job, job_on<ProtectJob>(problem, given, named, run));
  job.json = true;
  job.given = options_text(given, describe_options<ProtectJob>());
  return job;
}

Result<ReportJob> report_job(const HeldRelease& release,
                             const std::string& path,
                             const GivenOptions& given,
                             RunOptions& run) {
  ReportJob job;
  LACUNA_RETURN_IF_ERROR(set_options(job, run, given, release.problem.settings));
  job.result = "release";
  job.input = release.problem.path;
  job.output = path;
  job.asked = release.job.asked;
  job.inputs = release.job.inputs;
  job.own_run = !release.restored;
  job.inputs.texts[job.result] = release.result_text();
  return job;
}

Result<MadeReport> write_report(const ReportJob& job, const RunContext& run) {
  LACUNA_TRY(MadeReport made, make_report(job, run));
  if (!job.output.empty() && !made.html.empty())
    LACUNA_RETURN_IF_ERROR(write_file_atomically(job.output, made.html));
  return made;
}

Result<std::string> show(const HeldProblem& problem,
                         const std::string& result,
                         const Inputs& named) {
  ShowJob job;
  job.path = result.empty() ? problem.path : result;
  job.input = result.empty() ? "" : problem.path;
  job.inputs = problem.inputs();
  job.inputs.texts = named.texts;
  LACUNA_TRY(JobOutput shown, run_job(job, {}));
  return std::move(shown.text);
}

// ---- columns

OutputTable named_apart(OutputTable table) {
  std::set<std::string> taken;
  for (OutputColumn& column : table.columns) {
    while (!taken.insert(column.name).second)
      column.name += '_';
  }
  return table;
}

Result<OutputTable> cells_of(const HeldProblem& problem) {
  return typed(problem_columns(problem.loaded->problem.as_read(), problem.loaded->reasons));
}

bool is_public(const HeldRelease& release) {
  return may_be_published(
      release.job.unasked, release.run().release.report().verdict, release.made.table.basis);
}

Result<OutputTable> published(const HeldRelease& release, int index, UnaskedRule word) {
  if (word != UnaskedRule::kPublish && !is_public(release))
    return Error{ErrorCode::kNothingAsked,
                 "nothing was asked of this release, as no cell is sensitive: what it publishes is "
                 "given out only if it was protected with " +
                     named_option("unasked", "publish"),
                 ""};
  const AuditedRelease& audited = release.run().release;
  const Table& table = audited.problem().table();
  const std::string title = release.title();
  const TableView view =
      index < 0 ? whole_view(table, title)
                : views_of(table, release.made.tables, title).at(static_cast<std::size_t>(index));
  const OutputOptions plain;
  return public_columns({audited, {view}, plain, {title, release.run().summary.method, ""}});
}

Result<OutputTable> office(const HeldRelease& release) {
  const AuditedRelease& audited = release.run().release;
  return typed(office_columns(audited.problem(), audited.content(), release.made.table.reasons));
}

Result<OutputTable> verdicts_of(const HeldAudit& audit) {
  return typed(verdict_columns(audit.made));
}

Result<OutputTable> findings_of(const HeldAudit& audit) {
  return typed(finding_columns(audit.made));
}

Result<OutputTable> findings_of_counts(const HeldAudit& audit) {
  return typed(count_columns(audit.made));
}

// ---- releases

std::string HeldRelease::result_text() const {
  return release_text(run().release, run().summary);
}

std::string HeldRelease::certificate_text() const {
  const AuditedRelease& release = run().release;
  return write_certificate(*made.table.given,
                           release.problem().table().decimals(),
                           release.content(),
                           confirmed ? *confirmed : release.report());
}

std::string HeldRelease::title() const {
  const std::string name = std::filesystem::path(job.input).filename().string();
  return name.substr(0, name.find('.'));
}

HeldAudit HeldRelease::audit() const {
  const AuditedRelease& audited = run().release;
  Basis basis = made.table.basis;
  basis.waived_by = waived_by(job);
  return {{*made.table.given,
           std::make_shared<const Problem>(audited.problem()),
           made.tables,
           audited.content(),
           audited.report(),
           std::move(basis)},
          {}};
}

Result<HeldRelease> restore_release(const HeldProblem& problem,
                                    const GivenOptions& given,
                                    const Inputs& named,
                                    const KeptRelease& kept) {
  HeldRelease held;
  RunOptions run;
  held.problem = problem;
  held.given = given;
  held.restored = true;
  LACUNA_TRY(held.job, protect_job(problem, given, named, run));
  LACUNA_TRY(PreparedProblem ready,
             prepare(*problem.loaded, asked_by(held.job), held.job.inputs, {}));
  const auto table = std::make_shared<const Problem>(std::move(ready.problem));
  Problem finer = *table;
  Inputs inputs;
  inputs.texts["release.json"] = kept.result;
  inputs.texts["certificate.json"] = kept.certificate;
  AuditOptions options;
  if (!kept.certificate.empty()) {
    LACUNA_TRY(Certificate certificate, load_certificate("certificate.json", finer, inputs));
    options.hints = std::move(certificate.claimed.evidence.witnesses);
  }
  LACUNA_TRY(const Draft draft, load_release("release.json", finer, {}, {}, inputs));
  options.intervals = false;
  options.engine = held.job.engine;
  const Auditor auditor(std::make_shared<const Problem>(std::move(finer)));
  LACUNA_TRY(AuditedRelease release, auditor.release(draft, options, {}));
  LACUNA_TRY(RunSummary summary, read_run_json(kept.run, "release.json"));
  summary.verdict = to_string(release.report().verdict);
  Basis basis = judged_as(std::move(ready.basis), *table, release.content().adjusted());
  held.made = {{table,
                ready.attackers,
                {},
                {},
                ready.reasons,
                std::move(basis)},
               ready.tables,
               {PassedRun{std::move(release), std::move(summary), {}}, {}, std::nullopt}};
  return held;
}

Result<HeldRelease> accept_release(const HeldProblem& problem,
                                   const GivenOptions& given,
                                   const Inputs& named,
                                   const KeptRelease& kept) {
  RunOptions run;
  LACUNA_TRY(const ProtectJob wanted, protect_job(problem, given, named, run));
  VerifyJob job;
  job.input = wanted.input;
  job.inputs = wanted.inputs;
  job.pattern = "returned";
  job.certificate = "returned certificate";
  job.inputs.texts[job.pattern] = kept.result;
  job.inputs.texts[job.certificate] = kept.certificate;
  job.asked = asked_by(wanted);
  LACUNA_TRY(AuditReport report, make_verification(job, {}));
  if (!passes(report.verdict))
    return Error{ErrorCode::kNotProtected, refusal_text(report), ""};
  LACUNA_TRY(HeldRelease held, restore_release(problem, given, named, kept));
  held.confirmed = std::make_shared<const AuditReport>(std::move(report));
  return held;
}

std::optional<HeldAudit> refused_audit(const MadeRelease& made) {
  if (!made.judgement.refused_by)
    return std::nullopt;
  return HeldAudit{
      {*made.table.given,
       made.table.given,
       made.tables,
       {},
       *made.judgement.refused_by,
       made.table.basis},
      {}};
}

namespace {

// The run once more, as far as it writes.
Result<ProtectJob> writing_job(const HeldRelease& release,
                               const ReleaseFiles& files,
                               const GivenOptions& given) {
  ProtectJob job = release.job;
  RunOptions ignored;
  GivenOptions of_files;
  for (const OptionTexts& option : given) {  // what is said again when it is written
    if (option.name != "unasked")
      of_files.push_back(option);
    else if (!option.texts.empty())
      LACUNA_RETURN_IF_ERROR(set_option(job, option.name, option.texts.front()));
  }
  LACUNA_RETURN_IF_ERROR(set_options(job.written, ignored, of_files, {}));
  job.public_file = files.shown;
  job.output = files.kept;
  job.certificate = files.certificate;
  if (files.unasked == UnaskedRule::kPublish)
    job.unasked = files.unasked;
  LACUNA_RETURN_IF_ERROR(check_output_names(job));
  return job;
}

}  // namespace

Result<std::string> published_bytes(const HeldRelease& release,
                                    const std::string& ending,
                                    const GivenOptions& given) {
  LACUNA_TRY(const ProtectJob job, writing_job(release, {"published" + ending, "", ""}, given));
  const AuditedRelease& audited = release.run().release;
  LACUNA_TRY(const std::vector<OutputFile> files,
             output_files(job.public_file,
                          Audience::kPublic,
                          audited.problem().table(),
                          release.made.tables,
                          release.title()));
  LACUNA_CHECK(files.size() == 1);
  return public_bytes(
      job, files.front(), audited, release.run().summary, release.made.table.basis);
}

Status write_release(const HeldRelease& release,
                     const ReleaseFiles& files,
                     const GivenOptions& given) {
  LACUNA_TRY(const ProtectJob job, writing_job(release, files, given));
  const AuditedRelease& audited = release.run().release;
  LACUNA_TRY(const ProtectOutputs outputs,
             plan_outputs(job, audited.problem().table(), release.made.tables));
  return write_outputs(job,
                       outputs,
                       *release.made.table.given,
                       audited,
                       release.run().summary,
                       release.made.table.reasons,
                       release.made.table.basis);
}

std::string certificate_text(const HeldAudit& audit) {
  return write_certificate(
      audit.made.given, audit.made.problem->table().decimals(), audit.made.draft, audit.made.report);
}

}  // namespace lacuna::inline session
