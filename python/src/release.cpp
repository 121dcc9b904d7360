// SPDX-License-Identifier: Apache-2.0
// Protection: a run, and the release that has passed the audit.
#include <nanobind/nanobind.h>

#include "errors.h"
#include "frames.h"
#include "held.h"
#include "io/certificate.h"
#include "io/pattern.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

nb::object member(const JobOutput& refusal, const char* name) {
  const nb::object parsed = nb::module_::import_("json").attr("loads")(str_of(refusal.text));
  return parsed.attr("get")(name);
}

// What a run without a release has to say, with the audit if that said no.
nb::object refusal_of(const MadeRelease& made, bool interrupted) {
  const Judgement& judgement = made.judgement;
  nb::dict out;
  for (const char* name : {"message", "status", "verdict"})
    out[name] = member(judgement.refusal, name);
  out["interrupted"] = interrupted;
  out["no_result"] = judgement.refusal.code == ExitCode::kNoResult;
  out["audit"] = nb::none();
  if (std::optional<HeldAudit> audit = refused_audit(made))
    out["audit"] = nb::cast(*std::move(audit));
  return out;
}

// The release, or a dict that says why there is none.
nb::object protect_problem(const HeldProblem& problem,
                           const nb::dict& options,
                           const nb::dict& named,
                           nb::object progress) {
  HeldRelease held;
  RunOptions run;
  held.problem = problem;
  held.given = given_options(options);
  held.job = value_or_raise(protect_job(problem, held.given, inputs_of(named), run));
  auto done = wait_for<MadeRelease>(run, std::move(progress), [&](const RunContext& context) {
    return make_release(held.job, context);
  });
  if (!done.value.judgement.judged)
    return refusal_of(done.value, done.interrupted);
  held.made = std::move(done.value);
  held.notes = std::move(done.notes);
  held.interrupted = done.interrupted;
  return nb::cast(std::move(held));
}

void write(const HeldRelease& release, const ReleaseFiles& files, const nb::dict& options) {
  const GivenOptions given = given_options(options);
  const Status done = [&] {
    const nb::gil_scoped_release released;
    return write_release(release, files, given);
  }();
  ok_or_raise(done);
}

// ---- pickle
//
// A pickle is a file like any other: what comes out of it is audited again, with its own evidence
// as a hint. The run's summary is taken as it was.

nb::tuple summary_state(const RunSummary& run) {
  nb::list details;
  for (const auto& [name, value] : run.details)
    details.append(nb::make_tuple(str_of(name), value));
  return nb::make_tuple(str_of(run.method),
                        str_of(run.status),
                        run.objective,
                        run.bound,
                        run.seconds,
                        run.cells,
                        run.primary,
                        run.suppressed,
                        run.secondary,
                        run.reproducible,
                        run.work,
                        run.threads,
                        run.seed,
                        str_of(run.engine),
                        str_of(run.version),
                        str_of(run.input),
                        str_of(run.table),
                        str_of(run.options),
                        str_of(run.finished),
                        details,
                        str_of(run.note),
                        str_of(run.attackers),
                        str_of(run.loss));
}

RunSummary summary_from(nb::handle pickled) {
  constexpr std::size_t kFields = 23;
  const nb::tuple state = fields_of(pickled, kFields);
  RunSummary run;
  run.method = text_of(state[0]);
  run.status = text_of(state[1]);
  run.objective = nb::cast<double>(state[2]);
  run.bound = nb::cast<double>(state[3]);
  run.seconds = nb::cast<double>(state[4]);
  run.cells = nb::cast<std::int64_t>(state[5]);
  run.primary = nb::cast<std::int64_t>(state[6]);
  run.suppressed = nb::cast<std::int64_t>(state[7]);
  run.secondary = nb::cast<std::int64_t>(state[8]);
  run.reproducible = nb::cast<bool>(state[9]);
  run.work = nb::cast<std::int64_t>(state[10]);
  run.threads = nb::cast<int>(state[11]);
  run.seed = nb::cast<std::uint64_t>(state[12]);
  run.engine = text_of(state[13]);
  run.version = text_of(state[14]);
  run.input = text_of(state[15]);
  run.table = text_of(state[16]);
  run.options = text_of(state[17]);
  run.finished = text_of(state[18]);
  for (const nb::handle entry : entries_of(state[19])) {
    const nb::tuple detail = fields_of(entry, 2);
    run.details.emplace_back(text_of(detail[0]), nb::cast<double>(detail[1]));
  }
  run.note = text_of(state[20]);
  run.attackers = text_of(state[21]);
  run.loss = text_of(state[22]);
  return run;
}

nb::tuple state_of_release(const HeldRelease& release) {
  nb::dict options, texts;
  for (const OptionTexts& option : release.given)
    options[str_of(option.name)] = list_of(option.texts);
  for (const auto& [name, text] : release.job.inputs.texts)
    texts[str_of(name)] = nb::bytes(text.data(), text.size());
  return nb::make_tuple(state_of(release.problem),
                        options,
                        texts,
                        str_of(release.result_text()),
                        str_of(release.certificate_text()),
                        summary_state(release.run().summary),
                        list_of(release.notes),
                        release.interrupted);
}

HeldRelease release_from(nb::handle pickled) {
  constexpr std::size_t kFields = 8;
  const nb::tuple state = fields_of(pickled, kFields);
  HeldRelease held;
  RunOptions run;
  held.problem = problem_of(state[0]);
  held.given = given_options(names_and_values_of(state[1]));
  held.job = value_or_raise(
      protect_job(held.problem, held.given, inputs_of(names_and_values_of(state[2])), run));
  held.notes = texts_of(state[6]);
  held.interrupted = nb::cast<bool>(state[7]);
  const LoadedProblem& loaded = *held.problem.loaded;
  const auto given = std::make_shared<const Problem>(
      value_or_raise(as_asked(loaded.problem, held.job.asked, held.job.inputs)));
  Problem finer = *given;
  Inputs inputs;
  inputs.texts["pickle.json"] = text_of(state[3]);
  inputs.texts["certificate.json"] = text_of(state[4]);
  const Certificate certificate =
      value_or_raise(load_certificate("certificate.json", finer, inputs));
  const Draft draft = value_or_raise(load_release("pickle.json", finer, {}, {}, inputs));
  AuditOptions options;
  options.intervals = false;
  options.engine = held.job.engine;
  options.hints = certificate.evidence.witnesses;
  const Auditor auditor(std::make_shared<const Problem>(std::move(finer)));
  AuditedRelease release = value_or_raise(auditor.release(draft, options, {}));
  RunSummary summary = summary_from(state[5]);
  summary.verdict = to_string(release.report().verdict);
  held.made = {{given, loaded.attackers, {}, {}, loaded.reasons},
               loaded.tables,
               {PassedRun{std::move(release), std::move(summary), {}}, {}, std::nullopt}};
  return held;
}

void bind_class(nb::module_& module) {
  nb::class_<HeldRelease>(module, "Release", "What has passed the audit.")
      .def_prop_ro(
          "run", [](const HeldRelease& release) { return str_of(run_json(release.run().summary)); })
      .def_prop_ro(
          "notes",
          [](const HeldRelease& release) { return list_of(release.notes); },
          nb::sig("def notes(self) -> list[str]"))
      .def_prop_ro("interrupted", [](const HeldRelease& release) { return release.interrupted; })
      .def_prop_ro("problem", [](const HeldRelease& release) { return release.problem; })
      .def_prop_ro("title", [](const HeldRelease& release) { return str_of(release.title()); })
      .def("result", [](const HeldRelease& release) { return str_of(release.result_text()); })
      .def("certificate",
           [](const HeldRelease& release) { return str_of(release.certificate_text()); })
      .def(
          "published",
          [](const HeldRelease& release, int table) {
            return value_or_raise(published(release, table));
          },
          nb::arg("table") = -1)
      .def("office", [](const HeldRelease& release) { return value_or_raise(office(release)); })
      .def("audit", [](const HeldRelease& release) { return release.audit(); })
      .def(
          "write",
          [](const HeldRelease& release,
             nb::handle shown,
             nb::handle kept,
             nb::handle certificate,
             const nb::dict& options) {
            write(release, {text_of(shown), text_of(kept), text_of(certificate)}, options);
          },
          nb::arg("public"),
          nb::arg("office"),
          nb::arg("certificate"),
          nb::arg("options"),
          nb::sig("def write(self, public: str, office: str, certificate: str, "
                  "options: dict[str, list[str]]) -> None"))
      .def("__getstate__",
           &state_of_release,
           nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](HeldRelease& release, const nb::tuple& state) {
            new (&release) HeldRelease(release_from(state));
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
}

}  // namespace lacuna::python
