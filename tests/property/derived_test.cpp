// SPDX-License-Identifier: Apache-2.0
// Derived numbers against all whole-number tables and against plain linear programs: a small table
// of counts and, behind it, a second one (an earlier period, another variable, or the contributors
// of each cell), with percentages, ratios, means and growth of some cells published, whatever else
// is, others left out by their switch, bounds that readers know of the quotient of the two tables,
// and questions about the changes between them. The first oracle lists every pair of tables that
// agrees with what is published and rounds by itself; the second states each published quotient as
// two inequalities over the cells, without slack cells.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "core/base/random.h"
#include "core/table/published_ratio.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "seeds.h"

namespace lacuna {
namespace {

using table::RatioRounding;
using table::RatioScale;

constexpr std::int32_t kColumns = 3, kRows = 3, kCells = kColumns * kRows;  // with totals

// p of two numbers, rounded by comparing the rests on both sides.
Units rounded(Units x, Units n, const RatioScale& scale) {
  const Units above = (x - (scale.growth ? n : 0)) * scale.above, below = n * scale.below;
  Units down = above / below;
  while (down * below > above)
    --down;
  const Units up = down * below == above ? down : down + 1;
  const Units to_down = above - down * below, to_up = up * below - above;
  switch (scale.rounding) {
    case RatioRounding::kDown:
      return down;
    case RatioRounding::kUp:
      return up;
    case RatioRounding::kHalfUp:
      if (to_down == to_up)
        return above >= 0 ? up : down;
      break;
    case RatioRounding::kHalfEven:
      if (to_down == to_up)
        return down % 2 == 0 ? down : up;
      break;
  }
  return to_down < to_up ? down : up;
}

struct Quotient {
  std::int32_t x = 0, n = 0;  // cells of both tables; those of the second follow the first
  RatioScale scale;
  Units printed = 0;
  bool has_switch = false, left_out = false;
};

struct KnownQuotient {  // least y <= x <= most y of a cell of both tables
  std::int32_t cell = 0;
  Units least = 0, most = 0;
};

struct World {
  std::vector<Units> values;  // of both tables
  std::vector<bool> known;    // what readers have of each cell
  std::vector<Quotient> quotients;
  std::vector<KnownQuotient> known_quotients;
  std::set<std::int32_t> switches_on;  // cells of the system: numbers that are published
  std::map<std::int32_t, std::int32_t> changes;  // of which cell each cell of the system is one
  Problem problem;
  Draft draft;
};

std::vector<Units> with_totals(const std::vector<Units>& inner) {
  return {inner[0],
          inner[1],
          inner[0] + inner[1],
          inner[2],
          inner[3],
          inner[2] + inner[3],
          inner[0] + inner[2],
          inner[1] + inner[3],
          std::accumulate(inner.begin(), inner.end(), Units{0})};
}

std::vector<Units> draw_values(base::Random& random) {
  std::vector<Units> inner;
  for (int i = 0; i < 4; ++i)
    inner.push_back(random.between(0, 4));
  ++inner[static_cast<std::size_t>(random.between(0, 3))];
  return with_totals(inner);
}

const std::vector<std::vector<std::int32_t>>& sums() {  // parts, and the total at the end
  static const std::vector<std::vector<std::int32_t>> kSums{
      {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}};
  return kSums;
}

std::vector<Term> terms_of(const std::vector<std::int32_t>& sum, std::int32_t first) {
  return {{CellId{first + sum[0]}, 1}, {CellId{first + sum[1]}, 1}, {CellId{first + sum[2]}, -1}};
}

Quotient draw_quotient(const std::vector<Units>& values, base::Random& random) {
  Quotient drawn;
  drawn.scale.rounding = static_cast<RatioRounding>(random.between(0, 3));
  drawn.x = static_cast<std::int32_t>(random.between(0, kCells - 1));
  switch (random.between(0, 3)) {
    case 0:  // of a total
      drawn.n = sums()[static_cast<std::size_t>(random.between(0, 5))][2];
      drawn.scale.above = random.between(0, 1) == 0 ? 100 : 1000;
      break;
    case 1:  // of any other cell
      drawn.n = static_cast<std::int32_t>(random.between(0, kCells - 1));
      drawn.scale.above = random.between(0, 1) == 0 ? 1 : 10;
      break;
    case 2:  // a mean, of a table with a decimal
      drawn.n = kCells + drawn.x;
      drawn.scale.below = random.between(0, 1) == 0 ? 1 : 10;
      break;
    default:
      drawn.n = kCells + drawn.x;
      drawn.scale.above = 100;
      drawn.scale.growth = true;
  }
  const Units n = values[static_cast<std::size_t>(drawn.n)];
  if (n > 0)
    drawn.printed = rounded(values[static_cast<std::size_t>(drawn.x)], n, drawn.scale);
  return drawn;
}

void draw_quotients(World& world, base::Random& random) {
  const std::int64_t number = random.between(1, 6);
  for (std::int64_t i = 0; i < number; ++i) {
    const Quotient drawn = draw_quotient(world.values, random);
    if (drawn.x == drawn.n || world.values[static_cast<std::size_t>(drawn.n)] <= 0)
      continue;
    world.quotients.push_back(drawn);
    world.quotients.back().has_switch = random.between(0, 1) == 0;
    world.quotients.back().left_out =
        world.quotients.back().has_switch && random.between(0, 2) == 0;
  }
  for (std::int32_t c = 0; c < kCells; ++c) {
    const Units x = world.values[static_cast<std::size_t>(c)];
    const Units y = world.values[static_cast<std::size_t>(kCells + c)];
    if (y > 0 && random.between(0, 4) == 0)
      world.known_quotients.push_back({c, x / y, (x + y - 1) / y + random.between(0, 1)});
  }
}

void add_quotients(World& world, table::Appendix& to) {
  for (const Quotient& each : world.quotients) {
    CellId unless{-1};
    if (each.has_switch) {
      unless = to.add_switch(1, CellId{0});
      if (!each.left_out)
        world.switches_on.insert(unless.value);
    }
    const Status added = table::add_printed_ratio(
        to, CellId{each.x}, CellId{each.n}, each.scale, each.printed, CellId{0}, unless);
    EXPECT_TRUE(added) << added.error().text();
  }
  for (const KnownQuotient& each : world.known_quotients) {
    const CellId x{each.cell}, y{kCells + each.cell};
    EXPECT_TRUE(to.add_at_least({{x, 1}, {y, -each.least}}, 0, CellId{0}));
    EXPECT_TRUE(to.add_at_least({{y, each.most}, {x, -1}}, 0, CellId{0}));
  }
}

// What a cell has more than in the second table, as of an earlier period, is asked about like a
// cell.
void add_changes(World& world, table::Appendix& to, base::Random& random) {
  for (std::int32_t c = 0; c < kCells; ++c) {
    const auto i = static_cast<std::size_t>(c);
    if (random.between(0, 2) != 0)
      continue;
    const Units change = world.values[i] - world.values[i + kCells];
    constexpr Units kShift = 1000;  // no count is below zero, and a change may be
    const CellId cell = to.add_cell(change + kShift, {}, CellId{c});
    to.add_equation({{CellId{c}, 1}, {CellId{kCells + c}, -1}, {cell, -1}}, -kShift);
    to.require({.cell = cell, .sliding = 1});
    to.ask({CountKind::kExact, 0, cell, CellId{-1}, {{cell, 1}}});
    world.changes.emplace(cell.value, c);
  }
}

World draw(base::Random& random) {
  World world;
  world.values = draw_values(random);
  const std::vector<Units> second = draw_values(random);
  world.values.insert(world.values.end(), second.begin(), second.end());
  for (std::int32_t c = 0; c < 2 * kCells; ++c)
    world.known.push_back(c % kCells == kCells - 1 || random.between(0, 2) == 0);
  draw_quotients(world, random);
  TableBuilder builder(0);
  for (std::int32_t c = 0; c < kCells; ++c)
    EXPECT_TRUE(builder.add_cell({.value = world.values[static_cast<std::size_t>(c)]}));
  for (const auto& sum : sums())
    EXPECT_TRUE(builder.add_equation(terms_of(sum, 0)));
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  std::vector<Requirement> needs;
  CountRules rules;
  for (std::int32_t c = 0; c < kCells; ++c) {
    if (world.known[static_cast<std::size_t>(c)])
      continue;
    world.draft.withhold(CellId{c});
    needs.push_back({.cell = CellId{c}, .sliding = 1});
    rules.questions.push_back({CountKind::kExact, 0, CellId{c}, CellId{-1}, {{CellId{c}, 1}}});
  }
  auto made = make_problem(*table, {outsider()}, needs);
  EXPECT_TRUE(made) << made.error().text();
  Problem problem = std::move(made).value();
  EXPECT_TRUE(problem.set_counts(rules));
  table::Appendix to(problem);
  for (std::int32_t c = 0; c < kCells; ++c) {
    const Units value = second[static_cast<std::size_t>(c)];
    const bool known = world.known[static_cast<std::size_t>(kCells + c)];
    to.add_cell(value, known ? Bounds{value, value} : Bounds{0, kUnboundedAbove}, CellId{c});
  }
  for (const auto& sum : sums())
    to.add_equation(terms_of(sum, kCells));
  add_quotients(world, to);
  add_changes(world, to, random);
  auto built = std::move(to).build();
  EXPECT_TRUE(built) << built.error().text();
  world.problem = std::move(built).value();
  for (std::int32_t c = kCells; c < world.problem.table().num_cells(); ++c) {
    if (may_be_withheld(world.problem.table().cell(CellId{c})) && !world.switches_on.contains(c))
      world.draft.withhold(CellId{c});
  }
  return world;
}

// All tables of the one kind that agree with the cells that readers have.
std::vector<std::vector<Units>> tables_like(const World& world, std::size_t first) {
  std::vector<std::vector<Units>> found;
  const Units total = world.values[first + kCells - 1];
  for (Units a = 0; a <= total; ++a) {
    for (Units b = 0; a + b <= total; ++b) {
      for (Units c = 0; a + b + c <= total; ++c) {
        const std::vector<Units> values = with_totals({a, b, c, total - a - b - c});
        bool agrees = true;
        for (std::size_t i = 0; i < kCells; ++i)
          agrees = agrees && (!world.known[first + i] || values[i] == world.values[first + i]);
        if (agrees)
          found.push_back(values);
      }
    }
  }
  return found;
}

// Of every cell, and behind them of every change.
std::vector<std::set<Units>> possible_values(const World& world) {
  std::vector<std::set<Units>> possible(2 * kCells);
  const auto ours = tables_like(world, 0), others = tables_like(world, kCells);
  for (const auto& one : ours) {
    for (const auto& other : others) {
      const auto at = [&](std::int32_t c) {
        return c < kCells ? one[static_cast<std::size_t>(c)]
                          : other[static_cast<std::size_t>(c - kCells)];
      };
      const bool agrees =
          std::all_of(world.quotients.begin(),
                      world.quotients.end(),
                      [&](const Quotient& each) {
                        return each.left_out ||
                               (at(each.n) > 0 &&
                                rounded(at(each.x), at(each.n), each.scale) == each.printed);
                      }) &&
          std::all_of(world.known_quotients.begin(),
                      world.known_quotients.end(),
                      [&](const KnownQuotient& each) {
                        const Units x = at(each.cell), y = at(kCells + each.cell);
                        return each.least * y <= x && x <= each.most * y;
                      });
      for (std::size_t c = 0; agrees && c < kCells; ++c) {
        possible[c].insert(one[c]);
        possible[kCells + c].insert(one[c] - other[c]);
      }
    }
  }
  return possible;
}

// What readers know of cells and of pairs of cells by plain inequalities.
class Program {
 public:
  explicit Program(const World& world) : world_(world), low_(world.values.size(), 0) {
    high_.assign(world.values.size(), kLpInfinity);
    for (std::size_t c = kCells; c < world.values.size(); ++c) {  // known before the release
      if (world.known[c])
        low_[c] = high_[c] = static_cast<double>(world.values[c]);
    }
    for (const Quotient& each : world.quotients) {
      if (each.left_out)
        continue;
      as_rows_ = each.has_switch;
      bound(each.n, 1, 1);
      add_lines(world, each);
    }
    as_rows_ = false;
    for (const KnownQuotient& each : world.known_quotients) {
      add_known(world, each.cell, static_cast<double>(each.least), 1);
      add_known(world, each.cell, static_cast<double>(each.most), -1);
    }
    for (const std::int32_t first : {0, kCells}) {
      for (const auto& sum : sums())
        rows_.push_back({{first + sum[0], first + sum[1], first + sum[2]}, {1, 1, -1}, 0, 0});
    }
  }

  LpModel model() const {
    LpModel model;
    for (std::size_t c = 0; c < low_.size(); ++c) {
      const auto value = static_cast<double>(world_.values[c]);
      model.add_column(world_.known[c] ? value : low_[c], world_.known[c] ? value : high_[c]);
    }
    for (const Row& row : rows_)
      model.add_row(row.low, row.high, row.columns, row.values);
    return model;
  }

 private:
  struct Row {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    double low = 0, high = 0;
  };
  static std::size_t index(std::int32_t cell) { return static_cast<std::size_t>(cell); }
  bool is_fixed(std::int32_t cell) const { return low_[index(cell)] == high_[index(cell)]; }

  // The ends of the p that the number stands for, in halves of its last digit.
  void add_lines(const World& world, const Quotient& each) {
    const double p = 2 * static_cast<double>(each.printed);
    double low = p - 1, high = p + 1;
    bool low_open = each.printed <= 0, high_open = each.printed >= 0;
    if (each.scale.rounding == RatioRounding::kHalfEven)
      low_open = high_open = each.printed % 2 != 0;
    if (each.scale.rounding == RatioRounding::kDown)
      low = p, high = p + 2, low_open = false, high_open = true;
    if (each.scale.rounding == RatioRounding::kUp)
      low = p - 2, high = p, low_open = true, high_open = false;
    add_line(world, each, low, 1, low_open);
    add_line(world, each, high, -1, high_open);
  }

  // sign (x f - n g) >= step at an open end, else 0; of one cell a bound in whole numbers.
  void add_line(const World& world, const Quotient& each, double end, double sign, bool open) {
    const double f = 2 * static_cast<double>(each.scale.above);
    const double g = end * static_cast<double>(each.scale.below) + (each.scale.growth ? f : 0);
    const auto step = static_cast<double>(std::gcd(std::llround(f), std::llround(g)));
    const double least = open ? step : 0;
    if (is_fixed(each.x) && is_fixed(each.n))
      return;
    if (is_fixed(each.n))
      return bound(each.x, sign * f, least + sign * g * value(world, each.n));
    if (is_fixed(each.x)) {
      if (g != 0)
        bound(each.n, -sign * g, least - sign * f * value(world, each.x));
      return;
    }
    if (g == 0)
      return bound(each.x, sign * f, least);
    rows_.push_back({{each.x, each.n}, {sign * f, -sign * g}, least, kLpInfinity});
  }

  // sign (x - g y) >= 0
  void add_known(const World& world, std::int32_t x, double g, double sign) {
    const std::int32_t y = kCells + x;
    if (is_fixed(x) && is_fixed(y))
      return;
    if (is_fixed(y))
      return bound(x, sign, sign * g * value(world, y));
    if (g == 0)
      return bound(x, sign, 0);
    if (is_fixed(x))
      return bound(y, -sign * g, -sign * value(world, x));
    rows_.push_back({{x, y}, {sign, -sign * g}, 0, kLpInfinity});
  }

  static double value(const World& world, std::int32_t cell) {
    return static_cast<double>(world.values[index(cell)]);
  }

  // factor y >= least; of a number with a switch it is told by an equation, not known before
  void bound(std::int32_t cell, double factor, double least) {
    if (as_rows_) {
      const double end = factor > 0 ? std::ceil(least / factor - 1e-9)
                                    : std::floor(least / factor + 1e-9);
      rows_.push_back({{cell},
                       {1.0},
                       factor > 0 ? end : -kLpInfinity,
                       factor > 0 ? kLpInfinity : end});
      return;
    }
    double& low = low_[index(cell)];
    double& high = high_[index(cell)];
    if (factor > 0)
      low = std::max(low, std::ceil(least / factor - 1e-9));
    else
      high = std::min(high, std::floor(least / factor + 1e-9));
  }

  const World& world_;
  std::vector<double> low_, high_;
  std::vector<Row> rows_;
  bool as_rows_ = false;
};

struct Ends {
  double low = 0, high = 0;
};

// Of a cell, or of a cell less the one of the second table.
Ends ends_by_lp(const World& world, std::int32_t cell, bool is_change) {
  LpModel model = Program(world).model();
  Ends ends;
  for (const double sign : {1.0, -1.0}) {
    auto solver = make_lp_solver();
    EXPECT_TRUE(solver);
    model.cost.assign(model.cost.size(), 0);
    model.cost[static_cast<std::size_t>(cell)] = sign;
    if (is_change)
      model.cost[static_cast<std::size_t>(kCells + cell)] = -sign;
    EXPECT_TRUE((*solver)->load(model));
    const LpSolution solution = (*solver)->minimize({});
    EXPECT_EQ(solution.status, LpStatus::kOptimal);
    (sign > 0 ? ends.low : ends.high) = sign * solution.objective;
  }
  return ends;
}

double number(const Fraction& fraction) {
  return static_cast<double>(fraction.numerator().to_int64().value_or(0)) /
         static_cast<double>(fraction.denominator().to_int64().value_or(1));
}

void expect_same_end(const End& end, double wanted, double from_truth) {
  if (std::isinf(wanted)) {
    EXPECT_TRUE(end.unbounded);
    return;
  }
  ASSERT_TRUE(end.exact() && !end.unbounded);
  EXPECT_NEAR(number(end.reached), from_truth * wanted, 1e-6);
}

void expect_same_ends(const World& world, const Finding& finding) {
  const auto change = world.changes.find(finding.question.cell.value);
  const bool is_change = change != world.changes.end();
  const std::int32_t cell = is_change ? change->second : finding.question.cell.value;
  SCOPED_TRACE((is_change ? "change of cell " : "cell ") + std::to_string(cell));
  const Ends ends = ends_by_lp(world, cell, is_change);
  const auto i = static_cast<std::size_t>(cell);
  const Units truth = world.values[i] - (is_change ? world.values[i + kCells] : 0);
  expect_same_end(finding.low, ends.low - static_cast<double>(truth), -1);
  expect_same_end(finding.high, ends.high - static_cast<double>(truth), 1);
}

std::size_t place_of(const World& world, CellId cell) {
  const auto change = world.changes.find(cell.value);
  return static_cast<std::size_t>(change == world.changes.end() ? cell.value
                                                                : kCells + change->second);
}

TEST(Derived, AuditAgreesWithAllTablesAndPlainPrograms) {
  std::set<bool> told;
  testing::for_each_seed(1, testing::part_of(600), [&](std::uint64_t seed) {
    base::Random random(seed);
    const World world = draw(random);
    const auto problem = std::make_shared<const Problem>(world.problem);
    const auto report = Auditor(problem).audit(world.draft, {}, {});
    ASSERT_TRUE(report) << report.error().text();
    const auto possible = possible_values(world);
    for (const Finding& finding : report->of(Domain::kInteger)) {
      const auto& values = possible[place_of(world, finding.question.cell)];
      ASSERT_FALSE(values.empty());
      EXPECT_EQ(finding.verdict, values.size() > 1 ? Verdict::kProtected : Verdict::kExposed)
          << "cell " << finding.question.cell.value << ": " << finding.reason;
      told.insert(values.size() > 1);
    }
    for (const Finding& finding : report->of(Domain::kRational)) {
      // A cell that is known in advance has no requirement to be met.
      if (!problem->table().cell(finding.question.cell).prior.is_point())
        expect_same_ends(world, finding);
    }
    const auto read = certificate::read_certificate(
        certificate::write_certificate(*problem, world.draft, *report), "c", *problem);
    ASSERT_TRUE(read) << read.error().text();
    const auto again = confirm(*problem, read->draft, read->claimed);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->verdict, report->verdict);
  });
  if (std::getenv("LACUNA_SEED") == nullptr) {
    EXPECT_EQ(told.size(), 2U);
  }
}

}  // namespace
}  // namespace lacuna
