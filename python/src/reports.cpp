// SPDX-License-Identifier: Apache-2.0
// Pages, comparisons, grids and perturbation tables: jobs whose result is a text.
#include <nanobind/nanobind.h>

#include "app/inference/infer_job.h"
#include "app/inference/output.h"
#include "app/session/ptables.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

// Written if the job names an output. Returns verdict and page.
nb::tuple page_of(const job::ReportJob& job, const job::RunOptions& run, nb::object progress) {
  auto done =
      wait_for<job::ReportOutcome>(run, std::move(progress), [&](const RunContext& context) {
        return session::write_report(job, context);
      });
  return nb::make_tuple(str_of(to_string(done.value.audit.verdict)), str_of(done.value.html));
}

// The page about a release that is named by a file or a text among the inputs.
nb::tuple report(const session::SessionProblem& problem,
                 const std::string& result,
                 const std::string& path,
                 const nb::dict& options,
                 const nb::dict& named,
                 nb::object progress) {
  job::RunOptions run;
  job::ReportJob job = value_or_raise(
      job_on<job::ReportJob>(problem, given_options(options), inputs_of(named), run));
  job.result = result;
  job.output = path;
  return page_of(job, run, std::move(progress));
}

// The page about a release of ours, judged by what it was protected for.
nb::tuple report_release(const session::SessionRelease& release,
                         const std::string& path,
                         const nb::dict& options,
                         nb::object progress) {
  job::RunOptions run;
  const job::ReportJob job = value_or_raise(report_job(release, path, given_options(options), run));
  return page_of(job, run, std::move(progress));
}

// What is said of the cells, as a text and as JSON.
nb::tuple explanation_of(job::ExplainJob job,
                         nb::handle cells,
                         const job::RunOptions& run,
                         nb::object progress) {
  job.cells = texts_of(cells);
  auto done =
      wait_for<job::ExplainOutcome>(run, std::move(progress), [&](const RunContext& context) {
        return job::run_explain(job, context);
      });
  if (done.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return nb::make_tuple(str_of(done.value.text()), json_of(done.value.json()));
}

// Of a release that is named by a file or a text among the inputs.
nb::tuple explain(const session::SessionProblem& problem,
                  nb::handle result,
                  nb::handle cells,
                  const nb::dict& options,
                  const nb::dict& named,
                  nb::object progress) {
  job::RunOptions run;
  job::ExplainJob job = value_or_raise(
      job_on<job::ExplainJob>(problem, given_options(options), inputs_of(named), run));
  job.result = text_of(result);
  return explanation_of(std::move(job), cells, run, std::move(progress));
}

nb::tuple explain_release(const session::SessionRelease& release,
                          nb::handle cells,
                          const nb::dict& options,
                          nb::object progress) {
  job::RunOptions run;
  job::ExplainJob job = value_or_raise(explain_job(release, given_options(options), run));
  return explanation_of(std::move(job), cells, run, std::move(progress));
}

void bind_explanations(nb::module_& module) {
  module.def("explain",
             &explain,
             nb::arg("problem"),
             nb::arg("result"),
             nb::arg("cells"),
             nb::arg("options"),
             nb::arg("inputs"),
             nb::arg("progress").none(),
             nb::sig("def explain(problem: Problem, result: str, cells: list[str], options: "
                     "dict[str, list[str]], inputs: dict[str, str | bytes | Source], progress: "
                     "typing.Callable[[dict[str, typing.Any]], object] | None) "
                     "-> tuple[str, str]"));
  module.def("explain_release",
             &explain_release,
             nb::arg("release"),
             nb::arg("cells"),
             nb::arg("options"),
             nb::arg("progress").none(),
             nb::sig("def explain_release(release: Release, cells: list[str], options: "
                     "dict[str, list[str]], progress: typing.Callable[[dict[str, typing.Any]], "
                     "object] | None) -> tuple[str, str]"));
}

// Of published tables that are named by files or among the inputs: text, JSON, page, certificate.
nb::tuple infer(nb::handle files,
                const nb::dict& options,
                const nb::dict& named,
                nb::object progress) {
  job::RunOptions run;
  inference::InferJob job;
  ok_or_raise(session::set_options(job, run, given_options(options), {}));
  job.files = texts_of(files);
  job.inputs.texts = inputs_of(named).texts;
  auto done =
      wait_for<inference::Inference>(run, std::move(progress), [&](const RunContext& context) {
        return inference::run_infer(job, context);
      });
  if (done.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  const auto most = static_cast<std::size_t>(job.most);
  return nb::make_tuple(str_of(inference_text(done.value, most, job.proofs)),
                        str_of(inference_json(done.value)),
                        str_of(inference_page(done.value)),
                        str_of(inference_certificate(done.value)));
}

void bind_inference(nb::module_& module) {
  module.def("infer",
             &infer,
             nb::arg("files"),
             nb::arg("options"),
             nb::arg("inputs"),
             nb::arg("progress").none(),
             nb::sig("def infer(files: list[str], options: dict[str, list[str]], inputs: "
                     "dict[str, str | bytes | Source], progress: typing.Callable[[dict[str, "
                     "typing.Any]], object] | None) -> tuple[str, str, str, str]"));
}

nb::str compare(const session::SessionProblem& problem,
                const nb::dict& options,
                const nb::dict& named,
                nb::object progress) {
  job::RunOptions run;
  job::CompareJob job = value_or_raise(
      job_on<job::CompareJob>(problem, given_options(options), inputs_of(named), run));
  job.json = true;
  auto done = wait_for<job::JobOutput>(
      run, std::move(progress), [&](const RunContext& context) { return run_job(job, context); });
  if (done.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return json_of(done.value.text);
}

// Text, or statements as JSON, that make the sums of a job where its records are.
nb::str sql(nb::handle path, nb::handle dialect, nb::handle plan, bool json) {
  job::SqlJob job;
  job.input = text_of(path);
  job.dialect = text_of(dialect);
  job.plan = text_of(plan);
  job.json = json;
  const std::string text = value_or_raise(run_job(job, RunContext{})).text;
  return json ? json_of(text) : str_of(text);
}

// Perturbation tables and SQL: what needs no problem.
void bind_texts(nb::module_& module) {
  module.def("sql",
             &sql,
             nb::arg("path"),
             nb::arg("dialect"),
             nb::arg("plan"),
             nb::arg("json"),
             nb::sig("def sql(path: str, dialect: str, plan: str, json: bool) -> str"));
  module.def(
      "ptable",
      [](nb::handle call, const nb::dict& options) {
        return json_of(value_or_raise(session::run_ptable(text_of(call), given_options(options))));
      },
      nb::arg("call"),
      nb::arg("options"),
      nb::sig("def ptable(call: str, options: dict[str, list[str]]) -> str"));
}

}  // namespace

void bind_reports(nb::module_& module) {
  bind_texts(module);
  bind_explanations(module);
  bind_inference(module);
  module.def(
      "report",
      [](const session::SessionProblem& problem,
         nb::handle result,
         nb::handle path,
         const nb::dict& options,
         const nb::dict& inputs,
         nb::object progress) {
        return report(
            problem, text_of(result), text_of(path), options, inputs, std::move(progress));
      },
      nb::arg("problem"),
      nb::arg("result"),
      nb::arg("path"),
      nb::arg("options"),
      nb::arg("inputs"),
      nb::arg("progress").none(),
      nb::sig("def report(problem: Problem, result: str, path: str, "
              "options: dict[str, list[str]], inputs: dict[str, str | bytes | Source], progress: "
              "typing.Callable[[dict[str, typing.Any]], object] | None) -> tuple[str, str]"));
  module.def(
      "report_release",
      [](const session::SessionRelease& release,
         nb::handle path,
         const nb::dict& options,
         nb::object progress) {
        return report_release(release, text_of(path), options, std::move(progress));
      },
      nb::arg("release"),
      nb::arg("path"),
      nb::arg("options"),
      nb::arg("progress").none(),
      nb::sig("def report_release(release: Release, path: str, "
              "options: dict[str, list[str]], "
              "progress: typing.Callable[[dict[str, typing.Any]], object] | None) "
              "-> tuple[str, str]"));
  module.def("compare",
             &compare,
             nb::arg("problem"),
             nb::arg("options"),
             nb::arg("inputs"),
             nb::arg("progress").none(),
             nb::sig("def compare(problem: Problem, options: dict[str, list[str]], inputs: "
                     "dict[str, str | bytes | Source], progress: typing.Callable[[dict[str, "
                     "typing.Any]], object] | None) -> str"));
  module.def(
      "show",
      [](const session::SessionProblem& problem, nb::handle result, const nb::dict& inputs) {
        return str_of(value_or_raise(show(problem, text_of(result), inputs_of(inputs))));
      },
      nb::arg("problem"),
      nb::arg("result"),
      nb::arg("inputs"),
      nb::sig("def show(problem: Problem, result: str, inputs: dict[str, str | bytes | Source]) -> "
              "str"));
}

}  // namespace lacuna::python
