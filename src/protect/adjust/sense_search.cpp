// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/sense_search.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/dense_work.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

// M W^-1 M' with the share of the sensitive cells.
Matrix absorption(const Part& part, const std::vector<std::vector<Entry>>& columns) {
  const auto rows = static_cast<Index>(part.equations.size());
  Matrix sum = Matrix::Zero(rows, rows);
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    const PartCell& cell = part.cells[c];
    if (!(cell.weight > 0))
      continue;
    const double give = (cell.sensitive ? kTuning.sense.give_way : 1.0) / cell.weight;
    for (const Entry& a : columns[c]) {
      for (const Entry& b : columns[c])
        sum(a.index, b.index) += give * a.value * b.value;
    }
  }
  return sum;
}

}  // namespace

Senses nearer_sides(const Part& part, const Vector& x, const Senses& senses) {
  Senses nearer = senses;
  for (std::size_t s = 0; s < senses.size(); ++s) {
    const PartCell& cell = part.cells[static_cast<std::size_t>(part.sensitive[s])];
    if (senses[s] == Sense::kUndecided)
      nearer[s] = 2 * x[static_cast<Index>(s)] >= cell.up - cell.down ? Sense::kUp : Sense::kDown;
  }
  return nearer;
}

struct SenseSearch::State {
  Senses senses;
  Vector x;
  Vector force;  // T r
  double cost = 0;
};

std::unique_ptr<SenseSearch> SenseSearch::make(const Part& part,
                                               AdjustNorm norm,
                                               const Senses& start) {
  auto search = std::unique_ptr<SenseSearch>(new SenseSearch(part, norm, start));
  const bool usable = search->resistance_.allFinite() && search->diagonal_.allFinite();
  return usable ? std::move(search) : nullptr;
}

SenseSearch::SenseSearch(const Part& part, AdjustNorm norm, const Senses& start)
    : up_(static_cast<Index>(part.sensitive.size())),
      down_(up_.size()),
      own_up_(up_.size()),
      own_down_(up_.size()),
      self_(up_.size()) {
  std::vector<std::vector<Entry>> columns(part.cells.size());
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e)
      columns[static_cast<std::size_t>(e->index)].push_back(
          {static_cast<std::int32_t>(r), e->value});
  }
  if (part.equations.size() <= kTuning.sense.most_equations) {
    const Matrix sum = absorption(part, columns);
    count_factor(sum.rows());
    count_inverse(sum.rows());
    resistance_ = Eigen::LLT<Matrix>(sum).solve(Matrix::Identity(sum.rows(), sum.cols()));
    diagonal_ = resistance_.diagonal();
  } else {
    use_sums(part);
  }
  for (std::size_t s = 0; s < part.sensitive.size(); ++s) {
    const auto i = static_cast<Index>(s);
    const auto c = static_cast<std::size_t>(part.sensitive[s]);
    const PartCell& cell = part.cells[c];
    up_[i] = cell.up;
    down_[i] = -cell.down;
    const bool squares = norm == AdjustNorm::kL2;
    own_up_[i] = cell.weight * cell.up * (squares ? cell.up : 1);
    own_down_[i] = cell.weight * cell.down * (squares ? cell.down : 1);
    if (resistance_.size() > 0) {
      for (const Entry& entry : columns[c])
        columns_.entries.push_back(entry);
      columns_.close_row();
    }
    self_[i] = 0;
    for (const Entry* e = columns_.begin(s); e != columns_.end(s); ++e) {
      self_[i] += e->value * e->value * diagonal_[e->index];
      for (const Entry* f = columns_.begin(s); f != columns_.end(s); ++f) {
        if (resistance_.size() > 0 && e != f)
          self_[i] += e->value * f->value * resistance_(e->index, f->index);
      }
    }
    if (start[s] == Sense::kUndecided) {
      open_.push_back(static_cast<std::int32_t>(s));
      open_entries_ += static_cast<std::int64_t>(columns_.length(s));
    }
  }
  if (resistance_.size() == 0)
    return;
  by_equation_.resize(part.equations.size());
  for (const std::int32_t s : open_) {
    const auto row = static_cast<std::size_t>(s);
    for (const Entry* e = columns_.begin(row); e != columns_.end(row); ++e)
      by_equation_[static_cast<std::size_t>(e->index)].push_back(s);
  }
}

double SenseSearch::coupling(std::int32_t s, std::int32_t t) const {
  double sum = 0;
  const auto a = static_cast<std::size_t>(s);
  const auto b = static_cast<std::size_t>(t);
  for (const Entry* e = columns_.begin(a); e != columns_.end(a); ++e) {
    for (const Entry* f = columns_.begin(b); f != columns_.end(b); ++f)
      sum += e->value * f->value * resistance_(e->index, f->index);
  }
  return sum;
}

bool SenseSearch::exchange(State& state, const RunContext& run) const {
  bool any = false;
  const auto by = [&](std::int32_t s) {
    const bool is_up = state.senses[static_cast<std::size_t>(s)] == Sense::kUp;
    return is_up ? down_[s] - up_[s] : up_[s] - down_[s];
  };
  for (const auto& cells : by_equation_) {
    for (std::size_t i = 0; i < cells.size() && !run.should_stop(); ++i) {
      base::count_work(kTuning.touches.pair * (cells.size() - i));
      for (std::size_t j = i + 1; j < cells.size(); ++j) {
        const std::int32_t s = cells[i];
        const std::int32_t t = cells[j];
        if (by(s) * by(t) >= 0)
          continue;
        const double first = turn_cost(state, s);
        const double change = first + turn_cost(state, t) + 2 * by(s) * by(t) * coupling(s, t);
        if (change >= -tol::kRounding * (std::abs(first) + 1))
          continue;
        turn(state, s, first);
        turn(state, t, change - first);
        any = true;
      }
    }
  }
  return any;
}

void SenseSearch::use_sums(const Part& part) {
  diagonal_.resize(static_cast<Index>(part.cells.size()));
  for (std::size_t c = 0; c < part.cells.size(); ++c)
    diagonal_[static_cast<Index>(c)] = part.cells[c].weight;
  std::vector<std::int32_t> sensitive_leaf(part.leaves.size(), -1);
  std::vector<std::int32_t> place(part.cells.size(), -1);
  for (std::size_t s = 0; s < part.sensitive.size(); ++s)
    place[static_cast<std::size_t>(part.sensitive[s])] = static_cast<std::int32_t>(s);
  sums_ = part.sensitive;
  for (std::size_t l = 0; l < part.leaves.size(); ++l) {
    sensitive_leaf[l] = place[static_cast<std::size_t>(part.leaves[l])];
    if (sensitive_leaf[l] >= 0)
      sums_[static_cast<std::size_t>(sensitive_leaf[l])] = -1;
  }
  std::vector<std::vector<Entry>> above(part.sensitive.size());
  for (std::size_t c = 0; c < part.cells.size(); ++c) {
    for (const Entry* e = part.expansion.begin(c); e != part.expansion.end(c); ++e) {
      const std::int32_t s = sensitive_leaf[static_cast<std::size_t>(e->index)];
      if (s >= 0 && part.sensitive[static_cast<std::size_t>(s)] != static_cast<std::int32_t>(c))
        above[static_cast<std::size_t>(s)].push_back({static_cast<std::int32_t>(c), e->value});
    }
  }
  for (const auto& entries : above) {
    columns_.entries.insert(columns_.entries.end(), entries.begin(), entries.end());
    columns_.close_row();
  }
}

double SenseSearch::turn_cost(const State& state, std::int32_t s) const {
  const bool is_up = state.senses[static_cast<std::size_t>(s)] == Sense::kUp;
  const double by = is_up ? down_[s] - up_[s] : up_[s] - down_[s];
  double pull = 0;
  const auto row = static_cast<std::size_t>(s);
  for (const Entry* e = columns_.begin(row); e != columns_.end(row); ++e)
    pull += e->value * state.force[e->index];
  const double own = is_up ? own_down_[s] - own_up_[s] : own_up_[s] - own_down_[s];
  return own + by * (2 * pull + by * self_[s]);
}

void SenseSearch::turn(State& state, std::int32_t s, double change) const {
  Sense& sense = state.senses[static_cast<std::size_t>(s)];
  const double by = sense == Sense::kUp ? down_[s] - up_[s] : up_[s] - down_[s];
  const auto row = static_cast<std::size_t>(s);
  if (resistance_.size() > 0)
    base::count_work(columns_.length(row) * static_cast<std::size_t>(resistance_.rows()));
  for (const Entry* e = columns_.begin(row); e != columns_.end(row); ++e) {
    if (resistance_.size() > 0)
      state.force += (by * e->value) * resistance_.col(e->index);
    else
      state.force[e->index] += by * e->value * diagonal_[e->index];
  }
  state.x[s] += by;
  state.cost += change;
  sense = opposite(sense);
}

Senses SenseSearch::sweep(State& state, const RunContext& run) const {
  for (int round = 0; round < kTuning.sense.most_sweeps && !run.should_stop(); ++round) {
    base::count_work(kTuning.touches.turn * open_entries_);
    bool turned = false;
    for (const std::int32_t s : open_) {
      const double change = turn_cost(state, s);
      if (change >= 0)
        continue;
      turn(state, s, change);
      turned = true;
    }
    if (!turned)
      break;
  }
  for (const std::int32_t s : open_) {
    const std::int32_t sum = sums_[static_cast<std::size_t>(s)];
    if (sum >= 0)
      state.senses[static_cast<std::size_t>(s)] =
          2 * state.force[sum] >= diagonal_[sum] * (up_[s] + down_[s]) ? Sense::kUp : Sense::kDown;
  }
  return std::move(state.senses);
}

Senses SenseSearch::best_pairs(Senses senses, const RunContext& run) const {
  State state = state_of(std::move(senses));
  for (int round = 0; round < kTuning.sense.most_pair_rounds && exchange(state, run); ++round) {
  }
  return std::move(state.senses);
}

SenseSearch::State SenseSearch::state_of(Senses senses) const {
  State state;
  if (resistance_.size() > 0)
    count_product(resistance_.rows());
  state.x.resize(up_.size());
  Vector imbalance = Vector::Zero(diagonal_.size());
  for (std::size_t s = 0; s < senses.size(); ++s) {
    const auto i = static_cast<Index>(s);
    state.x[i] = senses[s] == Sense::kUp ? up_[i] : down_[i];
    for (const Entry* e = columns_.begin(s); e != columns_.end(s); ++e)
      imbalance[e->index] += e->value * state.x[i];
  }
  state.senses = std::move(senses);
  state.force = resistance_.size() == 0 ? Vector(diagonal_.cwiseProduct(imbalance))
                                        : Vector(resistance_ * imbalance);
  return state;
}

Senses SenseSearch::improve(Senses senses,
                            std::int64_t moves,
                            base::Random& random,
                            const RunContext& run) const {
  if (open_.empty() || run.should_stop())
    return senses;
  State state = state_of(std::move(senses));
  if (resistance_.size() == 0)
    return sweep(state, run);
  double best_cost = 0;  // relative to the start
  Senses best = state.senses;
  std::vector<std::int64_t> barred_until(best.size(), 0);
  const auto count = static_cast<std::int64_t>(open_.size());
  for (std::int64_t move = 1; move <= moves && !run.should_stop(); ++move) {
    base::count_work(kTuning.touches.turn * open_entries_);
    std::int32_t chosen = -1;
    double least = kInfinity;
    for (const std::int32_t s : open_) {
      const double change = turn_cost(state, s);
      const bool barred = barred_until[static_cast<std::size_t>(s)] > move;
      if (change >= least || (barred && state.cost + change >= best_cost))
        continue;
      least = change;
      chosen = s;
    }
    if (chosen < 0)
      continue;
    turn(state, chosen, least);
    barred_until[static_cast<std::size_t>(chosen)] =
        move + 2 + random.between(0, 4 + std::min<std::int64_t>(count / 8, 40));
    if (state.cost < best_cost) {
      best_cost = state.cost;
      best = state.senses;
    }
  }
  return best_pairs(std::move(best), run);
}

}  // namespace lacuna::adjustment
