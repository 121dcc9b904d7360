// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"

#include <filesystem>
#include <set>

#include "app/generate/generate.h"
#include "app/job/cell_columns.h"
#include "app/job/derived_columns.h"
#include "app/job/period_columns.h"
#include "app/job/protect_outputs.h"
#include "app/load/manual_overrides.h"
#include "app/load/prepare.h"
#include "app/load/run_policy.h"
#include "app/load/verdict_basis.h"
#include "core/base/check.h"
#include "core/base/spelling.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/files/sheet.h"
#include "data/publish/public_columns.h"
#include "data/publish/release_file.h"
#include "data/spec/spec_text.h"

namespace lacuna::session {
namespace {

Result<columns::OutputTable> typed(const publish::TextColumns& columns) {
  LACUNA_TRY(columns::OutputTable table, publish::typed_columns(columns, {}));
  return named_apart(std::move(table));
}

}  // namespace

load::Inputs SessionProblem::inputs() const {
  load::Inputs inputs;
  inputs.problems[path] = loaded;
  return inputs;
}

// ---- problems

Status refuse_policy(const load::TableChoices& choices) {
  if (choices.policy.empty())
    return ok_status();
  return Error{ErrorCode::kOptionConflict,
               "this table is read already: name the policy where it is read",
               "--policy"};
}

Result<SessionProblem> begin_problem(const std::string& path,
                                     const load::Inputs& inputs,
                                     const GivenOptions& given,
                                     job::RunOptions& run) {
  const auto text = inputs.texts.find(path);
  const auto job = inputs.jobs.find(path);
  SessionProblem problem;
  problem.path = path;
  LACUNA_TRY(problem.settings,
             job != inputs.jobs.end()
                 ? settings_of(*job->second)
                 : settings_of(path, text == inputs.texts.end() ? nullptr : &text->second));
  LACUNA_RETURN_IF_ERROR(set_options(problem.choices, run, given, problem.settings));
  load::Inputs chosen = inputs;
  chosen.choices = problem.choices;
  LACUNA_TRY(const auto of_policy, load::policy_settings(path, chosen));
  for (const jobfile::JobOption& setting : of_policy) {
    const auto same = [&](const jobfile::JobOption& each) { return each.name == setting.name; };
    if (std::none_of(problem.settings.begin(), problem.settings.end(), same))
      problem.settings.push_back(setting);
  }
  return problem;
}

namespace {

// Whether the job says what is published together with its table, or was before: every run must be
// judged with it.
Result<bool> states_together(const std::string& path, const load::Inputs& inputs) {
  const auto says = [](const JobSpec& said) {
    return !said.derived.empty() || !said.before.empty() || said.store || !said.shadows.empty() ||
           !said.known_ratios.empty();
  };
  if (const auto held = inputs.jobs.find(path); held != inputs.jobs.end())
    return says(held->second->job);
  LACUNA_TRY(std::string text, inputs.read(path));
  LACUNA_TRY(const spec::ReadSpec read, spec::read_spec_toml(std::move(text), path));
  return says(read.job);
}

}  // namespace

Status read_problem(SessionProblem& problem,
                    bool records,
                    const load::Inputs& inputs,
                    const RunContext& run) {
  if (!records) {
    load::Inputs chosen = inputs;
    chosen.choices = problem.choices;
    LACUNA_TRY(load::LoadedProblem loaded, load::load_tables(problem.path, run, chosen));
    if (run.log && !loaded.basis.policy.empty())
      run.log(loaded.basis.policy);
    if (run.log && !loaded.basis.status_reading.empty())
      run.log(loaded.basis.status_reading);
    problem.loaded = std::make_shared<const load::LoadedProblem>(std::move(loaded));
    return ok_status();
  }
  load::Inputs chosen = inputs;
  chosen.choices.policy = problem.choices.policy;
  LACUNA_TRY(load::SensitiveTables tables, load::load_records(problem.path, run, chosen));
  if (run.log && !tables.policy.empty())
    run.log(tables.policy);
  LACUNA_TRY(columns::OutputTable facts, typed(job::tabulated_columns(tables)));
  problem.facts = std::make_shared<const columns::OutputTable>(std::move(facts));
  LACUNA_TRY(const bool together, states_together(problem.path, chosen));
  if (together) {
    RunContext quiet = run;
    quiet.log = {};  // the records were told of already
    LACUNA_TRY(load::LoadedProblem loaded, load::load_tables(problem.path, quiet, chosen));
    problem.loaded = std::make_shared<const load::LoadedProblem>(std::move(loaded));
    return ok_status();
  }
  problem.loaded =
      std::make_shared<const load::LoadedProblem>(load::loaded_from(std::move(tables)));
  return ok_status();
}

Result<SessionProblem> generate_problem(const GivenOptions& given) {
  job::GenerateJob job;
  job::RunOptions run;
  LACUNA_RETURN_IF_ERROR(set_options(job, run, given, {}));
  LACUNA_TRY(Problem made, generation::generate(job.options));
  SessionProblem problem;
  problem.path = "generated";
  load::AttackerSummary attackers = load::summarize_attackers(made, std::nullopt);
  problem.loaded = std::make_shared<const load::LoadedProblem>(
      load::LoadedProblem{std::move(made), {}, {}, std::move(attackers)});
  return problem;
}

ProblemCounts counts_of(const SessionProblem& problem) {
  const Problem& held = problem.loaded->problem.as_read();
  ProblemCounts counts;
  counts.cells = held.table().num_cells();
  counts.equations = held.table().num_equations();
  counts.requirements = static_cast<std::int64_t>(held.requirements().size());
  counts.attackers = static_cast<std::int64_t>(held.attackers().size());
  for (const Cell& cell : held.table().cells()) {
    counts.sensitive += cell.status == CellStatus::kPrimary ? 1 : 0;
    counts.withheld += cell.status == CellStatus::kSecondary ? 1 : 0;
  }
  return counts;
}

// ---- jobs

Result<job::ProtectJob> protect_job(const SessionProblem& problem,
                                    const GivenOptions& given,
                                    const load::Inputs& named,
                                    job::RunOptions& run) {
  LACUNA_TRY(job::ProtectJob job, job_on<job::ProtectJob>(problem, given, named, run));
  job.json = true;
  job.given = options_text(given, describe_options<job::ProtectJob>());
  return job;
}

Result<job::ReportJob> report_job(const SessionRelease& release,
                                  const std::string& path,
                                  const GivenOptions& given,
                                  job::RunOptions& run) {
  job::ReportJob job;
  LACUNA_RETURN_IF_ERROR(set_options(job, run, given, release.problem.settings));
  LACUNA_RETURN_IF_ERROR(refuse_policy(job.inputs.choices));
  job.result = "release";
  job.input = release.problem.path;
  job.output = path;
  job.asked = release.job.asked;
  job.inputs = release.job.inputs;
  job.own_run = !release.restored;
  job.inputs.texts[job.result] = release.result_text();
  return job;
}

Result<job::ExplainJob> explain_job(const SessionRelease& release,
                                    const GivenOptions& given,
                                    job::RunOptions& run) {
  job::ExplainJob job;
  LACUNA_RETURN_IF_ERROR(set_options(job, run, given, release.problem.settings));
  LACUNA_RETURN_IF_ERROR(refuse_policy(job.inputs.choices));
  if (job.weights.empty())
    job.weights = weight_formula(release.job);
  job.result = "release";
  job.input = release.problem.path;
  job.asked = release.job.asked;
  job.inputs = release.job.inputs;
  job.inputs.texts[job.result] = release.result_text();
  return job;
}

Result<job::ReportOutcome> write_report(const job::ReportJob& job, const RunContext& run) {
  LACUNA_TRY(job::ReportOutcome made, job::run_report(job, run));
  if (!job.output.empty() && !made.html.empty())
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, made.html));
  return made;
}

Result<std::string> show(const SessionProblem& problem,
                         const std::string& result,
                         const load::Inputs& named) {
  job::ShowJob job;
  job.path = result.empty() ? problem.path : result;
  job.input = result.empty() ? "" : problem.path;
  job.inputs = problem.inputs();
  job.inputs.texts = named.texts;
  LACUNA_TRY(job::JobOutput shown, job::run_job(job, {}));
  return std::move(shown.text);
}

// ---- columns

columns::OutputTable named_apart(columns::OutputTable table) {
  std::set<std::string> taken;
  for (columns::OutputColumn& column : table.columns) {
    while (!taken.insert(column.name).second)
      column.name += '_';
  }
  return table;
}

Result<columns::OutputTable> cells_of(const SessionProblem& problem) {
  return typed(job::problem_columns(problem.loaded->problem.as_read(), problem.loaded->reasons));
}

bool is_public(const SessionRelease& release) {
  return job::may_be_published(
      release.job.unasked, release.run().release.report().verdict, release.made.table.basis);
}

namespace {

Error not_asked() {
  return {ErrorCode::kNothingAsked,
          "nothing was asked of this release, because no cell is sensitive: what it publishes is "
          "given out only if it was protected with " +
              base::named_option("unasked", "publish"),
          ""};
}

}  // namespace

Result<columns::OutputTable> published(const SessionRelease& release,
                                       int index,
                                       job::UnaskedRule word) {
  if (word != job::UnaskedRule::kPublish && !is_public(release))
    return not_asked();
  const AuditedRelease& audited = release.run().release;
  const Table& table = audited.problem().table();
  const std::string title = release.title();
  const files::TableView view =
      index < 0
          ? files::whole_view(table, title)
          : files::views_of(table, release.made.tables, title).at(static_cast<std::size_t>(index));
  const files::OutputOptions plain;
  return publish::public_columns({audited,
                                  {view},
                                  plain,
                                  {title, release.run().summary.method, ""},
                                  release.made.table.columns});
}

Result<columns::OutputTable> periods(const SessionRelease& release, job::UnaskedRule word) {
  if (word != job::UnaskedRule::kPublish && !is_public(release))
    return not_asked();
  const job::ReleaseContext& context = release.made.table;
  const AuditedRelease& audited = release.run().release;
  LACUNA_TRY(const publish::TextColumns columns,
             job::period_text_columns(
                 audited.problem(), context.own_cells, audited.content(), context.together.get()));
  return typed(columns);
}

Result<columns::OutputTable> office(const SessionRelease& release) {
  const AuditedRelease& audited = release.run().release;
  return typed(
      job::office_columns(audited.problem(), audited.content(), release.made.table.reasons));
}

Result<columns::OutputTable> verdicts_of(const SessionAudit& audit) {
  return typed(job::verdict_columns(audit.made));
}

Result<columns::OutputTable> findings_of(const SessionAudit& audit) {
  return typed(job::finding_columns(audit.made));
}

Result<columns::OutputTable> findings_of_counts(const SessionAudit& audit) {
  return typed(job::count_columns(audit.made));
}

// ---- releases

std::string SessionRelease::result_text() const {
  return publish::release_text(run().release, run().summary, made.table.columns);
}

std::string SessionRelease::certificate_text() const {
  const AuditedRelease& release = run().release;
  return certificate::write_certificate(*made.table.given,
                                        release.problem().table().decimals(),
                                        release.content(),
                                        confirmed ? *confirmed : release.report(),
                                        run().summary.bound_log.get());
}

std::string SessionRelease::title() const {
  const std::string name = std::filesystem::path(job.input).filename().string();
  return name.substr(0, name.find('.'));
}

SessionAudit SessionRelease::audit() const {
  const AuditedRelease& audited = run().release;
  load::VerdictBasis basis = made.table.basis;
  basis.waived_by = job::waived_by(job);
  SessionAudit audit{{*made.table.given,
                      std::make_shared<const Problem>(audited.problem()),
                      made.tables,
                      audited.content(),
                      audited.report(),
                      std::move(basis)},
                     {}};
  audit.made.together = made.table.together;
  audit.made.changes = made.table.changes;
  audit.made.own_cells = made.table.own_cells < 0 ? audited.problem().table().num_cells()
                                                  : made.table.own_cells;
  return audit;
}

Result<SessionRelease> restore_release(const SessionProblem& problem,
                                       const GivenOptions& given,
                                       const load::Inputs& named,
                                       const SavedRelease& kept) {
  SessionRelease held;
  job::RunOptions run;
  held.problem = problem;
  held.given = given;
  held.restored = true;
  LACUNA_TRY(held.job, protect_job(problem, given, named, run));
  load::Inputs inputs = held.job.inputs;
  inputs.texts["release.json"] = kept.result;
  inputs.texts["certificate.json"] = kept.certificate;
  load::Assessment asked = job::assessment_of(held.job);
  asked.derived = "release.json";  // has the numbers that stand beside the cells
  LACUNA_TRY(load::PreparedProblem ready, load::prepare(*problem.loaded, asked, inputs, {}));
  const auto table = std::make_shared<const Problem>(ready.problem);
  Problem finer = *table;
  AuditOptions options;
  if (!kept.certificate.empty()) {
    LACUNA_TRY(certificate::Certificate certificate,
               load::load_certificate("certificate.json", finer, inputs));
    options.hints = std::move(certificate.claimed.evidence.witnesses);
  }
  LACUNA_TRY(const Draft draft, load::load_release("release.json", finer, {}, {}, inputs));
  options.intervals = false;
  options.engine = held.job.engine;
  const Auditor auditor(std::make_shared<const Problem>(std::move(finer)));
  LACUNA_TRY(AuditedRelease release, auditor.release(draft, options, {}));
  LACUNA_TRY(publish::RunSummary summary, publish::read_run_json(kept.run, "release.json"));
  summary.verdict = to_string(release.report().verdict);
  load::VerdictBasis basis =
      load::judged_as(std::move(ready.basis), *table, release.content().adjusted());
  job::ReleaseContext context{table, ready.attackers, {}, {}, ready.reasons, std::move(basis)};
  context.columns =
      job::derived_columns(ready, release.problem().table(), release.content());
  context.together = ready.together;
  context.changes = ready.changes;
  if (ready.together)
    context.own_cells = ready.bare->table().num_cells();
  held.made = {std::move(context),
               ready.tables,
               {job::PassedRelease{std::move(release), std::move(summary), {}}, {}, std::nullopt}};
  return held;
}

Result<SessionRelease> accept_release(const SessionProblem& problem,
                                      const GivenOptions& given,
                                      const load::Inputs& named,
                                      const SavedRelease& kept) {
  job::RunOptions run;
  LACUNA_TRY(const job::ProtectJob wanted, protect_job(problem, given, named, run));
  job::VerifyJob job;
  job.input = wanted.input;
  job.inputs = wanted.inputs;
  job.pattern = "returned";
  job.certificate = "returned certificate";
  job.inputs.texts[job.pattern] = kept.result;
  job.inputs.texts[job.certificate] = kept.certificate;
  job.asked = job::assessment_of(wanted);
  LACUNA_TRY(AuditReport report, job::run_verify(job, {}));
  if (!passes(report.verdict))
    return Error{ErrorCode::kNotProtected, refusal_text(report), ""};
  LACUNA_TRY(SessionRelease held, restore_release(problem, given, named, kept));
  held.confirmed = std::make_shared<const AuditReport>(std::move(report));
  return held;
}

std::optional<SessionAudit> refused_audit(const job::ProtectOutcome& made) {
  if (!made.decision.refused_by)
    return std::nullopt;
  return SessionAudit{{*made.table.given,
                       made.table.given,
                       made.tables,
                       {},
                       *made.decision.refused_by,
                       made.table.basis},
                      {}};
}

namespace {

// The run once more, as far as it writes.
Result<job::ProtectJob> writing_job(const SessionRelease& release,
                                    const ReleaseFiles& files,
                                    const GivenOptions& given) {
  job::ProtectJob job = release.job;
  job::RunOptions ignored;
  GivenOptions of_files;
  for (const OptionTexts& option : given) {  // what is said again when it is written
    if (option.name != "unasked")
      of_files.push_back(option);
    else if (!option.texts.empty())
      LACUNA_RETURN_IF_ERROR(set_option(job, option.name, option.texts.front()));
  }
  LACUNA_RETURN_IF_ERROR(set_options(job.written, ignored, of_files, {}));
  job.public_files = files.shown;
  job.outputs = files.kept;
  job.certificate = files.certificate;
  if (files.unasked == job::UnaskedRule::kPublish)
    job.unasked = files.unasked;
  LACUNA_RETURN_IF_ERROR(job::check_output_names(job));
  return job;
}

}  // namespace

Result<std::string> published_bytes(const SessionRelease& release,
                                    const std::string& ending,
                                    const GivenOptions& given) {
  LACUNA_TRY(const job::ProtectJob job,
             writing_job(release, {{"published" + ending}, {}, ""}, given));
  const AuditedRelease& audited = release.run().release;
  LACUNA_TRY(const std::vector<publish::OutputFile> files,
             publish::output_files(job.public_files.front(),
                                   publish::Audience::kPublic,
                                   audited.problem().table(),
                                   release.made.tables,
                                   release.title()));
  LACUNA_CHECK(files.size() == 1);
  return job::public_bytes(job,
                           files.front(),
                           audited,
                           release.run().summary,
                           release.made.table.basis,
                           release.made.table.source.get(),
                           release.made.table.columns);
}

Status write_release(const SessionRelease& release,
                     const ReleaseFiles& files,
                     const GivenOptions& given) {
  LACUNA_TRY(const job::ProtectJob job, writing_job(release, files, given));
  const AuditedRelease& audited = release.run().release;
  LACUNA_TRY(const job::ProtectOutputs outputs,
             job::plan_outputs(job, audited.problem().table(), release.made.tables));
  return job::write_outputs(job,
                            outputs,
                            *release.made.table.given,
                            audited,
                            release.run().summary,
                            release.made.table.reasons,
                            release.made.table.basis,
                            release.made.table.source.get(),
                            release.made.table.columns);
}

std::string certificate_text(const SessionAudit& audit) {
  return certificate::write_certificate(audit.made.given,
                                        audit.made.problem->table().decimals(),
                                        audit.made.draft,
                                        audit.made.report,
                                        nullptr,
                                        audit.made.replays);
}

}  // namespace lacuna::session
