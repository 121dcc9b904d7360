// SPDX-License-Identifier: Apache-2.0
// lacuna bench quick: every method on a small table of every shape; minutes at most, for continuous
// integration.
#include <fmt/core.h>

#include "app/generate/generate.h"
#include "app/job/base_choice.h"
#include "bench/sets/output.h"
#include "bench/sets/sets.h"

namespace lacuna::bench {
namespace {

struct Shape {
  const char* name;
  generation::GenerateOptions options;
};

std::vector<Shape> shapes(std::uint64_t seed) {
  generation::GenerateOptions common;
  common.seed = seed;
  common.weight = generation::GenerateWeight::kValue;
  std::vector<Shape> all;
  generation::GenerateOptions flat = common;
  flat.sizes = {8, 6};
  all.push_back({"flat 8x6", flat});
  generation::GenerateOptions cube = common;
  cube.sizes = {4, 4, 3};
  cube.sensitive_percent = 5;
  all.push_back({"flat 4x4x3", cube});
  generation::GenerateOptions trees = common;
  trees.kind = generation::GenerateKind::kHierarchical;
  trees.sensitive_percent = 5;
  all.push_back({"hierarchical", trees});
  generation::GenerateOptions one = common;
  one.kind = generation::GenerateKind::kOneHierarchy;
  one.rows = 4;
  one.columns = 8;
  one.tree_depth = 3;
  one.sensitive_percent = 5;
  all.push_back({"1h2d", one});
  generation::GenerateOptions linked = common;
  linked.kind = generation::GenerateKind::kLinked;
  linked.sensitive_percent = 4;
  all.push_back({"linked", linked});
  return all;
}

std::string table_of(std::span<const BenchRow> rows) {
  return rows_table(rows,
                    {text_column("table", &BenchRow::instance),
                     count_column("cells", &BenchRow::cells),
                     count_column("sensitive", &BenchRow::primary),
                     text_column("method", &BenchRow::method),
                     text_column("status", &BenchRow::status),
                     text_column("verdict", &BenchRow::verdict),
                     {"objective",
                      [](const BenchRow& row) {
                        return row.has_result() ? fmt::format("{:.6g}", row.objective) : "";
                      }},
                     {"gap, %",
                      [](const BenchRow& row) {
                        return row.has_result() ? fmt::format("{:.2f}", row.gap() * 100) : "";
                      }},
                     number_column("seconds", &BenchRow::seconds, "{:.3f}"),
                     number_column("MiB", &BenchRow::peak_memory, "{:.0f}")});
}

}  // namespace

Result<std::string> bench_quick(BenchRecorder& recorder) {
  std::vector<BenchRow> rows;  // without those of peers
  for (const Shape& shape : shapes(recorder.context().seed)) {
    for (const Method method : {Method::kSuppress,
                                Method::kInterval,
                                Method::kCombined,
                                Method::kRound,
                                Method::kAdjust}) {
      if (recorder.stopped())
        break;
      BenchCase run;
      run.instance = shape.name;
      run.method = to_string(method);
      run.load = [&] { return generation::generate(shape.options); };
      run.protect.method = method;
      if (method == Method::kRound) {
        LACUNA_TRY(const Problem problem, generation::generate(shape.options));
        run.protect.round.base = run.protect.small_counts.base = job::suggested_base(problem);
        run.options = "suggested base";
      }
      rows.push_back(recorder.run(run));
    }
  }
  return table_of(rows);
}

}  // namespace lacuna::bench
