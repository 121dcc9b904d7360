// SPDX-License-Identifier: Apache-2.0
#include "protect/small_counts/greedy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/index.h"
#include "core/base/random.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/small_counts/tuning.h"

namespace lacuna::small_counts {
namespace {

class Greedy {
 public:
  Greedy(const Program& program, const RunContext& run)
      : program_(program),
        run_(run),
        gap_(program.rows.size(), 0),
        touched_(program.small.size(), false) {
    for (const Small& small : program.small)
      x_.push_back(small.value);
    for (std::size_t r = 0; r < program.rows.size(); ++r) {
      if (program.members(r).size() == program.small.size())
        common_ += program.rows[r].weight;
    }
  }

  Roundings find() {
    Roundings found;
    for (std::vector<std::int32_t> fresh = candidates(); !fresh.empty(); fresh = candidates()) {
      round(fresh);
      ++found.rounds;
    }
    exchange(found.exchanges);
    found.cost = cost_of(program_, x_);
    found.x = std::move(x_);
    return found;
  }

 private:
  // Untouched cells that may not stay, or stand in a sum that is small.
  std::vector<std::int32_t> candidates() const {
    std::vector<bool> wanted(x_.size(), false);
    for (std::size_t i = 0; i < x_.size(); ++i)
      wanted[i] = program_.small[i].must;
    for (std::size_t r = 0; r < gap_.size(); ++r) {
      if (!program_.rows[r].guarded || !program_.is_small(program_.rows[r].target - gap_[r]))
        continue;
      for (const std::int32_t i : program_.members(r))
        wanted[base::at(i)] = true;
    }
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (wanted[i] && !touched_[i])
        found.push_back(static_cast<std::int32_t>(i));
    }
    return found;
  }

  void set(std::size_t i, Units value) {
    const Units change = value - x_[i];
    x_[i] = value;
    for (const std::int32_t r : program_.rows_of(i))
      gap_[base::at(r)] -= change;
    base::count_work(kTuning.touches.weighed_row * program_.rows_of(i).size());
  }

  void round(const std::vector<std::int32_t>& fresh) {
    std::vector<std::int32_t> open;
    for (const std::int32_t i : fresh) {
      touched_[base::at(i)] = true;
      set(base::at(i), program_.small[base::at(i)].may_drop ? 0 : program_.base);
      if (program_.small[base::at(i)].may_drop && program_.small[base::at(i)].may_rise)
        open.push_back(i);
    }
    Units lost = 0;
    for (std::size_t i = 0; i < x_.size(); ++i)
      lost += program_.small[i].value - x_[i];
    const Units rising = (2 * lost + program_.base) / (2 * program_.base);
    raise(open,
          static_cast<std::size_t>(std::clamp<Units>(rising, 0, static_cast<Units>(open.size()))));
  }

  double coefficient(std::int32_t i) const {
    double sum = 0;
    for (const std::int32_t r : program_.rows_of(base::at(i)))
      sum += program_.rows[base::at(r)].weight * static_cast<double>(gap_[base::at(r)]);
    return sum;
  }

  struct Offer {
    double coefficient = 0;
    double noise = 0;  // breaks ties by seed
    std::int32_t small = -1;
    bool operator<(const Offer& other) const {  // the better one first
      if (coefficient != other.coefficient)
        return coefficient > other.coefficient;
      return noise != other.noise ? noise < other.noise : small < other.small;
    }
  };

  void raise(std::vector<std::int32_t> open, std::size_t rising) {
    const std::size_t single = open.size() <= kTuning.greedy.most_single ? 1 : 0;
    const std::size_t step =
        single != 0 ? 1 : std::max<std::size_t>(1, rising / kTuning.greedy.looks);
    while (rising > 0) {
      const std::size_t most = std::min(step, rising);
      rising -= raise_some(open, most);
      std::erase_if(open, [&](std::int32_t i) { return x_[base::at(i)] != 0; });
    }
  }

  // Raises at least one and at most so many: those whose coefficient, looked at anew, is still as
  // large as that of the last of them was. What every rise takes from all alike does not count.
  std::size_t raise_some(const std::vector<std::int32_t>& open, std::size_t most) {
    std::vector<Offer> offers;
    offers.reserve(open.size());
    for (const std::int32_t i : open) {
      offers.push_back({coefficient(i), base::fixed_noise(i, run_.seed), i});
      base::count_work(kTuning.touches.weighed_row * program_.rows_of(base::at(i)).size());
    }
    const std::size_t looked = std::min(offers.size(), 4 * most);
    std::partial_sort(
        offers.begin(), offers.begin() + static_cast<std::ptrdiff_t>(looked), offers.end());
    const double least = offers[most - 1].coefficient;
    std::size_t raised = 0;
    for (std::size_t k = 0; k < looked && raised < most; ++k) {
      const double shared =
          common_ * static_cast<double>(program_.base) * static_cast<double>(raised);
      if (k > 0 && coefficient(offers[k].small) + shared < least)
        continue;
      set(base::at(offers[k].small), program_.base);
      ++raised;
    }
    return raised;
  }

  // ---- exchanges

  bool may_turn(std::size_t i) const {
    return touched_[i] && program_.small[i].may_drop && program_.small[i].may_rise;
  }
  Units turn(std::size_t i) const { return x_[i] == 0 ? program_.base : -program_.base; }

  double change_in(std::int32_t row, Units change) const {
    const Row& r = program_.rows[base::at(row)];
    const Units gap = gap_[base::at(row)];
    if (r.guarded && program_.is_small(r.target - gap + change))
      return HUGE_VAL;
    return r.weight * static_cast<double>(std::abs(gap - change) - std::abs(gap));
  }

  double gain_of_turn(std::size_t i) const {
    double sum = 0;
    for (const std::int32_t r : program_.rows_of(i))
      sum -= change_in(r, turn(i));
    base::count_work(kTuning.touches.weighed_row * program_.rows_of(i).size());
    return sum;
  }

  // Of two that turn in opposite directions: their common sums stay.
  double gain_of_both(std::size_t i, std::size_t j) const {
    const auto a = program_.rows_of(i), b = program_.rows_of(j);
    double sum = 0;
    std::size_t p = 0, q = 0;
    while (p < a.size() || q < b.size()) {
      if (q == b.size() || (p < a.size() && a[p] < b[q])) {
        sum -= change_in(a[p++], turn(i));
      } else if (p == a.size() || b[q] < a[p]) {
        sum -= change_in(b[q++], turn(j));
      } else {
        ++p;
        ++q;
      }
    }
    base::count_work(kTuning.touches.weighed_row * (a.size() + b.size()));
    return sum;
  }

  // The sums of the cell with the fewest members, but more than one.
  std::vector<std::int32_t> narrow_rows(std::size_t i) const {
    std::vector<std::pair<std::size_t, std::int32_t>> by_size;
    for (const std::int32_t r : program_.rows_of(i)) {
      if (program_.members(base::at(r)).size() > 1)
        by_size.emplace_back(program_.members(base::at(r)).size(), r);
    }
    const std::size_t most = std::min(kTuning.greedy.rows, by_size.size());
    std::partial_sort(
        by_size.begin(), by_size.begin() + static_cast<std::ptrdiff_t>(most), by_size.end());
    std::vector<std::int32_t> rows;
    for (std::size_t k = 0; k < most; ++k)
      rows.push_back(by_size[k].second);
    return rows;
  }

  bool improve(std::size_t i, base::Random& random) {
    if (!may_turn(i))
      return false;
    double best = gain_of_turn(i);
    std::int32_t partner = -1;
    for (const std::int32_t r : narrow_rows(i)) {
      const auto members = program_.members(base::at(r));
      const auto from = static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(members.size()) - 1));
      const std::size_t most = std::min(kTuning.greedy.partners, members.size());
      for (std::size_t k = 0; k < most; ++k) {
        const std::int32_t j = members[(from + k) % members.size()];
        if (!may_turn(base::at(j)) || turn(base::at(j)) == turn(i))
          continue;
        const double gain = gain_of_both(i, base::at(j));
        if (gain > best) {
          best = gain;
          partner = j;
        }
      }
    }
    if (best <= tol::kDecision)
      return false;
    set(i, x_[i] + turn(i));
    if (partner >= 0)
      set(base::at(partner), x_[base::at(partner)] + turn(base::at(partner)));
    return true;
  }

  void exchange(std::int64_t& exchanges) {
    base::Random random(run_.seed);
    for (int pass = 0; pass < kTuning.greedy.passes; ++pass) {
      std::int64_t better = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        if (run_.should_stop())
          return;
        better += improve(i, random) ? 1 : 0;
      }
      exchanges += better;
      if (better == 0)
        return;
    }
  }

  const Program& program_;
  const RunContext& run_;
  std::vector<Units> x_;    // by small inner cell
  std::vector<Units> gap_;  // by row: T_r - sum of x
  std::vector<bool> touched_;
  double common_ = 0;  // weight of the sums that hold every small inner cell
};

}  // namespace

Roundings round_greedily(const Program& program, const RunContext& run) {
  return Greedy(program, run).find();
}

}  // namespace lacuna::small_counts
