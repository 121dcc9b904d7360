// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/sense_search.h"

namespace lacuna::cta {
namespace {

using Index = Eigen::Index;

Sense opposite(Sense sense) {
  return sense == Sense::kUp ? Sense::kDown : Sense::kUp;
}

}  // namespace

SenseSearch::SenseSearch(const Part& part, const Matrix& q, const Senses& start)
    : q_(q), up_(q.rows()), down_(q.rows()) {
  for (std::size_t s = 0; s < part.sensitive.size(); ++s) {
    const PartCell& cell = part.cells[static_cast<std::size_t>(part.sensitive[s])];
    up_[static_cast<Index>(s)] = cell.up;
    down_[static_cast<Index>(s)] = -cell.down;
    if (start[s] == Sense::kOpen)
      open_.push_back(static_cast<std::int32_t>(s));
  }
}

Senses SenseSearch::round(const Vector& x, const Senses& senses) const {
  Senses rounded = senses;
  for (std::size_t s = 0; s < senses.size(); ++s) {
    const auto i = static_cast<Index>(s);
    if (senses[s] == Sense::kOpen)
      rounded[s] = 2 * x[i] >= up_[i] + down_[i] ? Sense::kUp : Sense::kDown;
  }
  return rounded;
}

Vector SenseSearch::place(const Senses& senses) const {
  Vector x(q_.rows());
  for (Index i = 0; i < x.size(); ++i)
    x[i] = senses[static_cast<std::size_t>(i)] == Sense::kUp ? up_[i] : down_[i];
  return x;
}

double SenseSearch::cost(const Senses& senses) const {
  const Vector x = place(senses);
  return x.dot(q_ * x);
}

Senses SenseSearch::improve(Senses senses, std::int64_t moves, Random& random) const {
  if (open_.empty())
    return senses;
  Vector x = place(senses);
  Vector field = q_ * x;
  double cost = x.dot(field);
  double best_cost = cost;
  Senses best = senses;
  std::vector<std::int64_t> barred_until(senses.size(), 0);
  const auto count = static_cast<std::int64_t>(open_.size());
  for (std::int64_t move = 1; move <= moves; ++move) {
    std::int32_t chosen = -1;
    double least = kInfinity;
    for (const std::int32_t s : open_) {
      const double turn = up_[s] + down_[s] - 2 * x[s];  // to the other side
      const double change = turn * (2 * field[s] + q_(s, s) * turn);
      const bool barred = barred_until[static_cast<std::size_t>(s)] > move;
      if (change >= least || (barred && cost + change >= best_cost))
        continue;
      least = change;
      chosen = s;
    }
    if (chosen < 0)
      continue;
    const auto c = static_cast<std::size_t>(chosen);
    const double turn = up_[chosen] + down_[chosen] - 2 * x[chosen];
    x[chosen] += turn;
    field += turn * q_.col(chosen);
    cost += least;
    senses[c] = opposite(senses[c]);
    barred_until[c] = move + 2 + random.between(0, 4 + count / 8);
    if (cost < best_cost) {
      best_cost = cost;
      best = senses;
    }
  }
  return best;
}

}  // namespace lacuna::cta
