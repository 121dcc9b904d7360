// SPDX-License-Identifier: Apache-2.0
// Rows of a cutting-plane master that have been slack for long. The rows that age stand behind a
// number of fixed ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/lp.h"

namespace lacuna::lp {

class IdleRows {
 public:
  explicit IdleRows(std::int32_t patience) : patience_(patience) {}

  void add() { idle_.push_back(0); }
  std::size_t size() const { return idle_.size(); }

  // One more solve: a row with a dual is at work. `duals` of all rows, the fixed ones first.
  void age(std::span<const double> duals, std::int32_t fixed_rows) {
    for (std::size_t i = 0; i < idle_.size(); ++i) {
      const bool tight = std::abs(duals[i + static_cast<std::size_t>(fixed_rows)]) > 0;
      idle_[i] = tight ? 0 : idle_[i] + 1;
    }
  }

  // Takes the rows that were idle for too long out of the solver, which keeps its basis: only rows
  // that are basic go, so that what is left is a basis as well.
  void drop(LpSolver& solver, std::int32_t fixed_rows) {
    LpBasis basis = solver.basis();
    std::vector<std::int32_t> rows;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < idle_.size(); ++i) {
      const std::size_t row = i + static_cast<std::size_t>(fixed_rows);
      const bool basic = row >= basis.rows.size() || basis.rows[row] == BasisStatus::kBasic;
      if (idle_[i] > patience_ && basic)
        rows.push_back(static_cast<std::int32_t>(row));
      else
        idle_[kept++] = idle_[i];
    }
    idle_.resize(kept);
    if (rows.empty())
      return;
    solver.delete_rows(rows);
    std::size_t next = 0;
    std::size_t left = 0;
    for (std::size_t row = 0; row < basis.rows.size(); ++row) {
      if (next < rows.size() && rows[next] == static_cast<std::int32_t>(row))
        ++next;
      else
        basis.rows[left++] = basis.rows[row];
    }
    basis.rows.resize(left);
    if (!basis.empty())
      solver.set_basis(basis);
  }

 private:
  std::int32_t patience_;
  std::vector<std::int32_t> idle_;  // solves since a row was tight
};

}  // namespace lacuna::lp
