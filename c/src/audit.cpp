// SPDX-License-Identifier: Apache-2.0
// Audits of releases by anyone, and certificates checked without a solver.
#include "app/job/audit_text.h"
#include "inputs.h"
#include "run.h"
#include "texts.h"

extern "C" {

using namespace lacuna;
using namespace lacuna::c;

lacuna_status lacuna_problem_audit(const lacuna_problem* problem,
                                   const char* release,
                                   const char* options,
                                   const lacuna_inputs* inputs,
                                   lacuna_run* run,
                                   lacuna_audit** out,
                                   lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_audit*& target = place_of(out, "out");
    const session::SessionProblem& held = needed(problem, "problem").held;
    const session::GivenOptions given = given_options(options);
    refuse_options(given, {"input", "pattern", "certificate", "json"});
    job::RunOptions limits;
    job::AuditJob job =
        value_or_fail(session::job_on<job::AuditJob>(held, given, files_for(inputs), limits));
    job.pattern = text_or_empty(release, "release");
    auto done = wait_for<job::AuditOutcome>(
        run, limits, [&](const RunContext& context) { return job::run_audit(job, context); });
    target = new lacuna_audit{Mark::kAudit, {std::move(done.value), std::move(done.notes)}};
  });
}

lacuna_status lacuna_problem_verify(const lacuna_problem* problem,
                                    const char* certificate,
                                    const char* release,
                                    const char* options,
                                    const lacuna_inputs* inputs,
                                    const char** verdict,
                                    lacuna_error** error) {
  return guarded(error, [&] {
    const char*& target = place_of(verdict, "verdict");
    const session::SessionProblem& held = needed(problem, "problem").held;
    const session::GivenOptions given = given_options(options);
    refuse_options(given, {"input", "pattern", "certificate", "json"});
    job::RunOptions limits;
    job::VerifyJob job =
        value_or_fail(session::job_on<job::VerifyJob>(held, given, files_for(inputs), limits));
    job.certificate = lacuna::c::text_of(certificate, "certificate");
    job.pattern = text_or_empty(release, "release");
    const auto done = wait_for<AuditReport>(
        nullptr, limits, [&](const RunContext& context) { return job::run_verify(job, context); });
    target = to_string(done.value.verdict).data();
  });
}

lacuna_status lacuna_error_audit(const lacuna_error* refused,
                                 lacuna_audit** out,
                                 lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_audit*& target = place_of(out, "out");
    const auto& audit = needed(refused, "refused").refused_by;
    if (!audit)
      misuse("this error does not come from an audit");
    target = new lacuna_audit{Mark::kAudit, *audit};
  });
}

lacuna_status lacuna_audit_verdict(const lacuna_audit* audit,
                                   const char** verdict,
                                   lacuna_error** error) {
  return guarded(error, [&] {
    const char*& target = place_of(verdict, "verdict");
    target = to_string(needed(audit, "audit").held.made.report.verdict).data();
  });
}

lacuna_status lacuna_audit_report(const lacuna_audit* audit, char** json, lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    const job::AuditOutcome& made = needed(audit, "audit").held.made;
    target = shown_copy(job::audit_json(made, 1));
  });
}

void lacuna_audit_free(lacuna_audit* audit) {
  delete audit;
}

}  // extern "C"
