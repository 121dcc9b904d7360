// SPDX-License-Identifier: Apache-2.0
// The comparison of Serpell, Clark, Smith and Staggemeier ("Pre-processing Optimisation applied to
// the Classical Integer Programming Model for Statistical Disclosure Control") on generated tables
// of the sizes of their Table 3: the classical model (all attacker tables as variables), the model
// reduced to the initially exposed primaries, and our branch and cut. The reduced model is not
// sound; the verdict of the audit is part of every row.
//
//   serpell_bench [--markdown FILE] [--limit SECONDS] [--seed N] [--first N] [--last N]
//
// CSV on the standard output, the same as a Markdown table into the file.
// Variables and constraints are counted as built and as the paper counts them: with n cells, m
// equations, |P| primaries and |I| that have attacker tables, n (1 + 2 |I|) variables and
// |I| (2 m + 4 n + 3) + |P| constraints (their Table 4 follows these formulas).
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/generate.h"
#include "lacuna/suppress.h"
#include "protect/suppress/compact_model.h"

namespace lacuna {
namespace {

struct Size {  // a row of Table 3
  std::int32_t rows, columns, zeros, primaries;
};
constexpr std::array<Size, 20> kTable3{
    {{5, 5, 3, 8},     {5, 6, 7, 8},     {5, 7, 5, 7},   {5, 8, 8, 17},  {5, 9, 5, 17},
     {7, 7, 11, 14},   {7, 8, 7, 16},    {7, 9, 19, 13}, {8, 8, 13, 13}, {8, 9, 15, 17},
     {10, 10, 19, 31}, {10, 12, 28, 40}, {25, 5, 5, 4},  {25, 5, 6, 11}, {25, 5, 7, 4},
     {25, 5, 32, 7},   {25, 5, 35, 7},   {25, 5, 26, 9}, {25, 5, 7, 11}, {50, 5, 9, 25}}};

struct Setting {
  std::string markdown;
  int limit = 60;
  std::uint64_t seed = 1;
  std::size_t first = 1, last = kTable3.size();
};

struct Row {
  std::string method;
  std::int64_t variables = 0, constraints = 0;
  std::int64_t paper_variables = 0, paper_constraints = 0;
  double seconds = 0, cost = 0, bound = 0;
  std::string status, verdict;
};

struct Measured {
  std::size_t table = 0;
  std::int64_t cells = 0, equations = 0, zeros = 0, primaries = 0, exposed = 0;
  std::vector<Row> rows;
};

std::shared_ptr<const Problem> make(const Size& size, std::uint64_t seed) {
  GenerateOptions options;
  options.sizes = {size.rows, size.columns};
  options.seed = seed;
  options.zero_percent = 100 * size.zeros / (size.rows * size.columns);
  options.sensitive_count = size.primaries;
  options.typical_value = 50;
  options.skew = 0;
  options.upper_percent = 10;
  options.above_percent = -1;  // their attacker knows only that cells are not negative
  options.weight = GenerateWeight::kValue;
  auto problem = generate(options);
  if (!problem) {
    std::fprintf(stderr, "serpell_bench: %s\n", problem.error().text().c_str());
    std::exit(1);
  }
  return std::make_shared<const Problem>(std::move(problem).value());
}

RunContext limited(const Setting& setting) {
  RunContext run;
  run.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(setting.limit);
  return run;
}

template <class T>
T value_or_exit(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "serpell_bench: %s\n", result.error().text().c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

Row compact_row(const std::shared_ptr<const Problem>& problem,
                bool only_exposed,
                const Setting& setting,
                std::int64_t& tables) {
  CompactOptions compact;
  compact.only_exposed = only_exposed;
  const CompactResult result =
      value_or_exit(suppress_by_compact_model(problem, {}, compact, limited(setting)));
  const std::int64_t n = problem->table.num_cells();
  const std::int64_t m = problem->table.num_equations();
  tables = result.demands;
  Row row;
  row.method = only_exposed ? "reduced" : "classical";
  row.variables = result.variables;
  row.constraints = result.constraints;
  row.paper_variables = n * (1 + 2 * tables);
  row.paper_constraints =
      tables * (2 * m + 4 * n + 3) + static_cast<std::int64_t>(problem->requirements.size());
  row.seconds = result.seconds;
  row.cost = result.has_pattern ? result.found.cost : 0;
  row.bound = result.found.bound;
  row.status = to_string(result.found.why);
  row.verdict = result.has_pattern ? std::string(to_string(result.verdict)) : "none";
  return row;
}

Row branch_and_cut_row(const std::shared_ptr<const Problem>& problem, const Setting& setting) {
  SuppressOptions options;
  options.effort = Effort::kBest;
  const auto begin = std::chrono::steady_clock::now();
  const SuppressResult found = value_or_exit(suppress(problem, options, limited(setting)));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  Row row;
  row.method = "branch-and-cut";
  row.variables = problem->table.num_cells();
  row.constraints = found.counts.cuts;
  row.seconds = spent.count();
  row.cost = found.cost;
  row.bound = found.bound;
  row.status = to_string(found.why);
  const AuditReport report = value_or_exit(Auditor(problem).audit(found.draft, {}, RunContext{}));
  row.verdict = to_string(report.verdict);
  return row;
}

Measured measure(std::size_t number, const Setting& setting) {
  const auto problem = make(kTable3[number - 1], setting.seed * 100 + number);
  Measured result;
  result.table = number;
  result.cells = problem->table.num_cells();
  result.equations = problem->table.num_equations();
  for (const Cell& cell : problem->table.cells())
    result.zeros += cell.value == 0 ? 1 : 0;
  std::int64_t all = 0;
  result.rows.push_back(compact_row(problem, false, setting, all));
  result.rows.push_back(compact_row(problem, true, setting, result.exposed));
  result.rows.push_back(branch_and_cut_row(problem, setting));
  result.primaries = static_cast<std::int64_t>(problem->requirements.size());
  return result;
}

void print_csv(const Measured& m) {
  for (const Row& row : m.rows) {
    std::printf("%zu,%lld,%lld,%lld,%lld,%lld,%s,%lld,%lld,%lld,%lld,%.3f,%.0f,%.1f,%s,%s\n",
                m.table,
                static_cast<long long>(m.cells),
                static_cast<long long>(m.equations),
                static_cast<long long>(m.zeros),
                static_cast<long long>(m.primaries),
                static_cast<long long>(m.exposed),
                row.method.c_str(),
                static_cast<long long>(row.variables),
                static_cast<long long>(row.constraints),
                static_cast<long long>(row.paper_variables),
                static_cast<long long>(row.paper_constraints),
                row.seconds,
                row.cost,
                row.bound,
                row.status.c_str(),
                row.verdict.c_str());
  }
  std::fflush(stdout);
}

std::string outcome(const Row& row) {
  char text[80];
  std::snprintf(text, sizeof text, "%.0f", row.cost);
  std::string cell = text;
  if (row.status != "optimal")
    cell += " (" + row.status + ")";
  if (row.verdict != "protected")
    cell += " **" + row.verdict + "**";
  return cell;
}

void print_markdown(const Measured& m, std::FILE* file) {
  const Row& classical = m.rows[0];
  const Row& reduced = m.rows[1];
  const Row& ours = m.rows[2];
  const auto less = [](double from, double to) { return from > 0 ? 100 * (from - to) / from : 0; };
  std::fprintf(file,
               "| %zu | %lld | %lld | %lld | %lld | %lld | %lld | %.2f | %s | %lld | %lld | %.2f | "
               "%s | %.0f | %.0f | %.0f | %.2f | %s |\n",
               m.table,
               static_cast<long long>(m.cells),
               static_cast<long long>(m.zeros),
               static_cast<long long>(m.primaries),
               static_cast<long long>(m.exposed),
               static_cast<long long>(classical.paper_variables),
               static_cast<long long>(classical.paper_constraints),
               classical.seconds,
               outcome(classical).c_str(),
               static_cast<long long>(reduced.paper_variables),
               static_cast<long long>(reduced.paper_constraints),
               reduced.seconds,
               outcome(reduced).c_str(),
               less(static_cast<double>(classical.paper_variables),
                    static_cast<double>(reduced.paper_variables)),
               less(static_cast<double>(classical.paper_constraints),
                    static_cast<double>(reduced.paper_constraints)),
               less(classical.seconds, reduced.seconds),
               ours.seconds,
               outcome(ours).c_str());
  std::fflush(file);
}

void print_markdown_header(std::FILE* file) {
  std::fputs(
      "| Table | Cells | Zeros | Primary | Initially exposed | Classical variables | constraints | "
      "seconds | cost | Reduced variables | constraints | seconds | cost | Fewer variables, % | "
      "constraints, % | time, % | Branch and cut seconds | cost |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      file);
}

void print_csv_header() {
  std::puts(
      "table,cells,equations,zeros,primary,exposed,method,variables,constraints,"
      "paper_variables,paper_constraints,seconds,cost,bound,status,verdict");
}

int number_after(int argc, char** argv, int i) {
  if (i + 1 >= argc) {
    std::fprintf(stderr, "serpell_bench: %s needs a number\n", argv[i]);
    std::exit(1);
  }
  return std::atoi(argv[i + 1]);
}

int run(int argc, char** argv) {
  Setting setting;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--markdown") {
      if (i + 1 >= argc) {
        std::fprintf(stderr, "serpell_bench: --markdown needs a file\n");
        return 1;
      }
      setting.markdown = argv[++i];
    } else if (name == "--limit") {
      setting.limit = number_after(argc, argv, i++);
    } else if (name == "--seed") {
      setting.seed = static_cast<std::uint64_t>(number_after(argc, argv, i++));
    } else if (name == "--first") {
      setting.first = static_cast<std::size_t>(number_after(argc, argv, i++));
    } else if (name == "--last") {
      setting.last = static_cast<std::size_t>(number_after(argc, argv, i++));
    } else {
      std::fprintf(stderr, "serpell_bench: unknown option %s\n", name.c_str());
      return 1;
    }
  }
  if (setting.first < 1 || setting.last > kTable3.size()) {
    std::fprintf(stderr, "serpell_bench: tables are numbered 1 to %zu\n", kTable3.size());
    return 1;
  }
  std::FILE* file = setting.markdown.empty() ? nullptr : std::fopen(setting.markdown.c_str(), "w");
  if (file == nullptr && !setting.markdown.empty()) {
    std::fprintf(stderr, "serpell_bench: cannot write %s\n", setting.markdown.c_str());
    return 1;
  }
  print_csv_header();
  if (file != nullptr)
    print_markdown_header(file);
  for (std::size_t number = setting.first; number <= setting.last; ++number) {
    const Measured measured = measure(number, setting);
    print_csv(measured);
    if (file != nullptr)
      print_markdown(measured, file);
  }
  if (file != nullptr)
    std::fclose(file);
  return 0;
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  return lacuna::run(argc, argv);
}
