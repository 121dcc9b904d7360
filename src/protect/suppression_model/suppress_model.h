// SPDX-License-Identifier: Apache-2.0
// One connected part of a table as a suppression problem, in the numbers of the branch and cut:
//
//   minimize sum_j w_j x_j over x in {0,1}^columns
//
// where a column is a cell that may be published or withheld. Cells that are withheld whatever we
// do (primaries, cells withheld already) have no column, and cells that are published or known are
// not there at all. Needs are the protection levels of one cell against one attacker.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "judge/attacker/problem.h"
#include "judge/attacker/slacks.h"
#include "lacuna/problem.h"

namespace lacuna::suppression_model {

struct Need {
  std::int32_t cell = 0;      // local
  std::int32_t attacker = 0;  // of the problem
  double upper = 0, lower = 0;
  double sliding = 0;        // 0 unless it asks for more than upper and lower together
  std::int32_t column = -1;  // >= 0: asked only if that column's cell is withheld
};

class SuppressModel {
 public:
  // `part`: the cells of a connected part, ascending; others count as published. `always`: by cell
  // of the table, withheld in every pattern of interest.
  SuppressModel(std::shared_ptr<const Problem> problem,
                std::vector<CellId> part,
                const std::vector<bool>& always,
                double minimum_width);
  // The same with weights of its own, by column, none negative, and no minimum width.
  SuppressModel(std::shared_ptr<const Problem> problem,
                std::vector<CellId> part,
                const std::vector<bool>& always,
                std::vector<double> weights);

  const Problem& problem() const { return *problem_; }
  const std::shared_ptr<const Problem>& problem_ptr() const { return problem_; }

  // What the attackers solve: the equations over the cells of the part.
  const attacker::AttackerProblem& attacked() const { return attacked_; }
  std::int32_t num_cells() const { return attacked_.num_cells(); }
  CellId cell(std::int32_t local) const { return attacked_.cell(local); }
  std::int32_t local(CellId cell) const { return attacked_.local(cell); }  // -1: not of this part

  std::int32_t num_columns() const { return static_cast<std::int32_t>(column_cell_.size()); }
  std::int32_t column_of(std::int32_t local) const { return column_[index(local)]; }
  std::int32_t cell_of(std::int32_t column) const { return column_cell_[index(column)]; }
  double weight(std::int32_t column) const { return weight_[index(column)]; }
  const std::vector<double>& weights() const { return weight_; }
  double always_withheld_weight() const { return always_weight_; }
  bool integral_weights() const { return integral_weights_; }

  const std::vector<Need>& needs() const { return needs_; }
  // Cuts are to say what they were made of.
  void keep_origins() { keeps_origins_ = true; }
  bool keeps_origins() const { return keeps_origins_; }

  // The slack of a cell if it is withheld, in units.
  attacker::RealSlack slack(std::int32_t local, std::int32_t attacker) const;
  // An attacker differs from the outsider in few cells: those in which its slack is less, rising.
  struct OwnSlack {
    std::int32_t cell = 0;  // local
    attacker::RealSlack slack;
  };
  std::span<const OwnSlack> own_slacks(std::int32_t attacker) const {
    return attacker == 0 ? std::span<const OwnSlack>() : own_slacks_[index(attacker)];
  }
  // With these instead of an attacker's.
  attacker::RealSlack slack_within(std::int32_t local, std::span<const OwnSlack> own) const;

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  void list_columns(const std::vector<bool>& always);
  void list_needs(double minimum_width);
  void list_own_slacks();

  std::shared_ptr<const Problem> problem_;
  attacker::AttackerProblem attacked_;
  std::vector<std::int32_t> column_;
  std::vector<std::int32_t> column_cell_;
  std::vector<double> weight_;
  double always_weight_ = 0;
  bool integral_weights_ = true;
  bool keeps_origins_ = false;
  std::vector<Need> needs_;
  std::vector<attacker::RealSlack> outsider_slack_;
  std::vector<std::vector<OwnSlack>> own_slacks_;  // by attacker
};

// The connected parts of the cells that can be withheld and can then move, each ascending; parts in
// which nothing is asked are left out.
std::vector<std::vector<CellId>> parts_with_needs(const Problem& problem);

// Has any of these parts few leaves beside its totals?
bool any_has_few_leaves(const std::shared_ptr<const Problem>& problem,
                        const std::vector<std::vector<CellId>>& parts,
                        const std::vector<bool>& always,
                        double minimum_width);

}  // namespace lacuna::suppression_model
