// SPDX-License-Identifier: Apache-2.0
// Pages, comparisons and grids: jobs whose result is a text; and the options of all jobs.
#include "app/inference/infer_job.h"
#include "app/inference/output.h"
#include "app/session/ptables.h"
#include "app/session/session.h"
#include "entries.h"
#include "frames.h"
#include "waiting.h"

namespace lacuna::r {
namespace {

cpp11::sexp page_of(const job::ReportJob& job, const job::RunOptions& run, SEXP progress) {
  auto done = wait_for<job::ReportOutcome>(run, progress, [&](const RunContext& context) {
    return session::write_report(job, context);
  });
  if (done.interrupted)
    refuse_interrupted();
  return NamedList()
      .text("verdict", to_string(done.value.audit.verdict))
      .text("html", std::string_view(done.value.html))
      .list();
}

cpp11::sexp option_entry(const OptionInfo& option) {
  return NamedList()
      .text("name", std::string_view(option.name))
      .text("help", std::string_view(option.help))
      .text("unit", std::string_view(option.unit))
      .text("absent", std::string_view(option.absent))
      .text("type", std::string_view(option.type))
      .text("default", std::string_view(option.default_text))
      .text("range", std::string_view(option.range))
      .text("shown_as", std::string_view(option.shown_as))
      .truth("is_argument", option.place != FieldPlace::kOption)
      .add("choices", sexp_of(option.choices))
      .add("methods", sexp_of(option.methods))
      .list();
}

cpp11::sexp explanation_of(job::ExplainJob job,
                           SEXP cells,
                           const job::RunOptions& run,
                           SEXP progress) {
  job.cells = texts_of(cells);
  auto done = wait_for<job::ExplainOutcome>(
      run, progress, [&](const RunContext& context) { return job::run_explain(job, context); });
  if (done.interrupted)
    refuse_interrupted();
  return NamedList()
      .text("text", std::string_view(done.value.text()))
      .add("told", from_json(done.value.json()))
      .list();
}

}  // namespace

SEXP explain_entry(SEXP pointer, SEXP result, SEXP cells, SEXP options, SEXP named, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    job::ExplainJob job = value_or_refuse(job_on<job::ExplainJob>(
        held<session::SessionProblem>(pointer), given_options(options), files_of(named), run));
    job.result = text_of(result);
    return explanation_of(std::move(job), cells, run, progress);
  });
}

SEXP explain_release_entry(SEXP pointer, SEXP cells, SEXP options, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    job::ExplainJob job = value_or_refuse(
        explain_job(held<session::SessionRelease>(pointer), given_options(options), run));
    return explanation_of(std::move(job), cells, run, progress);
  });
}

SEXP report_entry(SEXP pointer, SEXP result, SEXP path, SEXP options, SEXP named, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    job::ReportJob job = value_or_refuse(job_on<job::ReportJob>(
        held<session::SessionProblem>(pointer), given_options(options), files_of(named), run));
    job.result = text_of(result);
    job.output = text_of(path);
    return page_of(job, run, progress);
  });
}

SEXP report_release_entry(SEXP pointer, SEXP path, SEXP options, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    const job::ReportJob job = value_or_refuse(report_job(
        held<session::SessionRelease>(pointer), text_of(path), given_options(options), run));
    return page_of(job, run, progress);
  });
}

// Of published tables that are named by files or among what is held.
SEXP infer_entry(SEXP files, SEXP options, SEXP named, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    inference::InferJob job;
    ok_or_refuse(session::set_options(job, run, given_options(options), {}));
    job.files = texts_of(files);
    job.inputs.texts = files_of(named).texts;
    auto done = wait_for<inference::Inference>(
        run, progress, [&](const RunContext& context) { return run_infer(job, context); });
    if (done.interrupted)
      refuse_interrupted();
    const auto most = static_cast<std::size_t>(job.most);
    return NamedList()
        .text("text", std::string_view(inference_text(done.value, most, job.proofs)))
        .add("told", from_json(inference_json(done.value)))
        .text("page", std::string_view(inference_page(done.value)))
        .text("certificate", std::string_view(inference_certificate(done.value)))
        .list();
  });
}

SEXP compare_entry(SEXP pointer, SEXP options, SEXP named, SEXP progress) {
  return entry([&]() -> SEXP {
    job::RunOptions run;
    job::CompareJob job = value_or_refuse(job_on<job::CompareJob>(
        held<session::SessionProblem>(pointer), given_options(options), files_of(named), run));
    job.json = true;
    auto done = wait_for<job::JobOutput>(
        run, progress, [&](const RunContext& context) { return run_job(job, context); });
    if (done.interrupted)
      refuse_interrupted();
    return from_json(done.value.text);
  });
}

SEXP show_entry(SEXP pointer, SEXP result, SEXP named) {
  return entry([&]() -> SEXP {
    return sexp_of(value_or_refuse(
        show(held<session::SessionProblem>(pointer), text_of(result), files_of(named))));
  });
}

SEXP ptable_entry(SEXP call, SEXP options) {
  return entry([&]() -> SEXP {
    return from_json(value_or_refuse(run_ptable(text_of(call), given_options(options))));
  });
}

SEXP describe_entry(SEXP command) {
  return entry([&]() -> SEXP {
    cpp11::writable::list list;
    for (const OptionInfo& option : value_or_refuse(session::options_of(text_of(command))))
      list.push_back(option_entry(option));
    return list;
  });
}

}  // namespace lacuna::r
