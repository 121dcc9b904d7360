// SPDX-License-Identifier: Apache-2.0
#include "app/job/jobs.h"

#include <fmt/core.h>

#include <array>
#include <optional>

#include "app/job/audit_text.h"
#include "app/job/certified.h"
#include "app/job/checkers.h"
#include "app/job/file_roles.h"
#include "app/job/outcomes.h"
#include "app/job/record_release.h"
#include "app/job/replay.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/load/verdict_basis.h"
#include "core/base/check.h"
#include "core/base/json_writer.h"
#include "core/base/rational.h"
#include "core/base/spelling.h"
#include "data/certificate/certificate.h"
#include "data/certificate/certificate_lines.h"
#include "data/files/file.h"
#include "data/jobfile/problem_file.h"
#include "data/publish/release_formats.h"
#include "lacuna/audit.h"

namespace lacuna::job {

ExitCode code_of(Verdict verdict, bool by_rules) {
  switch (verdict) {
    case Verdict::kProtected:
      return ExitCode::kDone;
    case Verdict::kExposed:
    case Verdict::kUndecided:
      return ExitCode::kNotProtected;
    case Verdict::kWaived:
      return ExitCode::kWaived;
    case Verdict::kUnasked:
      return by_rules ? ExitCode::kDone : ExitCode::kUnasked;
  }
  base::fail_check("known verdict", __FILE__, __LINE__);
}

std::span<const std::string_view> enum_names(PublicShape) {
  static constexpr std::array<std::string_view, 3> kNames{"auto", "as-input", "long"};
  return kNames;
}

std::span<const std::string_view> enum_names(UnaskedRule) {
  static constexpr std::array<std::string_view, 2> kNames{"refuse", "publish"};
  return kNames;
}

namespace {

// A release from elsewhere that the audit has passed goes into the store as it is.
Result<std::string> record_audited(const AuditJob& job,
                                   const AuditOutcome& made,
                                   const RunContext& run) {
  if (!job.record)
    return std::string();
  if (code_of(made.report.verdict, !made.basis.rules.empty()) != ExitCode::kDone)
    return std::string("the release is not put into the store\n");
  ReleaseToRecord what{job.input,
                       job.inputs,
                       made.together.get(),
                       made.problem,
                       made.own_cells,
                       made.draft,
                       made.report.verdict,
                       "",
                       {}};
  if (!job.pattern.empty() && !publish::is_per_table(job.pattern)) {
    LACUNA_TRY(std::string bytes, job.inputs.read(job.pattern));
    what.published.push_back({std::string(store::kPublic), job.pattern, std::move(bytes)});
  }
  return record_release(what, job.engine, run);
}

}  // namespace

Result<AuditOutcome> run_audit(const AuditJob& job, const RunContext& asked) {
  const RunContext run = with_progress(asked);
  LACUNA_RETURN_IF_ERROR(check_files(job));
  load::Assessment what = job.asked;
  what.derived = job.pattern;
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(job.input, run, job.inputs, what));
  Problem& loaded = ready.problem;
  if (job.record)
    LACUNA_RETURN_IF_ERROR(check_record(ready.together.get()));
  AuditOutcome made{loaded, nullptr, std::move(ready.tables), {}, {}, {}};
  made.together = ready.together;
  made.changes = ready.changes;
  made.own_cells = ready.bare ? ready.bare->table().num_cells() : loaded.table().num_cells();
  const load::Inputs& inputs = ready.together ? ready.inputs : job.inputs;
  LACUNA_TRY(made.draft, load::load_release(job.pattern, loaded, run, made.tables, inputs));
  made.basis = load::judged_as(std::move(ready.basis), loaded, made.draft.adjusted());
  made.basis.withheld = load::ask_of_withheld(made.given, made.draft);
  made.basis.waived_by = load::waived_by(job.asked);
  if (made.basis.withheld > 0) {
    LACUNA_TRY(loaded, with_decimals(made.given, loaded.table().decimals()));
  }
  made.problem = std::make_shared<const Problem>(std::move(loaded));
  AuditOptions options;
  options.intervals = !job.verdicts_only;
  options.all_withheld = job.all;
  // Classes come with the intervals; for verdicts alone they would double the work.
  options.exposure = job.exposure || !job.verdicts_only;
  options.engine = job.engine;
  options.values = job.values;
  options.node_limit = job.node_limit;
  LACUNA_TRY(made.report, Auditor(made.problem).audit(made.draft, options, run));
  if (job.replay) {
    LACUNA_TRY(Rerun again,
               Rerun::make(made.problem,
                           made.draft,
                           job.input,
                           job.pattern,
                           job.asked,
                           inputs,
                           asked));
    made.replay = find_replays(*made.problem, made.draft, made.report, job.replay_runs, again);
    made.replays = add_witnesses(*made.replay, made.report);
  }
  LACUNA_TRY(made.recorded, record_audited(job, made, run));
  return made;
}

Result<JobOutput> run_job(const AuditJob& job, const RunContext& run) {
  LACUNA_TRY(const AuditOutcome made, run_audit(job, run));
  const Problem& problem = *made.problem;
  if (!job.certificate.empty()) {
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(
        job.certificate,
        certificate::write_certificate(
            made.given, problem.table().decimals(), made.draft, made.report, nullptr, made.replays)));
  }
  const ExitCode code = code_of(made.report.verdict, !made.basis.rules.empty());
  if (job.json)
    return JobOutput{code, audit_json(made, run.threads)};
  return JobOutput{code,
                   audit_text(problem, made.draft, made.report, made.basis) +
                       (made.replay ? replay_text(problem, *made.replay) : "") + made.recorded};
}

namespace {

struct Verified {
  AuditReport report;
  std::vector<std::string> remarks;
  load::VerdictBasis basis{};
  bool proven = false;  // the proven checker has said the same
  std::optional<load::ConfirmedBound> bound{};  // where the certificate has a log of it
  std::optional<std::int64_t> replayed{};  // ends of ranges, if the program was run for them
};

// What the certificate calls waived counts for nothing: whoever verifies waives it, too.
std::string waivers_text(const AuditReport& claimed, const AuditReport& confirmed) {
  const auto waived = [](const AuditReport& report) { return report.count(Verdict::kWaived); };
  if (waived(claimed) <= waived(confirmed))
    return "";
  return "the certificate calls " + std::to_string(waived(claimed)) +
         " of the exposed requirements waived; " + base::named_option("waive", "exposed") +
         " waives them here too";
}

// The program on every table that the certificate names for its owner.
Status run_replays(const VerifyJob& job,
                   const Certified& opened,
                   const RunContext& run,
                   Verified& found) {
  const certificate::Certificate& certificate = opened.certificate;
  const auto problem = std::make_shared<const Problem>(opened.ready.problem);
  LACUNA_TRY(
      Rerun again,
      Rerun::make(
          problem, certificate.draft, job.input, job.pattern, job.asked, job.inputs, run));
  LACUNA_TRY(const std::int64_t replayed,
             verify_replays(certificate, job.certificate, *problem, again));
  found.replayed = replayed;
  found.remarks.push_back(
      replayed == 0 ? std::string("the certificate names no tables for the owner of the program")
                    : fmt::format("{} ends replayed: the program makes the very same release of "
                                  "{} other tables ({})",
                                  replayed,
                                  again.runs(),
                                  again.follows()));
  return ok_status();
}

Result<Verified> verified(const VerifyJob& job, const RunContext& run) {
  LACUNA_TRY(Certified opened,
             load_certified({job.input, job.certificate, job.pattern}, job.asked, job.inputs, run));
  const Problem& problem = opened.ready.problem;
  const certificate::Certificate& certificate = opened.certificate;
  Verified found;
  LACUNA_TRY(found.report, load::confirm_certificate(certificate, job.certificate, problem));
  if (certificate.bound) {
    LACUNA_TRY(found.bound, load::confirm_bound(certificate, job.certificate, problem));
  }
  if (job.proven) {
    LACUNA_RETURN_IF_ERROR(ask_proven(problem, certificate, job.certificate, found.report));
    found.proven = true;
  }
  load::VerdictBasis& basis = found.basis;
  basis = load::judged_as(std::move(opened.ready.basis), problem, certificate.draft.adjusted());
  basis.withheld = opened.withheld;
  found.remarks = load::limits_of(basis, problem);
  if (!basis.policy.empty())
    found.remarks.push_back(basis.policy);
  if (found.report.verdict == Verdict::kUnasked) {
    std::erase(found.remarks, load::lifted_text(basis.lifted));  // said by what follows
    found.remarks.push_back(load::unasked_text(found.report, basis.rules, basis.lifted));
  }
  if (const std::string waived = waivers_text(certificate.claimed, found.report); !waived.empty())
    found.remarks.push_back(waived);
  if (job.replay)
    LACUNA_RETURN_IF_ERROR(run_replays(job, opened, run, found));
  return found;
}

std::string verified_json(const Verified& found) {
  const AuditReport& report = found.report;
  const auto write = [&](base::JsonWriter& json) {
    json.member("verdict", to_string(report.verdict));
    if (found.proven)
      json.member("proven", true);
    if (found.replayed)
      json.member("replayed", *found.replayed);
    json.member("requirements", report.of(Domain::kRational).size());
    for (const Verdict verdict : {Verdict::kProtected,
                                  Verdict::kExposed,
                                  Verdict::kUndecided,
                                  Verdict::kWaived,
                                  Verdict::kUnasked})
      json.member(to_string(verdict), report.count(verdict, Domain::kRational));
    if (!report.of(Domain::kInteger).empty()) {
      json.key("whole").object([&] {
        json.member("questions", report.of(Domain::kInteger).size());
        for (const Verdict verdict : kVerdictsOfQuestions)
          json.member(to_string(verdict), report.count(verdict, Domain::kInteger));
        const std::int32_t unasked = report.count(Verdict::kUnasked, Domain::kInteger);
        if (unasked > 0)
          json.member(to_string(Verdict::kUnasked), unasked);
      });
    }
    if (found.bound) {
      json.key("bound").object([&] {
        json.member("at_least", found.bound->at_least.text());
        json.member("weight", found.bound->weight.text());
        json.member("optimal",
                    found.bound->has_end && found.bound->weight == found.bound->at_least);
      });
    }
    load::write_basis(json, found.basis);
  };
  return base::json_object(write) + "\n";
}

std::string verified_text(const Verified& found) {
  std::string text = tally_text(found.report) + "\n";
  if (found.bound)
    text += bound_text(*found.bound) + "\n";
  if (found.proven)
    text += "the proven checker says the same\n";
  for (const std::string& remark : found.remarks)
    text += "note: " + remark + "\n";
  return text;
}

}  // namespace

Result<AuditReport> run_verify(const VerifyJob& job, const RunContext& run) {
  LACUNA_TRY(Verified found, verified(job, run));
  return std::move(found.report);
}

Result<JobOutput> run_job(const VerifyJob& job, const RunContext& run) {
  LACUNA_TRY(const Verified found, verified(job, run));
  return JobOutput{code_of(found.report.verdict, !found.basis.rules.empty()),
                   job.json ? verified_json(found) : verified_text(found)};
}

Result<JobOutput> run_job(const GenerateJob& job, const RunContext&) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_TRY(const Problem problem, generate(job.options));
  LACUNA_RETURN_IF_ERROR(jobfile::write_problem(problem, job.output));
  return JobOutput{};
}

}  // namespace lacuna::job
