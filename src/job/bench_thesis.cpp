// SPDX-License-Identifier: Apache-2.0
// lacuna bench thesis: Tables B.1 to B.5 of the thesis with our numbers beside the printed ones,
// and a table of what we prove. The thesis does not print its data: ours are generated with the
// printed numbers of cells, sensitive cells and equations (docs/generate.md), so counts and widths
// compare the variants with each other, not with theirs. As there, complete suppression has upper
// and lower levels, and intervals sliding levels of twice the size.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "job/bench.h"
#include "job/bench_thesis_paper.h"
#include "lacuna/audit.h"
#include "lacuna/combined.h"
#include "lacuna/generate.h"
#include "lacuna/interval.h"
#include "lacuna/suppress.h"
#include "report/information_loss.h"

namespace lacuna {
namespace {

constexpr std::size_t kTables = kThesisTables.size();

struct Measured {
  bool solved = false;
  std::int64_t suppressed = 0, cuts = 0;
  double width = 0, cpu = 0, wall = 0, gap = 0;
  std::string status, verdict;
};

struct Outcome {  // of any of the three methods
  StopReason why = StopReason::kLimit;
  bool complete = false;
  Draft draft;
  double cost = 0, bound = 0;
  std::int64_t cuts = 0;
};

template <class Result>
Outcome outcome_of(const Result& found) {
  return {found.why, found.complete, found.draft, found.cost, found.bound, found.counts.cuts};
}

class ThesisBench {
 public:
  ThesisBench(const BenchJob& job, const RunContext& run) : job_(job), run_(run) {}

  Result<std::string> run_all() {
    std::vector<std::vector<Measured>> ours(kThesisVariants.size());
    for (std::size_t v = 0; v < kThesisVariants.size(); ++v) {
      for (const std::string_view instance : kThesisInstances) {
        if (run_.stop.stop_requested())
          return std::string();
        LACUNA_TRY(Measured measured, measure(v, std::string(instance)));
        ours[v].push_back(std::move(measured));
        if (run_.log)
          run_.log(fmt::format("{} {}: {}", kThesisVariants[v], instance, proof(ours[v].back())));
      }
    }
    std::string text;
    for (std::size_t t = 0; t < kTables; ++t) {
      if (wanted(static_cast<int>(t) + 1))
        text += table(t, ours);
    }
    return text + proofs(ours);
  }

 private:
  bool wanted(int table) const {
    return job_.tables.empty() ||
           std::find(job_.tables.begin(), job_.tables.end(), table) != job_.tables.end();
  }

  Result<Outcome> solve(std::size_t variant,
                        const std::shared_ptr<const Problem>& problem,
                        const RunContext& run) const {
    if (variant < 2) {
      SuppressOptions options;
      LACUNA_TRY(const SuppressResult found, suppress(problem, options, run));
      return outcome_of(found);
    }
    if (variant < 4) {
      LACUNA_TRY(const IntervalResult found, publish_intervals(problem, {}, run));
      return outcome_of(found);
    }
    LACUNA_TRY(const CombinedResult found, combine(problem, {}, run));
    return outcome_of(found);
  }

  Result<Measured> measure(std::size_t variant, const std::string& instance) const {
    GenerateOptions options;
    options.kind = GenerateKind::kThesis;
    options.preset = instance;
    options.seed = run_.seed;
    options.sliding_only = variant >= 2;
    options.weight = variant % 2 == 1 ? GenerateWeight::kValue : GenerateWeight::kUnity;
    LACUNA_TRY(Problem made, generate(options));
    const auto problem = std::make_shared<const Problem>(std::move(made));
    RunContext run = run_;
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    run.deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                               std::chrono::duration<double>(job_.seconds));
    LACUNA_TRY(const Outcome found, solve(variant, problem, run));
    Measured measured;
    measured.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    measured.cpu = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    measured.solved = found.complete;
    measured.status = to_string(found.why);
    measured.cuts = found.cuts;
    measured.gap = found.cost > 0 ? (found.cost - found.bound) / found.cost : 0;
    if (!found.complete)
      return measured;
    AuditOptions exact;  // widths of blanks are what can be inferred
    exact.intervals = exact.all_withheld = variant < 2;
    RunContext audit_run = run_;
    audit_run.deadline = std::chrono::steady_clock::time_point::max();
    LACUNA_TRY(const AuditReport report, Auditor(problem).audit(found.draft, exact, audit_run));
    const InformationLoss loss = information_loss(*problem, found.draft, report);
    measured.suppressed = loss.cells;
    measured.width = loss.width.get_d();
    measured.verdict = to_string(report.verdict);
    return measured;
  }

  static std::string number(std::size_t table, const Measured& ours) {
    if (!ours.solved)
      return "none";
    switch (table) {
      case 0:
        return std::to_string(ours.suppressed);
      case 1:
        return fmt::format("{:.7f}", ours.width / 10'000'000);
      case 2:
        return fmt::format("{:.2f}", ours.cpu);
      case 3:
        return fmt::format("{:.2f}", ours.wall);
      default:
        return std::to_string(ours.cuts);
    }
  }

  static std::string proof(const Measured& ours) {
    return fmt::format("{} gap {:.3f}% {}", ours.status, ours.gap * 100, ours.verdict);
  }

  static std::string head(std::string_view heading) {
    std::string text = fmt::format("# {}\nvariant", heading);
    for (const std::string_view instance : kThesisInstances)
      text += fmt::format(";{0} theirs;{0} ours", instance);
    return text + "\n";
  }

  static std::string table(std::size_t t, const std::vector<std::vector<Measured>>& ours) {
    std::string text = head(kThesisTables[t].heading);
    for (std::size_t v = 0; v < kThesisVariants.size(); ++v) {
      text += kThesisVariants[v];
      for (std::size_t i = 0; i < kThesisInstances.size(); ++i)
        text += fmt::format(";{};{}", kThesisTables[t].cells[v][i], number(t, ours[v][i]));
      text += "\n";
    }
    return text + "\n";
  }

  static std::string proofs(const std::vector<std::vector<Measured>>& ours) {
    std::string text = "# What ours prove: status, gap, verdict of the audit\nvariant";
    for (const std::string_view instance : kThesisInstances)
      text += fmt::format(";{}", instance);
    text += "\n";
    for (std::size_t v = 0; v < kThesisVariants.size(); ++v) {
      text += kThesisVariants[v];
      for (const Measured& each : ours[v])
        text += ";" + proof(each);
      text += "\n";
    }
    return text;
  }

  const BenchJob& job_;
  const RunContext& run_;
};

}  // namespace

Result<std::string> bench_thesis(const BenchJob& job, const RunContext& run) {
  return ThesisBench(job, run).run_all();
}

}  // namespace lacuna
