// SPDX-License-Identifier: Apache-2.0
// Every method in one shape: what protect() finds passes the audit, or there is a reason.
#include "lacuna/protect.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <type_traits>

#include "lacuna/keys.h"
#include "support/tables.h"

namespace lacuna::methods {
namespace {

std::shared_ptr<const Problem> problem() {
  return testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, kUnboundedAbove}, 0, {0}),
      {{.cell = CellId{0}, .attacker = 0, .lower = 4, .upper = 4}});
}

ProtectOptions options_for(Method method) {
  ProtectOptions options;
  options.method = method;
  options.round.base = 10;
  options.perturb.range = 50;
  options.small_counts.base = 20;  // what is smaller moves, and nothing else
  return options;
}

TEST(Protect, EveryMethodHasOneShape) {
  for (const std::string_view name : enum_names(Method{})) {
    const Method method = find_method(name).value();
    EXPECT_EQ(to_string(method), name);
    if (method == Method::kCellKey)
      continue;  // needs keys and a table of perturbations: CellKeysThroughProtect
    const auto found = protect(problem(), options_for(method), {});
    ASSERT_TRUE(found) << name << ": " << found.error().text();
    ASSERT_TRUE(found->complete) << name << ": " << found->reason;
    EXPECT_LE(found->bound, found->cost * (1 + 1e-9)) << name;
    EXPECT_FALSE(found->details.empty()) << name;
    const auto decision = decide_release(problem(), *found, {}, {});
    ASSERT_TRUE(decision) << name << ": " << decision.error().text();
    ASSERT_TRUE(decision->release) << name << ": " << refusal_text(decision->refusal);
    EXPECT_NE(decision->release->content().state(CellId{0}), StatementKind::kExact) << name;
  }
}

// Two parts and their total with noise of up to one.
TEST(Protect, CellKeysThroughProtect) {
  PtableParts parts;
  parts.denominator = 2;
  parts.cycle.length = 0;
  parts.rows = {{PtableType::kAll, 0, {{0, 0, 2, 1}}},
                {PtableType::kAll, 1, {{0, -1, 1, 0.5}, {2, 1, 2, 0.5}}}};
  ProtectOptions options = options_for(Method::kCellKey);
  EXPECT_EQ(protect(problem(), options, {}).error().where, "--ptable");
  options.cellkey.ptable = std::make_shared<const Ptable>(Ptable::make(parts).value());
  EXPECT_EQ(protect(problem(), options, {}).error().where, "--method cellkey");
  TableBuilder builder(0);
  for (const Units value : {9, 4, 5})
    ASSERT_TRUE(builder.add_cell({.value = value}));
  const std::vector<Term> sum{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}};
  ASSERT_TRUE(builder.add_equation(sum));
  Problem counts = make_problem(std::move(builder).build().value(), {}, {}).value();
  const CellKeys keys{100, {70, 20, 50}, {9, 4, 5}, {}, {}};
  ASSERT_TRUE(counts.set_keys(std::make_shared<const CellKeys>(keys)));
  const auto given = std::make_shared<const Problem>(counts);
  const auto found = protect(given, options, {});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->draft.find(CellId{0})->number(), 10);
  EXPECT_EQ(found->draft.find(CellId{1})->number(), 3);
  EXPECT_EQ(found->draft.find(CellId{2})->number(), 6);
  ASSERT_TRUE(found->cell_keys);
  // 9 or 11 is 2 or 4 and 5 or 7: 9 = 4 + 5 and 2 + 7, 11 = 4 + 7.
  EXPECT_EQ(found->cell_keys->certain.ranges[0], (Bounds{9, 11}));
  EXPECT_EQ(found->cell_keys->certain.cells, 0);
  const auto decision = decide_release(given, *found, {}, {});  // numbers that do not add up
  ASSERT_TRUE(decision) << decision.error().text();
  EXPECT_TRUE(decision->release);
  options.cellkey.additive = Additive::kNearest;
  const auto nearest = protect(given, options, {});
  ASSERT_TRUE(nearest);
  EXPECT_TRUE(decide_release(given, *nearest, {}, {}));
  options.cellkey.flex = {.large = 0};
  EXPECT_EQ(protect(given, options, {}).error().where, "--flex");
}

TEST(Protect, TheAuditRefusesAnUnsafeDraft) {
  ProtectResult found;
  found.complete = true;
  found.draft = testing::withholding({0});
  const auto decision = decide_release(problem(), found, {}, {});
  ASSERT_TRUE(decision);
  EXPECT_FALSE(decision->release);
  EXPECT_EQ(decision->refusal.verdict, Verdict::kExposed);
  found.complete = false;
  EXPECT_FALSE(decide_release(problem(), found, {}, {}));
}

TEST(Protect, RefusesNumbersOutOfRange) {
  ProtectOptions options;
  options.gap = 2;
  EXPECT_EQ(protect(problem(), options, {}).error().text(), "--gap: must be from 0 to 1, not 2");
  options = options_for(Method::kAdjust);
  options.adjust.senses = SenseRule::kDown;
  EXPECT_EQ(protect(problem(), options, {}).error().where, "--senses");
  options = options_for(Method::kRound);
  options.round.base.reset();
  EXPECT_EQ(protect(problem(), options, {}).error().text(), "--base: rounding needs a base");
}

TEST(Protect, NumbersOfTheTableAreExact) {
  ProtectOptions options;
  ASSERT_TRUE(set_option(options, "base", "0.10"));
  EXPECT_EQ(options.round.base, Decimal(1, 1));
  ASSERT_TRUE(set_option(options, "base", ""));
  EXPECT_FALSE(options.round.base);
  EXPECT_EQ(set_option(options, "grid", "fine").error().text(),
            "--grid: must be a number, not 'fine'");
  options = options_for(Method::kRound);
  options.round.base = Decimal(5, 1);
  EXPECT_EQ(protect(problem(), options, {}).error().where, "--base")
      << "more decimals than the table";
  options.round.base = 0;
  EXPECT_EQ(protect(problem(), options, {}).error().text(), "--base: must be positive");
}

TEST(Protect, OneNameSetsTheOptionOfEveryMethodThatHasIt) {
  ProtectOptions options;
  ASSERT_TRUE(set_option(options, "base", "5"));
  EXPECT_EQ(options.round.base, Decimal(5));
  EXPECT_EQ(options.small_counts.base, Decimal(5));
  ASSERT_TRUE(set_option(options, "max-changed", "7"));
  EXPECT_EQ(options.round.max_changed, 7);
  EXPECT_EQ(options.perturb.max_changed, 7);
  EXPECT_EQ(options.mixed.max_changed, 7);
  ASSERT_TRUE(set_option(options, "senses", "up"));
  EXPECT_EQ(options.adjust.senses, SenseRule::kUp);
  EXPECT_EQ(options.perturb.senses, SenseRule::kUp);
  ASSERT_TRUE(set_option(options, "interval-digits", "2"));
  EXPECT_EQ(options.interval.interval_digits, 2);
  EXPECT_EQ(options.combined.interval_digits, 2);
  std::set<std::string> names;
  for (const OptionInfo& option : describe_options<ProtectOptions>())
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
}

// What a method is asked through protect() is what it is asked by itself.
TEST(Protect, TheOptionsOfAMethodAreItsOwn) {
  ProtectOptions options = options_for(Method::kRound);
  options.round.steps = 101;
  EXPECT_EQ(protect(problem(), options, {}).error().text(),
            "--steps: must be from 0 to 100, not 101");
  RoundOptions alone;
  static_cast<RoundSettings&>(alone) = options.round;
  EXPECT_EQ(round_table(problem(), alone, {}).error().text(),
            "--steps: must be from 0 to 100, not 101");
}

TEST(Protect, TheFlexFunctionHasFourNumbers) {
  ProtectOptions options;
  EXPECT_EQ(field_text(options.cellkey.flex), "0.03,0.2,1000,2");
  ASSERT_TRUE(set_option(options, "flex", ".5,1,0,1"));
  EXPECT_EQ(field_text(options.cellkey.flex), "0.5,1,0,1");
  for (const std::string text : {"1,2", "1,2,3,4,5", "1,2,3,x", ""})
    EXPECT_EQ(set_option(options, "flex", text).error().text(),
              "--flex: must be four numbers separated by commas: the factors of large and of small "
              "contributions, the flex point and the power, not '" +
                  text + "'");
  EXPECT_EQ(field_text(options.cellkey.flex), "0.5,1,0,1");
}

TEST(Protect, WeightsAreTheMethodsOwnUnlessNamed) {
  ProtectOptions options;
  EXPECT_EQ(weight_formula(options), "cost");
  options.method = Method::kAdjust;
  EXPECT_EQ(weight_formula(options), "inverse");
  options.weights = "value";
  EXPECT_EQ(weight_formula(options), "value");
}

TEST(Protect, SettingsOfSingleCellsCount) {
  ProtectOptions options = options_for(Method::kMixed);
  options.cells.resize(9);
  options.cells[4].method = PublishAs::kWithheld;
  const auto found = protect(problem(), options, {});
  ASSERT_TRUE(found && found->complete);
  EXPECT_EQ(found->draft.state(CellId{4}), StatementKind::kWithheld);
}

// What a binding holds can be copied, and two runs of one process do not meet.
static_assert(std::is_copy_constructible_v<Problem> && std::is_copy_assignable_v<Problem>);
static_assert(std::is_copy_constructible_v<ProtectOptions>);
static_assert(std::is_copy_constructible_v<ProtectResult>);
static_assert(std::is_copy_constructible_v<AuditReport>);
static_assert(std::is_copy_constructible_v<AuditedRelease>);
static_assert(std::is_copy_constructible_v<RunContext>);
static_assert(std::is_copy_constructible_v<Auditor>);

TEST(Protect, RunsSideBySideOnOneProblem) {
  const auto shared = problem();
  std::vector<double> costs(4, -1);
  {
    std::vector<std::jthread> threads;
    for (double& cost : costs) {
      threads.emplace_back([&cost, &shared] {
        RunContext run;
        run.threads = 2;
        const auto found = protect(shared, {}, run);
        cost = found ? found->cost : -1;
      });
    }
  }
  for (const double cost : costs)
    EXPECT_EQ(cost, costs[0]);
  EXPECT_GT(costs[0], 0);
}

}  // namespace
}  // namespace lacuna::methods
