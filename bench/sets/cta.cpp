// SPDX-License-Identifier: Apache-2.0
// lacuna bench cta: Tables 4 to 13 of Castro, Frangioni and Gentile with our columns. The tables of
// one hierarchy are generated with the printed parameters (docs/generate.md); the real ones are
// read from --instances and left out if they are not there.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "app/generate/generate.h"
#include "app/load/load.h"
#include "bench/sets/output.h"
#include "bench/sets/papers.h"
#include "bench/sets/sets.h"
#include "lacuna/adjust.h"
#include "protect/adjust/outer_approximation.h"

namespace lacuna::bench {
namespace {

struct Run {  // means over the seeds
  int count = 0;
  double gap = 0, seconds = 0, nodes = 0;
  double mean = 0, max = 0, large = 0, large_against_l1 = 0;
  bool all_protected = true;
  bool all_done = true;
};

std::vector<int> numbers_of(std::string_view name) {  // "20-30-5-2"
  std::vector<int> numbers;
  std::stringstream text{std::string(name)};
  for (std::string part; std::getline(text, part, '-');) {
    if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos)
      return {};
    numbers.push_back(std::stoi(part));
  }
  return numbers;
}

const char* heading(int table) {
  switch (table) {
    case 4:
      return "Table 4: symmetric, 0.01%";
    case 5:
      return "Table 5: asymmetric, 0.01%";
    case 6:
      return "Table 6: real, 0.01%, one thread";
    case 7:
      return "Table 7: real, 0.01%, 24 threads";
    case 8:
      return "Table 8: symmetric, 5%";
    case 9:
      return "Table 9: asymmetric, 5%";
    case 10:
      return "Table 10: real, 5%";
    case 11:
      return "Table 11: utility, symmetric";
    case 12:
      return "Table 12: utility, asymmetric";
    default:
      return "Table 13: utility, real";
  }
}

constexpr double kExact = 0.0001, kFive = 0.05;

class CtaBench {
 public:
  explicit CtaBench(BenchRecorder& recorder) : recorder_(recorder) {}

  std::string run_all(const std::vector<CtaRow>& papers) {
    std::string text;
    std::vector<std::vector<std::string>> lines;
    int table = 0;
    for (const CtaRow& row : papers) {
      if (!recorder_.wants_table(row.table) || recorder_.stopped())
        continue;
      if (row.table != table) {
        text += table_text(table, lines);
        table = row.table;
        lines.clear();
      }
      lines.push_back(columns_of(row));
    }
    return text + table_text(table, lines);
  }

 private:
  std::string table_text(int table, const std::vector<std::vector<std::string>>& lines) const {
    if (lines.empty())
      return "";
    std::vector<std::string> head{"instance", "as printed", "ours"};
    if (recorder_.job().formulations)
      head.insert(head.end(), {"MIQP+ here (gap%, s)", "P/C here (gap%, s)"});
    return fmt::format("## {}\n\n{}\n", heading(table), markdown_table(head, lines));
  }

  std::vector<std::string> columns_of(const CtaRow& row) {
    const std::string& name = row.instance;
    std::vector<std::string> line{name, row.printed};
    if (row.table >= 11) {
      line.push_back(utility(name));
      return line;
    }
    const double gap = row.table >= 8 ? kFive : kExact;
    const Run ours = measured(name, "l2", gap, row.table < 8 ? threshold_of(name) : 0);
    if (ours.count == 0)
      line.push_back("not at hand");
    else if (!ours.all_done)
      line.push_back(fmt::format("no table in {:.2f} s", ours.seconds));
    else
      line.push_back(fmt::format("gap {:.4f}% time {:.2f} nodes {:.0f} {}",
                                 ours.gap,
                                 ours.seconds,
                                 ours.nodes,
                                 ours.all_protected ? "protected" : "exposed"));
    if (recorder_.job().formulations && ours.count > 0) {
      line.push_back(formulation(name, adjustment::CtaFormulation::kMiqpPlus, gap));
      line.push_back(formulation(name, adjustment::CtaFormulation::kPerspectiveCuts, gap));
    }
    return line;
  }

  std::string utility(const std::string& name) {
    const Run l1 = measured(name, "l1", kFive, 0);
    if (l1.count == 0)
      return "not at hand";
    const Run l2 = measured(name, "l2", kExact, l1.max / 4);  // known already from Tables 4 to 7
    return "L1 " + utility_text(l1, l1.all_done, l1.large) + "; L2 " +
           utility_text(l2, l1.all_done, l2.large_against_l1);
  }

  // Large deviations are counted against those in L1, if there is a table in L1.
  static std::string utility_text(const Run& run, bool has_l1, double large) {
    if (!run.all_done)
      return "no table";
    return fmt::format("mean {:.1f} max {:.1f} large {}",
                       run.mean,
                       run.max,
                       has_l1 ? fmt::format("{:.0f}", large) : "-");
  }

  // A quarter of the largest deviation in L1, if the tables of utility are wanted.
  double threshold_of(const std::string& name) {
    const bool wanted =
        recorder_.wants_table(11) || recorder_.wants_table(12) || recorder_.wants_table(13);
    return wanted ? measured(name, "l1", kFive, 0).max / 4 : 0;
  }

  // The tables behind a row: one per seed, or one file; none if it is not at hand.
  std::vector<std::function<Result<Problem>()>> tables_of(const std::string& name) const {
    std::vector<std::function<Result<Problem>()>> tables;
    const std::vector<int> numbers = numbers_of(name);
    if (numbers.size() < 3) {
      const std::string path = find_instance(recorder_.job().instances, name);
      if (!path.empty())
        tables.emplace_back([path] { return load_problem(path, {}); });
      return tables;
    }
    for (std::int32_t seed = 1; seed <= recorder_.job().seeds; ++seed) {
      generation::GenerateOptions options;
      options.kind = generation::GenerateKind::kOneHierarchy;
      options.rows = numbers[0];
      options.columns = numbers[1];
      options.sensitive_percent = numbers[2];
      options.asymmetry = numbers.size() > 3 ? numbers[3] : 1;
      options.seed = static_cast<std::uint64_t>(seed);
      tables.emplace_back([options] { return generation::generate(options); });
    }
    return tables;
  }

  // Cells of the table above a quarter of the largest deviation in L1, as the paper counts, are
  // measured as well if `threshold` is not 0.
  Run measured(const std::string& name, const std::string& norm, double gap, double threshold) {
    const std::string key = fmt::format("{} {} {} {}", name, norm, gap, threshold);
    if (const auto known = done_.find(key); known != done_.end())
      return known->second;
    Run total;
    for (const auto& load : tables_of(name)) {
      BenchCase run;
      run.instance = name;
      run.method = "adjust";
      run.protect.method = Method::kAdjust;
      run.options = fmt::format("{} {:g}%", norm, gap * 100);
      run.load = load;
      run.protect.adjust.norm = norm == "l1" ? AdjustNorm::kL1 : AdjustNorm::kL2;
      run.protect.gap = gap;
      run.measure = [threshold](const Judged& judged, BenchRow& row) {
        if (threshold > 0) {
          row.details["large_against_l1"] = static_cast<double>(
              adjustment_utility(judged.problem, judged.found.draft, threshold).large);
        }
      };
      add(recorder_.run(run), total);
    }
    const double count = std::max(1, total.count);
    for (double* each : {&total.gap,
                         &total.seconds,
                         &total.nodes,
                         &total.mean,
                         &total.max,
                         &total.large,
                         &total.large_against_l1})
      *each /= count;
    done_[key] = total;
    return total;
  }

  static void add(const BenchRow& row, Run& total) {
    ++total.count;
    total.seconds += row.seconds;
    total.nodes += row.detail("nodes");
    if (!row.has_result()) {
      total.all_done = false;
      return;
    }
    total.gap += 100 * (row.objective - row.bound) / std::max(row.bound, row.objective / 2);
    total.mean += row.detail("mean_percent");
    total.max += row.detail("max_percent");
    total.large += row.detail("large");
    total.large_against_l1 += row.detail("large_against_l1");
    total.all_protected = total.all_protected && row.verdict == "protected";
  }

  std::string formulation(const std::string& name, adjustment::CtaFormulation which, double gap) {
    double sum = 0, seconds = 0, count = 0;
    for (const auto& load : tables_of(name)) {
      BenchCase run;
      run.instance = name;
      run.method = which == adjustment::CtaFormulation::kMiqpPlus ? "MIQP+" : "P/C";
      run.options = fmt::format("l2 {:g}%", gap * 100);
      run.load = [load]() -> Result<Problem> {
        LACUNA_TRY(Problem problem, load());
        return weigh(std::move(problem), "inverse");
      };
      run.solve = [which, gap](const std::shared_ptr<const Problem>& problem,
                               const RunContext& context) -> Result<ProtectResult> {
        LACUNA_TRY(const adjustment::CtaFormulationResult found,
                   adjustment::adjust_by_formulation(*problem, which, gap, context));
        ProtectResult outcome;  // costs alone: there is no published table to audit
        outcome.cost = found.cost;
        outcome.bound = found.bound;
        return outcome;
      };
      const BenchRow row = recorder_.run(run);
      sum += 100 * (row.objective - row.bound) / std::max(row.bound, row.objective / 1000);
      seconds += row.seconds;
      ++count;
    }
    return fmt::format("{:.4f} {:.1f}", sum / std::max(1.0, count), seconds / std::max(1.0, count));
  }

  BenchRecorder& recorder_;
  std::map<std::string, Run> done_;
};

}  // namespace

Result<std::string> bench_cta(BenchRecorder& recorder) {
  LACUNA_TRY(const auto papers, read_cta(paper_text("cta")));
  return CtaBench(recorder).run_all(papers);
}

}  // namespace lacuna::bench
