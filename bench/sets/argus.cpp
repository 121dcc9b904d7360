// SPDX-License-Identifier: Apache-2.0
// lacuna bench argus --instances FOLDER: the jobs of tau-ARGUS (.arb) in the folder, each protected
// as `lacuna argus` does it, beside what tau-ARGUS itself was recorded with.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/argus_run/argus_convert.h"
#include "bench/sets/output.h"
#include "bench/sets/papers.h"
#include "bench/sets/sets.h"
#include "core/base/decimal.h"

namespace lacuna::bench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> argus_jobs(const std::string& folder) {
  std::vector<fs::path> jobs;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && argus_run::is_argus_name(entry.path().string()))
      jobs.push_back(entry.path());
  }
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

std::string recorded(const std::vector<ArgusRow>& known,
                     const BenchRow& row,
                     std::string (*text)(const ArgusRow& row)) {
  for (const ArgusRow& each : known) {
    if (each.job == row.instance)
      return text(each);
  }
  return "";
}

std::string jobs_table(std::span<const BenchRow> rows, const std::vector<ArgusRow>& known) {
  const auto theirs = [&known](std::string head, std::string (*text)(const ArgusRow& row)) {
    return RowColumn{std::move(head),
                     [&known, text](const BenchRow& row) { return recorded(known, row, text); }};
  };
  return rows_table(
      rows,
      {text_column("job", &BenchRow::instance),
       count_column("cells", &BenchRow::cells),
       count_column("sensitive", &BenchRow::primary),
       text_column("method", &BenchRow::method),
       text_column("status", &BenchRow::status),
       text_column("verdict", &BenchRow::verdict),
       {"cost", [](const BenchRow& row) { return base::format_double(row.objective); }},
       {"gap, %", [](const BenchRow& row) { return fmt::format("{:.2f}", row.gap() * 100); }},
       count_column("secondary", &BenchRow::secondary),
       number_column("seconds", &BenchRow::seconds, "{:.2f}"),
       theirs("recorded cost", [](const ArgusRow& row) { return base::format_double(row.cost); }),
       theirs("recorded secondary",
              [](const ArgusRow& row) { return std::to_string(row.secondary); })});
}

}  // namespace

Result<std::string> bench_argus(BenchRecorder& recorder) {
  const std::string& folder = recorder.job().instances;
  if (folder.empty() || !fs::is_directory(folder))
    return Error{ErrorCode::kOptionMissing, "name the folder of the jobs", "--instances"};
  LACUNA_TRY(const std::vector<ArgusRow> known, read_argus(paper_text("argus")));
  for (const fs::path& path : argus_jobs(folder)) {
    if (recorder.stopped())
      break;
    const std::string name = (path.parent_path().filename() / path.filename()).generic_string();
    const auto plan = argus_run::plan_of(path.string(), {});
    if (!plan || !plan->protects) {
      recorder.note(name + ": " + (plan ? "protects nothing" : plan.error().text()));
      continue;
    }
    BenchCase run;
    run.instance = name;
    run.method = to_string(plan->options.method);
    run.protect = plan->options;
    run.load = [&]() -> Result<Problem> { return plan->problem.problem; };
    recorder.run(run);
  }
  return jobs_table(recorder.rows(), known);
}

}  // namespace lacuna::bench
