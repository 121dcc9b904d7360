// SPDX-License-Identifier: Apache-2.0
// Protection: a run, and the release that has passed the audit.
#include <nanobind/nanobind.h>

#include "data/certificate/certificate.h"
#include "data/publish/pattern.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

nb::object member(const job::JobOutput& refusal, const char* name) {
  const nb::object parsed = nb::module_::import_("json").attr("loads")(json_of(refusal.text));
  return parsed.attr("get")(name);
}

// What a run without a release has to say, with the audit if that said no.
nb::object refusal_of(const job::ProtectOutcome& made, bool interrupted) {
  const job::JobDecision& decision = made.decision;
  nb::dict out;
  for (const char* name : {"message", "status", "verdict"})
    out[name] = member(decision.refusal, name);
  out["interrupted"] = interrupted;
  out["no_result"] = decision.refusal.code == job::ExitCode::kNoResult;
  out["audit"] = nb::none();
  if (std::optional<session::SessionAudit> audit = session::refused_audit(made))
    out["audit"] = nb::cast(*std::move(audit));
  return out;
}

// The release, or a dict that says why there is none.
nb::object protect_problem(const session::SessionProblem& problem,
                           const nb::dict& options,
                           const nb::dict& named,
                           nb::object progress) {
  session::SessionRelease held;
  job::RunOptions run;
  held.problem = problem;
  held.given = given_options(options);
  held.job = value_or_raise(session::protect_job(problem, held.given, inputs_of(named), run));
  auto done =
      wait_for<job::ProtectOutcome>(run, std::move(progress), [&](const RunContext& context) {
        return job::run_protect(held.job, context);
      });
  if (!done.value.decision.passed)
    return refusal_of(done.value, done.interrupted);
  held.made = std::move(done.value);
  held.notes = std::move(done.notes);
  held.interrupted = done.interrupted;
  return nb::cast(std::move(held));
}

void write(const session::SessionRelease& release,
           const session::ReleaseFiles& files,
           const nb::dict& options) {
  const session::GivenOptions given = given_options(options);
  const Status done = [&] {
    const nb::gil_scoped_release released;
    return session::write_release(release, files, given);
  }();
  ok_or_raise(done);
}

// ---- pickle
//
// A pickle is a file like any other: what comes out of it is audited again, with its own evidence
// as a hint. The run's summary is taken as it was.

nb::tuple state_of_release(const session::SessionRelease& release) {
  nb::dict options, texts;
  for (const session::OptionTexts& option : release.given)
    options[str_of(option.name)] = list_of(option.texts);
  for (const auto& [name, text] : release.job.inputs.texts)
    texts[str_of(name)] = nb::bytes(text.data(), text.size());
  return nb::make_tuple(state_of(release.problem),
                        options,
                        texts,
                        str_of(release.result_text()),
                        str_of(release.certificate_text()),
                        json_of(publish::run_json(release.run().summary)),
                        list_of(release.notes),
                        release.interrupted);
}

session::SessionRelease release_from(nb::handle pickled) {
  constexpr std::size_t kFields = 8;
  const nb::tuple state = fields_of(pickled, kFields);
  session::SessionRelease held =
      value_or_raise(restore_release(problem_of(state[0]),
                                     given_options(names_and_values_of(state[1])),
                                     inputs_of(names_and_values_of(state[2])),
                                     {text_of(state[3]), text_of(state[5]), text_of(state[4])}));
  held.notes = texts_of(state[6]);
  held.interrupted = nb::cast<bool>(state[7]);
  return held;
}

// What a worker has returned, proven for the problem of whoever asked.
session::SessionRelease accept(const session::SessionProblem& problem,
                               const nb::dict& options,
                               const nb::dict& named,
                               const session::SavedRelease& kept) {
  const session::GivenOptions given = given_options(options);
  const load::Inputs inputs = inputs_of(named);
  auto accepted = [&] {
    const nb::gil_scoped_release released;
    return session::accept_release(problem, given, inputs, kept);
  }();
  return value_or_raise(std::move(accepted));
}

void bind_class(nb::module_& module) {
  nb::class_<session::SessionRelease>(module, "Release", "What has passed the audit.")
      .def_prop_ro("run",
                   [](const session::SessionRelease& release) {
                     return json_of(run_json(release.run().summary));
                   })
      .def_prop_ro(
          "notes",
          [](const session::SessionRelease& release) { return list_of(release.notes); },
          nb::sig("def notes(self) -> list[str]"))
      .def_prop_ro("interrupted",
                   [](const session::SessionRelease& release) { return release.interrupted; })
      .def_prop_ro("problem",
                   [](const session::SessionRelease& release) { return release.problem; })
      .def_prop_ro("title",
                   [](const session::SessionRelease& release) { return str_of(release.title()); })
      .def("result",
           [](const session::SessionRelease& release) { return str_of(release.result_text()); })
      .def(
          "certificate",
          [](const session::SessionRelease& release) { return str_of(release.certificate_text()); })
      .def(
          "published",
          [](const session::SessionRelease& release, int table, bool unasked) {
            const job::UnaskedRule word =
                unasked ? job::UnaskedRule::kPublish : job::UnaskedRule::kRefuse;
            return value_or_raise(published(release, table, word));
          },
          nb::arg("table") = -1,
          nb::arg("unasked") = false)
      .def(
          "periods",
          [](const session::SessionRelease& release) { return value_or_raise(periods(release)); })
      .def_prop_ro("is_public",
                   [](const session::SessionRelease& release) { return is_public(release); })
      .def("office",
           [](const session::SessionRelease& release) { return value_or_raise(office(release)); })
      .def("audit", [](const session::SessionRelease& release) { return release.audit(); })
      .def(
          "write",
          [](const session::SessionRelease& release,
             nb::handle shown,
             nb::handle kept,
             nb::handle certificate,
             const nb::dict& options) {
            write(release, {texts_of(shown), texts_of(kept), text_of(certificate)}, options);
          },
          nb::arg("public"),
          nb::arg("office"),
          nb::arg("certificate"),
          nb::arg("options"),
          nb::sig("def write(self, public: list[str], office: list[str], certificate: str, "
                  "options: dict[str, list[str]]) -> None"))
      .def("__getstate__",
           &state_of_release,
           nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](session::SessionRelease& release, const nb::tuple& state) {
            new (&release) session::SessionRelease(release_from(state));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...]) -> None"));
}

}  // namespace

void bind_release(nb::module_& module) {
  bind_class(module);
  module.def(
      "protect",
      &protect_problem,
      nb::arg("problem"),
      nb::arg("options"),
      nb::arg("inputs"),
      nb::arg("progress").none(),
      nb::sig("def protect(problem: Problem, options: dict[str, list[str]], "
              "inputs: dict[str, str | bytes | Source], progress: typing.Callable[[dict[str, "
              "typing.Any]], object] | None) -> Release | dict[str, typing.Any]"));
  module.def(
      "accept",
      [](const session::SessionProblem& problem,
         const nb::dict& options,
         const nb::dict& inputs,
         nb::handle result,
         nb::handle certificate,
         nb::handle run,
         nb::handle notes,
         bool interrupted) {
        session::SessionRelease held =
            accept(problem, options, inputs, {text_of(result), text_of(run), text_of(certificate)});
        held.notes = texts_of(notes);
        held.interrupted = interrupted;
        return held;
      },
      nb::arg("problem"),
      nb::arg("options"),
      nb::arg("inputs"),
      nb::arg("result"),
      nb::arg("certificate"),
      nb::arg("run"),
      nb::arg("notes"),
      nb::arg("interrupted"),
      nb::sig("def accept(problem: Problem, options: dict[str, list[str]], "
              "inputs: dict[str, str | bytes | Source], result: str, certificate: str, run: str, "
              "notes: list[str], interrupted: bool) -> Release"));
}

}  // namespace lacuna::python
