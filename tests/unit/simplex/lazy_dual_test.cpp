// SPDX-License-Identifier: Apache-2.0
// The lazy dual simplex against an engine on thousands of random problems: piecewise linear costs
// become columns there. Every answer carries its own proof, which is checked: values within their
// bounds, dual activities between the slopes beside the values, or a ray that no point withstands.
// So are the invariants of the search.
#include "core/simplex/lazy_dual.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "lacuna/lp.h"

namespace lacuna::simplex {
namespace {

constexpr double kNever = Piecewise::kNever;
constexpr double kTolerance = 1e-6;

struct Kind {
  int columns = 8, rows = 5;
  bool degenerate = false;   // many equal points and slopes
  bool costly_rows = false;  // some rows have costs instead of a fixed value
  int listed = 1 << 20;      // columns that a row gives at first
  bool steepest = true;
};

class RandomSource : public LazySource {
 public:
  RandomSource(const Kind& kind, base::Random& random) : kind_(kind) {
    by_row_.resize(static_cast<std::size_t>(kind.rows));
    by_column_.resize(static_cast<std::size_t>(kind.columns));
    for (std::int32_t i = 0; i < kind.rows; ++i) {
      for (std::int32_t j = 0; j < kind.columns; ++j) {
        const auto value = static_cast<double>(random.between(-2, 2));
        if (value == 0 || random.chance(1, 2))
          continue;
        by_row_[static_cast<std::size_t>(i)].push_back({j, value});
        by_column_[static_cast<std::size_t>(j)].push_back({i, value});
      }
      constant_.push_back(static_cast<double>(random.between(-6, 6)));
      row_cost_.push_back(flat(random));
      is_costly_.push_back(kind.costly_rows && random.chance(1, 2));
    }
    for (std::int32_t j = 0; j < kind.columns; ++j)
      column_cost_.push_back(pointed(random));
  }

  // Other bounds and constants; the slopes stay.
  void change_bounds(base::Random& random) {
    for (Piecewise& cost : column_cost_)
      set_points(cost, random);
    for (Piecewise& cost : row_cost_)
      set_points(cost, random);
    for (double& constant : constant_)
      constant += static_cast<double>(random.between(-2, 2));
  }

  Piecewise column_cost(std::int32_t column) const override {
    return column_cost_[static_cast<std::size_t>(column)];
  }
  void list_column(std::int32_t column, std::vector<LazyEntry>& rows) const override {
    const auto& list = by_column_[static_cast<std::size_t>(column)];
    rows.insert(rows.end(), list.begin(), list.end());
  }
  bool list_row(std::int32_t row, bool all, std::vector<LazyEntry>& columns) override {
    int unknown = 0;
    bool more = false;
    for (const LazyEntry& entry : by_row_[static_cast<std::size_t>(row)]) {
      const bool known = places_->column[static_cast<std::size_t>(entry.index)] >= 0;
      if (known || all || unknown < kind_.listed)
        columns.push_back(entry);
      else
        more = true;
      unknown += known ? 0 : 1;
    }
    return more;
  }
  bool row_cost(std::int32_t row, Piecewise& cost) const override {
    cost = row_cost_[static_cast<std::size_t>(row)];
    return is_costly_[static_cast<std::size_t>(row)];
  }

  void set_places(const LazyPlaces& places) { places_ = &places; }
  const Kind& kind() const { return kind_; }
  // Other slopes, with the same points and the start where it was.
  void steepen(double factor) {
    for (Piecewise& cost : column_cost_) {
      for (double& slope : cost.slope)
        slope *= factor;
    }
  }

  double constant(std::size_t row) const { return constant_[row]; }
  const std::vector<LazyEntry>& row(std::size_t row) const { return by_row_[row]; }
  bool is_costly(std::size_t row) const { return is_costly_[row]; }

 private:
  // Slopes that grow from minus to plus infinity, zero between those beside `start`.
  Piecewise pointed(base::Random& random) {
    Piecewise made;
    if (lists_all() && random.chance(1, 16)) {  // free
      made.slope.fill(0);
      return made;
    }
    made.count = static_cast<std::int8_t>(random.between(1, Piecewise::kMostPoints));
    made.start = static_cast<std::int8_t>(random.between(0, made.count - 1));
    for (int k = 0; k <= made.count; ++k) {
      const double share = kind_.degenerate ? static_cast<double>(random.between(0, 1))
                                            : static_cast<double>(random.between(0, 1000)) / 500;
      made.slope[static_cast<std::size_t>(k)] = (k <= made.start ? k - made.start : k) * share;
    }
    std::sort(made.slope.begin(), made.slope.begin() + made.count + 1);
    bound(made, random);
    set_points(made, random);
    return made;
  }
  // The same with slope zero on the piece where a row starts.
  Piecewise flat(base::Random& random) {
    Piecewise made = pointed(random);
    made.slope[static_cast<std::size_t>(made.start)] = 0;
    return made;
  }
  // Rows that list all their columns at once; else every column must have two bounds.
  bool lists_all() const { return kind_.listed > kind_.columns; }
  void bound(Piecewise& cost, base::Random& random) const {
    if (!lists_all() || random.chance(3, 4))
      cost.slope.front() = -kNever;
    if (!lists_all() || random.chance(3, 4))
      cost.slope[static_cast<std::size_t>(cost.count)] = kNever;
  }
  void set_points(Piecewise& cost, base::Random& random) const {
    double at = static_cast<double>(random.between(-6, 0));
    const double before = at;
    for (int k = 0; k < cost.count; ++k) {
      cost.point[static_cast<std::size_t>(k)] = at;
      at += kind_.degenerate ? static_cast<double>(random.between(0, 2))
                             : static_cast<double>(random.between(0, 3000)) / 1000;
    }
    if (before > -3 || cost.count == 0)
      return;
    const double start = cost.at(cost.start);
    for (int k = 0; k < cost.count; ++k)
      cost.point[static_cast<std::size_t>(k)] -= start;
  }

  Kind kind_;
  const LazyPlaces* places_ = nullptr;
  std::vector<std::vector<LazyEntry>> by_row_, by_column_;
  std::vector<Piecewise> column_cost_, row_cost_;
  std::vector<bool> is_costly_;
  std::vector<double> constant_;
};

double cost_at(const Piecewise& cost, double x) {
  if (cost.count == 0)
    return cost.slope[0] * x;
  const int k = cost.start;
  double total = 0;
  double from = cost.at(k);
  if (x >= from) {
    for (int piece = k + 1; from < x - kTolerance; ++piece) {
      const double to = std::min(x, cost.high(piece));
      total += cost.slope_of(piece) * (to - from);
      from = to;
    }
  } else {
    for (int piece = k; from > x + kTolerance; --piece) {
      const double to = std::max(x, cost.low(piece));
      total -= cost.slope_of(piece) * (from - to);
      from = to;
    }
  }
  return total;
}

// The columns of an LP whose sum, from the start point, is the number.
struct Parts {
  std::vector<std::int32_t> column;
  double start = 0;
};

Parts add_parts(LpModel& model, const Piecewise& cost) {
  Parts parts;
  if (cost.count == 0) {
    parts.column.push_back(model.add_column(-kLpInfinity, kLpInfinity, cost.slope[0]));
    return parts;
  }
  parts.start = cost.at(cost.start);
  for (int piece = 0; piece <= cost.count; ++piece) {
    if (!std::isfinite(cost.slope_of(piece)))
      continue;
    const double length = cost.high(piece) - cost.low(piece);
    const bool above = piece > cost.start;
    parts.column.push_back(
        model.add_column(above ? 0 : -length, above ? length : 0, cost.slope_of(piece)));
  }
  return parts;
}

LpSolution engine_answer(const RandomSource& source) {
  LpModel model;
  std::vector<Parts> parts;
  for (std::int32_t j = 0; j < source.kind().columns; ++j)
    parts.push_back(add_parts(model, source.column_cost(j)));
  for (std::size_t i = 0; i < static_cast<std::size_t>(source.kind().rows); ++i) {
    double right = -source.constant(i);
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    const auto add = [&](const Parts& all, double coefficient) {
      right -= coefficient * all.start;
      for (const std::int32_t column : all.column) {
        columns.push_back(column);
        values.push_back(coefficient);
      }
    };
    for (const LazyEntry& entry : source.row(i))
      add(parts[static_cast<std::size_t>(entry.index)], entry.coefficient);
    Piecewise cost;
    if (source.row_cost(static_cast<std::int32_t>(i), cost))
      add(add_parts(model, cost), -1);
    model.add_row(right, right, columns, values);
  }
  auto solver = make_lp_solver("");
  EXPECT_TRUE(solver);
  EXPECT_TRUE((*solver)->load(model));
  return (*solver)->minimize(RunContext{});
}

struct Point {
  std::vector<double> column, row, dual_activity, y;
};

Point point_of(const RandomSource& source, LazyDual& search, const LazyPlaces& places) {
  Point point;
  const auto slope = [&](std::size_t item) {
    Piecewise cost;
    if (search.is_column(item))
      cost = source.column_cost(search.column(item));
    else
      source.row_cost(search.row(static_cast<std::size_t>(search.row_of_item(item))), cost);
    return cost.slope_of(search.piece(item));
  };
  std::vector<double> y;
  search.multipliers(slope, y);
  point.dual_activity.assign(static_cast<std::size_t>(source.kind().columns), 0);
  point.row.assign(static_cast<std::size_t>(source.kind().rows), 0);
  for (std::int32_t j = 0; j < source.kind().columns; ++j) {
    const std::int32_t item = places.column[static_cast<std::size_t>(j)];
    const Piecewise cost = source.column_cost(j);
    point.column.push_back(item >= 0 ? search.value(static_cast<std::size_t>(item))
                                     : cost.at(cost.start));
  }
  for (std::size_t i = 0; i < point.row.size(); ++i) {
    const std::int32_t place = places.row[i];
    point.y.push_back(place >= 0 ? y[static_cast<std::size_t>(place)] : 0);
    point.row[i] = source.constant(i);
    for (const LazyEntry& entry : source.row(i)) {
      point.row[i] += entry.coefficient * point.column[static_cast<std::size_t>(entry.index)];
      point.dual_activity[static_cast<std::size_t>(entry.index)] += entry.coefficient * point.y[i];
    }
  }
  return point;
}

// The value is allowed, and the dual activity lies between the slopes beside it.
void expect_optimal(const Piecewise& cost, double value, double dual_activity) {
  double below = cost.slope_of(0);
  double above = cost.slope_of(cost.count);
  for (int piece = 0; piece <= cost.count; ++piece) {
    if (cost.low(piece) < value - kTolerance)
      below = cost.slope_of(piece);
    if (cost.high(cost.count - piece) > value + kTolerance)
      above = cost.slope_of(cost.count - piece);
  }
  if (cost.count == 0)
    below = above = cost.slope_of(0);
  if (!std::isfinite(cost.slope_of(0))) {
    EXPECT_GE(value, cost.at(0) - kTolerance);
    below = value <= cost.at(0) + kTolerance ? -kNever : below;
  }
  if (!std::isfinite(cost.slope_of(cost.count))) {
    EXPECT_LE(value, cost.at(cost.count - 1) + kTolerance);
    above = value >= cost.at(cost.count - 1) - kTolerance ? kNever : above;
  }
  EXPECT_GE(dual_activity, below - kTolerance);
  EXPECT_LE(dual_activity, above + kTolerance);
}

double objective_of(const RandomSource& source, const Point& point) {
  double total = 0;
  for (std::int32_t j = 0; j < source.kind().columns; ++j)
    total += cost_at(source.column_cost(j), point.column[static_cast<std::size_t>(j)]);
  Piecewise cost;
  for (std::int32_t i = 0; i < source.kind().rows; ++i) {
    if (source.row_cost(i, cost))
      total += cost_at(cost, point.row[static_cast<std::size_t>(i)]);
  }
  return total;
}

// r'(A x + b) - r't is above zero (or below) for all x and t within their bounds.
void expect_ray(const RandomSource& source, const LazyDual& search) {
  std::vector<double> ray(static_cast<std::size_t>(source.kind().rows), 0);
  for (const auto& [place, rate] : search.ray())
    ray[static_cast<std::size_t>(search.row(static_cast<std::size_t>(place)))] += rate;
  double least = 0;
  double most = 0;
  const auto add = [&](const Piecewise& cost, double factor) {
    if (std::abs(factor) <= kTolerance)
      return;
    const bool below = cost.count == 0 || std::isfinite(cost.slope_of(0));
    const bool above = cost.count == 0 || std::isfinite(cost.slope_of(cost.count));
    const double low = below ? -kNever : cost.at(0);
    const double high = above ? kNever : cost.at(cost.count - 1);
    least += factor * (factor > 0 ? low : high);
    most += factor * (factor > 0 ? high : low);
  };
  std::vector<double> dual_activity(static_cast<std::size_t>(source.kind().columns), 0);
  Piecewise cost;
  for (std::size_t i = 0; i < ray.size(); ++i) {
    least += ray[i] * source.constant(i);
    most += ray[i] * source.constant(i);
    for (const LazyEntry& entry : source.row(i))
      dual_activity[static_cast<std::size_t>(entry.index)] += ray[i] * entry.coefficient;
    if (source.row_cost(static_cast<std::int32_t>(i), cost))
      add(cost, -ray[i]);
  }
  for (std::int32_t j = 0; j < source.kind().columns; ++j)
    add(source.column_cost(j), dual_activity[static_cast<std::size_t>(j)]);
  EXPECT_TRUE(least > kTolerance || most < -kTolerance) << least << " " << most;
}

struct Tally {
  int optimal = 0, impossible = 0;
};

void compare(const RandomSource& source,
             LazyDual& search,
             const LazyPlaces& places,
             LazyEnding ending,
             Tally& tally) {
  const LpSolution known = engine_answer(source);
  if (known.status == LpStatus::kInfeasible) {
    ++tally.impossible;
    ASSERT_EQ(ending, LazyEnding::kImpossible);
    expect_ray(source, search);
    return;
  }
  ASSERT_EQ(known.status, LpStatus::kOptimal);
  ASSERT_EQ(ending, LazyEnding::kOptimal);
  ++tally.optimal;
  const Point point = point_of(source, search, places);
  const bool all = source.kind().listed > source.kind().columns;
  if (all)
    EXPECT_NEAR(objective_of(source, point), known.objective, 1e-5);
  else  // best among what was listed
    EXPECT_GE(objective_of(source, point), known.objective - 1e-5);
  for (std::int32_t j = 0; j < source.kind().columns; ++j) {
    if (!all && places.column[static_cast<std::size_t>(j)] < 0)
      continue;
    expect_optimal(source.column_cost(j),
                   point.column[static_cast<std::size_t>(j)],
                   point.dual_activity[static_cast<std::size_t>(j)]);
  }
  Piecewise cost;
  for (std::int32_t i = 0; i < source.kind().rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (source.row_cost(i, cost))
      expect_optimal(cost, point.row[at], -point.y[at]);
    else
      EXPECT_NEAR(point.row[at], 0, kTolerance);
  }
}

LazyTuning tuning_of(const Kind& kind) {
  LazyTuning tuning;
  tuning.feasibility = 1e-9;
  tuning.negligible = 1e-9;
  tuning.smallest_pivot = 1e-7;
  tuning.max_steps = 5000;
  tuning.refresh_every = 8;
  tuning.refactor_every = 4;
  tuning.steepest_edge = kind.steepest;
  return tuning;
}

void set_constants(const RandomSource& source, LazyDual& search) {
  search.forget_constants();
  for (std::int32_t i = 0; i < source.kind().rows; ++i)
    search.add_constant(i, source.constant(static_cast<std::size_t>(i)));
  for (std::int32_t j = 0; j < source.kind().columns; ++j) {  // what is not touched is zero
    const Piecewise cost = source.column_cost(j);
    if (cost.at(cost.start) != 0)
      search.touch_column(j);
  }
}

void expect_invariants(const LazyDual& search) {
  EXPECT_NO_THROW(search.check_invariants());
  EXPECT_LE(search.dual_infeasibility(), kTolerance);
}

// A problem, and twice the same with other bounds, from the last basis.
void try_one(const Kind& kind, std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  base::Random random(seed);
  RandomSource source(kind, random);
  LazyPlaces places(static_cast<std::size_t>(kind.columns), static_cast<std::size_t>(kind.rows));
  source.set_places(places);
  LazyDual search;
  search.attach(source, places);
  set_constants(source, search);
  LazyEnding ending = search.solve(tuning_of(kind));
  expect_invariants(search);
  compare(source, search, places, ending, tally);
  for (int round = 0; round < 2 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE("again " + std::to_string(round));
    source.change_bounds(random);
    search.detach();
    search.attach(source, places);
    set_constants(source, search);
    // Columns that were touched just now may stand in rows that were listed in part.
    const bool list_again = kind.listed <= kind.columns || random.chance(1, 2);
    const LazyChange other = random.chance(1, 2) ? LazyChange::kPoints : LazyChange::kSlopes;
    ASSERT_TRUE(search.restart(tuning_of(kind), list_again ? LazyChange::kColumns : other));
    ending = search.solve(tuning_of(kind));
    expect_invariants(search);
    compare(source, search, places, ending, tally);
  }
  search.detach();
  for (const std::int32_t place : places.column)
    EXPECT_EQ(place, -1);
  for (const std::int32_t place : places.row)
    EXPECT_EQ(place, -1);
}

void try_many(const Kind& kind) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 250 && !::testing::Test::HasFailure(); ++seed)
    try_one(kind, seed, tally);
  EXPECT_GT(tally.optimal, 100);
  EXPECT_GT(tally.impossible, 10);
}

TEST(LazyDual, AgreesWithAnEngineOnEquations) {
  try_many({.columns = 10, .rows = 5});
  try_many({.columns = 24, .rows = 14});
}

TEST(LazyDual, AgreesWithAnEngineOnCostlyRows) {
  try_many({.columns = 12, .rows = 10, .costly_rows = true});
}

TEST(LazyDual, AgreesWithAnEngineOnDegenerateProblems) {
  try_many({.columns = 14, .rows = 8, .degenerate = true});
  try_many({.columns = 12, .rows = 10, .degenerate = true, .costly_rows = true});
}

TEST(LazyDual, AgreesWithAnEngineWhereRowsAreListedInPart) {
  try_many({.columns = 20, .rows = 8, .listed = 2});
}

TEST(LazyDual, AgreesWithAnEngineRepairingWhatIsBrokenMost) {
  try_many({.columns = 14, .rows = 8, .costly_rows = true, .steepest = false});
}

// Slopes that have changed unsaid: what rests, and the basic columns, are where they should not be.
TEST(LazyDual, NoticesDualInfeasibility) {
  int noticed = 0;
  const Kind kind{.columns = 14, .rows = 8};
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    base::Random random(seed);
    RandomSource source(kind, random);
    LazyPlaces places(static_cast<std::size_t>(kind.columns), static_cast<std::size_t>(kind.rows));
    source.set_places(places);
    LazyDual search;
    search.attach(source, places);
    set_constants(source, search);
    if (search.solve(tuning_of(kind)) == LazyEnding::kOptimal) {
      source.steepen(0.5);
      ASSERT_TRUE(search.restart(tuning_of(kind), LazyChange::kPoints));
      noticed += search.dual_infeasibility() > 0.01 ? 1 : 0;
    }
    search.detach();
  }
  EXPECT_GT(noticed, 5);
}

}  // namespace
}  // namespace lacuna::simplex
