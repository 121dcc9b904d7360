// SPDX-License-Identifier: Apache-2.0
#include "protect/cellkey/nearest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/work.h"
#include "core/table/leaf_form.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"

namespace lacuna::cellkey {
namespace {

using Reals = std::vector<double>;

constexpr int kPieces = 4;                        // noise of a few units moves most cells by less
constexpr std::int32_t kMostSolved = 20'000;      // cells; beyond it the start is all there is
constexpr std::int64_t kSolveWork = 100'000'000;  // units for one attempt

// The sum of squares of whole numbers is whole.
double whole_above(double bound) {
  return std::isfinite(bound) ? std::ceil(bound - tol::kDecision * std::max(1.0, bound)) : 0;
}

double dot(const Reals& a, const Reals& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class Descent {
 public:
  Descent(const Table& table, const table::LeafForm& form, std::span<const Units> published)
      : form_(form), published_(published.begin(), published.end()), of_leaf_(form.leaves.size()) {
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      for (const table::LeafTerm& term : form.of(CellId{c}))
        of_leaf_[static_cast<std::size_t>(term.leaf)].push_back(
            {static_cast<std::size_t>(c), term.coefficient});
    }
  }

  // u with X'X u = X'p, far beyond what rounding needs.
  Reals least_squares() const {
    constexpr int kMostRounds = 300;
    Reals u(of_leaf_.size(), 0);
    Reals target(published_.begin(), published_.end());
    Reals rest = transposed(target);
    Reals way = rest;
    double size = dot(rest, rest);
    const double start = size;
    for (int i = 0; i < kMostRounds && size > tol::kRowResidual * tol::kRowResidual * start; ++i) {
      const Reals across = cells_of(way);
      const double step = size / dot(across, across);
      const Reals back = transposed(across);
      for (std::size_t k = 0; k < u.size(); ++k) {
        u[k] += step * way[k];
        rest[k] -= step * back[k];
      }
      const double next = dot(rest, rest);
      for (std::size_t k = 0; k < u.size(); ++k)
        way[k] = rest[k] + next / size * way[k];
      size = next;
    }
    return u;
  }

  double distance(const Reals& u) const {
    const Reals cells = cells_of(u);
    double sum = 0;
    for (std::size_t c = 0; c < cells.size(); ++c)
      sum += (cells[c] - static_cast<double>(published_[c])) *
             (cells[c] - static_cast<double>(published_[c]));
    return sum;
  }

  void start(const Reals& u) {
    for (const double number : u)
      leaves_.push_back(static_cast<Units>(std::max(0.0, std::nearbyint(number))));
    off_.assign(published_.size(), 0);
    for (std::size_t c = 0; c < off_.size(); ++c)
      off_[c] = -published_[c];
    for (std::size_t k = 0; k < leaves_.size(); ++k)
      shift(k, leaves_[k], false);
  }

  void improve() {
    constexpr int kMostRounds = 50;
    for (int round = 0; round < kMostRounds; ++round) {
      bool moved = false;
      for (std::size_t k = 0; k < leaves_.size(); ++k)
        moved = improve_leaf(k) || moved;
      if (!moved)
        return;
    }
  }

  std::vector<Units> numbers() const {
    std::vector<Units> numbers;
    for (std::size_t c = 0; c < off_.size(); ++c)
      numbers.push_back(published_[c] + off_[c]);
    return numbers;
  }
  double whole_distance() const {
    double sum = 0;
    for (const Units off : off_)
      sum += static_cast<double>(off) * static_cast<double>(off);
    return sum;
  }

 private:
  struct Place {
    std::size_t cell;
    std::int64_t coefficient;
  };

  Reals cells_of(const Reals& u) const {
    Reals cells(published_.size(), 0);
    for (std::size_t k = 0; k < u.size(); ++k) {
      for (const Place& place : of_leaf_[k])
        cells[place.cell] += static_cast<double>(place.coefficient) * u[k];
    }
    return cells;
  }
  Reals transposed(const Reals& cells) const {
    Reals u(of_leaf_.size(), 0);
    for (std::size_t k = 0; k < u.size(); ++k) {
      for (const Place& place : of_leaf_[k])
        u[k] += static_cast<double>(place.coefficient) * cells[place.cell];
    }
    return u;
  }

  void shift(std::size_t leaf, Units by, bool moves) {
    for (const Place& place : of_leaf_[leaf])
      off_[place.cell] += place.coefficient * by;
    if (moves)
      leaves_[leaf] += by;
  }
  // What the sum of squares grows by.
  Wide growth(std::size_t leaf, Units by) const {
    Wide sum = 0;
    for (const Place& place : of_leaf_[leaf]) {
      const Wide move = Wide{place.coefficient} * by;
      sum += move * (2 * Wide{off_[place.cell]} + move);
    }
    return sum;
  }

  bool improve_leaf(std::size_t leaf) {
    bool moved = false;
    for (const Units by : {Units{1}, Units{-1}}) {
      while (leaves_[leaf] + by >= 0 && growth(leaf, by) < 0) {
        shift(leaf, by, true);
        moved = true;
      }
    }
    // The next leaf in the order is most often a neighbor in some equation.
    const std::size_t next = leaf + 1;
    for (const Units by : {Units{1}, Units{-1}}) {
      if (next >= leaves_.size() || leaves_[leaf] + by < 0 || leaves_[next] - by < 0)
        continue;
      const Wide first = growth(leaf, by);
      shift(leaf, by, true);
      if (first + growth(next, -by) < 0) {
        shift(next, -by, true);
        moved = true;
      } else {
        shift(leaf, -by, true);
      }
    }
    return moved;
  }

  const table::LeafForm& form_;
  std::vector<Units> published_;
  std::vector<std::vector<Place>> of_leaf_;
  std::vector<Units> leaves_;
  std::vector<Units> off_;  // by cell: (X u)_c - p_c
};

// The start: nothing if the equations restrict the leaves or have right-hand sides, or if cells
// keep their numbers.
std::optional<NearestTable> by_descent(const NearestQuestion& question) {
  const Table& table = question.table;
  if (std::find(question.keeps.begin(), question.keeps.end(), true) != question.keeps.end())
    return std::nullopt;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    if (table.rhs(EquationId{e}) != 0)
      return std::nullopt;
  }
  const table::LeafForm form =
      table::leaf_form(table, std::vector<bool>(static_cast<std::size_t>(table.num_cells()), true));
  if (!form.conditions.empty())
    return std::nullopt;
  Descent descent(table, form, question.published);
  const Reals real = descent.least_squares();
  descent.start(real);
  descent.improve();
  NearestTable found{descent.numbers(), descent.whole_distance(), 0};
  found.bound = std::max(0.0, whole_above(descent.distance(real)));
  return found;
}

// The model of the header with so many unit pieces on each side.
class SquaresModel {
 public:
  SquaresModel(const NearestQuestion& question, int pieces) : question_(question) {
    const Table& table = question.table;
    for (std::int32_t c = 0; c < table.num_cells(); ++c)
      add_cell(c, pieces);
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      std::vector<std::int32_t> columns;
      std::vector<double> values;
      for (const Term& term : table.equation(EquationId{e})) {
        columns.push_back(first_[static_cast<std::size_t>(term.cell.value)]);
        values.push_back(term.coefficient);
      }
      const auto rhs = static_cast<double>(table.rhs(EquationId{e}));
      model_.add_row(rhs, rhs, columns, values);
    }
  }

  const LpModel& model() const { return model_; }

  std::optional<NearestTable> table_of(const LpSolution& solution) const {
    if (solution.primal.size() != model_.cost.size())
      return std::nullopt;
    NearestTable found;
    for (std::size_t c = 0; c < first_.size(); ++c) {
      const double value = solution.primal[static_cast<std::size_t>(first_[c])];
      found.numbers.push_back(static_cast<Units>(std::llround(value)));
      const auto off = static_cast<double>(found.numbers[c] - question_.published[c]);
      found.distance += off * off;
    }
    return adds_up(found.numbers) ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  void add_cell(std::int32_t c, int pieces) {
    const auto published = static_cast<double>(question_.published[static_cast<std::size_t>(c)]);
    const bool keeps = !question_.keeps.empty() && question_.keeps[static_cast<std::size_t>(c)];
    first_.push_back(keeps ? model_.add_column(published, published, 0, true)
                           : model_.add_column(0, kLpInfinity, 0, true));
    if (keeps)
      return;
    std::vector<std::int32_t> columns{first_.back()};
    std::vector<double> values{1};
    for (int k = 1; k <= pieces; ++k) {
      const double most = k < pieces ? 1 : kLpInfinity;
      for (const double side : {-1.0, 1.0}) {
        columns.push_back(model_.add_column(0, most, 2 * k - 1));
        values.push_back(side);
      }
    }
    model_.add_row(published, published, columns, values);
  }

  bool adds_up(const std::vector<Units>& numbers) const {
    const Table& table = question_.table;
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const bool keeps = !question_.keeps.empty() && question_.keeps[c];
      if (keeps ? numbers[c] != question_.published[c] : numbers[c] < 0)
        return false;
    }
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      Wide sum = -Wide{table.rhs(EquationId{e})};
      for (const Term& term : table.equation(EquationId{e}))
        sum += Wide{term.coefficient} * numbers[static_cast<std::size_t>(term.cell.value)];
      if (sum != 0)
        return false;
    }
    return true;
  }

  const NearestQuestion& question_;
  LpModel model_;
  std::vector<std::int32_t> first_;  // column of v_c
};

}  // namespace

std::optional<NearestTable> nearest_table(const NearestQuestion& question, const RunContext& run) {
  std::optional<NearestTable> best = by_descent(question);
  const bool too_large = question.table.num_cells() > kMostSolved;
  auto solver = make_lp_solver("", LpOptions{.presolve = true});
  if (too_large || !solver || !(*solver)->supports_integers())
    return best;
  for (int pieces = kPieces; !run.should_stop(); pieces *= 2) {
    if (best && best->optimal())
      return best;
    const SquaresModel squares(question, pieces);
    if (!(*solver)->load(squares.model()))
      return best;
    const LpSolution solution = (*solver)->minimize(with_work(run, kSolveWork));
    const double bound = whole_above(solution.bound);
    auto found = squares.table_of(solution);
    if (found && (!best || found->distance < best->distance)) {
      found->bound = best ? best->bound : 0;
      best = std::move(found);
    }
    if (best && bound > best->bound)
      best->bound = std::min(bound, best->distance);
    if (solution.status != LpStatus::kOptimal)
      return best;
  }
  return best;
}

}  // namespace lacuna::cellkey
