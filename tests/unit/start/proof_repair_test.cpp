// SPDX-License-Identifier: Apache-2.0
// What repair hands over is complete, survives an audit from the start, and withholds nothing
// without need.
#include "protect/start/proof_repair.h"

#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "support/tables.h"

namespace lacuna::start {
namespace {

using testing::audit;
using testing::problem_of;
using testing::two_way;
using SharedProblem = std::shared_ptr<const Problem>;

Result<RepairedDraft> repair(const SharedProblem& problem, const ProofRepairOptions& options = {}) {
  return repair_by_proofs(
      problem, Draft::withholding_primaries(problem->table()), options, RunContext{});
}

SharedProblem shared(Result<Problem> problem) {
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::make_shared<const Problem>(std::move(problem).value());
}

void expect_protected(const SharedProblem& problem, const RepairedDraft& repaired) {
  EXPECT_TRUE(repaired.complete);
  EXPECT_TRUE(repaired.undecided.empty());
  EXPECT_EQ(audit(problem, repaired.draft).verdict, Verdict::kProtected);
}

void expect_nothing_superfluous(const SharedProblem& problem, const Draft& draft) {
  for (const CellEntry& entry : draft.entries()) {
    if (problem->table().cell(entry.cell).status != CellStatus::kFree)
      continue;  // primary, or withheld before
    Draft less = draft;
    less.publish_exact(entry.cell);
    EXPECT_NE(audit(problem, less).verdict, Verdict::kProtected)
        << problem->table().label(entry.cell) << " is withheld without need";
  }
}

// Withholding all that may be withheld does not help: then, and only then, an error is right.
bool is_hopeless(const SharedProblem& problem) {
  Draft most = Draft::withholding_primaries(problem->table());
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    if (problem->table().cell(CellId{c}).status == CellStatus::kFree)
      most.withhold(CellId{c});
  }
  return audit(problem, most).verdict == Verdict::kExposed;
}

TEST(ProofRepair, SmallTablesOfEveryKind) {
  int repaired = 0;
  int hopeless = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SharedProblem problem = shared(generation::generate_small(seed));
    const auto result = repair(problem);
    if (!result) {
      EXPECT_TRUE(is_hopeless(problem)) << result.error().text();
      EXPECT_NE(result.error().text().find("no pattern of withheld cells can give the cell its "
                                           "protection level against '"),
                std::string::npos);
      ++hopeless;
      continue;
    }
    expect_protected(problem, *result);
    expect_nothing_superfluous(problem, result->draft);
    ++repaired;
  }
  EXPECT_GT(repaired, 30);
  EXPECT_GT(hopeless, 5);
}

TEST(ProofRepair, LargerTables) {
  for (const generation::GenerateKind kind : {generation::GenerateKind::kFlat,
                                              generation::GenerateKind::kHierarchical,
                                              generation::GenerateKind::kLinked,
                                              generation::GenerateKind::kOneHierarchy}) {
    generation::GenerateOptions options;
    options.kind = kind;
    options.sizes = {8, 8};
    options.rows = 4;
    options.columns = 5;
    options.tree_depth = 2;
    options.sliding_percent = 15;
    options.attackers = 2;
    const SharedProblem problem = shared(generation::generate(options));
    const auto result = repair(problem);
    ASSERT_TRUE(result) << result.error().text();
    expect_protected(problem, *result);
    EXPECT_GT(result->draft.count(StatementKind::kWithheld),
              Draft::withholding_primaries(problem->table()).count(StatementKind::kWithheld));
  }
}

TEST(ProofRepair, WithoutCleanUpMoreIsWithheldButSafe) {
  generation::GenerateOptions options;
  options.sizes = {8, 8};
  const SharedProblem problem = shared(generation::generate(options));
  ProofRepairOptions raw;
  raw.clean_up = false;
  const auto dirty = repair(problem, raw);
  const auto clean = repair(problem);
  ASSERT_TRUE(dirty && clean);
  expect_protected(problem, *dirty);
  EXPECT_GE(dirty->draft.entries().size(), clean->draft.entries().size());
}

TEST(ProofRepair, KeepsWhatIsSafeAlready) {
  // All four inner cells are withheld already.
  TableBuilder builder =
      two_way({{20, 30, 50}, {40, 10, 50}, {60, 40, 100}}, {0, kUnboundedAbove}, 0, {0, 1, 3, 4});
  const SharedProblem problem = problem_of(std::move(builder), {});
  const auto result = repair(problem);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->draft.entries(), Draft::withholding_primaries(problem->table()).entries());
  EXPECT_EQ(result->rounds, 1);
}

TEST(ProofRepair, WithholdsARequiredCellThatIsNotPrimary) {
  // Cell 0 is free, yet no reader may see it; its levels are zero, so that no witness moves it.
  TableBuilder builder = two_way({{20, 30, 50}, {40, 10, 50}, {60, 40, 100}});
  const SharedProblem problem = problem_of(std::move(builder), {{.cell = CellId{0}}});
  const auto result = repair(problem);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->draft.state(CellId{0}), StatementKind::kWithheld);
  expect_protected(problem, *result);
}

TEST(ProofRepair, LargeNumbersEnd) {
  // Levels one unit apart are the same double: what is missing must not pass for nothing.
  const Units large = Units{1} << 58;
  TableBuilder builder = two_way(
      {{large, large, 2 * large}, {large, large, 2 * large}, {2 * large, 2 * large, 4 * large}},
      {0, kMaxUnits},
      0,
      {0, 1});
  const SharedProblem problem =
      problem_of(std::move(builder),
                 {{.cell = CellId{0}, .lower = large, .upper = large},
                  {.cell = CellId{1}, .lower = large - 1, .upper = large}});
  const auto result = repair(problem);
  ASSERT_TRUE(result) << result.error().text();
  expect_protected(problem, *result);
}

TEST(ProofRepair, SaysThatNoPatternCanHelp) {
  // The neighbours of cell 0 must be published, so that it can be computed.
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 10, .status = CellStatus::kPrimary}));
  ASSERT_TRUE(builder.add_cell({.value = 5, .status = CellStatus::kMustPublish}));
  ASSERT_TRUE(builder.add_cell({.value = 15, .status = CellStatus::kMustPublish}));
  ASSERT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}}));
  const SharedProblem problem = problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 1}});
  const auto result = repair(problem);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text(),
            "cell 0: no pattern of withheld cells can give the cell its protection level against "
            "'outsider': the cells that must be published and the known bounds leave too little "
            "room");
}

TEST(ProofRepair, SaysThatRoomIsTooSmall) {
  // All may be withheld, but everyone knows the total to within one.
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 10, .status = CellStatus::kPrimary}));
  ASSERT_TRUE(builder.add_cell({.value = 5, .prior = {4, 6}}));
  ASSERT_TRUE(builder.add_cell({.value = 15, .prior = {15, 16}}));
  ASSERT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}}));
  const SharedProblem problem = problem_of(std::move(builder), {{.cell = CellId{0}, .upper = 3}});
  const auto result = repair(problem);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("no pattern of withheld cells can give"), std::string::npos);
}

TEST(ProofRepair, StopsWhenAsked) {
  generation::GenerateOptions options;
  options.sizes = {8, 8};
  const SharedProblem problem = shared(generation::generate(options));
  std::stop_source source;
  source.request_stop();
  RunContext run;
  run.stop = source.get_token();
  const auto result =
      repair_by_proofs(problem, Draft::withholding_primaries(problem->table()), {}, run);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->complete);
}

TEST(ProofRepair, RefusesUnknownEngines) {
  generation::GenerateOptions options;
  const SharedProblem problem = shared(generation::generate(options));
  ProofRepairOptions unknown;
  unknown.engine = "abacus";
  EXPECT_FALSE(repair(problem, unknown));
}

}  // namespace
}  // namespace lacuna::start
