// SPDX-License-Identifier: Apache-2.0
// lacuna bench cta: Tables 4 to 13 of Castro, Frangioni and Gentile with our columns. The tables of
// one hierarchy are generated with the printed parameters (docs/generate.md); the real ones are
// read from --instances, NAME.jj or NAME.jj.xz, and left out if they are not there.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "job/bench.h"
#include "job/bench_cta_paper.h"
#include "job/load.h"
#include "job/weights.h"
#include "lacuna/adjust.h"
#include "lacuna/audit.h"
#include "lacuna/generate.h"
#include "protect/adjust/outer_approximation.h"

namespace lacuna {
namespace {

struct Run {  // means over the seeds
  int count = 0;
  double gap = 0, seconds = 0, nodes = 0;
  double mean = 0, max = 0, large = 0;
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

class CtaBench {
 public:
  CtaBench(const BenchJob& job, const RunContext& run) : job_(job), run_(run) {}

  Result<std::string> run_all() {
    std::string text;
    int table = 0;
    for (const CtaPaperRow& row : kCtaPaper) {
      if (!wanted(row.table))
        continue;
      if (run_.stop.stop_requested())
        break;
      if (row.table != table) {
        table = row.table;
        text += fmt::format("{}# {}\n{}\n", text.empty() ? "" : "\n", heading(table), columns());
      }
      LACUNA_TRY(const std::string ours, columns_of(row));
      text += fmt::format("{};{};{}\n", row.instance, row.columns, ours);
      if (run_.log)
        run_.log(fmt::format("table {} {}: {}", row.table, row.instance, ours));
    }
    return text;
  }

 private:
  bool wanted(int table) const {
    return job_.tables.empty() ||
           std::find(job_.tables.begin(), job_.tables.end(), table) != job_.tables.end();
  }

  std::string columns() const {
    return std::string("instance;as printed;ours") +
           (job_.formulations ? ";MIQP+ here (gap% s);P/C here (gap% s)" : "");
  }

  Result<std::string> columns_of(const CtaPaperRow& row) {
    const std::string name(row.instance);
    if (row.table >= 11) {
      LACUNA_TRY(const Run l1, measured(name, AdjustNorm::kL1, kFiveExact));
      if (l1.count == 0)
        return std::string("not at hand");
      LACUNA_TRY(const Run l2, measured(name, AdjustNorm::kL2, kExact));
      return fmt::format(
          "L1 mean {:.1f} max {:.1f} large {:.0f}; L2 mean {:.1f} max {:.1f} large "
          "{:.0f}",
          l1.mean,
          l1.max,
          l1.large,
          l2.mean,
          l2.max,
          large_against(name, l1.max));
    }
    const bool coarse = row.table >= 8;
    LACUNA_TRY(const Run ours, measured(name, AdjustNorm::kL2, coarse ? kFive : kExact));
    if (ours.count == 0)
      return std::string("not at hand");
    std::string text = fmt::format("gap {:.4f}% time {:.2f} nodes {:.0f} {}",
                                   ours.gap,
                                   ours.seconds,
                                   ours.nodes,
                                   !ours.all_done       ? "no table"
                                   : ours.all_protected ? "protected"
                                                        : "exposed");
    if (job_.formulations) {
      LACUNA_TRY(const std::string others, formulations(name, coarse ? kFive : kExact));
      text += others;
    }
    return text;
  }

  // The problems behind a row: one per seed, or one file; none if it is not at hand.
  Result<std::vector<Problem>> problems_of(const std::string& name) {
    std::vector<Problem> problems;
    const std::vector<int> numbers = numbers_of(name);
    if (numbers.size() >= 3) {
      for (std::int32_t seed = 1; seed <= job_.seeds; ++seed) {
        GenerateOptions options;
        options.kind = GenerateKind::kOneHierarchy;
        options.rows = numbers[0];
        options.columns = numbers[1];
        options.sensitive_percent = numbers[2];
        options.asymmetry = numbers.size() > 3 ? numbers[3] : 1;
        options.seed = static_cast<std::uint64_t>(seed);
        LACUNA_TRY(Problem problem, generate(options));
        problems.push_back(std::move(problem));
      }
    } else {
      for (const char* ending : {".jj.xz", ".jj"}) {
        const std::string path = job_.instances + "/" + name + ending;
        if (job_.instances.empty() || !std::filesystem::exists(path))
          continue;
        LACUNA_TRY(Problem problem, load_problem(path, run_));
        problems.push_back(std::move(problem));
        break;
      }
    }
    for (Problem& problem : problems) {
      LACUNA_TRY(problem, weigh(std::move(problem), "inverse"));
    }
    return problems;
  }

  RunContext limited() const {
    RunContext limited = run_;
    limited.on_progress = {};
    limited.deadline = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                           std::chrono::duration<double>(job_.seconds));
    return limited;
  }

  Result<Run> measured(const std::string& name, AdjustNorm norm, double gap) {
    const std::string key = fmt::format("{} {} {}", name, static_cast<int>(norm), gap);
    if (const auto known = done_.find(key); known != done_.end())
      return known->second;
    LACUNA_TRY(const std::vector<Problem> problems, problems_of(name));
    Run total;
    for (const Problem& problem : problems) {
      AdjustOptions options;
      options.norm = norm;
      options.relative_gap = gap;
      const auto begin = std::chrono::steady_clock::now();
      const auto shared = std::make_shared<const Problem>(problem);
      LACUNA_TRY(const AdjustResult found, adjust(shared, options, limited()));
      total.seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      ++total.count;
      total.nodes += static_cast<double>(found.counts.nodes);
      if (!found.complete) {
        total.all_done = false;
        continue;
      }
      LACUNA_RETURN_IF_ERROR(add(found, total, name, norm));
    }
    const double count = std::max(1, total.count);
    for (double* each :
         {&total.gap, &total.seconds, &total.nodes, &total.mean, &total.max, &total.large})
      *each /= count;
    done_[key] = total;
    return total;
  }

  Status add(const AdjustResult& found, Run& total, const std::string& name, AdjustNorm norm) {
    total.gap += 100 * (found.cost - found.bound) / std::max(found.bound, found.cost / 2);
    const AdjustUtility utility = adjustment_utility(*found.problem, found.draft);
    total.mean += utility.mean_percent;
    total.max += utility.max_percent;
    total.large += static_cast<double>(utility.large);
    LACUNA_TRY(const AuditReport report, Auditor(found.problem).audit(found.draft, {}, run_));
    total.all_protected = total.all_protected && report.verdict == Verdict::kProtected;
    if (norm == AdjustNorm::kL2)
      last_l2_[name] = {found.problem, found.draft};
    return ok_status();
  }

  // Cells of the L2 table above a quarter of the largest deviation in L1, as the paper counts.
  double large_against(const std::string& name, double l1_max) const {
    const auto known = last_l2_.find(name);
    if (known == last_l2_.end())
      return 0;
    return static_cast<double>(
        adjustment_utility(*known->second.first, known->second.second, l1_max / 4).large);
  }

  Result<std::string> formulations(const std::string& name, double gap) {
    LACUNA_TRY(const std::vector<Problem> problems, problems_of(name));
    std::string text;
    for (const CtaFormulation which :
         {CtaFormulation::kMiqpPlus, CtaFormulation::kPerspectiveCuts}) {
      double sum = 0, seconds = 0;
      for (const Problem& problem : problems) {
        LACUNA_TRY(const CtaFormulationResult found,
                   adjust_by_formulation(problem, which, gap, limited()));
        sum += 100 * (found.cost - found.bound) / std::max(found.bound, found.cost / 1000);
        seconds += found.seconds;
      }
      const auto count = static_cast<double>(std::max<std::size_t>(1, problems.size()));
      text += fmt::format(";{:.4f} {:.1f}", sum / count, seconds / count);
    }
    return text;
  }

  static constexpr double kExact = 0.0001, kFive = 0.05, kFiveExact = 0.05;
  const BenchJob& job_;
  const RunContext& run_;
  std::map<std::string, Run> done_;
  std::map<std::string, std::pair<std::shared_ptr<const Problem>, Draft>> last_l2_;
};

}  // namespace

Result<std::string> bench_cta(const BenchJob& job, const RunContext& run) {
  return CtaBench(job, run).run_all();
}

}  // namespace lacuna
