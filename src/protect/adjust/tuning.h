// SPDX-License-Identifier: Apache-2.0
// The numbers of tabular adjustment that were chosen and could be another: unit, why, and what was
// measured (the instances are those of docs/results). Amounts of work are in units (lacuna/
// run_context.h), some microseconds of one core. Bounds are certified whatever these are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lacuna/tolerance.h"

namespace lacuna::adjustment {

// What the counted loops take (core/base/work.h), in nanoseconds: docs/work.md.
struct TouchTuning {
  std::int64_t scattered = 2;     // an entry of a sparse row or factor
  std::int64_t sparse_steps = 2;  // multiplications of a sparse factorization in one
  std::int64_t order = 100;       // an entry of the matrix whose order is sought
  std::size_t column_start = 40;  // a cell whose columns are made
  std::size_t column_step = 80;   // a column in one step of the interior point method
  std::size_t block_cell = 15;    // a cell of an equation for one price of it
  std::int64_t turn = 3;          // an entry of a sensitive cell whose turn is weighed
  std::size_t pair = 10;          // a pair of cells of one equation
  std::size_t rounded_cell = 40;  // a cell of the table that is rounded
  std::int64_t model_cell = 500;  // a cell of the table whose parts are sought
};

struct ModelTuning {
  // Leaves and conditions up to which conditions are eliminated: beyond, the leaf form is of no
  // use. Not measured.
  std::size_t few_leaves = 2000;
};

struct KktTuning {
  // Leaves up to which the leaf form, a dense Cholesky of their number, is considered.
  // hier13x13x13d (126 free leaves) takes 15 ms per node so; flat 2-D tables win by far with
  // equations.
  std::size_t leaf_limit = 4000;
  // Price of a scattered operation in that of one in a dense block, and rows up to which a dense
  // factor is considered. Not measured on record.
  double sparse_penalty = 5;
  std::ptrdiff_t dense_limit = 6000;
};

struct PointTuning {
  double precision = 1e-6;    // relative difference of value and bound at which to stop
  int max_steps = 80;         // not measured
  double step_back = 0.9995;  // largest part of the way to the boundary
  // A step shorter than this is tried again with less of the second-order term, then towards this
  // share of the mean complementarity. With both, more than 500 enumerated tables agree.
  double short_step = 0.01;
  double recenter = 0.5;
  double spread = 10'000;           // of complementarity products around their mean, then reset
  double rigid = 100 * tol::kDual;  // give of a fixed column against one that is not
};

struct SensitiveTuning {
  // Sensitive cells up to which the relaxation is seen from them: a dense matrix. It closes hier13*
  // to 0.01% in 0.4 to 3.4 s and 20 to 40 nodes, where the plain relaxation leaves 46% at the root.
  std::size_t most = 1200;
  double precision = 1e-4;  // of the semidefinite program's value, relative
  int max_steps = 60;
};

struct BlockTuning {
  // Nodes of the search within one equation, when equations are chosen by what they add, at the
  // root and at nodes: cbs 0.018% after 65 s (0.10% before), 20-30-10 from 11,707.9 to 12,266.3.
  std::int64_t nodes_to_choose = 100;
  std::int64_t nodes_at_root = 15'000;
  std::int64_t nodes = 48;
  double share_of_gap = 0.1;  // that blocks may leave open all together; not measured
  // Steps of the bisection for an equation's price: 2^-40 is below the noise of doubles.
  int doublings = 40, halvings = 40;
  // Work at the root, for the choice and for the bound each. Without it cbs takes 20 s there.
  std::int64_t work_at_root = 5'000'000;
};

struct SenseTuning {
  std::size_t most_equations = 2500;  // up to which a dense factor tells how cells give way
  double give_way = 0.02;             // of a sensitive cell, in what others give; not measured
  int most_sweeps = 100;              // of single turns; a sweep that turns nothing ends them
  int most_pair_rounds = 30;          // pairs of one equation that turn together; not measured
  // Work of one search. Without it the first four of cbs take 35 s.
  std::int64_t work = 2'000'000;
};

struct TreeTuning {
  double pruning_share = 0.8;      // of the gap; the rest is for rounding the table
  double start_precision = 1e-9;   // of incumbents
  std::size_t batch = 4;           // nodes at a time: fixed, so that threads do not change results
  std::size_t batch_of_large = 2;  // ... of a large part
  // Cells beyond which a part is not branched on: a sweep search over senses and turns by
  // multipliers improve the table while the root bound stands. Not measured on record.
  std::size_t large_part = 50'000;
  int tried = 6;         // cells tried out per node near the root; not measured
  int tried_depth = 12;  // ... up to this depth, then fewer
  int renew_depth = 4;   // levels after which the sensitive form is renewed; not measured
  std::size_t most_estimates = 60;  // cells whose raise of the bound is estimated; not measured
  double imprecise =
      100 * tol::kObjective;      // relative residual beyond which a table is solved again
  std::int64_t start_moves = 30;  // of the search for senses, per sensitive cell; not measured
  std::int64_t tight_moves = 50;  // ... from the tightened root; not measured
  // Shares of the senses of a large part that are turned at once, from the first down to the least.
  // Not measured.
  double first_turned = 0.3;
  double least_turned = 0.01;
  // Work of an LP engine where the interior point method has stalled; not measured.
  std::int64_t engine_work = 5'000'000;
};

struct PublishTuning {
  int most_digits = 9;        // after the point
  double share_of_gap = 0.1;  // that rounding the table may cost; then no more digits are tried
  // Of the work, kept for the last rounding; and what a rounding underway may take of the work done
  // before it. The vertices of L1 are most of it. Not measured.
  double share_of_work = 1.0 / 12;
  double share_underway = 1.0 / 5;
  // Entries of the largest dense matrix over leaves that exact rounding eliminates: 400 MB.
  std::size_t most_entries = 100'000'000;
};

struct IntegerTuning {
  // Units around the deviation of a cell among which a whole number is sought, the nearest first:
  // on counts with levels of 1 to 5 the first mostly does.
  std::array<std::int64_t, 3> reaches{1, 4, 16};
  // Cells up to which the integer program is asked (as for rounding), choices in all up to which
  // it gets every number that a cheaper table can have, and what it may take. Not measured.
  std::size_t most_cells = 4000;
  std::size_t most_choices = 6000;
  std::int64_t work_near = 5'000'000;
  std::int64_t work_all = 10'000'000;
};

struct SearchTuning {
  // Nodes of every part at first, and of the part with the widest gap at a time. Not measured.
  std::int64_t first_nodes = 32;
  std::int64_t slice = 16;
};

struct ProofTuning {
  // The log of a bound may take as much work as the search did, or so many units if that is more; and
  // so many leaves of a tree, since each of them has multipliers of its own in the certificate. Not
  // measured.
  std::int64_t least_work = 10'000'000;
  // ... and this share of the time of the search on top of a time limit, which leaves none.
  double share_of_time = 0.3;
  std::size_t most_leaves = 200;
};

struct Tuning {
  ProofTuning proof;
  TouchTuning touches;
  ModelTuning model;
  KktTuning kkt;
  PointTuning point;
  SensitiveTuning sensitive;
  BlockTuning block;
  SenseTuning sense;
  TreeTuning tree;
  PublishTuning publish;
  IntegerTuning whole;
  SearchTuning search;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::adjustment
