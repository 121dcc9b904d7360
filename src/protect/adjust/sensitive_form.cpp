// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/sensitive_form.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "lacuna/tolerance.h"
#include "protect/adjust/dense_work.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

bool weights_positive(const Part& part) {
  for (const PartCell& cell : part.cells) {
    if (!(cell.weight > 0))
      return false;
  }
  return true;
}

// A diagonal strictly inside: a share of 1 / C_ss would do for a diagonal C; halve until it does.
Vector inner_start(const Matrix& q) {
  count_factor(q.rows());
  count_inverse(q.rows());
  const Eigen::LLT<Matrix> factor(q);
  const Matrix inverse = factor.solve(Matrix::Identity(q.rows(), q.cols()));
  Vector d = inverse.diagonal().cwiseInverse();
  for (int tries = 0; tries < 200; ++tries) {
    d *= 0.7;
    count_factor(q.rows());
    Matrix z = q;
    z.diagonal() -= d;
    if (Eigen::LLT<Matrix>(z).info() == Eigen::Success)
      return d * 0.9;
  }
  return d;
}

class Barrier {
 public:
  Barrier(const Matrix& q, const Vector& gain) : q_(q), gain_(gain), d_(inner_start(q)) {}

  // One Newton step for this mu; returns the decrement.
  double step(double mu) {
    count_factor(q_.rows());
    Matrix z = q_;
    z.diagonal() -= d_;
    const Eigen::LLT<Matrix> factor(z);
    if (factor.info() != Eigen::Success)
      return 0;
    count_inverse(q_.rows());
    count_factor(q_.rows());
    const Matrix inverse = factor.solve(Matrix::Identity(q_.rows(), q_.cols()));
    const Vector gradient = gain_ / mu - inverse.diagonal() + d_.cwiseInverse();
    Matrix hessian = inverse.cwiseProduct(inverse);
    hessian.diagonal() += d_.cwiseProduct(d_).cwiseInverse();
    const Vector direction = Eigen::LLT<Matrix>(hessian).solve(gradient);
    const double decrement = gradient.dot(direction);
    if (!(decrement > 0))
      return 0;
    double length = decrement < 1 ? 1 : 1 / (1 + std::sqrt(decrement));
    for (int tries = 0; tries < 40; ++tries, length *= 0.5) {
      if (inside(d_ + length * direction))
        break;
    }
    d_ += length * direction;
    return decrement;
  }

  const Vector& diagonal() const { return d_; }

 private:
  bool inside(const Vector& d) const {
    if (d.minCoeff() <= 0)
      return false;
    count_factor(q_.rows());
    Matrix z = q_;
    z.diagonal() -= d;
    return Eigen::LLT<Matrix>(z).info() == Eigen::Success;
  }

  const Matrix& q_;
  const Vector& gain_;
  Vector d_;
};

}  // namespace

std::shared_ptr<const Matrix> sensitive_matrix(const Part& part,
                                               KktSystem& system,
                                               const RunContext& run) {
  if (part.sensitive.size() > kTuning.sensitive.most || !weights_positive(part))
    return nullptr;
  const auto count = static_cast<Index>(part.sensitive.size());
  Vector theta(static_cast<Index>(part.cells.size()));
  for (std::size_t c = 0; c < part.cells.size(); ++c)
    theta[static_cast<Index>(c)] = 1 / part.cells[c].weight;
  if (!system.factor(theta))
    return nullptr;
  Matrix compliance(count, count);
  for (Index s = 0; s < count; ++s) {
    if (run.should_stop())
      return nullptr;
    const Vector move = system.response(part.sensitive[static_cast<std::size_t>(s)]);
    for (Index t = 0; t < count; ++t)
      compliance(t, s) = move[part.sensitive[static_cast<std::size_t>(t)]];
  }
  compliance = (0.5 * (compliance + compliance.transpose())).eval();
  // Relative to each cell: values, and so compliances, span many orders of magnitude.
  compliance.diagonal() *= 1 + tol::kDual;
  count_factor(count);
  count_inverse(count);
  const Eigen::LLT<Matrix> factor(compliance);
  if (factor.info() != Eigen::Success)
    return nullptr;
  Matrix inverse = factor.solve(Matrix::Identity(count, count));
  return std::make_shared<const Matrix>(0.5 * (inverse + inverse.transpose()));
}

Vector best_diagonal(const Matrix& q,
                     const Vector& gain,
                     const DiagonalOptions& options,
                     const RunContext& run) {
  // In units in which every gain is 1 (cells without gain: their own stiffness).
  const Vector size =
      (gain.array() > 0).select(gain.cwiseSqrt(), q.diagonal().cwiseSqrt().cwiseInverse());
  const Matrix scaled = size.asDiagonal() * q * size.asDiagonal();
  const Vector wanted =
      (gain.array() > 0).select(Vector::Ones(gain.size()), Vector::Zero(gain.size()));
  Barrier barrier(scaled, wanted);
  double mu = barrier.diagonal().mean();
  const auto n = static_cast<double>(2 * gain.size());
  for (int steps = 0; steps < options.max_steps && !run.should_stop(); ++steps) {
    const double decrement = barrier.step(mu);
    if (decrement > 0.5)
      continue;
    const double reached = wanted.dot(barrier.diagonal());
    if (mu * n <= options.precision * std::max(reached, tol::kRounding))
      break;
    mu *= 0.15;
  }
  return barrier.diagonal().cwiseQuotient(size.cwiseProduct(size));
}

SensitiveForm sensitive_form(const Part& part,
                             const Matrix& q,
                             const Senses& senses,
                             const DiagonalOptions& options,
                             const RunContext& run) {
  Vector gain(q.rows());
  SensitiveForm form;
  for (std::size_t s = 0; s < part.sensitive.size(); ++s) {
    const PartCell& cell = part.cells[static_cast<std::size_t>(part.sensitive[s])];
    gain[static_cast<Index>(s)] = senses[s] == Sense::kUndecided ? cell.up * cell.down : 0;
    form.part.cells.push_back(cell);
    form.part.sensitive.push_back(static_cast<std::int32_t>(s));
  }
  const Vector d = best_diagonal(q, gain, options, run);
  for (std::size_t s = 0; s < part.sensitive.size(); ++s)
    form.part.cells[s].weight = d[static_cast<Index>(s)];
  form.part.start = senses;
  Matrix p = q;
  p.diagonal() -= d;
  form.form = std::make_shared<const Matrix>(std::move(p));
  return form;
}

}  // namespace lacuna::adjustment
