// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/block_bound.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

struct BlockCell {
  const PartCell* cell = nullptr;
  double coefficient = 0;
  double g = 0;
  Sense sense = Sense::kUndecided;
};

// The minimizer of c x + q x^2 / 2 - p x over the column; ends may be infinite.
double minimizer(const Column& column, double p) {
  if (column.curve > 0)
    return std::clamp((p - column.cost) / column.curve, column.lower, column.upper);
  return p > column.cost ? column.upper : column.lower;
}

class Block {
 public:
  Block(std::vector<BlockCell> cells, AdjustNorm norm) : cells_(std::move(cells)), norm_(norm) {}

  // This small tree is not that of core/branching: of nodes with equal bounds the heap decides here
  // which comes first, there the number. The gain is the same either way, as nodes are worked on in
  // the order of their bounds whatever the order of equal ones, but the work is not: of 1,200
  // random blocks all gains agreed and the work of 696 did not. Runs that are limited by work would
  // end elsewhere, with other tables.
  // min over senses minus the relaxed minimum, both certified from below and above respectively.
  double gain(std::int64_t most_nodes, double tolerance, const RunContext& run) {
    struct Node {
      double bound;
      std::vector<Sense> senses;
      bool operator<(const Node& other) const { return bound > other.bound; }
    };
    std::vector<Sense> start;
    for (const BlockCell& cell : cells_)
      start.push_back(cell.sense);
    const double relaxed = at(0, start);  // what bound (3) has for these cells
    std::priority_queue<Node> open;
    open.push({std::max(relaxed, best(start)), start});
    double least = kInfinity;  // of whole senses found
    for (std::int64_t nodes = 0; nodes < most_nodes && !run.should_stop(); ++nodes) {
      const Node top = open.top();
      const std::int32_t branch = widest(top.senses);
      least = std::min(least, best(balanced(top.senses)));
      if (branch < 0 || least - top.bound <= tolerance)
        break;
      open.pop();
      for (const Sense sense : {Sense::kUp, Sense::kDown}) {
        Node child = top;
        child.senses[static_cast<std::size_t>(branch)] = sense;
        child.bound = std::max(top.bound, best(child.senses));
        open.push(std::move(child));
      }
    }
    return std::max(0.0, open.top().bound - relaxed);
  }

 private:
  // The open cells by falling size, each to the side that leaves the smaller sum.
  std::vector<Sense> balanced(std::vector<Sense> senses) const {
    std::vector<std::pair<double, std::size_t>> order;
    double sum = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const PartCell& cell = *cells_[i].cell;
      if (!cell.sensitive)
        continue;
      if (senses[i] == Sense::kUndecided)
        order.push_back({-(cell.up + cell.down), i});
      else
        sum += cells_[i].coefficient * (senses[i] == Sense::kUp ? cell.up : -cell.down);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [size, i] : order) {
      const double up = sum + cells_[i].coefficient * cells_[i].cell->up;
      const double down = sum - cells_[i].coefficient * cells_[i].cell->down;
      senses[i] = std::abs(up) < std::abs(down) ? Sense::kUp : Sense::kDown;
      sum = std::abs(up) < std::abs(down) ? up : down;
    }
    return senses;
  }

  // The open sensitive cell whose own cost is largest, or -1.
  std::int32_t widest(const std::vector<Sense>& senses) const {
    std::int32_t found = -1;
    double most = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const PartCell& cell = *cells_[i].cell;
      if (!cell.sensitive || senses[i] != Sense::kUndecided)
        continue;
      const double size = cell.up + cell.down;
      if (found < 0 || size > most) {
        found = static_cast<std::int32_t>(i);
        most = size;
      }
    }
    return found;
  }

  template <class Visit>
  void visit(const std::vector<Sense>& senses, double multiplier, Visit&& use) const {
    base::count_work(kTuning.touches.block_cell * cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const BlockCell& cell = cells_[i];
      columns_.clear();
      const Sense sense = cell.cell->sensitive ? senses[i] : Sense::kUndecided;
      double constant = 0;
      if (cell.cell->sensitive)
        constant = cell_columns(*cell.cell, norm_, sense, columns_);
      else
        plain_columns(*cell.cell, norm_, columns_);
      use(cell, constant, cell.g + multiplier * cell.coefficient);
    }
  }

  // The dual function of the block; certified for any multiplier.
  double at(double multiplier, const std::vector<Sense>& senses) const {
    double total = 0;
    double magnitude = 0;
    visit(senses, multiplier, [&](const BlockCell&, double constant, double price) {
      total += constant;
      magnitude += std::abs(constant);
      for (const Column& column : columns_) {
        const double least = column_minimum(column, price);
        total += least;
        magnitude += std::abs(least);
      }
    });
    return total - tol::kRounding * magnitude;
  }

  // sum a z at the minimizers: its sign tells on which side the best multiplier lies.
  double imbalance(double multiplier, const std::vector<Sense>& senses) const {
    double sum = 0;
    visit(senses, multiplier, [&](const BlockCell& cell, double, double price) {
      for (const Column& column : columns_)
        sum += cell.coefficient * minimizer(column, price);
    });
    return sum;
  }

  double best(const std::vector<Sense>& senses) const {
    double low = -1;
    double high = 1;
    for (const BlockCell& cell : cells_) {
      const double size = cell.cell->weight * (1 + cell.cell->up + cell.cell->down);
      low = std::min(low, -size);
      high = std::max(high, size);
    }
    for (int i = 0; i < kTuning.block.doublings && imbalance(low, senses) > 0; ++i)
      low *= 2;
    for (int i = 0; i < kTuning.block.doublings && imbalance(high, senses) < 0; ++i)
      high *= 2;
    for (int i = 0; i < kTuning.block.halvings; ++i) {
      const double middle = 0.5 * (low + high);
      (imbalance(middle, senses) > 0 ? high : low) = middle;
    }
    return std::max(at(low, senses), at(high, senses));
  }

  std::vector<BlockCell> cells_;
  AdjustNorm norm_;
  mutable std::vector<Column> columns_;
};

}  // namespace

BlockBound::BlockBound(const Part& part, AdjustNorm norm)
    : part_(part), norm_(norm), place_(part.cells.size(), -1) {
  for (std::size_t s = 0; s < part.sensitive.size(); ++s)
    place_[static_cast<std::size_t>(part.sensitive[s])] = static_cast<std::int32_t>(s);
}

void BlockBound::choose(const Part& cells,
                        const Senses& senses,
                        const Vector& g,
                        const RunContext& run) {
  std::vector<std::pair<double, std::int32_t>> order;
  for (std::size_t r = 0; r < part_.equations.size() && !run.should_stop(); ++r) {
    const auto equation = static_cast<std::int32_t>(r);
    const double gain = gain_of(equation, cells, senses, g, kTuning.block.nodes_to_choose, 0, run);
    if (gain > 0)
      order.push_back({-gain, equation});
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> taken(part_.cells.size(), false);
  equations_.clear();
  for (const auto& [minus_gain, r] : order) {
    const auto row = static_cast<std::size_t>(r);
    const bool shares =
        std::any_of(part_.equations.begin(row), part_.equations.end(row), [&](const Entry& entry) {
          return taken[static_cast<std::size_t>(entry.index)];
        });
    if (shares)
      continue;
    for (const Entry* e = part_.equations.begin(row); e != part_.equations.end(row); ++e)
      taken[static_cast<std::size_t>(e->index)] = true;
    equations_.push_back(r);
  }
}

double BlockBound::gain_of(std::int32_t equation,
                           const Part& cells,
                           const Senses& senses,
                           const Vector& g,
                           std::int64_t nodes,
                           double tolerance,
                           const RunContext& run) const {
  base::count_work(kTuning.touches.scattered *
                   part_.equations.length(static_cast<std::size_t>(equation)));
  const auto row = static_cast<std::size_t>(equation);
  std::vector<BlockCell> block;
  bool open = false;
  for (const Entry* e = part_.equations.begin(row); e != part_.equations.end(row); ++e) {
    const auto c = static_cast<std::size_t>(e->index);
    BlockCell cell{&cells.cells[c], e->value, g[e->index], Sense::kUndecided};
    if (place_[c] >= 0)
      cell.sense = senses[static_cast<std::size_t>(place_[c])];
    open = open || (place_[c] >= 0 && cell.sense == Sense::kUndecided);
    block.push_back(cell);
  }
  return open ? Block(std::move(block), norm_).gain(nodes, tolerance, run) : 0;
}

double BlockBound::extra(const Part& cells,
                         const Senses& senses,
                         const Vector& g,
                         std::int64_t nodes,
                         double tolerance,
                         const RunContext& run) const {
  const double share = tolerance / static_cast<double>(std::max<std::size_t>(1, equations_.size()));
  double total = 0;
  for (const std::int32_t r : equations_) {
    if (run.should_stop())
      break;
    total += gain_of(r, cells, senses, g, nodes, share, run);
  }
  return total;
}

}  // namespace lacuna::adjustment
