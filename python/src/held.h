// SPDX-License-Identifier: Apache-2.0
// What objects of Python hold. All are made once and never change, so that any thread may read
// them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "columns/output_table.h"
#include "frames.h"
#include "job/jobs.h"
#include "job/load.h"
#include "job/made.h"
#include "options.h"

namespace lacuna::python {

struct HeldProblem {
  std::shared_ptr<const LoadedProblem> loaded;
  std::string path;  // of its file, or a name in memory: what results and titles are made of
  std::vector<std::string> notes;
  std::vector<JobOption> settings;           // [options] of its job
  std::shared_ptr<const OutputTable> facts;  // of a tabulation: counts and shares; else null
  // The inputs of a job on this problem, which it knows by its path.
  Inputs inputs() const;
};

struct HeldAudit {
  MadeAudit made;
  std::vector<std::string> notes;
};

struct HeldRelease {
  HeldProblem problem;  // as it was read
  ProtectJob job;       // with all options, and texts that they name
  GivenOptions given;   // as they were given, to be pickled
  MadeRelease made;     // with a release
  std::vector<std::string> notes;
  bool interrupted = false;

  const PassedRun& run() const { return *made.judgement.judged; }
  std::string result_text() const;  // the office's JSON
  std::string certificate_text() const;
};

// A job on a problem: options as given and as the problem's own job has them, and what the call
// holds in memory.
template <class Job>
Job job_on(const HeldProblem& problem,
           const nb::dict& options,
           const nb::dict& named,
           RunOptions& run) {
  Job job;
  ok_or_raise(set_options(job, run, given_options(options), problem.settings));
  job.input = problem.path;
  job.inputs = problem.inputs();
  job.inputs.texts = inputs_of(named).texts;
  return job;
}

void bind_problem(nb::module_& module);
void bind_release(nb::module_& module);
void bind_audit(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_argus(nb::module_& module);

nb::list list_of(const std::vector<std::string>& texts);
std::vector<std::string> texts_of(nb::handle list);

// For pickle.
nb::tuple state_of(const HeldProblem& problem);
HeldProblem problem_of(nb::handle state);

}  // namespace lacuna::python
