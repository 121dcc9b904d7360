// SPDX-License-Identifier: Apache-2.0
// lacuna bench quick: every method on a small table of every shape; minutes at most, for continuous
// integration.
#include <fmt/core.h>

#include "bench/sets/output.h"
#include "bench/sets/sets.h"
#include "job/base_choice.h"
#include "lacuna/generate.h"

namespace lacuna::inline bench {
namespace {

struct Shape {
  const char* name;
  GenerateOptions options;
};

std::vector<Shape> shapes(std::uint64_t seed) {
  GenerateOptions common;
  common.seed = seed;
  common.weight = GenerateWeight::kValue;
  std::vector<Shape> all;
  GenerateOptions flat = common;
  flat.sizes = {8, 6};
  all.push_back({"flat 8x6", flat});
  GenerateOptions cube = common;
  cube.sizes = {4, 4, 3};
  cube.sensitive_percent = 5;
  all.push_back({"flat 4x4x3", cube});
  GenerateOptions trees = common;
  trees.kind = GenerateKind::kHierarchical;
  trees.sensitive_percent = 5;
  all.push_back({"hierarchical", trees});
  GenerateOptions one = common;
  one.kind = GenerateKind::kOneHierarchy;
  one.rows = 4;
  one.columns = 8;
  one.tree_depth = 3;
  one.sensitive_percent = 5;
  all.push_back({"1h2d", one});
  GenerateOptions linked = common;
  linked.kind = GenerateKind::kLinked;
  linked.sensitive_percent = 4;
  all.push_back({"linked", linked});
  return all;
}

}  // namespace

Result<std::string> bench_quick(BenchRecorder& recorder) {
  std::vector<std::vector<std::string>> lines;
  for (const Shape& shape : shapes(recorder.context().seed)) {
    for (const char* method : {"suppress", "interval", "combined", "round", "adjust"}) {
      if (!find_method(method) || recorder.stopped())
        continue;  // a program without that method
      BenchCase run;
      run.instance = shape.name;
      run.method = method;
      run.load = [&] { return generate(shape.options); };
      run.protect.method = method;
      if (std::string_view(method) == "round") {
        LACUNA_TRY(const Problem problem, generate(shape.options));
        run.protect.base = suggested_base(problem);
        run.options = "suggested base";
      }
      const BenchRow row = recorder.run(run);
      lines.push_back({row.instance,
                       std::to_string(row.cells),
                       std::to_string(row.primary),
                       method,
                       row.status,
                       row.verdict,
                       row.has_result() ? fmt::format("{:.6g}", row.objective) : "",
                       row.has_result() ? fmt::format("{:.2f}", row.gap() * 100) : "",
                       fmt::format("{:.3f}", row.seconds),
                       fmt::format("{:.0f}", row.peak_memory)});
    }
  }
  return markdown_table({"table",
                         "cells",
                         "sensitive",
                         "method",
                         "status",
                         "verdict",
                         "objective",
                         "gap, %",
                         "seconds",
                         "MiB"},
                        lines);
}

}  // namespace lacuna::inline bench
