// SPDX-License-Identifier: Apache-2.0
// Audits of releases by anyone, and certificates checked without a solver.
#include <nanobind/nanobind.h>

#include "app/job/audit_text.h"
#include "app/job/count_text.h"
#include "data/certificate/certificate.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

using session::SessionAudit;

// `pattern` names the release: a file, a text among the inputs, or nothing.
nb::object audit_problem(const session::SessionProblem& problem,
                         const std::string& pattern,
                         const nb::dict& options,
                         const nb::dict& named,
                         nb::object progress) {
  job::RunOptions run;
  job::AuditJob job =
      value_or_raise(job_on<job::AuditJob>(problem, given_options(options), inputs_of(named), run));
  job.pattern = pattern;
  auto done = wait_for<job::AuditOutcome>(run, std::move(progress), [&](const RunContext& context) {
    return job::run_audit(job, context);
  });
  return nb::make_tuple(nb::cast(SessionAudit{std::move(done.value), std::move(done.notes)}),
                        done.interrupted);
}

nb::dict counts_of(const AuditReport& report) {
  nb::dict counts;
  counts["requirements"] = report.of(Domain::kRational).size();
  for (const Verdict verdict : kVerdictsOfFindings)
    counts[str_of(to_string(verdict))] = report.count(verdict, Domain::kRational);
  return counts;
}

// {"exact": {"protected": 40, "exposed": 1, "undecided": 0, "waived": 0}};
// empty of other tables.
nb::dict kinds_dict(const AuditReport& report) {
  nb::dict kinds;
  for (const job::KindVerdicts& each : job::kinds_of(report)) {
    nb::dict verdicts;
    for (const auto& [verdict, number] : each.verdicts)
      verdicts[str_of(verdict)] = number;
    kinds[str_of(each.kind)] = verdicts;
  }
  return kinds;
}

nb::tuple verdict_of(const AuditReport& report) {
  return nb::make_tuple(str_of(to_string(report.verdict)), counts_of(report), kinds_dict(report));
}

// Whether the evidence of a certificate holds for the problem, and for a release if one is named.
nb::tuple verify_problem(const session::SessionProblem& problem,
                         const std::string& certificate,
                         const std::string& pattern,
                         const nb::dict& options,
                         const nb::dict& named) {
  job::RunOptions run;
  job::VerifyJob job = value_or_raise(
      job_on<job::VerifyJob>(problem, given_options(options), inputs_of(named), run));
  job.certificate = certificate;
  job.pattern = pattern;
  auto done = wait_for<AuditReport>(
      run, nb::none(), [&](const RunContext& context) { return job::run_verify(job, context); });
  return verdict_of(done.value);
}

// The problem as it was given, what was released, and the evidence: read back, all of it is
// checked.
nb::tuple state_of_audit(const SessionAudit& audit) {
  session::SessionProblem given;
  given.loaded = std::make_shared<const load::LoadedProblem>(
      load::LoadedProblem{audit.made.given, audit.made.tables, {}, {}});
  return nb::make_tuple(state_of(given),
                        str_of(session::certificate_text(audit)),
                        audit.made.report.seconds,
                        str_of(audit.made.report.engine),
                        list_of(audit.notes),
                        basis_state(audit.made.basis));
}

SessionAudit audit_from(nb::handle pickled) {
  constexpr std::size_t kFields = 6;
  const nb::tuple state = fields_of(pickled, kFields);
  const session::SessionProblem given = problem_of(state[0]);
  SessionAudit audit;
  audit.made.given = given.loaded->problem.as_read();
  audit.made.tables = given.loaded->tables;
  Problem finer = audit.made.given;
  load::Inputs inputs;
  inputs.texts["pickle.json"] = text_of(state[1]);
  certificate::Certificate certificate =
      value_or_raise(load_certificate("pickle.json", finer, inputs));
  audit.made.report = value_or_raise(load::confirm_certificate(certificate, "pickle.json", finer));
  audit.made.report.seconds = nb::cast<double>(state[2]);
  audit.made.report.engine = text_of(state[3]);
  audit.made.basis = basis_from(state[5]);
  audit.made.draft = std::move(certificate.draft);
  audit.made.problem = std::make_shared<const Problem>(std::move(finer));
  audit.notes = texts_of(state[4]);
  return audit;
}

void bind_class(nb::module_& module) {
  nb::class_<SessionAudit>(module, "Audit", "What an audit has found.")
      .def_prop_ro(
          "verdict",
          [](const SessionAudit& audit) { return str_of(to_string(audit.made.report.verdict)); })
      .def_prop_ro(
          "counts",
          [](const SessionAudit& audit) { return counts_of(audit.made.report); },
          nb::sig("def counts(self) -> dict[str, int]"))
      .def_prop_ro(
          "kinds",
          [](const SessionAudit& audit) { return kinds_dict(audit.made.report); },
          nb::sig("def kinds(self) -> dict[str, dict[str, int]]"))
      .def_prop_ro("seconds", [](const SessionAudit& audit) { return audit.made.report.seconds; })
      .def_prop_ro("engine",
                   [](const SessionAudit& audit) { return str_of(audit.made.report.engine); })
      .def_prop_ro(
          "notes",
          [](const SessionAudit& audit) { return list_of(audit.notes); },
          nb::sig("def notes(self) -> list[str]"))
      .def_prop_ro(
          "limits",
          [](const SessionAudit& audit) {
            return list_of(limits_of(audit.made.basis, *audit.made.problem));
          },
          nb::sig("def limits(self) -> list[str]"))
      .def("verdicts", [](const SessionAudit& audit) { return value_or_raise(verdicts_of(audit)); })
      .def("findings_of_counts",
           [](const SessionAudit& audit) { return value_or_raise(findings_of_counts(audit)); })
      .def("findings", [](const SessionAudit& audit) { return value_or_raise(findings_of(audit)); })
      .def(
          "json",
          [](const SessionAudit& audit, int threads) {
            const job::AuditOutcome& made = audit.made;
            return json_of(
                job::audit_json(made, threads));
          },
          nb::arg("threads") = 1)
      .def("text",
           [](const SessionAudit& audit) {
             const job::AuditOutcome& made = audit.made;
             return str_of(job::audit_text(*made.problem, made.draft, made.report, made.basis) +
                           job::replay_text(made));
           })
      .def("certificate", [](const SessionAudit& audit) { return str_of(certificate_text(audit)); })
      .def("__getstate__",
           &state_of_audit,
           nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](SessionAudit& audit, const nb::tuple& state) {
            new (&audit) SessionAudit(audit_from(state));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...]) -> None"));
}

}  // namespace

void bind_audit(nb::module_& module) {
  bind_class(module);
  module.def(
      "audit",
      [](const session::SessionProblem& problem,
         nb::handle pattern,
         const nb::dict& options,
         const nb::dict& inputs,
         nb::object progress) {
        return audit_problem(problem, text_of(pattern), options, inputs, std::move(progress));
      },
      nb::arg("problem"),
      nb::arg("pattern"),
      nb::arg("options"),
      nb::arg("inputs"),
      nb::arg("progress").none(),
      nb::sig("def audit(problem: Problem, pattern: str, options: dict[str, list[str]], "
              "inputs: dict[str, str | bytes | Source], progress: typing.Callable[[dict[str, "
              "typing.Any]], object] | None) -> tuple[Audit, bool]"));
  module.def(
      "verify",
      [](const session::SessionProblem& problem,
         nb::handle certificate,
         nb::handle pattern,
         const nb::dict& options,
         const nb::dict& inputs) {
        return verify_problem(problem, text_of(certificate), text_of(pattern), options, inputs);
      },
      nb::arg("problem"),
      nb::arg("certificate"),
      nb::arg("pattern"),
      nb::arg("options"),
      nb::arg("inputs"),
      nb::sig("def verify(problem: Problem, certificate: str, pattern: str, "
              "options: dict[str, list[str]], inputs: dict[str, str | bytes | Source]) "
              "-> tuple[str, dict[str, int], dict[str, dict[str, int]]]"));
}

}  // namespace lacuna::python
