// SPDX-License-Identifier: Apache-2.0
// Audits of releases by anyone, and certificates checked without a solver.
#include "app/job/audit_text.h"
#include "app/job/count_text.h"
#include "app/session/session.h"
#include "entries.h"
#include "frames.h"
#include "waiting.h"

namespace lacuna::r {
namespace {

cpp11::sexp counts_list(const AuditReport& report) {
  NamedList counts;
  counts.number("requirements", static_cast<double>(report.of(Domain::kRational).size()));
  for (const Verdict verdict : kVerdictsOfFindings)
    counts.number(std::string(to_string(verdict)).c_str(),
                  static_cast<double>(report.count(verdict, Domain::kRational)));
  return counts.list();
}

// By kind a list of numbers by verdict; empty of tables that are none of counts.
cpp11::sexp kinds_list(const AuditReport& report) {
  NamedList kinds;
  for (const job::KindVerdicts& each : job::kinds_of(report)) {
    NamedList verdicts;
    for (const auto& [verdict, number] : each.verdicts)
      verdicts.number(verdict.c_str(), static_cast<double>(number));
    kinds.add(each.kind.c_str(), verdicts.list());
  }
  return kinds.list();
}

}  // namespace

// `pattern` names the release: a file, a text among the inputs, or nothing.
SEXP audit_entry(SEXP pointer, SEXP pattern, SEXP options, SEXP named, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    job::AuditJob job = value_or_refuse(job_on<job::AuditJob>(
        held<session::SessionProblem>(pointer), given_options(options), files_of(named), run));
    job.pattern = text_of(pattern);
    auto done = wait_for<job::AuditOutcome>(
        run, progress, [&](const RunContext& context) { return run_audit(job, context); });
    if (done.interrupted)
      refuse_interrupted();
    return pointer_to(session::SessionAudit{std::move(done.value), std::move(done.notes)});
  });
}

SEXP audit_info_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    const auto& audit = held<session::SessionAudit>(pointer);
    return NamedList()
        .text("verdict", to_string(audit.made.report.verdict))
        .add("counts", counts_list(audit.made.report))
        .add("kinds", kinds_list(audit.made.report))
        .number("seconds", audit.made.report.seconds)
        .text("engine", std::string_view(audit.made.report.engine))
        .add("notes", sexp_of(audit.notes))
        .add("limits", sexp_of(limits_of(audit.made.basis, *audit.made.problem)))
        .list();
  });
}

SEXP audit_verdicts_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return frame_of(value_or_refuse(verdicts_of(held<session::SessionAudit>(pointer))));
  });
}

SEXP audit_findings_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return frame_of(value_or_refuse(findings_of(held<session::SessionAudit>(pointer))));
  });
}

SEXP audit_counts_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return frame_of(value_or_refuse(findings_of_counts(held<session::SessionAudit>(pointer))));
  });
}

SEXP audit_certificate_entry(SEXP pointer) {
  return entry(
      [&]() -> SEXP { return sexp_of(certificate_text(held<session::SessionAudit>(pointer))); });
}

SEXP audit_text_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    const job::AuditOutcome& made = held<session::SessionAudit>(pointer).made;
    return sexp_of(job::audit_text(*made.problem, made.draft, made.report, made.basis) +
                   job::replay_text(made));
  });
}

SEXP verify_entry(SEXP pointer, SEXP certificate, SEXP pattern, SEXP options, SEXP named) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    job::VerifyJob job = value_or_refuse(job_on<job::VerifyJob>(
        held<session::SessionProblem>(pointer), given_options(options), files_of(named), run));
    job.certificate = text_of(certificate);
    job.pattern = text_of(pattern);
    auto done = wait_for<AuditReport>(
        run, R_NilValue, [&](const RunContext& context) { return run_verify(job, context); });
    if (done.interrupted)
      refuse_interrupted();
    return NamedList()
        .text("verdict", to_string(done.value.verdict))
        .add("counts", counts_list(done.value))
        .add("kinds", kinds_list(done.value))
        .list();
  });
}

}  // namespace lacuna::r
