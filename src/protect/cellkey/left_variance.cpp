// SPDX-License-Identifier: Apache-2.0
#include "protect/cellkey/left_variance.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/table/leaf_form.h"

namespace lacuna::cellkey {
namespace {

constexpr std::int64_t kMostLeaves = 1000;  // a dense factor of a second

// The parts of every dimension if each is flat and all combinations are there, else nothing.
std::vector<double> flat_parts(const Table& table) {
  std::vector<double> parts;
  std::int64_t cells = 1;
  std::int64_t equations = 0;
  for (const Dimension& dimension : table.dimensions()) {
    const auto& relations = dimension.relations();
    const auto codes = static_cast<std::int64_t>(dimension.num_codes());
    if (relations.size() != 1 ||
        static_cast<std::int64_t>(relations.front().children.size()) + 1 != codes)
      return {};
    parts.push_back(static_cast<double>(codes - 1));
    equations = equations * codes + cells;
    cells *= codes;
    if (cells > table.num_cells())
      return {};
  }
  // A table that lacks some of the equations (linked ones, crossed in parts) is none of these.
  if (cells != table.num_cells() || equations != table.num_equations())
    return {};
  return parts;
}

std::vector<double> shares_by_leaves(const Table& table, const table::LeafForm& form) {
  const auto leaves = static_cast<Eigen::Index>(form.leaves.size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(leaves, leaves);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    for (const table::LeafTerm& a : form.of(CellId{c})) {
      for (const table::LeafTerm& b : form.of(CellId{c}))
        gram(a.leaf, b.leaf) += static_cast<double>(a.coefficient * b.coefficient);
    }
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(gram);
  std::vector<double> shares;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(leaves);
    for (const table::LeafTerm& term : form.of(CellId{c}))
      row(term.leaf) = static_cast<double>(term.coefficient);
    shares.push_back(factor.matrixL().solve(row).squaredNorm());
  }
  return shares;
}

double quantile(const std::vector<double>& sorted, double share) {  // type 7
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<double> kernel_shares(const Table& table, std::int64_t most_leaves) {
  const auto cells = static_cast<std::size_t>(table.num_cells());
  if (const std::vector<double> parts = flat_parts(table); !parts.empty()) {
    double share = 1;
    for (const double r : parts)
      share *= r / (r + 1);
    return std::vector<double>(cells, share);
  }
  const std::vector<bool> free(cells, true);
  const auto defined = static_cast<std::int64_t>(
      table::defining_equations(table, free, table::DefineBy::kFirst).size());
  if (table.num_cells() - defined > most_leaves)
    return {};
  const table::LeafForm form = table::leaf_form(table, free);
  if (!form.conditions.empty())  // the leaves are not free
    return {};
  return shares_by_leaves(table, form);
}

double share_right(double variance) {
  return variance <= 0 ? 1 : std::erf(0.5 / std::sqrt(2 * variance));
}

}  // namespace lacuna::cellkey

namespace lacuna {

LeftVariance left_variance(const Table& table, double noise) {
  LeftVariance left;
  left.noise = noise;
  left.right_before = cellkey::share_right(noise);
  std::vector<double> shares = cellkey::kernel_shares(table, cellkey::kMostLeaves);
  if (shares.empty()) {
    const std::vector<bool> free(static_cast<std::size_t>(table.num_cells()), true);
    const auto defined =
        static_cast<double>(table::defining_equations(table, free, table::DefineBy::kFirst).size());
    left.mean = 1 - defined / table.num_cells();
    return left;
  }
  std::sort(shares.begin(), shares.end());
  left.by_cell = true;
  left.mean =
      std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
  left.least = shares.front();
  left.lower_quartile = cellkey::quantile(shares, 0.25);
  left.median = cellkey::quantile(shares, 0.5);
  left.upper_quartile = cellkey::quantile(shares, 0.75);
  left.most = shares.back();
  const std::array<double, 5> marks{
      left.least, left.lower_quartile, left.median, left.upper_quartile, left.most};
  std::transform(marks.begin(), marks.end(), left.right.begin(), [&](double share) {
    return cellkey::share_right(noise * share);
  });
  for (const double share : shares)
    left.right_after += cellkey::share_right(noise * share) / static_cast<double>(shares.size());
  return left;
}

}  // namespace lacuna
