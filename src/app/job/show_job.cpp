// SPDX-License-Identifier: Apache-2.0
// Show: a small table, or the release in a result, as text. Nothing is said about its safety.
#include <fmt/core.h>

#include <array>

#include "app/job/jobs.h"
#include "app/load/load.h"
#include "app/load/provenance.h"
#include "lacuna/report.h"

namespace lacuna::job {

Result<JobOutput> run_job(const ShowJob& job, const RunContext& run) {
  const bool is_result = !job.input.empty() || load::is_result_file(job.path, job.inputs);
  std::string path = job.path;
  if (is_result) {
    LACUNA_TRY(path, load::table_of_result(job.path, job.input, job.inputs));
  }
  LACUNA_TRY(load::LoadedProblem loaded, load::load_tables(path, run, job.inputs));
  Problem problem = std::move(loaded.problem).take();
  Draft draft;
  if (is_result) {
    LACUNA_TRY(draft, load::load_release(job.path, problem, {}, {}, job.inputs));
  }
  TextGridOptions options;
  options.color = job.colors();
  options.sensitive = !is_result;
  options.tables = std::move(loaded.tables);
  auto text = text_grid(problem.table(), draft, options);
  if (!text) {
    Error error = text.error();
    error.where = job.path;
    return error;
  }
  std::string legend = problem.requirements().empty() ? "no cell is marked as sensitive\n"
                                                      : "* sensitive; confidential\n";
  if (is_result)
    legend =
        "\u00d7 withheld, [ ] interval, \u2248 rounded, ~ altered; as published, not audited "
        "here\n";
  return JobOutput{ExitCode::kDone, *text + legend};
}

std::span<const std::string_view> enum_names(ColorChoice) {
  static constexpr std::array<std::string_view, 3> kNames{"auto", "always", "never"};
  return kNames;
}

}  // namespace lacuna::job
