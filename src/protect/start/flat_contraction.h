// SPDX-License-Identifier: Apache-2.0
// Publishing one class of parallel cells after the other (flat_ground.h), the heaviest first:
// contraction in the matroid of the cells' rows (Oxley 2011, chapter 3). With c the class that is
// published and h a column that moves it,
//
//   t_ij -= (t_ih / t_ch) t_cj   for the other columns j,
//
// and column h is gone. What is parallel to c is published with it, others become parallel; a class
// with a cell that must not be exposed cannot be published any more, nor can what is parallel to
// it, so what these cost together only grows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "protect/start/flat_ground.h"

namespace lacuna::start {

class FlatContraction {
 public:
  struct Pivot {
    std::int32_t row = -1;     // class that is published
    std::int32_t column = -1;  // that goes
  };
  struct Row {
    std::int32_t number = -1;  // class of the ground; other classes may have become parallel to it
    double cost = 0;           // of all of them
    double rank = 0;           // the same with noise: who is published first
    bool needed = false;
    bool kept = false;  // is not to be published
  };

  explicit FlatContraction(const FlatGround& ground);

  // These columns are left of the tableau, and all other classes are published.
  void begin(const ResidueColumns& tableau,
             std::span<const std::int32_t> columns,
             double noise,
             base::Random& random);

  std::size_t dimension() const { return active_.size(); }
  const std::vector<std::int32_t>& columns() const { return active_; }
  const std::vector<Row>& rows() const { return rows_; }
  // Of the row in one of the columns that are left.
  Residue entry(std::size_t row, std::size_t column) const { return entries_[column][row]; }
  // What the class has become part of: its row's class and how many times that one's moves its own
  // are; published: -1.
  struct Place {
    std::int32_t number = -1;
    Residue factor = 1;
  };
  Place place(std::int32_t number) const;
  const std::vector<Pivot>& pivots() const { return pivots_; }

  double forced() const { return forced_; }  // cost of what cannot be published any more
  double cost() const { return cost_; }      // of what is withheld now
  std::int32_t heaviest() const;             // row to be published next, -1 if there is none
  void keep(std::size_t row) { rows_[row].kept = true; }
  void publish(std::size_t row);

 private:
  // Columns behind the others: random displacements. Ratios of two tell what may be parallel; with
  // thousands of rows and contractions that is wrong now and then, and the third one has to agree.
  static constexpr std::size_t kPrints = 3;
  std::size_t pivot_column(std::size_t row) const;
  void merge_rows();
  void drop_unmoved();
  bool is_parallel(std::size_t row, std::size_t other) const;
  void drop_marked();
  std::size_t slot_of(Residue ratio, std::int32_t row);

  const FlatGround* ground_;
  std::vector<std::int32_t> active_;           // columns of the tableau
  std::vector<std::vector<Residue>> entries_;  // by column, then the prints
  std::vector<Row> rows_;
  std::vector<Place> places_;  // by class, step by step
  std::vector<Pivot> pivots_;
  double forced_ = 0, cost_ = 0;
  // For merge_rows().
  std::vector<Residue> divisors_, inverses_;
  std::vector<std::uint8_t> dropped_;
  std::vector<std::pair<std::size_t, std::size_t>> moved_;  // rows: to, from
  struct Slot {
    std::uint32_t stamp = 0;
    Residue ratio = 0;
    std::int32_t row = -1;
  };
  std::vector<Slot> slots_;
  std::uint32_t stamp_ = 0;
};

}  // namespace lacuna::start
