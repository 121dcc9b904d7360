// SPDX-License-Identifier: Apache-2.0
// Every kind of disclosure by whole numbers is repaired, and what no release can hide is said.
#include "protect/methods/count_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "judge/audit/audit_run.h"
#include "lacuna/count_rules.h"
#include "protect/counts/count_cut.h"
#include "protect/counts/count_model.h"
#include "support/integer_tables.h"

namespace lacuna::methods {
namespace {

using testing::CountDimension;
using testing::CountTableMaker;
using testing::flat;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;

using Shared = std::shared_ptr<const Problem>;

CountOptions asking(std::vector<CountKind> kinds, WithheldMeans means, std::int64_t threshold = 3) {
  CountOptions options;
  options.threshold = threshold;
  options.withheld_means = means;
  options.kinds = std::move(kinds);
  return options;
}

Shared counts(std::vector<CountDimension> dimensions,
              const std::vector<Units>& leaves,
              const CountOptions& options) {
  auto table = CountTableMaker(std::move(dimensions)).make(leaves).table;
  auto problem = make_problem(std::move(table), {}, {});
  EXPECT_TRUE(problem);
  auto counted = with_count_rules(*problem, options);
  EXPECT_TRUE(counted) << counted.error().text();
  return std::make_shared<const Problem>(*std::move(counted));
}

ProtectOptions by(Method method, std::optional<Decimal> base = {}) {
  ProtectOptions options;
  options.method = method;
  options.round.base = options.small_counts.base = base;
  options.weights = "unity";
  return options;
}

// The draft, which the audit has passed.
Draft expect_released(const Shared& problem, const ProtectOptions& options) {
  const auto found = protect(problem, options, RunContext{});
  EXPECT_TRUE(found) << found.error().text();
  if (!found)
    return {};
  EXPECT_TRUE(found->complete) << found->reason;
  EXPECT_LE(found->bound, found->cost + 1e-9);
  const auto decided = decide_release(problem, *found, {}, RunContext{});
  EXPECT_TRUE(decided) << decided.error().text();
  EXPECT_TRUE(decided->release) << refusal_text(decided->refusal);
  return found->draft;
}

std::string refusal(const Shared& problem) {
  const auto found = protect(problem, by(Method::kSuppress), RunContext{});
  EXPECT_FALSE(found);
  return found ? "" : base::in_full(found.error().text());
}

// Four ones hide each other from who knows nothing of the rule, and from nobody else.
const std::vector<Units> kOnes{1, 1, 9, 9, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

TEST(CountRepair, OnesHideOnesOnlyWhereZerosMayBeWithheld) {
  const auto any = counts({flat(4), flat(4)}, kOnes, asking({CountKind::kExact}, {}));
  const auto nonzero =
      counts({flat(4), flat(4)}, kOnes, asking({CountKind::kExact}, WithheldMeans::kNonzero));
  const Draft few = expect_released(any, by(Method::kSuppress));
  const Draft more = expect_released(nonzero, by(Method::kSuppress));
  EXPECT_EQ(few.count(StatementKind::kWithheld), 4);
  EXPECT_GT(more.count(StatementKind::kWithheld), 4);
}

TEST(CountRepair, SmallCountsMayBeLarge) {
  for (const WithheldMeans means : {WithheldMeans::kAny, WithheldMeans::kNonzero}) {
    const auto problem =
        counts({flat(4), flat(4)}, kOnes, asking({CountKind::kExact, CountKind::kSmall}, means, 5));
    expect_released(problem, by(Method::kSuppress));
  }
}

TEST(CountRepair, MarkedPrimariesKeepTwoValues) {
  const auto problem =
      counts({flat(4), flat(4)},
             kOnes,
             asking({CountKind::kExact, CountKind::kSmall}, WithheldMeans::kRule, 4));
  expect_released(problem, by(Method::kSuppress));
}

TEST(CountRepair, SensitiveZeros) {
  CountOptions options = asking({CountKind::kExact, CountKind::kZero}, WithheldMeans::kAny);
  options.zeros = Zeros::kSensitive;
  const auto problem = counts({flat(3), flat(3)}, {0, 5, 6, 7, 8, 9, 6, 5, 4}, options);
  const Draft draft = expect_released(problem, by(Method::kSuppress));
  EXPECT_EQ(draft.state(CellId{0}), StatementKind::kWithheld);
}

// All of the first row are in its first part: the zeros have to be withheld, and others with them.
TEST(CountRepair, AllOfAGroup) {
  const std::vector<Units> leaves{7, 0, 0, 5, 6, 4, 8, 9, 5};
  const auto any = counts({flat(3), flat(3)}, leaves, asking({CountKind::kAll}, {}));
  ASSERT_EQ(any->counts()->questions.size(), 1U);
  expect_released(any, by(Method::kSuppress));
  const auto nonzero =
      counts({flat(3), flat(3)}, leaves, asking({CountKind::kAll}, WithheldMeans::kNonzero));
  EXPECT_THAT(refusal(nonzero), HasSubstr("let zeros be withheld (--withheld-means any)"));
}

TEST(CountRepair, ACoalitionInsideTheGroup) {
  CountOptions options = asking({CountKind::kAll}, WithheldMeans::kAny);
  options.coalition = 2;
  const auto problem = counts({flat(3), flat(3)}, {7, 1, 1, 5, 6, 4, 8, 9, 5}, options);
  ASSERT_FALSE(problem->counts()->questions.empty());
  expect_released(problem, by(Method::kSuppress));
}

// 23 = 15 + x + x tells that the two together are 8.
TEST(CountRepair, SumsOfWhatIsWithheld) {
  const auto problem =
      counts({flat(3)},
             {15, 5, 3},
             asking({CountKind::kExact, CountKind::kImplied}, WithheldMeans::kAny, 11));
  const Draft draft = expect_released(problem, by(Method::kSuppress));
  EXPECT_EQ(draft.count(StatementKind::kWithheld), 3);
}

TEST(CountRepair, WhatTheRuleTellsCannotBeHidden) {
  const auto problem =
      counts({flat(3)}, {1, 5, 6}, asking({CountKind::kExact}, WithheldMeans::kRule, 2));
  EXPECT_THAT(refusal(problem),
              HasSubstr("no release can leave 2 possible values of the count to readers who know "
                        "'withheld means rule' (threshold 2)"));
}

Shared ones_and_nines() {
  return counts({flat(4), flat(4)},
                kOnes,
                asking({CountKind::kExact, CountKind::kSmall}, WithheldMeans::kNonzero));
}

TEST(CountRepair, Rounded) {
  expect_released(ones_and_nines(), by(Method::kRound, 5));
}

TEST(CountRepair, Intervals) {
  expect_released(ones_and_nines(), by(Method::kInterval));
}

TEST(CountRepair, Mixed) {
  ProtectOptions mixed = by(Method::kMixed, 5);
  mixed.mixed.others_as = PublishAs::kRounded;
  mixed.mixed.totals_as = PublishAs::kRounded;
  const auto told = protect(ones_and_nines(), mixed, RunContext{});
  ASSERT_FALSE(told);  // intervals would be the small counts
  EXPECT_THAT(told.error().message, ::testing::HasSubstr("differently from others"));
  mixed.mixed.sensitive_as = PublishAs::kRounded;
  expect_released(ones_and_nines(), mixed);
}

// Real numbers leave [0, 1], whole numbers 1 alone; the five published numbers are its reason.
TEST(CountCut, NamesThePublishedNumbersOfAStep) {
  const CountTableMaker maker({testing::two_groupings(), flat(2)});
  const Table table = maker.make({0, 0, 0, 1, 1, 0}).table;
  const std::vector<CellId> published{CellId{0}, CellId{5}, CellId{10}, CellId{13}, CellId{17}};
  const CellId men3{6};
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (std::find(published.begin(), published.end(), CellId{c}) == published.end())
      draft.withhold(CellId{c});
  }
  CountRules rules;
  rules.questions.push_back({CountKind::kExact, 0, men3, CellId{-1}, {{men3, 1}}});
  const Problem problem = assemble_problem({table, {outsider()}, {}, std::move(rules)}).value();
  AuditOptions verdicts;
  verdicts.intervals = false;
  const RunContext run;
  audit::AuditRun audit(problem, draft, verdicts, run, nullptr, problem.table().num_cells());
  const AuditReport report = audit.run({.rational = false, .integer = true}).value();
  ASSERT_EQ(report.of(Domain::kInteger).front().verdict, Verdict::kExposed);
  const counts::CountCut cut = counts::count_cut(
      problem, draft, report, report.findings.front(), [](CellId) { return true; });
  EXPECT_FALSE(cut.empty());
  EXPECT_THAT(cut, IsSubsetOf(published));
}

// The smallest table where reals call a pattern safe that tells a count to readers of whole
// numbers: where it is to be kept, the repair withholds more.
TEST(CountRepair, PatternsThatOnlyRealsCallSafe) {
  const Table plain =
      CountTableMaker({testing::two_groupings(), flat(2)}).make({0, 0, 0, 1, 1, 0}).table;
  const std::vector<std::int32_t> shown{0, 5, 10, 13, 17};
  TableBuilder builder(0);
  std::vector<CellId> pattern;
  for (std::int32_t c = 0; c < plain.num_cells(); ++c) {
    Cell cell = plain.cell(CellId{c});
    if (std::find(shown.begin(), shown.end(), c) == shown.end())
      pattern.push_back(CellId{c});
    cell.status = c == 6 ? CellStatus::kPrimary : CellStatus::kFree;
    ASSERT_TRUE(builder.add_cell(cell));
  }
  for (std::int32_t e = 0; e < plain.num_equations(); ++e)
    ASSERT_TRUE(builder.add_equation(plain.equation(EquationId{e})));
  const auto given = make_problem(std::move(builder).build().value(), {}, {});
  ASSERT_TRUE(given);
  const auto asked = with_count_rules(*given, asking({CountKind::kExact}, {}, 1));
  ASSERT_TRUE(asked) << asked.error().text();
  const auto problem = std::make_shared<const Problem>(*asked);
  AuditOptions reals;
  reals.reals = true;
  const Draft kept = Draft::withholding(pattern);
  EXPECT_EQ(Auditor(problem).audit(kept, reals, RunContext{})->verdict, Verdict::kProtected);
  EXPECT_EQ(Auditor(problem).audit(kept, {}, RunContext{})->verdict, Verdict::kExposed);
  ProtectOptions options = by(Method::kSuppress);
  options.suppress.preferred = pattern;
  const Draft draft = expect_released(problem, options);
  EXPECT_GT(draft.count(StatementKind::kWithheld), kept.count(StatementKind::kWithheld));
}

TEST(CountCut, MeetsAllCutsCheaplyAndNoneInVain) {
  TableBuilder builder(0);
  for (const double weight : {1.0, 5.0, 1.0, 3.0})
    ASSERT_TRUE(builder.add_cell({.value = 4, .prior = {0, kUnboundedAbove}, .weight = weight}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  const std::vector<counts::CountCut> cuts{
      {CellId{0}, CellId{3}}, {CellId{0}, CellId{1}}, {CellId{2}, CellId{3}}};
  std::vector<CellId> met = counts::meet_cuts(*table, cuts);
  EXPECT_THAT(met, ::testing::UnorderedElementsAre(CellId{0}, CellId{2}));
  EXPECT_TRUE(counts::meet_cuts(*table, {}).empty());
}

}  // namespace
}  // namespace lacuna::methods
