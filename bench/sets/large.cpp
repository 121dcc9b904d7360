// SPDX-License-Identifier: Apache-2.0
// lacuna bench large: complete suppression, effort fast, on generated tables of ten thousand to a
// million cells (a region tree crossed with an activity tree of about 100 codes), and on the
// instances of a folder that have at least kLarge cells. Tables 1 to 5 (--tables) are the generated
// ones; with t_i the seconds and n_i the cells of those, growth is the slope of the line
// log t = a + b log n that fits best.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "app/generate/generate.h"
#include "app/load/load.h"
#include "bench/sets/output.h"
#include "bench/sets/process.h"
#include "bench/sets/sets.h"
#include "data/files/file.h"

namespace lacuna::bench {
namespace {

constexpr std::int64_t kLarge = 20'000;

struct Size {
  const char* name;
  std::int32_t depth;  // of the region tree
  std::int32_t fan;    // children of a region
};
constexpr std::array<Size, 5> kSizes{{{"generated 10k", 2, 10},
                                      {"generated 30k", 3, 6},
                                      {"generated 100k", 3, 10},
                                      {"generated 300k", 4, 7},
                                      {"generated 1M", 4, 10}}};

Result<Problem> make(const Size& size, std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.seed = seed;
  options.depths = {size.depth, 2};
  options.fan_least = options.fan_most = {size.fan, 9};
  options.weight = generation::GenerateWeight::kValue;
  options.skew = 6;
  options.sensitive_percent = 5;
  return generation::generate(options);
}

// The number of cells of a JJ file is its second line. Read in a child, so that the text does not
// stay in the memory that later runs start from.
std::int64_t cells_of(const std::string& path) {
  const ChildResult child = run_apart(
      [&] {
        const auto text = files::read_file(path);
        if (!text)
          return std::string("0");
        const std::size_t line = text->find('\n') + 1;
        return text->substr(line, text->find('\n', line) - line);
      },
      {});
  return std::atoll(child.output.c_str());
}

std::string table_of(std::span<const BenchRow> rows) {
  return rows_table(
      rows,
      {text_column("table", &BenchRow::instance),
       count_column("cells", &BenchRow::cells),
       count_column("sensitive", &BenchRow::primary),
       text_column("method", &BenchRow::method),
       count_column("secondary", &BenchRow::secondary),
       number_column("cost", &BenchRow::objective, "{:.6g}"),
       {"gap",
        [](const BenchRow& row) {
          return row.has_result() ? fmt::format("{:.1f}%", 100 * row.gap()) : "";
        }},
       number_column("seconds", &BenchRow::seconds, "{:.1f}"),
       {"audit, s",
        [](const BenchRow& row) { return fmt::format("{:.1f}", row.detail("audit_seconds")); }},
       number_column("MiB", &BenchRow::peak_memory, "{:.0f}"),
       text_column("status", &BenchRow::status),
       text_column("verdict", &BenchRow::verdict)});
}

// Seconds of method and audit.
double time_of(const BenchRow& row) {
  return row.seconds + row.detail("audit_seconds");
}

// A sentence on growth; empty with fewer than two tables.
std::string growth_of(std::span<const BenchRow> rows) {
  double count = 0, sum_n = 0, sum_t = 0, sum_nn = 0, sum_nt = 0;
  for (const BenchRow& row : rows) {
    if (row.instance.rfind("generated", 0) != 0 || row.method != "suppress" || !row.has_result())
      continue;
    const double n = std::log(static_cast<double>(row.cells));
    const double t = std::log(time_of(row));
    count += 1;
    sum_n += n;
    sum_t += t;
    sum_nn += n * n;
    sum_nt += n * t;
  }
  const double spread = count * sum_nn - sum_n * sum_n;
  if (count < 2 || !(spread > 0))
    return "";
  return fmt::format(
      "\nTime of method and audit grows with the cells of the generated tables as n^{:.2f}.\n",
      (count * sum_nt - sum_n * sum_t) / spread);
}

}  // namespace

Result<std::string> bench_large(BenchRecorder& recorder) {
  BenchCase run;
  run.method = "suppress";
  run.protect.method = Method::kSuppress;
  run.options = "fast";
  run.protect.effort = Effort::kFast;
  for (std::size_t s = 0; s < kSizes.size() && !recorder.stopped(); ++s) {
    if (!recorder.wants_table(static_cast<std::int32_t>(s) + 1))
      continue;
    run.instance = kSizes[s].name;
    run.load = [&] { return make(kSizes[s], recorder.context().seed); };
    recorder.run(run);
  }
  for (const std::string& path : all_instances(recorder.job().instances)) {
    if (recorder.stopped() || recorder.job().instances.empty())
      break;
    if (cells_of(path) < kLarge)
      continue;
    run.instance = instance_name(path);
    run.load = [&] { return load_problem(path, {}); };
    recorder.run(run);
  }
  return table_of(recorder.rows()) + growth_of(recorder.rows());
}

}  // namespace lacuna::bench
