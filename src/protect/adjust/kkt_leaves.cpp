// SPDX-License-Identifier: Apache-2.0
// Leaf form and dense form: one dense Cholesky factorization per step.
#include <Eigen/Cholesky>

#include "protect/adjust/dense_work.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

class LeafSystem final : public KktSystem {
 public:
  explicit LeafSystem(const Part& part)
      : part_(part), leaves_(static_cast<Index>(part.leaves.size())) {
    for (std::size_t c = 0; c < part.cells.size(); ++c) {
      const auto length = static_cast<std::int64_t>(part.expansion.length(c));
      outer_ += length * length;
    }
  }

  std::unique_ptr<KktSystem> clone() const override { return std::make_unique<LeafSystem>(part_); }

  bool factor(const Vector& theta) override {
    count_factor(leaves_);
    base::count_work(outer_ * kTuning.touches.scattered);
    curvature_ = theta.cwiseInverse();
    matrix_.setZero(leaves_, leaves_);
    for (std::size_t c = 0; c < part_.cells.size(); ++c)
      add_outer(c, curvature_[static_cast<Index>(c)]);
    cholesky_.compute(matrix_.selfadjointView<Eigen::Lower>());
    return cholesky_.info() == Eigen::Success;
  }

  void solve(const Vector& b, Vector& dv, Vector& dg) override {
    count_solve(leaves_);
    count_expansion(2);
    const Vector pulled = curvature_.cwiseProduct(b);
    dv = from_leaves(cholesky_.solve(to_leaves(pulled)));
    dg = curvature_.cwiseProduct(dv) - pulled;
  }

  // N'g = 0: the leaves' multipliers follow from those of the other cells.
  void project(const Vector&, Vector& g) const override {
    count_expansion(1);
    for (const std::int32_t leaf : part_.leaves)
      g[leaf] = 0;
    const Vector rest = to_leaves(g);
    for (std::size_t l = 0; l < part_.leaves.size(); ++l)
      g[part_.leaves[l]] = -rest[static_cast<Index>(l)];
  }

  Vector response(std::int32_t cell) override {
    count_solve(leaves_);
    count_expansion(1);
    return from_leaves(cholesky_.solve(expansion_of(cell)));
  }
  double compliance(std::int32_t cell) override {
    count_solve(leaves_);
    const Vector pull = expansion_of(cell);
    return pull.dot(cholesky_.solve(pull));
  }

  double flops() const override {
    const auto n = static_cast<double>(leaves_);
    return n * n * n / 3 + 2 * static_cast<double>(outer_);  // scattered, so slower than dense work
  }

 private:
  void count_expansion(std::int64_t passes) const {
    const auto entries = static_cast<std::int64_t>(part_.expansion.entries.size());
    base::count_work(passes * entries * kTuning.touches.scattered);
  }

  void add_outer(std::size_t cell, double h) {
    const Entry* begin = part_.expansion.begin(cell);
    const Entry* end = part_.expansion.end(cell);
    for (const Entry* column = begin; column != end; ++column) {
      const double scaled = h * column->value;
      double* target = matrix_.data() + static_cast<Index>(column->index) * leaves_;
      for (const Entry* row = column; row != end; ++row)  // sorted: the lower triangle
        target[row->index] += scaled * row->value;
    }
  }

  Vector expansion_of(std::int32_t cell) const {
    Vector pull = Vector::Zero(leaves_);
    const auto c = static_cast<std::size_t>(cell);
    for (const Entry* e = part_.expansion.begin(c); e != part_.expansion.end(c); ++e)
      pull[e->index] = e->value;
    return pull;
  }

  Vector to_leaves(const Vector& cells) const {
    Vector leaves = Vector::Zero(leaves_);
    for (std::size_t c = 0; c < part_.cells.size(); ++c) {
      const double value = cells[static_cast<Index>(c)];
      for (const Entry* e = part_.expansion.begin(c); e != part_.expansion.end(c); ++e)
        leaves[e->index] += value * e->value;
    }
    return leaves;
  }

  Vector from_leaves(const Vector& leaves) const {
    Vector cells(static_cast<Index>(part_.cells.size()));
    for (std::size_t c = 0; c < part_.cells.size(); ++c) {
      double sum = 0;
      for (const Entry* e = part_.expansion.begin(c); e != part_.expansion.end(c); ++e)
        sum += leaves[e->index] * e->value;
      cells[static_cast<Index>(c)] = sum;
    }
    return cells;
  }

  const Part& part_;
  Index leaves_;
  std::int64_t outer_ = 0;  // entries of the outer products of all cells, both triangles
  Matrix matrix_;
  Eigen::LLT<Matrix> cholesky_;
  Vector curvature_;
};

class DenseSystem final : public KktSystem {
 public:
  explicit DenseSystem(std::shared_ptr<const Matrix> form) : form_(std::move(form)) {}

  std::unique_ptr<KktSystem> clone() const override { return std::make_unique<DenseSystem>(form_); }

  bool factor(const Vector& theta) override {
    count_factor(form_->rows());
    curvature_ = theta.cwiseInverse();
    matrix_ = 2 * *form_;
    matrix_.diagonal() += curvature_;
    cholesky_.compute(matrix_.selfadjointView<Eigen::Lower>());
    return cholesky_.info() == Eigen::Success;
  }

  void solve(const Vector& b, Vector& dv, Vector& dg) override {
    count_solve(form_->rows());
    count_product(form_->rows());
    dv = cholesky_.solve(curvature_.cwiseProduct(b));
    dg = -2 * (form_->selfadjointView<Eigen::Lower>() * dv);
  }

  void project(const Vector& v, Vector& g) const override {
    count_product(form_->rows());
    g = -2 * (form_->selfadjointView<Eigen::Lower>() * v);
  }
  double form(const Vector& v) const override {
    count_product(form_->rows());
    return v.dot(form_->selfadjointView<Eigen::Lower>() * v);
  }

  Vector response(std::int32_t cell) override {
    count_solve(form_->rows());
    return cholesky_.solve(Vector::Unit(form_->rows(), cell));
  }
  double compliance(std::int32_t cell) override { return response(cell)[cell]; }
  double flops() const override {
    const auto n = static_cast<double>(form_->rows());
    return n * n * n / 3;
  }

 private:
  std::shared_ptr<const Matrix> form_;
  Matrix matrix_;
  Eigen::LLT<Matrix> cholesky_;
  Vector curvature_;
};

}  // namespace

std::unique_ptr<KktSystem> make_leaf_system(const Part& part) {
  return std::make_unique<LeafSystem>(part);
}

std::unique_ptr<KktSystem> make_dense_system(std::shared_ptr<const Matrix> form) {
  return std::make_unique<DenseSystem>(std::move(form));
}

}  // namespace lacuna::adjustment
