// SPDX-License-Identifier: Apache-2.0
// On small random tables with random releases every engine's audit equals the oracle: exact ends
// of every interval, every verdict, nothing undecided.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "property/seeds.h"
#include "support/oracle.h"
#include "support/random_draft.h"
#include "support/random_system.h"

namespace lacuna {
namespace {

using testing::for_each_seed;
using testing::Oracle;
using testing::OracleRange;
using testing::random_draft;
using testing::random_system;

mpq_class distance_of(const End& end) {
  return base::gmp(end.reached);
}

void expect_range(
    const Table& table, CellId cell, const End& low, const End& high, const OracleRange& truth) {
  const mpq_class value(static_cast<long>(table.value(cell)));
  EXPECT_TRUE(low.exact()) << table.label(cell) << " has no exact lower end";
  EXPECT_TRUE(high.exact()) << table.label(cell) << " has no exact upper end";
  ASSERT_EQ(low.unbounded, !truth.lower) << table.label(cell);
  ASSERT_EQ(high.unbounded, !truth.upper) << table.label(cell);
  if (truth.lower) {
    EXPECT_EQ(mpq_class(value - distance_of(low)), *truth.lower) << table.label(cell);
  }
  if (truth.upper) {
    EXPECT_EQ(mpq_class(value + distance_of(high)), *truth.upper) << table.label(cell);
  }
}

AuditReport audited(const std::shared_ptr<const Problem>& problem,
                    const Draft& draft,
                    const AuditOptions& options) {
  auto report = Auditor(problem).audit(draft, options, RunContext{});
  EXPECT_TRUE(report) << (report ? "" : report.error().text());
  return report ? std::move(report).value() : AuditReport{};
}

struct Truth {  // what the oracle says, computed once for all engines
  std::vector<Verdict> verdicts;
  std::vector<OracleRange> ranges;  // of the requirements
  std::map<CellId, OracleRange> outsider_ranges;
};

Truth truth_of(const Problem& problem, const Draft& draft) {
  Truth truth;
  truth.verdicts.resize(problem.requirements().size());
  truth.ranges.resize(problem.requirements().size());
  for (std::size_t a = 0; a < problem.attackers().size(); ++a) {
    Oracle oracle(problem.table(), draft, problem.attackers()[a]);
    for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
      const Requirement& need = problem.requirements()[i];
      if (static_cast<std::size_t>(need.attacker) != a)
        continue;
      truth.verdicts[i] = oracle.verdict(need);
      truth.ranges[i] = oracle.range(need.cell);
    }
    if (a > 0)
      continue;
    for (const CellEntry& entry : draft.entries())
      truth.outsider_ranges[entry.cell] = oracle.range(entry.cell);
  }
  return truth;
}

void expect_truth(const Problem& problem,
                  const Draft& draft,
                  const AuditReport& report,
                  const Truth& truth) {
  const Table& table = problem.table();
  ASSERT_EQ(report.findings.size(), problem.requirements().size());
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Finding& finding = report.findings[i];
    EXPECT_EQ(to_string(finding.verdict), to_string(truth.verdicts[i]))
        << table.label(finding.question.cell) << " " << finding.reason;
    if (draft.state(finding.question.cell) != StatementKind::kExact) {
      expect_range(table, finding.question.cell, finding.low, finding.high, truth.ranges[i]);
    }
  }
  std::size_t hidden = report.ranges.size();
  for (const CellRange& range : report.ranges)
    expect_range(table, range.cell, range.low, range.high, truth.outsider_ranges.at(range.cell));
  for (const Finding& finding : report.findings) {
    const bool counts = finding.question.attacker == 0 &&
                        draft.state(finding.question.cell) != StatementKind::kExact;
    hidden += counts ? 1 : 0;
  }
  EXPECT_EQ(hidden, draft.entries().size()) << "a hidden cell has no interval";
}

std::vector<std::string> verdicts_of(const AuditReport& report) {
  std::vector<std::string> verdicts;
  for (const Finding& finding : report.findings)
    verdicts.emplace_back(to_string(finding.verdict));
  return verdicts;
}

void check_draft_of(const std::shared_ptr<const Problem>& problem, const Draft& draft) {
  const Truth truth = truth_of(*problem, draft);
  for (const std::string& engine : lp_engines()) {
    SCOPED_TRACE(engine);
    AuditOptions options;
    options.engine = engine;
    options.all_withheld = true;
    const AuditReport report = audited(problem, draft, options);
    expect_truth(*problem, draft, report, truth);
    options.intervals = false;
    options.all_withheld = false;
    const AuditReport quick = audited(problem, draft, options);
    EXPECT_EQ(verdicts_of(quick), verdicts_of(report)) << "verdicts only";
    for (const AuditReport* claim : {&report, &quick}) {
      const auto confirmed = confirm(*problem, draft, *claim);
      ASSERT_TRUE(confirmed) << confirmed.error().text();
      EXPECT_EQ(verdicts_of(*confirmed), verdicts_of(report)) << "confirmed";
    }
  }
}

void check_table(std::uint64_t seed) {
  auto made = generation::generate_small(seed);
  ASSERT_TRUE(made);
  const auto problem = std::make_shared<const Problem>(std::move(made).value());
  base::Random random(seed);
  check_draft_of(problem, random_draft(*problem, random));
}

void check_system(std::uint64_t seed) {
  base::Random random(seed);
  const auto problem = random_system(random);
  check_draft_of(problem, random_draft(*problem, random));
}

constexpr std::uint64_t kTablesPerTest = 2000;

TEST(AuditEqualsOracle, Tables1) {
  for_each_seed(1, kTablesPerTest, check_table);
}
TEST(AuditEqualsOracle, Tables2) {
  for_each_seed(1 + kTablesPerTest, kTablesPerTest, check_table);
}
TEST(AuditEqualsOracle, Tables3) {
  for_each_seed(1 + 2 * kTablesPerTest, kTablesPerTest, check_table);
}
TEST(AuditEqualsOracle, Systems) {
  for_each_seed(1, kTablesPerTest, check_system);
}

}  // namespace
}  // namespace lacuna
