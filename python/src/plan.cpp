// SPDX-License-Identifier: Apache-2.0
// The two ends of a plan (docs/release.md): units are made, and what they returned is proven and
// written. What lies between is for Python to send to whoever does it.
#include <nanobind/nanobind.h>

#include "app/plan/release_job.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

// What is printed, as JSON, and what is said of tables that are not released.
nb::tuple run_plan(const plan::ReleaseJob& job) {
  auto done = wait_for<job::JobOutput>(
      {}, nb::none(), [&](const RunContext& context) { return run_job(job, context); });
  if (done.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return nb::make_tuple(json_of(done.value.text), str_of(done.value.message));
}

}  // namespace

void bind_plan(nb::module_& module) {
  module.def(
      "plan",
      [](nb::handle path, bool prepare) {
        plan::ReleaseJob job;
        job.input = text_of(path);
        job.prepare = prepare;
        job.collect = !prepare;
        job.json = true;
        return run_plan(job);
      },
      nb::arg("path"),
      nb::arg("prepare"),
      nb::sig("def plan(path: str, prepare: bool) -> tuple[str, str]"));
}

}  // namespace lacuna::python
