// SPDX-License-Identifier: Apache-2.0
// Equation form: the normal equations M Theta M', dense where they fill up, else sparse with a
// fill-reducing order (approximate minimum degree).
#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cstdint>

#include "protect/adjust/dense_work.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;

// Where theta_i a_ri a_si goes: one entry per cell and pair of its equations, by cell.
struct Scatter {
  std::vector<std::size_t> start{0};
  std::vector<std::int64_t> target;  // position among the values of the matrix
  std::vector<double> factor;
};

struct CellEquations {  // the equations by cell
  std::vector<std::size_t> start;
  std::vector<Entry> entries;
};

CellEquations by_cell(const Part& part) {
  CellEquations columns;
  columns.start.assign(part.cells.size() + 1, 0);
  for (const Entry& entry : part.equations.entries)
    ++columns.start[static_cast<std::size_t>(entry.index) + 1];
  for (std::size_t c = 1; c < columns.start.size(); ++c)
    columns.start[c] += columns.start[c - 1];
  columns.entries.resize(part.equations.entries.size());
  std::vector<std::size_t> next(columns.start.begin(), columns.start.end() - 1);
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e)
      columns.entries[next[static_cast<std::size_t>(e->index)]++] = {static_cast<std::int32_t>(r),
                                                                     e->value};
  }
  return columns;
}

// Pattern of the lower triangle of M M'.
Sparse pattern_of(const Part& part, const CellEquations& columns) {
  const auto rows = part.equations.size();
  Sparse pattern(static_cast<Index>(rows), static_cast<Index>(rows));
  std::vector<std::int32_t> touched;
  std::vector<std::int32_t> mark(rows, -1);
  std::vector<std::int64_t> outer{0};
  std::vector<std::int64_t> inner;
  for (std::size_t r = 0; r < rows; ++r) {
    touched.clear();
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e) {
      const auto c = static_cast<std::size_t>(e->index);
      for (std::size_t k = columns.start[c]; k < columns.start[c + 1]; ++k) {
        const std::int32_t other = columns.entries[k].index;
        if (other < static_cast<std::int32_t>(r) ||
            mark[static_cast<std::size_t>(other)] == static_cast<std::int32_t>(r))
          continue;
        mark[static_cast<std::size_t>(other)] = static_cast<std::int32_t>(r);
        touched.push_back(other);
      }
    }
    std::sort(touched.begin(), touched.end());
    inner.insert(inner.end(), touched.begin(), touched.end());
    outer.push_back(static_cast<std::int64_t>(inner.size()));
  }
  pattern.resizeNonZeros(static_cast<Index>(inner.size()));
  std::copy(outer.begin(), outer.end(), pattern.outerIndexPtr());
  std::copy(inner.begin(), inner.end(), pattern.innerIndexPtr());
  std::fill_n(pattern.valuePtr(), inner.size(), 0.0);
  return pattern;
}

class EquationSystem final : public KktSystem {
 public:
  explicit EquationSystem(const Part& part)
      : part_(part),
        rows_(static_cast<Index>(part.equations.size())),
        columns_(by_cell(part)),
        matrix_(pattern_of(part, columns_)) {
    plan_scatter();
    analyze();
    measure();
  }
  // The sparse factor cannot be copied: its order is found again, what it takes is known.
  EquationSystem(const EquationSystem& other)
      : part_(other.part_),
        rows_(other.rows_),
        columns_(other.columns_),
        matrix_(other.matrix_),
        scatter_(other.scatter_),
        dense_(other.dense_),
        flops_(other.flops_),
        factor_touches_(other.factor_touches_),
        solve_touches_(other.solve_touches_) {
    if (!dense_)
      analyze();
  }

  std::unique_ptr<KktSystem> clone() const override {
    return std::make_unique<EquationSystem>(*this);
  }
  bool factor(const Vector& theta) override {
    base::count_work(factor_touches_);
    theta_ = theta;
    fill(theta);
    if (!dense_) {
      sparse_.factorize(matrix_);
      return sparse_.info() == Eigen::Success;
    }
    full_ = Eigen::MatrixXd(matrix_);
    cholesky_.compute(full_.selfadjointView<Eigen::Lower>());
    return cholesky_.info() == Eigen::Success;
  }

  void solve(const Vector& b, Vector& dv, Vector& dg) override {
    dg = Vector::Zero(b.size());
    dv = b;
    for (int round = 0; round < 2; ++round) {  // the second pass refines
      base::count_work(solve_touches_);
      const Vector residual = -times(dv);
      const Vector dy =
          dense_ ? Vector(cholesky_.solve(residual)) : Vector(sparse_.solve(residual));
      const Vector more = transposed(dy);
      dg += more;
      dv += theta_.cwiseProduct(more);
    }
  }

  void project(const Vector&, Vector&) const override {}  // a combination by construction

  Vector response(std::int32_t cell) override {
    Vector move = Vector::Zero(static_cast<Index>(part_.cells.size()));
    move[cell] = theta_[cell];
    Vector dv, dg;
    solve(move, dv, dg);
    return dv;
  }

  double compliance(std::int32_t cell) override {
    base::count_work(solve_touches_);
    const auto c = static_cast<std::size_t>(cell);
    Vector pull = Vector::Zero(rows_);
    for (std::size_t k = columns_.start[c]; k < columns_.start[c + 1]; ++k)
      pull[columns_.entries[k].index] = columns_.entries[k].value;
    const Vector answer = dense_ ? Vector(cholesky_.solve(pull)) : Vector(sparse_.solve(pull));
    const double theta = theta_[cell];
    return theta - theta * theta * pull.dot(answer);
  }

  double flops() const override { return flops_; }

 private:
  void analyze() {
    base::count_work(kTuning.touches.order * matrix_.nonZeros());
    sparse_.analyzePattern(matrix_);
  }

  void plan_scatter() {
    for (std::size_t c = 0; c < part_.cells.size(); ++c) {
      for (std::size_t a = columns_.start[c]; a < columns_.start[c + 1]; ++a) {
        for (std::size_t b = a; b < columns_.start[c + 1]; ++b) {  // ascending equations
          const Entry& low = columns_.entries[a];
          const Entry& high = columns_.entries[b];
          const std::int64_t* inner = matrix_.innerIndexPtr();
          const std::int64_t* begin = inner + matrix_.outerIndexPtr()[low.index];
          const std::int64_t* end = inner + matrix_.outerIndexPtr()[low.index + 1];
          scatter_.target.push_back(std::lower_bound(begin, end, std::int64_t{high.index}) - inner);
          scatter_.factor.push_back(low.value * high.value);
        }
      }
      scatter_.start.push_back(scatter_.target.size());
    }
  }

  void fill(const Vector& theta) {
    double* values = matrix_.valuePtr();
    std::fill_n(values, static_cast<std::size_t>(matrix_.nonZeros()), 0.0);
    for (std::size_t c = 0; c < part_.cells.size(); ++c) {
      const double t = theta[static_cast<Index>(c)];
      for (std::size_t k = scatter_.start[c]; k < scatter_.start[c + 1]; ++k)
        values[scatter_.target[k]] += t * scatter_.factor[k];
    }
  }

  // Counts the work of the sparse factor and decides between the two.
  void measure() {
    fill(Vector::Ones(static_cast<Index>(part_.cells.size())));
    sparse_.factorize(matrix_);
    const auto n = static_cast<double>(rows_);
    const double dense_work = n * n * n / 3;
    double sparse_work = dense_work;
    std::int64_t entries = rows_ * rows_;  // of the factor
    if (sparse_.info() == Eigen::Success) {
      const auto& lower = sparse_.matrixL().nestedExpression();
      entries = lower.nonZeros();
      sparse_work = 0;
      for (Index j = 0; j < lower.outerSize(); ++j) {
        const auto length =
            static_cast<double>(lower.outerIndexPtr()[j + 1] - lower.outerIndexPtr()[j]);
        sparse_work += length * length;
      }
    }
    dense_ =
        rows_ <= kTuning.kkt.dense_limit && sparse_work * kTuning.kkt.sparse_penalty > dense_work;
    flops_ = dense_ ? dense_work : sparse_work * kTuning.kkt.sparse_penalty;
    flops_ += 4 * static_cast<double>(scatter_.target.size());
    state_touches(sparse_work, entries);
  }

  // What a factorization and a solve take, products with the equations included.
  void state_touches(double sparse_work, std::int64_t entries) {
    const TouchTuning& touches = kTuning.touches;
    const std::int64_t fill = touches.scattered * std::ssize(scatter_.target) + matrix_.nonZeros();
    const std::int64_t products = 2 * touches.scattered * std::ssize(part_.equations.entries);
    const auto multiplied = static_cast<std::int64_t>(sparse_work);
    const std::int64_t sparse = multiplied / touches.sparse_steps + touches.scattered * entries;
    base::count_work(sparse + fill);  // it has just been made once
    factor_touches_ = fill + (dense_ ? rows_ * rows_ * rows_ / 20 + 3 * rows_ * rows_ : sparse);
    solve_touches_ = products + (dense_ ? 2 * rows_ * rows_ / 5 : 2 * touches.scattered * entries);
  }

  Vector times(const Vector& cells) const {
    Vector sums(rows_);
    for (std::size_t r = 0; r < part_.equations.size(); ++r) {
      double sum = 0;
      for (const Entry* e = part_.equations.begin(r); e != part_.equations.end(r); ++e)
        sum += e->value * cells[e->index];
      sums[static_cast<Index>(r)] = sum;
    }
    return sums;
  }

  Vector transposed(const Vector& rows) const {
    Vector cells = Vector::Zero(static_cast<Index>(part_.cells.size()));
    for (std::size_t r = 0; r < part_.equations.size(); ++r) {
      const double value = rows[static_cast<Index>(r)];
      for (const Entry* e = part_.equations.begin(r); e != part_.equations.end(r); ++e)
        cells[e->index] += e->value * value;
    }
    return cells;
  }

  const Part& part_;
  Index rows_;
  CellEquations columns_;
  Sparse matrix_;
  Scatter scatter_;
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower> sparse_;
  Eigen::MatrixXd full_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  Vector theta_;
  bool dense_ = false;
  double flops_ = 0;
  std::int64_t factor_touches_ = 0, solve_touches_ = 0;
};

}  // namespace

std::unique_ptr<KktSystem> make_equation_system(const Part& part) {
  return std::make_unique<EquationSystem>(part);
}

std::unique_ptr<KktSystem> make_kkt_system(const Part& part) {
  auto equations = make_equation_system(part);
  if (part.leaves.size() > kTuning.kkt.leaf_limit || part.conditions.size() > 0)
    return equations;
  auto leaves = make_leaf_system(part);
  if (leaves->flops() < equations->flops())
    return leaves;
  return equations;
}

}  // namespace lacuna::adjustment
