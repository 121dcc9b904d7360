// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/bound_proof.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/bound/check_bound.h"
#include "judge/bound/check_tables.h"
#include "judge/bound/equation_solver.h"
#include "judge/bound/slopes.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/dense_work.h"
#include "protect/adjust/interior_point.h"
#include "protect/adjust/model.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

// y with M'y = g, for g that is a combination of the equations: M M' y = M g.
class EquationPrices {
 public:
  explicit EquationPrices(const Part& part) {
    using Index = Eigen::Index;
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t r = 0; r < part.equations.size(); ++r) {
      for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e)
        entries.emplace_back(static_cast<int>(r), e->index, e->value);
    }
    rows_.resize(static_cast<Index>(part.equations.size()), static_cast<Index>(part.cells.size()));
    rows_.setFromTriplets(entries.begin(), entries.end());
    if (rows_.rows() > 0)
      factor_.compute(rows_ * rows_.transpose());
  }

  Vector find(const Vector& g) const {
    if (rows_.rows() == 0 || factor_.info() != Eigen::Success)
      return Vector::Zero(rows_.rows());
    return factor_.solve(rows_ * g);
  }

 private:
  Eigen::SparseMatrix<double> rows_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

// Cells that the equations hold fixed, though nobody says so: what each of them contributes to a
// sum of equations is taken out again.
class Determined {
 public:
  Determined(const Problem& problem, const Model& model, const bound::Moves& moves)
      : problem_(problem), model_(model), moves_(moves) {}

  // Nothing if it cannot be taken out. The weight and all multipliers are multiplied alike.
  bool take_out(SenseNode& leaf) {
    const auto sum = bound::sum_of_equations(problem_.table(), leaf.sum);
    if (!sum)
      return false;
    std::map<std::int32_t, mpq_class> more;
    for (const auto& [cell, factor] : *sum) {
      if (!moves_.open()[base::at(cell)] || model_.free[base::at(cell)])
        continue;
      if (!solver_)
        solver_.emplace(problem_.table(), moves_.open());
      const auto found = solver_->solve({{cell, 1}});
      if (!found)
        return false;
      for (const auto& [equation, value] : *found)
        more[equation] -= value * factor;
    }
    if (!more.empty())
      add(more, leaf);
    return true;
  }

 private:
  static void add(std::map<std::int32_t, mpq_class> sum, SenseNode& leaf) {
    mpz_class scale = 1;
    for (const auto& [equation, value] : sum)
      mpz_lcm(scale.get_mpz_t(), scale.get_mpz_t(), value.get_den_mpz_t());
    for (std::size_t k = 0; k < leaf.sum.equations.size(); ++k)
      sum[leaf.sum.equations[k].value] += base::gmp(leaf.sum.values[k]);
    leaf.sum.equations.clear();
    leaf.sum.values.clear();
    for (const auto& [equation, value] : sum) {
      const mpz_class whole(value * mpq_class(scale));
      if (whole == 0)
        continue;
      leaf.sum.equations.push_back(EquationId{equation});
      leaf.sum.values.push_back(Integer(whole));
    }
    leaf.weight = Integer(mpz_class(base::gmp(leaf.weight) * scale));
  }

  const Problem& problem_;
  const Model& model_;
  const bound::Moves& moves_;
  std::optional<bound::EquationSolver> solver_;
};

class PartTree {
 public:
  PartTree(const Problem& problem,
           const Model& model,
           const Part& part,
           const bound::Moves& moves,
           const std::vector<Integer>& values,
           const BoundLog& log)
      : problem_(problem),
        part_(part),
        moves_(moves),
        values_(values),
        norm_(model.norm),
        method_(part, model.norm, make_kkt_system(part)),
        prices_(part),
        determined_(problem, model, moves) {
    // A price per unit of the table, in units of the log.
    mpq_class scale(1, base::ten_to_the(problem.table().decimals()));
    scale /= base::gmp(log.unit);
    per_price_ = scale;
    for (const PartCell& cell : part.cells)
      tree_.cells.push_back(cell.cell);
    std::sort(tree_.cells.begin(), tree_.cells.end(), [](CellId a, CellId b) {
      return a.value < b.value;
    });
  }

  // Splits the leaf of the least bound, as long as that is below `enough`.
  TableTree grow(double enough, const RunContext& run) {
    nodes_.push_back({part_.start, {}, -1, {}});
    open(0, run);
    std::size_t leaves = 1;
    while (leaves < kTuning.proof.most_leaves && !run.should_stop()) {
      const std::size_t least = least_leaf();
      if (!(nodes_[least].point.bound < enough))
        break;
      if (!split(least, run))
        break;
      ++leaves;
    }
    std::vector<bound::Side> sides(base::at(problem_.table().num_cells()), bound::Side::kEither);
    bool first = true;
    write(0, sides, first);
    return std::move(tree_);
  }

 private:
  struct Node {
    Senses senses;
    Point point;
    std::int32_t cell = -1;  // of the part, where it is split
    std::array<std::size_t, 2> below{};
  };

  void open(std::size_t node, const RunContext& run) {
    nodes_[node].point = method_.solve(nodes_[node].senses, {}, run);
  }

  std::size_t least_leaf() const {
    std::size_t least = nodes_.size();
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].cell < 0 &&
          (least == nodes_.size() || nodes_[n].point.bound < nodes_[least].point.bound))
        least = n;
    }
    return least;
  }

  // At the sensitive cell that is farthest from where it may be, for what it gives way.
  bool split(std::size_t node, const RunContext& run) {
    const Senses senses = nodes_[node].senses;
    const Point& point = nodes_[node].point;
    double best = 0;
    std::size_t chosen = senses.size();
    if (point.v.size() == 0)
      return false;
    for (std::size_t s = 0; s < senses.size(); ++s) {
      if (senses[s] != Sense::kUndecided)
        continue;
      const PartCell& cell = sensitive_cell(part_, s);
      const double there = point.v[part_.sensitive[s]];
      const double up = std::max(0.0, cell.up - there), down = std::max(0.0, cell.down + there);
      const double score = cell.weight * up * down;
      if (score > best) {
        best = score;
        chosen = s;
      }
    }
    if (chosen == senses.size())
      return false;
    for (std::size_t k = 0; k < 2; ++k) {
      Node below{senses, {}, -1, {}};
      below.senses[chosen] = k == 0 ? Sense::kDown : Sense::kUp;
      nodes_.push_back(std::move(below));
      nodes_[node].below[k] = nodes_.size() - 1;
      open(nodes_.size() - 1, run);
      if (run.should_stop() || nodes_.back().point.g.size() == 0) {
        nodes_.resize(nodes_[node].below[0]);
        return false;
      }
    }
    nodes_[node].cell = part_.sensitive[chosen];
    return true;
  }

  void write(std::size_t at, std::vector<bound::Side>& sides, bool& first) {
    const Node& node = nodes_[at];
    if (node.cell < 0) {
      write_leaf(node, sides, first);
      return;
    }
    const CellId cell = part_.cells[base::at(node.cell)].cell;
    SenseNode split;
    split.cell = cell;
    tree_.nodes.push_back(std::move(split));
    for (std::size_t k = 0; k < 2; ++k) {
      sides[base::at(cell)] = k == 0 ? bound::Side::kFalls : bound::Side::kRises;
      write(node.below[k], sides, first);
    }
    sides[base::at(cell)] = bound::Side::kEither;
  }

  // The best of some roundings; a cell without limit may want multipliers a little smaller.
  void write_leaf(const Node& node, const std::vector<bound::Side>& sides, bool& first) {
    SenseNode best;
    mpz_class most = 0;  // zero multipliers show zero
    const Vector y = node.point.g.size() > 0 ? prices_.find(node.point.g) : Vector();
    for (const double shrunk : {0.0, tol::kDual, tol::kViolation}) {
      SenseNode leaf = rounded(y, 1 - shrunk);
      if (!determined_.take_out(leaf))
        continue;
      const auto least = bound::sum_of_minima(
          problem_, moves_, values_, norm_ == AdjustNorm::kL2 ? 2 : 1, tree_.cells, sides, leaf);
      if (!least)
        continue;
      mpz_class share;
      mpz_fdiv_q(share.get_mpz_t(), base::gmp(*least).get_mpz_t(), base::gmp(leaf.weight).get_mpz_t());
      if (share <= most)
        continue;
      most = share;
      best = std::move(leaf);
    }
    if (first || most < base::gmp(tree_.at_least))
      tree_.at_least = Integer(most);
    first = false;
    tree_.nodes.push_back(std::move(best));
  }

  // Multipliers of 30 bits or so.
  SenseNode rounded(const Vector& y, double shrunk) const {
    constexpr int kBits = 30;
    SenseNode leaf;
    const double largest = y.size() > 0 ? y.cwiseAbs().maxCoeff() : 0;
    if (!(largest > 0))
      return leaf;
    mpq_class scaled = mpq_class(largest) * per_price_;
    mpz_class weight = 1;
    while (scaled < (std::int64_t{1} << kBits)) {
      scaled *= 2;
      weight *= 2;
    }
    leaf.weight = Integer(weight);
    const mpq_class factor = per_price_ * mpq_class(weight);
    for (Eigen::Index r = 0; r < y.size(); ++r) {
      const mpq_class exact = mpq_class(y[r] * shrunk) * factor;
      mpz_class whole;
      mpz_fdiv_q(whole.get_mpz_t(), exact.get_num_mpz_t(), exact.get_den_mpz_t());
      if (whole == 0)
        continue;
      leaf.sum.equations.push_back(part_.named[base::at(r)]);
      leaf.sum.values.push_back(Integer(whole));
    }
    return leaf;
  }

  const Problem& problem_;
  const Part& part_;
  const bound::Moves& moves_;
  const std::vector<Integer>& values_;
  AdjustNorm norm_;
  InteriorPoint method_;
  EquationPrices prices_;
  Determined determined_;
  mpq_class per_price_;
  std::vector<Node> nodes_;
  TableTree tree_;
};

}  // namespace

std::optional<BoundLog> prove_bound(const Problem& problem,
                                    AdjustNorm norm,
                                    double enough,
                                    const RunContext& run) {
  const auto model = build_model(problem, norm, SenseRule::kFree);
  if (!model)
    return std::nullopt;
  fix_block_sizes();
  const bound::Moves moves(problem);
  const int power = norm == AdjustNorm::kL2 ? 2 : 1;
  const mpq_class per_unit(1, base::ten_to_the(power * problem.table().decimals()));
  BoundLog log;
  constexpr std::int64_t kFiner = 1'000'000;  // distances are no whole numbers
  const std::vector<Integer> values =
      bound::write_values(problem, moves.open(), Fraction(per_unit), kFiner, log);
  TableBound& tables = log.tables.emplace();
  tables.norm = power;
  mpz_class sum;
  const auto parts = static_cast<double>(model->parts.size());
  for (const Part& part : model->parts) {
    PartTree tree(problem, *model, part, moves, values, log);
    tables.trees.push_back(
        tree.grow(model->parts.size() > 1 ? kInfinity : enough, base::share_of_work(run, 1 / parts)));
    sum += base::gmp(tables.trees.back().at_least);
  }
  log.at_least = Integer(sum);
  if (sum <= 0)
    return std::nullopt;
  return log;
}

}  // namespace lacuna::adjustment
