// SPDX-License-Identifier: Apache-2.0
// Independent parts of random tables that are joined by published cells: what an attacker infers of
// a cell is the same from the part as from the whole, whatever is withheld; the cheapest releases
// of the parts together cost what that of the whole does, and pass its audit.
#include <gtest/gtest.h>

#include <cmath>

#include "app/plan/split.h"
#include "core/base/random.h"
#include "lacuna/protect.h"
#include "property/seeds.h"
#include "support/suppress_problems.h"
#include "support/tables.h"

namespace lacuna {
namespace {

using testing::counts_are_checked;
using testing::for_each_seed;
using testing::Shared;
using testing::suppress_problem;

constexpr double kSameCost = 1e-6;  // relative

Shared part_of(const plan::SplitProblem& split, std::size_t unit) {
  auto problem = split.problem(unit);
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::make_shared<const Problem>(std::move(problem).value());
}

// Two or three random tables that have nothing in common but a cell of each that is published and
// their sum, and attackers who know something of all of them.
class JoinedTables {
 public:
  explicit JoinedTables(std::uint64_t seed) : random_(seed * 31 + 7) {
    const std::int64_t count = random_.between(2, 3);
    for (std::int64_t t = 0; t < count; ++t)
      add(*suppress_problem(seed * 3 + static_cast<std::uint64_t>(t), {.published_percent = 10}));
    add_sum();
  }

  Shared problem() && {
    auto table = std::move(builder_).build();
    EXPECT_TRUE(table);
    auto made = make_problem(std::move(table).value(), attackers_, requirements_);
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return std::make_shared<const Problem>(std::move(made).value());
  }

 private:
  void add(const Problem& problem) {
    const std::int32_t first = builder_.num_cells();
    const CellId shown = last_free(problem);
    for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
      Cell cell = problem.table().cell(CellId{c});
      if (CellId{c} == shown) {
        cell.status = CellStatus::kMustPublish;
        sum_.push_back({CellId{first + c}, 1});
      }
      EXPECT_TRUE(builder_.add_cell(cell));
    }
    for (std::int32_t e = 0; e < problem.table().num_equations(); ++e) {
      std::vector<Term> terms;
      for (const Term& term : problem.table().equation(EquationId{e}))
        terms.push_back({CellId{first + term.cell.value}, term.coefficient});
      EXPECT_TRUE(builder_.add_equation(terms, problem.table().rhs(EquationId{e})));
    }
    add_attackers(problem, first);
  }

  void add_attackers(const Problem& problem, std::int32_t first) {
    for (std::size_t a = 0; a < problem.attackers().size(); ++a) {
      if (a == attackers_.size())
        attackers_.push_back({"attacker " + std::to_string(a), {}});
      for (const Knowledge& known : problem.attackers()[a].known)
        attackers_[a].known.push_back({CellId{first + known.cell.value}, known.bounds});
    }
    for (Requirement need : problem.requirements()) {
      need.cell.value += first;
      requirements_.push_back(need);
    }
  }

  static CellId last_free(const Problem& problem) {
    CellId found{-1};
    for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
      if (problem.table().cell(CellId{c}).status == CellStatus::kFree &&
          !testing::needs_protection(problem, CellId{c}))
        found = CellId{c};
    }
    return found;
  }

  void add_sum() {
    Units total = 0;
    for (const Term& term : sum_)
      total += builder_.cell(term.cell).value;
    const auto cell = builder_.add_cell(
        {.value = total, .prior = {total - 1, total + 1}, .status = CellStatus::kMustPublish});
    ASSERT_TRUE(cell);
    sum_.push_back({*cell, -1});
    EXPECT_TRUE(builder_.add_equation(sum_));
  }

  base::Random random_;
  TableBuilder builder_{0};
  std::vector<Term> sum_;
  std::vector<Attacker> attackers_;
  std::vector<Requirement> requirements_;
};

Shared joined_tables(std::uint64_t seed) {
  return JoinedTables(seed).problem();
}

// ---- what is inferred

Draft random_draft(const Problem& whole, const plan::SplitProblem& split, base::Random& random) {
  Draft draft = Draft::withholding_primaries(whole.table());
  for (const Requirement& need : whole.requirements())
    draft.withhold(need.cell);
  const std::int64_t percent = random.between(20, 90);
  for (std::size_t unit = 0; unit < split.num_units(); ++unit) {
    for (const CellId cell : split.cells(unit)) {
      if (random.chance(percent, 100))
        draft.withhold(cell);
    }
  }
  return draft;
}

Draft own_draft(const Draft& whole, const std::vector<CellId>& cells) {
  Draft draft;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (whole.state(cells[c]) == StatementKind::kWithheld)
      draft.withhold(CellId{static_cast<std::int32_t>(c)});
  }
  return draft;
}

void expect_same_end(const End& one, const End& other) {
  EXPECT_EQ(one.unbounded, other.unbounded);
  EXPECT_TRUE(one.unbounded || one.reached == other.reached);
}

TEST(PlanParts, AttackersInferTheSame) {
  int split_tables = 0, exposed = 0, safe = 0;
  for_each_seed(1, 600, [&](std::uint64_t seed) {
    const Shared whole = joined_tables(seed);
    const plan::SplitProblem split(*whole, 1);
    split_tables += split.num_units() > 1 ? 1 : 0;
    base::Random random(seed);
    const Draft draft = random_draft(*whole, split, random);
    const AuditReport all = testing::audit(whole, draft);
    std::size_t seen = 0;
    for (std::size_t unit = 0; unit < split.num_units(); ++unit) {
      const Shared part = part_of(split, unit);
      const AuditReport own = testing::audit(part, own_draft(draft, split.cells(unit)));
      for (const Finding& finding : own.findings) {
        const CellId cell =
            split.cells(unit)[static_cast<std::size_t>(finding.question.cell.value)];
        const std::string& who =
            part->attackers()[static_cast<std::size_t>(finding.question.attacker)].name;
        const auto same =
            std::find_if(all.findings.begin(), all.findings.end(), [&](const Finding& f) {
              return f.question.cell == cell &&
                     whole->attackers()[static_cast<std::size_t>(f.question.attacker)].name == who;
            });
        ASSERT_TRUE(same != all.findings.end());
        EXPECT_EQ(same->verdict, finding.verdict);
        expect_same_end(same->low, finding.low);
        expect_same_end(same->high, finding.high);
        (finding.verdict == Verdict::kProtected ? safe : exposed) += 1;
        ++seen;
      }
    }
    EXPECT_EQ(seen, all.findings.size());
  });
  if (counts_are_checked()) {
    EXPECT_GE(split_tables, 300);
    EXPECT_GE(exposed, 100);
    EXPECT_GE(safe, 100);
  }
}

// ---- what is found

struct Found {
  bool released = false, optimal = false;
  double cost = 0, bound = 0;
  Draft draft;
};

Found best(const Shared& problem, const ProtectOptions& options) {
  const auto result = protect(problem, options, RunContext{});
  if (!result || !result->complete)
    return {};
  return {true, result->why == StopReason::kOptimal, result->cost, result->bound, result->draft};
}

Found best_of_parts(const plan::SplitProblem& split, const ProtectOptions& options) {
  Found sum{true, true, 0, 0, {}};
  for (std::size_t unit = 0; unit < split.num_units() && sum.released; ++unit) {
    const Found own = best(part_of(split, unit), options);
    sum.released = own.released;
    sum.optimal = sum.optimal && own.optimal;
    sum.cost += own.cost;
    sum.bound += own.bound;
    for (CellEntry entry : own.draft.entries()) {
      entry.cell = split.cells(unit)[static_cast<std::size_t>(entry.cell.value)];
      sum.draft.set(entry);
    }
  }
  return sum;
}

struct Tally {
  int split = 0, split_optimal = 0, none = 0;
};

void expect_same_optimum(std::uint64_t seed, Method method, Tally& tally) {
  const Shared whole = joined_tables(seed);
  // Sometimes small parts together.
  const plan::SplitProblem split(*whole, seed % 3 == 0 ? 12 : 1);
  ProtectOptions options;
  options.method = method;
  options.effort = Effort::kBest;
  options.off_center = 0;
  const Found at_once = best(whole, options);
  const Found in_parts = best_of_parts(split, options);
  ASSERT_EQ(at_once.released, in_parts.released);
  tally.split += split.num_units() > 1 ? 1 : 0;
  tally.none += at_once.released ? 0 : 1;
  if (!at_once.released)
    return;
  const double near = kSameCost * std::max(1.0, at_once.cost);
  EXPECT_LE(at_once.bound, in_parts.cost + near);
  EXPECT_LE(in_parts.bound, at_once.cost + near);
  if (at_once.optimal && in_parts.optimal) {
    tally.split_optimal += split.num_units() > 1 ? 1 : 0;
    EXPECT_NEAR(at_once.bound, in_parts.bound, near);
  }
  EXPECT_EQ(testing::audit(whole, in_parts.draft).verdict, Verdict::kProtected);
}

void expect_same_optima(Method method, std::uint64_t count) {
  Tally tally;
  for_each_seed(1, count, [&](std::uint64_t seed) { expect_same_optimum(seed, method, tally); });
  if (counts_are_checked()) {
    EXPECT_GE(tally.split, static_cast<int>(count / 2));
    EXPECT_GE(tally.split_optimal, static_cast<int>(count / 8));
    EXPECT_GE(tally.none, 5);
  }
}

TEST(PlanParts, WithheldCellsCostTheSame) {
  expect_same_optima(Method::kSuppress, 300);
}

TEST(PlanParts, IntervalsCostTheSame) {
  expect_same_optima(Method::kInterval, 150);
}

TEST(PlanParts, FewAndNarrowIntervalsCostTheSame) {
  expect_same_optima(Method::kCombined, 80);
}

TEST(PlanParts, APartLeftOutIsSeenByTheAuditOfTheWhole) {
  int left_out = 0;
  for_each_seed(1, 200, [&](std::uint64_t seed) {
    const Shared whole = joined_tables(seed);
    const plan::SplitProblem split(*whole, 1);
    Found found = best_of_parts(split, {});
    if (!found.released || split.num_units() < 2 || part_of(split, 0)->requirements().empty())
      return;
    for (const CellId cell : split.cells(0))
      found.draft.publish_exact(cell);
    EXPECT_EQ(testing::audit(whole, found.draft).verdict, Verdict::kExposed);
    ++left_out;
  });
  if (counts_are_checked()) {
    EXPECT_GE(left_out, 40);
  }
}

}  // namespace
}  // namespace lacuna
