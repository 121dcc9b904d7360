// SPDX-License-Identifier: Apache-2.0
#include "job/protect_files.h"

#include <cmath>
#include <filesystem>

#include "base/decimal.h"
#include "io/certificate.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/pattern.h"
#include "job/cell_file.h"

namespace lacuna::inline job {
namespace {

std::vector<CellId> cells_of(const Draft& draft) {
  std::vector<CellId> cells;
  for (const CellEntry& entry : draft.entries())
    cells.push_back(entry.cell);
  return cells;
}

// Goes on where an earlier run stopped, and saves from then on what the next one needs. A file that
// cannot be written is an error before the work and a remark during it.
Status use_checkpoint(const Problem& problem,
                      const std::string& path,
                      const RunContext& run,
                      ProtectOptions& options) {
  Checkpoint saved;
  const std::string digest = problem_digest(problem);
  if (std::filesystem::exists(path)) {
    LACUNA_TRY(const std::string text, read_file(path));
    LACUNA_TRY(saved, read_checkpoint(text, path, problem.table.num_cells()));
    if (saved.problem_sha256 != digest) {
      return Error{ErrorCode::kBadInput,
                   "the checkpoint is for another table, or for other weights or levels; remove it "
                   "to start afresh",
                   path};
    }
    options.start = saved.withheld;
    options.start_evidence = saved.evidence;
    if (run.log)
      run.log("resumed from " + path);
  }
  saved.problem_sha256 = digest;
  LACUNA_RETURN_IF_ERROR(write_file_atomically(path, write_checkpoint(saved)));
  options.on_pattern = [digest, path, log = run.log](const Draft& draft,
                                                     const std::vector<Displacement>& evidence) {
    const auto written =
        write_file_atomically(path, write_checkpoint({digest, cells_of(draft), evidence}));
    if (!written && log)
      log(written.error().text());
  };
  return ok_status();
}

}  // namespace

Result<ProtectOptions> options_with_files(const ProtectJob& job,
                                          const Problem& problem,
                                          const RunContext& run) {
  ProtectOptions options = job;
  if (!job.cell_file.empty()) {
    LACUNA_TRY(options.cells, read_cell_file(job.cell_file, problem.table));
  }
  if (job.method != Method::kSuppress)
    return options;
  if (!job.prefer.empty()) {
    LACUNA_TRY(const std::string text, read_file(job.prefer));
    LACUNA_TRY(const Draft earlier, read_pattern(text, job.prefer, problem.table));
    options.preferred = cells_of(earlier);
  }
  if (!job.checkpoint.empty()) {
    // The weights count: a pattern that was cheap may not be so any more.
    LACUNA_TRY(const Problem weighed, weigh(problem, weight_formula(job)));
    LACUNA_RETURN_IF_ERROR(use_checkpoint(weighed, job.checkpoint, run, options));
  }
  return options;
}

Status write_trace(const std::vector<TracePoint>& trace, const std::string& path) {
  if (path.empty())
    return ok_status();
  std::string text = "seconds,work,incumbent,bound\n";
  for (const TracePoint& point : trace) {
    text += format_double(point.seconds) + "," + std::to_string(point.work) + ",";
    text += (std::isfinite(point.incumbent) ? format_double(point.incumbent) : "inf") + ",";
    text += format_double(point.bound) + "\n";
  }
  return write_file_atomically(path, text);
}

}  // namespace lacuna::inline job
