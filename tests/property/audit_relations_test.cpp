// SPDX-License-Identifier: Apache-2.0
// What must hold between audits of related releases: withholding more never narrows an interval;
// names, order and unit of the numbers change nothing; nor does the number of threads. Larger
// tables of every shape leave nothing undecided, and their evidence is confirmed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "property/seeds.h"
#include "support/random_draft.h"

namespace lacuna {
namespace {

using testing::for_each_seed;
using testing::random_draft;

using Shared = std::shared_ptr<const Problem>;

Shared small_problem(std::uint64_t seed) {
  auto made = generation::generate_small(seed);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(std::move(made).value());
}

AuditReport audited(const Shared& problem,
                    const Draft& draft,
                    const AuditOptions& options,
                    int threads = 1) {
  RunContext run;
  run.threads = threads;
  auto report = Auditor(problem).audit(draft, options, run);
  EXPECT_TRUE(report) << (report ? "" : report.error().text());
  return report ? std::move(report).value() : AuditReport{};
}

AuditOptions every_interval() {
  AuditOptions options;
  options.all_withheld = true;
  return options;
}

struct Ends {
  bool low_unbounded = false, high_unbounded = false;
  Fraction low, high;  // distances
  bool operator==(const Ends&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Ends& ends) {
  const auto show = [&](bool unbounded, const Fraction& f) {
    if (unbounded) {
      out << "no end";
    } else {
      out << f.text();
    }
  };
  show(ends.low_unbounded, ends.low);
  show(ends.high_unbounded, ends.high);
  return out;
}

Ends ends_of(const End& low, const End& high) {
  EXPECT_TRUE(low.exact() && high.exact());
  return {low.unbounded,
          high.unbounded,
          low.unbounded ? Fraction{} : low.reached,
          high.unbounded ? Fraction{} : high.reached};
}

using Key = std::pair<std::int32_t, std::int32_t>;  // cell, attacker

std::map<Key, Ends> intervals(const AuditReport& report, const Draft& draft) {
  std::map<Key, Ends> all;
  for (const Finding& finding : report.findings) {
    const Question& need = finding.question;
    if (draft.state(need.cell) != StatementKind::kExact)
      all[{need.cell.value, need.attacker}] = ends_of(finding.low, finding.high);
  }
  for (const CellRange& range : report.ranges)
    all[{range.cell.value, 0}] = ends_of(range.low, range.high);
  return all;
}

bool at_least(const Ends& wide, const Ends& narrow) {
  const bool low = wide.low_unbounded || (!narrow.low_unbounded && wide.low >= narrow.low);
  const bool high = wide.high_unbounded || (!narrow.high_unbounded && wide.high >= narrow.high);
  return low && high;
}

TEST(AuditRelations, WithholdingMoreNeverNarrows) {
  for_each_seed(1, 250, [](std::uint64_t seed) {
    const Shared problem = small_problem(seed);
    base::Random random(seed + 7);
    const Draft draft = random_draft(*problem, random);
    Draft more = draft;
    for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
      const CellStatus status = problem->table().cell(CellId{c}).status;
      const bool may = status != CellStatus::kMustPublish && status != CellStatus::kKnown;
      if (may && random.chance(1, 5))
        more.withhold(CellId{c});
    }
    const auto before = intervals(audited(problem, draft, every_interval()), draft);
    const auto after = intervals(audited(problem, more, every_interval()), more);
    for (const auto& [key, ends] : before) {
      ASSERT_TRUE(after.contains(key)) << "cell " << key.first;
      EXPECT_TRUE(at_least(after.at(key), ends)) << "cell " << key.first;
    }
  });
}

// The same problem with cells and equations in another order. order[new] = old.
std::vector<std::int32_t> shuffled(std::int32_t count, base::Random& random) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
  return order;
}

struct Changed {
  Shared problem;
  Draft draft;
  std::vector<std::int32_t> new_index;  // of an old cell
};

Units scaled(Units value, Units factor) {
  const bool unbounded = value == kUnboundedAbove || value == kUnboundedBelow;
  return unbounded ? value : value * factor;
}
Bounds scaled(Bounds bounds, Units factor) {
  return {scaled(bounds.lower, factor), scaled(bounds.upper, factor)};
}
Statement scaled(Statement says, Units factor) {
  if (auto* interval = std::get_if<IntervalEnds>(&says))
    interval->ends = scaled(interval->ends, factor);
  if (auto* rounded = std::get_if<Rounded>(&says))
    says = Rounded{rounded->value * factor, rounded->base * factor, rounded->steps};
  else if (auto* altered = std::get_if<Altered>(&says))
    says = Altered{altered->value * factor, scaled(altered->range, factor)};
  return says;
}

Changed rewritten(const Problem& problem,
                  const Draft& draft,
                  const std::vector<std::int32_t>& cell_order,
                  const std::vector<std::int32_t>& equation_order,
                  Units factor) {
  const Table& table = problem.table();
  TableBuilder builder(table.decimals() + (factor == 10 ? 1 : 0));
  Changed changed;
  changed.new_index.resize(cell_order.size());
  for (std::size_t i = 0; i < cell_order.size(); ++i) {
    Cell cell = table.cell(CellId{cell_order[i]});
    cell.value = scaled(cell.value, factor);
    cell.prior = scaled(cell.prior, factor);
    EXPECT_TRUE(builder.add_cell(cell));
    changed.new_index[static_cast<std::size_t>(cell_order[i])] = static_cast<std::int32_t>(i);
  }
  const auto renamed = [&](CellId cell) {
    return CellId{changed.new_index[static_cast<std::size_t>(cell.value)]};
  };
  for (const std::int32_t e : equation_order) {
    std::vector<Term> terms;
    for (const Term& term : table.equation(EquationId{e}))
      terms.push_back({renamed(term.cell), term.coefficient});
    EXPECT_TRUE(builder.add_equation(terms, scaled(table.rhs(EquationId{e}), factor)));
  }
  std::vector<Attacker> attackers = problem.attackers();
  for (Attacker& attacker : attackers) {
    for (Knowledge& known : attacker.known)
      known = {renamed(known.cell), scaled(known.bounds, factor)};
    std::sort(attacker.known.begin(), attacker.known.end(), [](const auto& a, const auto& b) {
      return a.cell < b.cell;
    });
  }
  std::vector<Requirement> needs = problem.requirements();
  for (Requirement& need : needs) {
    need.cell = renamed(need.cell);
    need.lower *= factor;
    need.upper *= factor;
    need.sliding *= factor;
  }
  for (CellEntry entry : draft.entries()) {
    entry.cell = renamed(entry.cell);
    entry.says = scaled(entry.says, factor);
    changed.draft.set(entry);
  }
  auto built = std::move(builder).build();
  EXPECT_TRUE(built);
  auto made = make_problem(std::move(built).value(), attackers, needs);
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  changed.problem = std::make_shared<const Problem>(std::move(made).value());
  return changed;
}

std::map<Key, Verdict> verdicts(const AuditReport& report) {
  std::map<Key, Verdict> all;
  for (const Finding& finding : report.findings)
    all[{finding.question.cell.value, finding.question.attacker}] = finding.verdict;
  return all;
}

void expect_same(const Shared& problem, const Draft& draft, const Changed& changed, Units factor) {
  const AuditReport before = audited(problem, draft, every_interval());
  const AuditReport after = audited(changed.problem, changed.draft, every_interval());
  const auto renamed = [&](Key key) {
    return Key{changed.new_index[static_cast<std::size_t>(key.first)], key.second};
  };
  const auto verdicts_after = verdicts(after);
  const auto verdicts_before = verdicts(before);
  EXPECT_EQ(verdicts_before.size(), verdicts_after.size());
  for (const auto& [key, verdict] : verdicts_before)
    EXPECT_EQ(verdicts_after.at(renamed(key)), verdict) << "cell " << key.first;
  const auto ends_after = intervals(after, changed.draft);
  for (const auto& [key, ends] : intervals(before, draft)) {
    Ends expected = ends;
    expected.low = ends.low * static_cast<long>(factor);
    expected.high = ends.high * static_cast<long>(factor);
    EXPECT_EQ(ends_after.at(renamed(key)), expected) << "cell " << key.first;
  }
}

TEST(AuditRelations, OrderOfCellsAndEquationsChangesNothing) {
  for_each_seed(1, 250, [](std::uint64_t seed) {
    const Shared problem = small_problem(seed);
    base::Random random(seed + 11);
    const Draft draft = random_draft(*problem, random);
    const auto cells = shuffled(problem->table().num_cells(), random);
    const auto equations = shuffled(problem->table().num_equations(), random);
    expect_same(problem, draft, rewritten(*problem, draft, cells, equations, 1), 1);
  });
}

TEST(AuditRelations, UnitChangesNothing) {
  for_each_seed(1, 250, [](std::uint64_t seed) {
    const Shared problem = small_problem(seed);
    base::Random random(seed + 13);
    const Draft draft = random_draft(*problem, random);
    std::vector<std::int32_t> cells(static_cast<std::size_t>(problem->table().num_cells()));
    std::vector<std::int32_t> equations(static_cast<std::size_t>(problem->table().num_equations()));
    std::iota(cells.begin(), cells.end(), 0);
    std::iota(equations.begin(), equations.end(), 0);
    for (const Units factor : {Units{10}, Units{1'000'000'007}})
      expect_same(problem, draft, rewritten(*problem, draft, cells, equations, factor), factor);
  });
}

// ---- larger tables

std::vector<generation::GenerateOptions> larger_shapes(std::uint64_t seed) {
  generation::GenerateOptions flat;
  flat.sizes = {30, 20};
  generation::GenerateOptions cube;
  cube.sizes = {9, 8, 8};
  generation::GenerateOptions tree;
  tree.kind = generation::GenerateKind::kHierarchical;
  tree.depths = {3, 2};
  tree.fan_least = {2};
  tree.fan_most = {4};
  generation::GenerateOptions rows;
  rows.kind = generation::GenerateKind::kOneHierarchy;
  rows.rows = 6;
  rows.columns = 12;
  rows.tree_depth = 3;
  generation::GenerateOptions linked;
  linked.kind = generation::GenerateKind::kLinked;
  linked.depths = {3, 2};
  linked.tables = 3;
  linked.second_hierarchy = true;
  std::vector<generation::GenerateOptions> shapes{flat, cube, tree, rows, linked};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    generation::GenerateOptions& options = shapes[i];
    options.seed = seed * 16 + i;
    options.sensitive_percent = 8 + static_cast<std::int32_t>(seed % 3) * 8;
    options.above_percent = seed % 2 == 0 ? -1 : 100;
    options.sliding_percent = seed % 2 == 0 ? 0 : 25;
    options.decimals = static_cast<std::int32_t>(seed % 3);
    options.zero_percent = 5;
    options.attackers = 2;
  }
  return shapes;
}

// Primaries withheld and other cells at random, so that the parts are large and loosely tied.
Draft scattered(const Problem& problem, std::int64_t percent, base::Random& random) {
  Draft draft = Draft::withholding_primaries(problem.table());
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status == CellStatus::kFree && random.chance(percent, 100))
      draft.withhold(CellId{c});
  }
  return draft;
}

void expect_settled(const Shared& problem, const Draft& draft, const AuditOptions& options) {
  const AuditReport report = audited(problem, draft, options);
  EXPECT_EQ(report.count(Verdict::kUndecided), 0);
  const auto confirmed = confirm(*problem, draft, report);
  ASSERT_TRUE(confirmed) << confirmed.error().text();
  EXPECT_EQ(verdicts(*confirmed), verdicts(report));
  const std::string text = certificate::write_certificate(*problem, draft, report);
  const auto read = certificate::read_certificate(text, "certificate", *problem);
  ASSERT_TRUE(read) << read.error().text();
  const auto again = confirm(*problem, read->draft, read->claimed);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(verdicts(*again), verdicts(report));
  if (!options.intervals)
    return;
  for (const Finding& finding : report.findings) {
    if (draft.state(finding.question.cell) != StatementKind::kExact) {
      EXPECT_TRUE(finding.low.exact() && finding.high.exact())
          << problem->table().label(finding.question.cell);
    }
  }
}

TEST(LargerTables, NothingUndecidedAndEverythingConfirmed) {
  for_each_seed(1, 4, [](std::uint64_t seed) {
    base::Random random(seed);
    for (const generation::GenerateOptions& shape : larger_shapes(seed)) {
      auto made = generation::generate(shape);
      ASSERT_TRUE(made) << made.error().text();
      const auto problem = std::make_shared<const Problem>(std::move(made).value());
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(shape.kind)) + ", " +
                   std::to_string(problem->table().num_cells()) + " cells");
      EXPECT_GE(problem->table().num_cells(), 100);
      const Draft draft = scattered(*problem, random.between(5, 40), random);
      for (const std::string& engine : lp_engines()) {
        SCOPED_TRACE(engine);
        AuditOptions options;
        options.engine = engine;
        expect_settled(problem, draft, options);
        options.intervals = false;
        expect_settled(problem, draft, options);
      }
    }
  });
}

// One thread, two and four give the same evidence to the byte. Intervals of every hidden cell, so
// that there are more questions than one chunk of work holds; the cube is left out as too slow.
TEST(LargerTables, ThreadsChangeNothing) {
  for_each_seed(1, 1, [](std::uint64_t seed) {
    base::Random random(seed);
    std::size_t most_questions = 0;
    for (const generation::GenerateOptions& shape : larger_shapes(seed)) {
      if (shape.kind == generation::GenerateKind::kFlat && shape.sizes.size() == 3)
        continue;
      auto made = generation::generate(shape);
      ASSERT_TRUE(made);
      const auto problem = std::make_shared<const Problem>(std::move(made).value());
      const Draft draft = scattered(*problem, 60, random);
      most_questions = std::max(most_questions, draft.entries().size());
      const std::string one = certificate::write_certificate(
          *problem, draft, audited(problem, draft, every_interval(), 1));
      for (const int threads : {2, 4}) {
        const AuditReport report = audited(problem, draft, every_interval(), threads);
        EXPECT_EQ(one, certificate::write_certificate(*problem, draft, report))
            << threads << " threads";
      }
    }
    EXPECT_GT(most_questions, 300U);
  });
}

}  // namespace
}  // namespace lacuna
