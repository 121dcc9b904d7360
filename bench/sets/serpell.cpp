// SPDX-License-Identifier: Apache-2.0
// lacuna bench serpell: the comparison of Serpell, Clark, Smith and Staggemeier on generated tables
// of the sizes of their Table 3: the classical model (all attacker tables as variables), the model
// reduced to the initially exposed primaries, and our branch and cut. The reduced model is not
// sound; the verdict of the audit is part of every row.
//
// Variables and constraints are counted as the paper counts them: with n cells, m equations, |P|
// primaries and |I| that have attacker tables, n (1 + 2 |I|) variables and |I| (2 m + 4 n + 3) +
// |P| constraints (their Table 4 follows these formulas).
#include <fmt/core.h>

#include "app/generate/generate.h"
#include "bench/sets/output.h"
#include "bench/sets/papers.h"
#include "bench/sets/sets.h"
#include "protect/methods/methods.h"
#include "protect/suppress/compact_model.h"

namespace lacuna::bench {
namespace {

Result<Problem> make(const SerpellRow& size, std::uint64_t seed) {
  generation::GenerateOptions options;
  options.sizes = {size.rows, size.columns};
  options.seed = seed;
  options.zero_percent = 100 * size.zeros / (size.rows * size.columns);
  options.sensitive_count = size.primaries;
  options.typical_value = 50;
  options.skew = 0;
  options.upper_percent = 10;
  options.above_percent = -1;  // their attacker knows only that cells are not negative
  options.weight = generation::GenerateWeight::kValue;
  return generation::generate(options);
}

Solve compact(bool only_exposed) {
  return [only_exposed](const std::shared_ptr<const Problem>& problem,
                        const RunContext& run) -> Result<ProtectResult> {
    suppression::CompactOptions options;
    options.only_exposed = only_exposed;
    LACUNA_TRY(const suppression::CompactResult result,
               suppression::suppress_by_compact_model(problem, {}, options, run));
    ProtectResult outcome = methods::outcome_of(result.found);
    outcome.complete = result.has_pattern;  // the audit says what it is worth
    const double n = problem->table().num_cells();
    const double m = problem->table().num_equations();
    const auto tables = static_cast<double>(result.requirements);
    const auto primaries = static_cast<double>(problem->requirements().size());
    outcome.details = {{"tables", tables},
                       {"variables", n * (1 + 2 * tables)},
                       {"constraints", tables * (2 * m + 4 * n + 3) + primaries}};
    return outcome;
  };
}

std::string cost_of(const BenchRow& row) {
  std::string text = fmt::format("{:.0f}", row.objective);
  if (row.status != "optimal")
    text += " (" + row.status + ")";
  return row.verdict == "protected" ? text : text + " **" + row.verdict + "**";
}

std::string less(double classical, double reduced) {
  return classical > 0 ? fmt::format("{:.0f}", 100 * (classical - reduced) / classical) : "";
}

std::string sizes(double variables, double constraints, double seconds) {
  return fmt::format("{:.0f} / {:.0f} / {:.2f}", variables, constraints, seconds);
}

std::string improvement(double variables,
                        double constraints,
                        double seconds,
                        double fewer_variables,
                        double fewer_constraints,
                        double less_seconds) {
  return less(variables, fewer_variables) + " / " + less(constraints, fewer_constraints) + " / " +
         less(seconds, less_seconds);
}

std::vector<std::string> line_of(std::size_t number,
                                 const SerpellRow& paper,
                                 const BenchRow& classical,
                                 const BenchRow& reduced,
                                 const BenchRow& ours) {
  const double cv = classical.detail("variables"), cc = classical.detail("constraints");
  const double rv = reduced.detail("variables"), rc = reduced.detail("constraints");
  return {std::to_string(number),
          std::to_string(ours.cells),
          std::to_string(ours.primary),
          fmt::format("{} / {:.0f}", paper.exposed, reduced.detail("tables")),
          sizes(paper.classical_variables, paper.classical_constraints, paper.classical_seconds),
          sizes(cv, cc, classical.seconds),
          cost_of(classical),
          sizes(paper.modified_variables, paper.modified_constraints, paper.modified_seconds),
          sizes(rv, rc, reduced.seconds),
          cost_of(reduced),
          improvement(paper.classical_variables,
                      paper.classical_constraints,
                      paper.classical_seconds,
                      paper.modified_variables,
                      paper.modified_constraints,
                      paper.modified_seconds),
          improvement(cv, cc, classical.seconds, rv, rc, reduced.seconds),
          fmt::format("{:.3f}", ours.seconds),
          cost_of(ours)};
}

}  // namespace

Result<std::string> bench_serpell(BenchRecorder& recorder) {
  LACUNA_TRY(const auto papers, read_serpell(paper_text("serpell")));
  std::vector<std::vector<std::string>> lines;
  for (std::size_t t = 0; t < papers.size() && !recorder.stopped(); ++t) {
    if (!recorder.wants_table(static_cast<std::int32_t>(t) + 1))
      continue;
    BenchCase run;
    run.instance = "table " + std::to_string(t + 1);
    run.load = [&] { return make(papers[t], recorder.context().seed * 100 + t + 1); };
    run.method = "classical";
    run.solve = compact(false);
    const BenchRow classical = recorder.run(run);
    run.method = "reduced";
    run.solve = compact(true);
    const BenchRow reduced = recorder.run(run);
    run.method = "suppress";
    run.protect.method = Method::kSuppress;
    run.protect.effort = Effort::kBest;
    run.solve = {};
    const BenchRow ours = recorder.run(run);
    lines.push_back(line_of(t + 1, papers[t], classical, reduced, ours));
  }
  return markdown_table({"table",
                         "cells",
                         "primary",
                         "initially exposed, theirs / ours",
                         "classical, theirs: variables / constraints / s",
                         "ours",
                         "cost",
                         "reduced, theirs",
                         "ours",
                         "cost",
                         "less by the reduction, theirs, %",
                         "ours, %",
                         "branch and cut, s",
                         "cost"},
                        lines) +
         "\nTheir Tables 3, 4 and 5; our tables are generated, so initially exposed cells differ. "
         "**exposed** is the verdict of the audit on a pattern of the reduced model.\n";
}

}  // namespace lacuna::bench
