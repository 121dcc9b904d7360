// SPDX-License-Identifier: Apache-2.0
// How fast is the audit? Two measurements, one CSV row per run:
//   cold   a one-hierarchy table of about 1,500 cells and 100 primaries with a fully worked
//   pattern:
//          the exact audit of every primary in both directions against one cold LP per bound over
//          the whole table with the same engine, interleaved in the same run;
//   large  a table of more than 80,000 cells with a hierarchy in both dimensions, of which 20,000
//   are
//          withheld: verdicts with certificate, time and peak memory.
//
//   audit_bench [cold|large|all] [--engine E] [--threads N] [--runs N] [--seed N]
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/start/proof_repair.h"

namespace lacuna {
namespace {

struct Setting {
  std::string what = "all";
  std::string engine;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  int runs = 5;
  std::uint64_t seed = 1;
};

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::shared_ptr<const Problem> make(const generation::GenerateOptions& options) {
  auto problem = generation::generate(options);
  if (!problem) {
    std::fprintf(stderr, "audit_bench: %s\n", problem.error().text().c_str());
    std::exit(1);
  }
  return std::make_shared<const Problem>(std::move(problem).value());
}

Draft worked_pattern(const std::shared_ptr<const Problem>& problem,
                     const Draft& start,
                     const Setting& setting,
                     bool clean_up) {
  RunContext run;
  run.threads = setting.threads;
  start::ProofRepairOptions options;
  options.engine = setting.engine;
  options.clean_up = clean_up;
  auto repaired = start::repair_by_proofs(problem, start, options, run);
  if (!repaired || !repaired->complete) {
    std::fprintf(stderr, "audit_bench: no safe pattern found\n");
    std::exit(1);
  }
  return repaired->draft;
}

void print_row(const char* bench,
               const Problem& problem,
               const Draft& draft,
               const char* method,
               const Setting& setting,
               int threads,
               double seconds,
               const std::string& verdict,
               const std::string& note) {
  std::printf("%s,%d,%d,%zu,%d,%s,%s,%d,%llu,%.6f,%s,%ld,%s\n",
              bench,
              problem.table().num_cells(),
              problem.table().num_equations(),
              problem.requirements().size(),
              draft.count(StatementKind::kWithheld),
              method,
              setting.engine.empty() ? lp_engines().front().c_str() : setting.engine.c_str(),
              threads,
              static_cast<unsigned long long>(setting.seed),
              seconds,
              verdict.c_str(),
              peak_mib(),
              note.c_str());
  std::fflush(stdout);
}

// The attacker problems as a text book has them: all cells, published ones fixed, one LP per bound,
// each from scratch.
LpModel whole_table(const Problem& problem, const Draft& draft) {
  LpModel model;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const Cell& cell = problem.table().cell(CellId{c});
    const auto value = static_cast<double>(cell.value);
    const bool withheld = draft.state(CellId{c}) != StatementKind::kExact;
    const double lower =
        cell.prior.has_lower() ? static_cast<double>(cell.prior.lower) : -kLpInfinity;
    const double upper =
        cell.prior.has_upper() ? static_cast<double>(cell.prior.upper) : kLpInfinity;
    model.add_column(withheld ? lower : value, withheld ? upper : value);
  }
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::int32_t e = 0; e < problem.table().num_equations(); ++e) {
    columns.clear();
    values.clear();
    for (const Term& term : problem.table().equation(EquationId{e})) {
      columns.push_back(term.cell.value);
      values.push_back(term.coefficient);
    }
    const auto rhs = static_cast<double>(problem.table().rhs(EquationId{e}));
    model.add_row(rhs, rhs, columns, values);
  }
  return model;
}

// Returns how many of the levels the cold LPs see met, to be compared with the audit.
std::size_t cold_audit(const Problem& problem, const Draft& draft, const Setting& setting) {
  const LpModel model = whole_table(problem, draft);
  LpOptions options;
  options.presolve = true;  // what an engine does by itself when it starts cold
  std::size_t met = 0;
  for (const Requirement& need : problem.requirements()) {
    for (const double direction : {-1.0, 1.0}) {
      auto solver = std::move(make_lp_solver(setting.engine, options)).value();
      LpModel attack = model;
      attack.cost[static_cast<std::size_t>(need.cell.value)] = direction;
      if (!solver->load(attack))
        std::exit(1);
      const LpSolution solution = solver->minimize(RunContext{});
      const auto value = static_cast<double>(problem.table().value(need.cell));
      const double level = static_cast<double>(direction < 0 ? need.upper : need.lower);
      const double reached = -direction * (direction * solution.objective - value);
      if (solution.status == LpStatus::kOptimal &&
          tol::compare(reached, level) != tol::Order::kSurelyLess)
        ++met;
    }
  }
  return met;
}

void bench_cold(const Setting& setting) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.seed = setting.seed;
  options.rows = 6;
  options.columns = 15;
  options.tree_depth = 4;
  options.sensitive_count = 100;
  const auto problem = make(options);
  const Draft draft =
      worked_pattern(problem, Draft::withholding_primaries(problem->table()), setting, true);
  std::vector<double> ours, cold;
  for (int i = 0; i <= setting.runs; ++i) {  // the first is a warm-up
    AuditReport report;
    RunContext run;
    run.threads = 1;  // the cold loop has one thread, too
    AuditOptions audit_options;
    audit_options.engine = setting.engine;
    const double audit_seconds =
        seconds_of([&] { report = Auditor(problem).audit(draft, audit_options, run).value(); });
    std::size_t met = 0;
    const double cold_seconds = seconds_of([&] { met = cold_audit(*problem, draft, setting); });
    if (i == 0)
      continue;
    ours.push_back(audit_seconds);
    cold.push_back(cold_seconds);
    const std::string verdict(to_string(report.verdict));
    print_row("cold", *problem, draft, "audit", setting, 1, audit_seconds, verdict, "");
    const bool all = met == 2 * problem->requirements().size();
    print_row("cold",
              *problem,
              draft,
              "cold-lp-per-bound",
              setting,
              1,
              cold_seconds,
              all ? "protected" : "exposed",
              "");
  }
  char note[64];
  std::snprintf(note, sizeof note, "ratio of medians %.1f", median(cold) / median(ours));
  print_row("cold", *problem, draft, "summary", setting, 1, median(ours), "protected", note);
}

// Leaf codes below one parent, for every parent with at least two.
std::vector<std::vector<std::int32_t>> sibling_leaves(const Dimension& dimension) {
  std::vector<std::vector<std::int32_t>> groups;
  for (const Relation& relation : dimension.relations()) {
    std::vector<std::int32_t> leaves;
    for (const std::int32_t child : relation.children) {
      if (dimension.is_leaf(child))
        leaves.push_back(child);
    }
    if (leaves.size() >= 2)
      groups.push_back(std::move(leaves));
  }
  return groups;
}

struct Worked {
  std::shared_ptr<const Problem> problem;
  Draft draft;
};

// A pattern of the kind that methods end with: every withheld cell is a corner of rectangles of two
// sibling rows and two sibling columns, which overlap and join into large parts. Every other corner
// is sensitive, with a level that its rectangle can carry.
Worked rectangles(Table table, std::int32_t withheld, base::Random& random) {
  std::map<std::pair<std::int32_t, std::int32_t>, CellId> by_codes;
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    by_codes[{table.codes(CellId{c})[0], table.codes(CellId{c})[1]}] = CellId{c};
  const auto rows = sibling_leaves(table.dimensions()[0]);
  const auto columns = sibling_leaves(table.dimensions()[1]);
  const auto pick = [&](const auto& list) -> const auto& {
    return list[static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(list.size()) - 1))];
  };
  Draft draft;
  std::map<CellId, Requirement> needs;
  while (draft.count(StatementKind::kWithheld) < withheld) {
    for (int i = 0; i < 50; ++i) {
      const auto& row_group = pick(rows);
      const auto& column_group = pick(columns);
      const std::int32_t r1 = pick(row_group), r2 = pick(row_group);
      const std::int32_t c1 = pick(column_group), c2 = pick(column_group);
      if (r1 == r2 || c1 == c2)
        continue;
      const CellId corners[4] = {by_codes.at({r1, c1}),
                                 by_codes.at({r1, c2}),
                                 by_codes.at({r2, c1}),
                                 by_codes.at({r2, c2})};
      Units slack = kMaxUnits;
      for (const CellId corner : corners)
        slack = std::min(slack, table.value(corner));
      for (const CellId corner : corners)
        draft.withhold(corner);
      const Units level = std::min(slack, table.value(corners[0]) / 10);
      if (level > 0)
        needs.try_emplace(corners[0],
                          Requirement{.cell = corners[0], .lower = level, .upper = level});
    }
  }
  std::vector<Requirement> requirements;
  for (const auto& [cell, need] : needs)
    requirements.push_back(need);
  auto problem = make_problem(std::move(table), {}, std::move(requirements));
  return {std::make_shared<const Problem>(std::move(problem).value()), std::move(draft)};
}

void bench_large(const Setting& setting) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.seed = setting.seed;
  options.depths = {4, 2};
  options.fan_least = {5, 10};
  options.fan_most = {5, 10};
  options.sensitive_count = 0;
  base::Random random(setting.seed);
  const auto [problem, draft] = rectangles(make(options)->table(), 20000, random);
  RunContext run;
  run.threads = setting.threads;
  AuditOptions audit_options;
  audit_options.engine = setting.engine;
  audit_options.intervals = false;
  AuditReport report;
  std::string certificate;
  const double seconds = seconds_of([&] {
    report = Auditor(problem).audit(draft, audit_options, run).value();
    certificate = certificate::write_certificate(*problem, draft, report);
  });
  const double check = seconds_of([&] {
    const auto read = certificate::read_certificate(certificate, "certificate", *problem);
    if (!read || !confirm(*problem, read->draft, read->claimed))
      std::exit(1);
  });
  char note[96];
  std::snprintf(
      note, sizeof note, "certificate %zu MiB checked in %.2f s", certificate.size() >> 20U, check);
  print_row("large",
            *problem,
            draft,
            "verdicts",
            setting,
            setting.threads,
            seconds,
            std::string(to_string(report.verdict)),
            note);
}

Setting read_arguments(int argc, char** argv) {
  Setting setting;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--engine" && has_value) {
      setting.engine = argv[++i];
    } else if (word == "--threads" && has_value) {
      setting.threads = std::stoi(argv[++i]);
    } else if (word == "--runs" && has_value) {
      setting.runs = std::stoi(argv[++i]);
    } else if (word == "--seed" && has_value) {
      setting.seed = std::stoull(argv[++i]);
    } else {
      setting.what = word;
    }
  }
  return setting;
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  const lacuna::Setting setting = lacuna::read_arguments(argc, argv);
  std::puts(
      "bench,cells,equations,requirements,withheld,method,engine,threads,seed,seconds,verdict,peak_"
      "mib,note");
  if (setting.what == "cold" || setting.what == "all")
    lacuna::bench_cold(setting);
  if (setting.what == "large" || setting.what == "all")
    lacuna::bench_large(setting);
  return 0;
}
