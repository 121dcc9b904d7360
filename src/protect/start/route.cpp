// SPDX-License-Identifier: Apache-2.0
#include "protect/start/route.h"

#include <algorithm>
#include <cmath>

#include "core/base/exact_linear.h"
#include "core/base/index.h"
#include "core/base/random.h"
#include "core/base/rational.h"
#include "core/base/work.h"

namespace lacuna::start {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kTieShare = 1.0 / 1024;  // how much ties are broken by
constexpr std::size_t kTakenFactor = 3;   // withheld cells considered per open one
constexpr std::size_t kBrokenLooks = 10;
constexpr double kFreeSteps = 32;  // that a budget does not count
constexpr Wide kLargestMove = Wide{1} << 60U;

}  // namespace

Units move_of(const Route& steps, CellId cell) {
  const auto at = std::lower_bound(
      steps.begin(), steps.end(), cell, [](const RouteStep& s, CellId c) { return s.cell < c; });
  return at == steps.end() || at->cell != cell ? 0 : at->move;
}

Router::Router(const PatternState& pattern_state,
               const Overlay& overlay,
               const RouteOptions& options,
               const RunContext* run)
    : pattern_state_(pattern_state),
      overlay_(overlay),
      options_(options),
      run_(run),
      places_(base::at(pattern_state.table().num_cells()),
              base::at(pattern_state.table().num_equations())) {
  search_.attach(*this, places_);
}

bool Router::usable(CellId cell) const {
  return cell != query_.cell && overlay_.place(pattern_state_, cell) != CellRole::kNever &&
         (under_ == nullptr ||
          !std::binary_search(under_->fixed.begin(), under_->fixed.end(), cell));
}

// In units of the displacement below.
attack::Slack Router::slack_left(CellId cell) const {
  Wide up = kMaxUnits;
  Wide down = kMaxUnits;
  for (const Underlay::Use& use : under_->uses) {
    const attack::Slack slack = pattern_state_.slack(cell, use.attacker);
    const auto narrow = [&](Wide& side, Units most) {
      if (most != kUnboundedAbove)
        side = std::min(side, Wide{most} * use.own / use.level);
    };
    narrow(up, slack.toward(use.turn));
    narrow(down, slack.toward(-use.turn));
  }
  const Units move = move_of(*under_->steps, cell);
  const auto left = [](Wide side) {
    return static_cast<Units>(std::clamp(side, Wide{0}, Wide{kMaxUnits}));
  };
  return {left(down + move), left(up - move)};
}

attack::Slack Router::slack_of(CellId cell) const {
  attack::Slack slack =
      under_ != nullptr ? slack_left(cell) : pattern_state_.slack(cell, query_.attacker);
  if (query_.mirrored)
    slack.up = slack.down = std::min(slack.up, slack.down);
  const Units most =
      query_.level > kMaxUnits / options_.cap ? kMaxUnits : query_.level * options_.cap;
  return {std::min(slack.down, most), std::min(slack.up, most)};
}

// What it costs to use the cell at all.
double Router::charge(CellId cell) const {
  if (overlay_.place(pattern_state_, cell) == CellRole::kWithheld)
    return step_ * (1 + base::fixed_noise(cell.value, options_.salt));
  const double least = 4 * pattern_state_.least_cost();
  return std::max(pattern_state_.cost(cell), least) *
         (1 + std::max(kTieShare, options_.noise) * base::fixed_noise(cell.value, options_.salt));
}

// Withheld cells are free, but a price keeps the search near: without, it would look at all that is
// withheld before it pays for the first open cell. The price is a share of what cheap open cells
// beside the target cost.
void Router::set_step() {
  double cheapest = kInfinite;
  for (const Incidence& incidence : pattern_state_.table().equations_of(query_.cell)) {
    const std::span<const Term> terms = pattern_state_.table().equation(incidence.equation);
    base::count_work(8 * terms.size());
    for (const Term& term : terms) {
      if (term.cell == query_.cell ||
          overlay_.place(pattern_state_, term.cell) != CellRole::kPublished)
        continue;
      const attack::Slack slack = slack_of(term.cell);
      const double most = static_cast<double>(std::max(slack.up, slack.down)) / level_;
      if (most > 0)
        cheapest = std::min(cheapest, charge(term.cell) / std::min(1.0, most));
    }
  }
  step_ = pattern_state_.least_cost();
  if (cheapest < kInfinite)
    step_ = std::max(step_, cheapest * options_.step_share);
}

simplex::Piecewise Router::column_cost(std::int32_t cell) const {
  const attack::Slack slack = slack_of(CellId{cell});
  const double up = static_cast<double>(slack.up) / level_;
  const double down = static_cast<double>(slack.down) / level_;
  const double fixed_charge = charge(CellId{cell});
  return simplex::Piecewise::around_zero(
      down, up, fixed_charge / std::min(1.0, down), fixed_charge / std::min(1.0, up));
}

void Router::list_column(std::int32_t cell, std::vector<simplex::LazyEntry>& equations) const {
  for (const Incidence& incidence : pattern_state_.table().equations_of(CellId{cell}))
    equations.push_back({incidence.equation.value, static_cast<double>(incidence.coefficient)});
}

// All cells of the equation that may move, the cheapest of them if there are many.
bool Router::list_row(std::int32_t equation, bool all, std::vector<simplex::LazyEntry>& cells) {
  open_.clear();
  const std::span<const Term> terms = pattern_state_.table().equation(EquationId{equation});
  base::count_work(12 * terms.size());
  std::size_t taken = 0;
  for (const Term& term : terms) {
    const simplex::LazyEntry entry{term.cell.value, static_cast<double>(term.coefficient)};
    if (places_.column[base::at(term.cell.value)] >= 0) {
      cells.push_back(entry);
      continue;
    }
    if (!usable(term.cell))
      continue;
    const attack::Slack slack = slack_of(term.cell);
    const double most = static_cast<double>(std::max(slack.up, slack.down)) / level_;
    const double both = static_cast<double>(std::min(slack.up, slack.down)) / level_;
    if (!(most > 0) || both < options_.least_slack)
      continue;
    if (overlay_.place(pattern_state_, term.cell) == CellRole::kWithheld)
      ++taken;
    open_.emplace_back(charge(term.cell) / std::min(1.0, most), entry);
  }
  const std::size_t wanted =
      options_.per_equation + std::min(taken, kTakenFactor * options_.per_equation);
  const bool more = !all && open_.size() > wanted;
  if (more) {
    std::nth_element(open_.begin(),
                     open_.begin() + static_cast<std::ptrdiff_t>(wanted),
                     open_.end(),
                     [](const auto& a, const auto& b) {
                       return a.first != b.first ? a.first < b.first
                                                 : a.second.index < b.second.index;
                     });
    open_.resize(wanted);
  }
  for (const auto& [cost, entry] : open_)
    cells.push_back(entry);
  return more;
}

simplex::LazyTuning Router::tuning() const {
  return {.feasibility = options_.feasibility,
          .negligible = options_.feasibility,
          .smallest_pivot = options_.smallest_pivot,
          .max_steps = options_.max_steps,
          .refactor_every = options_.max_steps,
          .max_candidates = kBrokenLooks};
}

RouteOutcome Router::find(const RouteQuery& query) {
  under_ = nullptr;
  const attack::Slack own = pattern_state_.slack(query.cell, query.attacker);
  if (own.toward(sign(query.direction)) < query.level ||
      (query.mirrored && own.toward(-sign(query.direction)) < query.level)) {
    search_.clear();
    return RouteOutcome::kNone;
  }
  return search(query);
}

RouteOutcome Router::find_detour(const Underlay& under, CellId cell, double budget) {
  const Units move = move_of(*under.steps, cell);
  under_ = &under;
  const RouteOutcome outcome = search(
      {cell, move > 0 ? Direction::kLow : Direction::kHigh, std::abs(move), 0, budget, false});
  const bool added = outcome == RouteOutcome::kFound && add_underlay();
  under_ = nullptr;
  return outcome == RouteOutcome::kFound && !added ? RouteOutcome::kGivenUp : outcome;
}

// False if the moves are too long.
bool Router::add_underlay() {
  const auto own = std::find_if(steps_.begin(), steps_.end(), [&](const RouteStep& step) {
    return step.cell == query_.cell;
  });
  const Wide denominator = Wide{std::abs(own->move)} / query_.level;
  Moves sum;
  for (const RouteStep& step : *under_->steps)
    sum.emplace_back(step.cell, step.move * denominator);
  for (const RouteStep& step : steps_)
    sum.emplace_back(step.cell, step.move);
  std::sort(sum.begin(), sum.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Wide divisor = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (kept > 0 && sum[kept - 1].first == sum[i].first)
      sum[kept - 1].second += sum[i].second;
    else
      sum[kept++] = sum[i];
  }
  sum.resize(kept);
  std::erase_if(sum, [](const auto& each) { return each.second == 0; });
  for (const auto& [cell, move] : sum)
    divisor = base::gcd(divisor, move > 0 ? move : -move);
  steps_.clear();
  for (const auto& [cell, move] : sum) {
    const Wide small = move / divisor;
    if (small >= kLargestMove || small <= -kLargestMove)
      return false;
    steps_.push_back({cell, static_cast<Units>(small)});
  }
  return true;
}

RouteOutcome Router::search(const RouteQuery& query) {
  search_.clear();
  steps_.clear();
  query_ = query;
  level_ = static_cast<double>(query.level);
  set_step();
  for (const Incidence& incidence : pattern_state_.table().equations_of(query.cell))
    search_.add_constant(incidence.equation.value,
                         static_cast<double>(incidence.coefficient * sign(query.direction)));
  switch (search_.solve(tuning(), run_, query.budget + kFreeSteps * step_)) {
    case simplex::LazyEnding::kOptimal:
      return finish() ? RouteOutcome::kFound : RouteOutcome::kGivenUp;
    case simplex::LazyEnding::kImpossible:
      return RouteOutcome::kNone;
    case simplex::LazyEnding::kTooExpensive:
      return RouteOutcome::kTooExpensive;
    case simplex::LazyEnding::kTooLarge:
    case simplex::LazyEnding::kGivenUp:
      break;
  }
  return RouteOutcome::kGivenUp;
}

void Router::append_touched(std::vector<EquationId>& equations) const {
  for (std::size_t r = 0; r < search_.num_rows(); ++r)
    equations.push_back(EquationId{search_.row(r)});
}

// Exact: within the slacks, and every equation that any of them is in balances.
bool Router::accept(const Moves& moves, Wide denominator) {
  std::vector<Wide> sums(search_.num_rows(), 0);
  const auto add = [&](CellId cell, Wide move) {
    for (const Incidence& incidence : pattern_state_.table().equations_of(cell)) {
      const std::int32_t row = places_.row[base::at(incidence.equation.value)];
      sums[base::at(row)] += move * incidence.coefficient;
    }
  };
  const Wide own = Wide{query_.level} * sign(query_.direction) * denominator;
  if (own >= kLargestMove || own <= -kLargestMove)
    return false;
  add(query_.cell, own);
  for (const auto& [cell, move] : moves) {
    const attack::Slack slack = slack_of(cell);
    if (move > slack.up * denominator || -move > slack.down * denominator)
      return false;
    if (move >= kLargestMove || move <= -kLargestMove)
      return false;
    if (move != 0)
      add(cell, move);
  }
  for (const Wide sum : sums) {
    if (sum != 0)
      return false;
  }
  steps_.clear();
  steps_.push_back({query_.cell, static_cast<Units>(own)});
  for (const auto& [cell, move] : moves) {
    if (move != 0)
      steps_.push_back({cell, static_cast<Units>(move)});
  }
  std::sort(steps_.begin(), steps_.end(), [](const RouteStep& a, const RouteStep& b) {
    return a.cell < b.cell;
  });
  return true;
}

// Of a column at one of its ends or at zero.
Units Router::resting_move(std::size_t item) const {
  const attack::Slack slack = slack_of(CellId{search_.column(item)});
  const int point = search_.resting_point(item);
  if (point == 1)
    return 0;
  return point == 2 ? slack.up : -slack.down;
}

bool Router::round_steps(Units denominator) {
  Moves moves;
  for (std::size_t item = 0; item < search_.num_items(); ++item) {
    Wide move = 0;
    if (search_.basic(item) < 0) {
      move = Wide{resting_move(item)} * denominator;
    } else {
      const double value = search_.value(item) * level_ * static_cast<double>(denominator);
      if (!(std::abs(value) < static_cast<double>(kLargestMove)))
        return false;
      move = static_cast<Wide>(std::nearbyint(value));
    }
    if (move != 0)
      moves.emplace_back(CellId{search_.column(item)}, move);
  }
  return accept(moves, denominator);
}

// The basis in rational numbers.
bool Router::solve_steps() {
  const std::size_t size = search_.basis().size();
  base::SparseRows matrix(size);
  std::vector<mpq_class> rhs(size);
  const auto for_active = [&](CellId cell, auto&& visit) {
    for (const Incidence& incidence : pattern_state_.table().equations_of(cell)) {
      const std::int32_t row = places_.row[base::at(incidence.equation.value)];
      const std::int32_t active = search_.active(base::at(row));
      if (active >= 0)
        visit(base::at(active), incidence.coefficient);
    }
  };
  const auto move_right = [&](CellId cell, Units move) {
    const mpz_class amount = base::to_integer(move);
    for_active(cell,
               [&](std::size_t a, std::int32_t coefficient) { rhs[a] -= coefficient * amount; });
  };
  move_right(query_.cell, query_.level * sign(query_.direction));
  Moves moves;
  for (std::size_t item = 0; item < search_.num_items(); ++item) {
    const CellId cell{search_.column(item)};
    const std::int32_t basic = search_.basic(item);
    if (basic >= 0) {
      for_active(cell, [&](std::size_t a, std::int32_t coefficient) {
        matrix[a].push_back({basic, coefficient});
      });
    } else if (const Units move = resting_move(item); move != 0) {
      move_right(cell, move);
      moves.emplace_back(cell, move);
    }
  }
  const auto solved = solve_exactly(matrix, rhs);
  if (!solved)
    return false;
  Integer denominator;
  const std::vector<Integer> numbers = base::to_common_denominator(*solved, denominator);
  const auto fits = [](const Integer& number) {
    return mpz_sizeinbase(base::gmp(number).get_mpz_t(), 2) <= 60;
  };
  if (!fits(denominator))
    return false;
  for (auto& [cell, move] : moves)
    move *= base::to_units(denominator);
  for (std::size_t b = 0; b < size; ++b) {
    if (!fits(numbers[b]))
      return false;
    moves.emplace_back(CellId{search_.column(base::at(search_.basis()[b]))},
                       Wide{base::to_units(numbers[b])});
  }
  return accept(moves, base::to_units(denominator));
}

bool Router::finish() {
  for (const Units denominator : {1, 2, 3, 4, 6, 12}) {
    if (round_steps(denominator))
      return true;
  }
  return solve_steps();
}

}  // namespace lacuna::start
