// SPDX-License-Identifier: Apache-2.0
// lacuna bench thesis: Tables B.1 to B.5 of the thesis with our numbers beside the printed ones,
// and a table of what we prove. The thesis does not print its data: ours are generated with the
// printed numbers of cells, sensitive cells and equations (docs/generate.md), so counts and widths
// compare the variants with each other, not with theirs. As there, complete suppression has upper
// and lower levels, and intervals sliding levels of twice the size. The combined method stops at a
// gap of 1%.
#include <fmt/core.h>

#include <array>

#include "app/generate/generate.h"
#include "bench/sets/output.h"
#include "bench/sets/papers.h"
#include "bench/sets/sets.h"

namespace lacuna::bench {
namespace {

constexpr std::array kHeadings{"B.1: number of suppressions",
                               "B.2: sum of the widths of suppression intervals, divided by 10^7",
                               "B.3: CPU time in seconds",
                               "B.4: wall time in seconds",
                               "B.5: number of constraints generated"};
constexpr double kCombinedGap = 0.01;
constexpr Method kMethods[] = {
    Method::kSuppress, Method::kInterval, Method::kCombined};  // two variants each

using Rows = std::vector<std::vector<BenchRow>>;  // by variant and instance

BenchCase case_of(std::size_t variant, const std::string& instance, std::uint64_t seed) {
  BenchCase run;
  run.instance = instance;
  run.protect.method = kMethods[variant / 2];
  run.method = to_string(run.protect.method);
  run.options = variant % 2 == 1 ? "values" : "unity";
  run.protect.gap = variant >= 4 ? kCombinedGap : 0;
  run.exact_widths = variant < 2;  // widths of blanks are what can be inferred
  run.load = [variant, instance, seed] {
    generation::GenerateOptions options;
    options.kind = generation::GenerateKind::kThesis;
    options.preset = instance;
    options.seed = seed;
    options.sliding_only = variant >= 2;
    options.weight =
        variant % 2 == 1 ? generation::GenerateWeight::kValue : generation::GenerateWeight::kUnity;
    return generation::generate(options);
  };
  return run;
}

std::string number(std::size_t table, const BenchRow& ours) {
  if (!ours.has_result())
    return "none";
  constexpr double kTenMillion = 10'000'000;  // the unit of the thesis
  switch (table) {
    case 0:
      return fmt::format("{:.0f}", ours.detail("hidden"));
    case 1:
      return fmt::format("{:.7f}", ours.detail("width") / kTenMillion);
    case 2:
      return fmt::format("{:.2f}", ours.detail("method_cpu"));
    case 3:
      return fmt::format("{:.2f}", ours.seconds);
    default:
      return fmt::format("{:.0f}", ours.detail("cuts"));
  }
}

std::string table_text(std::size_t t, const ThesisPaper& paper, const Rows& ours) {
  std::vector<std::string> head{"variant"};
  for (const std::string& instance : paper.instances) {
    head.push_back(fmt::format("{} theirs", instance));
    head.push_back(fmt::format("{} ours", instance));
  }
  std::vector<std::vector<std::string>> lines;
  for (std::size_t v = 0; v < ours.size(); ++v) {
    std::vector<std::string> line{paper.variants[v]};
    for (std::size_t i = 0; i < ours[v].size(); ++i) {
      line.push_back(paper.tables[t][v][i]);
      line.push_back(number(t, ours[v][i]));
    }
    lines.push_back(std::move(line));
  }
  return fmt::format("## {}\n\n{}\n", kHeadings[t], markdown_table(head, lines));
}

std::string proofs(const ThesisPaper& paper, const Rows& ours) {
  std::vector<std::string> head{"variant"};
  head.insert(head.end(), paper.instances.begin(), paper.instances.end());
  std::vector<std::vector<std::string>> lines;
  for (std::size_t v = 0; v < ours.size(); ++v) {
    std::vector<std::string> line{paper.variants[v]};
    for (const BenchRow& row : ours[v])
      line.push_back(fmt::format("{} gap {:.3f}% {}", row.status, row.gap() * 100, row.verdict));
    lines.push_back(std::move(line));
  }
  return fmt::format(
      "## What ours prove: status, gap, verdict of the audit\n\n{}\n"
      "The combined method was asked for a gap of {:g}%.\n",
      markdown_table(head, lines),
      100 * kCombinedGap);
}

}  // namespace

Result<std::string> bench_thesis(BenchRecorder& recorder) {
  LACUNA_TRY(const ThesisPaper paper, read_thesis(paper_text("thesis")));
  Rows ours;
  for (std::size_t v = 0; v < paper.variants.size(); ++v) {
    ours.emplace_back();
    for (const std::string& instance : paper.instances) {
      if (recorder.stopped())
        break;
      ours[v].push_back(recorder.run(case_of(v, instance, recorder.context().seed)));
    }
  }
  std::string text;
  for (std::size_t t = 0; t < kHeadings.size(); ++t) {
    if (recorder.wants_table(static_cast<std::int32_t>(t) + 1))
      text += table_text(t, paper, ours);
  }
  return text + proofs(paper, ours);
}

}  // namespace lacuna::bench
