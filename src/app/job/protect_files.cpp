// SPDX-License-Identifier: Apache-2.0
#include "app/job/protect_files.h"

#include <cmath>
#include <filesystem>

#include "app/load/cell_file.h"
#include "app/load/load.h"
#include "core/base/decimal.h"
#include "core/base/sha256.h"
#include "data/certificate/certificate.h"
#include "data/certificate/checkpoint.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/ptable_files/ptable_file.h"
#include "lacuna/version.h"

namespace lacuna::job {
namespace {

std::vector<CellId> cells_of(const Draft& draft) {
  std::vector<CellId> cells;
  for (const CellEntry& entry : draft.each())
    cells.push_back(entry.cell);
  return cells;
}

// What a run does besides the problem depends on; the number of threads is not among it.
std::string options_digest(const ProtectOptions& options, const RunContext& run) {
  const auto effort = static_cast<std::size_t>(options.effort);
  std::string text =
      std::string(version()) + '\n' + std::string(enum_names(options.effort)[effort]);
  for (const std::string& each : {std::to_string(run.work_end),
                                  std::to_string(run.seed),
                                  base::format_double(options.gap),
                                  std::to_string(options.suppress.max_withheld),
                                  base::format_double(options.suppress.minimum_width),
                                  options.engine})
    text += '\n' + each;
  for (const CellId cell : options.suppress.preferred.value_or(std::vector<CellId>()))
    text += ' ' + std::to_string(cell.value);
  return base::sha256_hex(text);
}

Status go_on_from(const std::string& path,
                  const certificate::Checkpoint& now,
                  const Problem& problem,
                  const RunContext& run,
                  ProtectOptions& options) {
  LACUNA_TRY(const std::string text, files::read_file(path));
  LACUNA_TRY(certificate::Checkpoint saved,
             certificate::read_checkpoint(text, path, problem.table().num_cells()));
  if (saved.problem_sha256 != now.problem_sha256) {
    return Error{ErrorCode::kOtherTable,
                 "the checkpoint is for another table, or for other weights or levels; remove it "
                 "to start afresh",
                 path};
  }
  options.suppress.start = std::move(saved.withheld);
  options.suppress.start_evidence = std::move(saved.evidence);
  if (saved.options_sha256 == now.options_sha256)
    options.suppress.start_stage = saved.stage;
  if (run.log)
    run.log("resumed from " + path);
  return ok_status();
}

// Goes on where an earlier run stopped, and saves from then on what the next one needs. Where the
// work is limited these are the ends of stages, so that the release is the same as without the
// stop; a run without a limit, or one that is being stopped, saves whatever it has. A file that
// cannot be written is an error before the work and a remark during it.
Status use_checkpoint(const Problem& problem,
                      const std::string& path,
                      const RunContext& run,
                      ProtectOptions& options) {
  certificate::Checkpoint now;
  now.problem_sha256 = certificate::problem_digest(problem);
  now.options_sha256 = options_digest(options, run);
  if (std::filesystem::exists(path))
    LACUNA_RETURN_IF_ERROR(go_on_from(path, now, problem, run, options));
  now.withheld = options.suppress.start;
  now.evidence = options.suppress.start_evidence;
  now.stage = options.suppress.start_stage;
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(path, certificate::write_checkpoint(now)));
  const bool limited = options.effort != Effort::kBest || run.work_end != kNoWorkLimit;
  options.suppress.on_pattern = [now, path, limited, run](const Draft& draft,
                                                          const std::vector<Displacement>& evidence,
                                                          const SuppressStage& stage) mutable {
    if (limited && stage.name == SuppressStage::Name::kUnderway && !run.braked())
      return;
    now.withheld = cells_of(draft);
    now.evidence = evidence;
    now.stage = stage;
    const auto written = files::write_file_atomically(path, certificate::write_checkpoint(now));
    if (!written && run.log)
      run.log(written.error().text());
  };
  return ok_status();
}

}  // namespace

Result<std::optional<load::KeyNeeds>> key_needs(const ProtectJob& job, const RunContext& run) {
  if (job.method != Method::kCellKey || job.ptable_file.empty())
    return std::optional<load::KeyNeeds>();
  LACUNA_TRY(std::string text, job.inputs.read(job.ptable_file));
  LACUNA_TRY(const Ptable table, ptable_files::read_ptable(std::move(text), job.ptable_file));
  return std::optional(load::KeyNeeds{table.own_modulus(), static_cast<std::uint64_t>(run.seed)});
}

Result<ProtectOptions> options_with_files(const ProtectJob& job,
                                          const Problem& problem,
                                          const RunContext& run) {
  ProtectOptions options = job;
  if (!job.cell_file.empty()) {
    LACUNA_TRY(std::string text, job.inputs.read(job.cell_file));
    LACUNA_TRY(text, files::columns_as_csv(std::move(text), job.cell_file));
    auto cells = load::read_cell_text(std::move(text), job.cell_file, problem.table());
    if (!cells)
      return job.inputs.placed(cells.error(), job.cell_file);
    options.cells = *std::move(cells);
  }
  for (const auto& [path, target] :
       {std::pair(&job.ptable_file, &options.cellkey.ptable),
        std::pair(&job.small_ptable_file, &options.cellkey.small_ptable)}) {
    if (path->empty())
      continue;
    LACUNA_TRY(std::string text, job.inputs.read(*path));
    LACUNA_TRY(Ptable table, ptable_files::read_ptable(std::move(text), *path));
    *target = std::make_shared<const Ptable>(std::move(table));
  }
  if (job.method != Method::kSuppress)
    return options;
  if (!job.prefer.empty()) {
    LACUNA_TRY(const Draft earlier,
               load::load_earlier(job.prefer, problem.table(), run, job.inputs));
    options.suppress.preferred = cells_of(earlier);
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
    text += base::format_double(point.seconds) + "," + std::to_string(point.work) + ",";
    text += (std::isfinite(point.incumbent) ? base::format_double(point.incumbent) : "inf") + ",";
    text += base::format_double(point.bound) + "\n";
  }
  return files::write_file_atomically(path, text);
}

}  // namespace lacuna::job
