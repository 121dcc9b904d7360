// SPDX-License-Identifier: Apache-2.0
// Hints save work and never change a verdict, whatever they contain.
#include <gtest/gtest.h>

#include <memory>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "lacuna/audit.h"

namespace lacuna::audit {
namespace {

std::shared_ptr<const Problem> table_of(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {2, 2, 1};
  options.seed = seed;
  auto problem = generation::generate(options);
  EXPECT_TRUE(problem.has_value());
  return std::make_shared<const Problem>(std::move(problem).value());
}

// Everything that may be withheld.
Draft all_withheld(const Problem& problem) {
  Draft draft;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const CellStatus status = problem.table().cell(CellId{c}).status;
    if (status != CellStatus::kMustPublish && status != CellStatus::kKnown)
      draft.withhold(CellId{c});
  }
  return draft;
}

AuditReport look(const std::shared_ptr<const Problem>& problem,
                 const Draft& draft,
                 std::vector<Displacement> hints) {
  AuditOptions options;
  options.intervals = false;
  options.hints = std::move(hints);
  auto report = Auditor(problem).audit(draft, options, RunContext{});
  EXPECT_TRUE(report.has_value());
  return std::move(report).value();
}

TEST(Hints, WitnessesOfAnEarlierAuditAnswerAll) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto problem = table_of(seed);
    const Draft draft = all_withheld(*problem);
    const AuditReport first = look(problem, draft, {});
    ASSERT_EQ(first.verdict, Verdict::kProtected);
    const AuditReport second = look(problem, draft, first.evidence.witnesses);
    EXPECT_EQ(second.verdict, Verdict::kProtected);
    EXPECT_EQ(second.counts.hints_used, static_cast<std::int64_t>(second.findings.size()));
    EXPECT_EQ(second.counts.lp_solves + second.counts.flows, 0);
    const auto confirmed = confirm(*problem, draft, second);
    ASSERT_TRUE(confirmed.has_value());
    EXPECT_EQ(confirmed->verdict, Verdict::kProtected);
  }
}

// Witnesses of the table with everything withheld, offered for the primaries alone: they move
// published cells. And the same shaved, doubled, cut and out of order.
TEST(Hints, WrongOnesChangeNoVerdict) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto problem = table_of(seed);
    const std::vector<Displacement> good =
        look(problem, all_withheld(*problem), {}).evidence.witnesses;
    std::vector<Displacement> bad = good;
    for (const Displacement& witness : good) {
      Displacement shaved = witness;
      shaved.moves.front() -= 1;
      Displacement far = witness;
      for (Integer& move : far.moves)
        move *= 1000000;
      Displacement cut = witness;
      cut.cells.pop_back();
      Displacement turned = witness;
      std::swap(turned.cells.front(), turned.cells.back());
      Displacement outside = witness;
      outside.cells.back() = CellId{problem->table().num_cells()};
      Displacement endless = witness;
      endless.denominator = 0;
      bad.insert(bad.end(), {shaved, far, cut, turned, outside, endless});
    }
    const Draft bare = Draft::withholding_primaries(problem->table());
    const AuditReport without = look(problem, bare, {});
    const AuditReport with = look(problem, bare, bad);
    ASSERT_EQ(with.findings.size(), without.findings.size());
    EXPECT_EQ(without.verdict, Verdict::kExposed);
    for (std::size_t i = 0; i < with.findings.size(); ++i)
      EXPECT_EQ(with.findings[i].verdict, without.findings[i].verdict);
  }
}

}  // namespace
}  // namespace lacuna::audit
