// SPDX-License-Identifier: Apache-2.0
// The numbers of interval publication that were chosen and could be another: unit, why, and what
// was measured (CPU seconds; 1ALT, 2ALT, 1LINKED are the sizes of the thesis, docs/results).
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::interval {

struct LoopTuning {
  double rounding = 1e-9;   // relative: such a gap is none
  double satisfied = 1e-8;  // a level missed by less than this share of it is met
  // Share of the way from the master to the best safe point at which cuts are sought, and fewer
  // than one cut in so many goals there: ask the master's own point. 0.7 and 2: 1LINKED 2.4 s
  // instead of 9.7, 1ALT 3.0 instead of 4.5, 2ALT 17 instead of 13.
  double inward = 0.7;
  std::int32_t few = 2;
  std::int32_t patience = 100;    // rounds without a higher bound; not measured
  std::int32_t repair_every = 3;  // rounds between attempts to make the master's point safe
  std::size_t memory = std::size_t{1} << 30;  // bytes that all stored bases together may take
};

struct MasterTuning {
  // Prices are lowered by up to this share at first, so that few optima are equal: thesis size 2ALT
  // with equal weights 16 s (0.4% open at 58 without it and the lazy simplex).
  double noise = 1.0 / 8192;
  std::int64_t noise_steps = 1 << 20;  // different prices
  std::int32_t idle_rounds = 12;       // that a slack cut stays; not measured
};

struct ModelTuning {
  // Units are scaled so that the largest level is about this: it suits the absolute tolerances of
  // LP engines. Not measured.
  double largest_level = 4096;
};

struct PublishTuning {
  // Share of the work that the cutting planes have; the rest is for exact ends. Not measured.
  double loop_share = 0.85;
  // On the way ends are made exact if that saves this share of what is ready, and so many times the
  // work of the last time is done since: a seventh of all work at most.
  double worth = 0.01;
  std::int64_t apart = 6;
  // Where a run was stopped: share of its work that exact ends may still take, before what is ready
  // is taken instead; and units of work at least.
  double late_share = 0.04;
  std::int64_t late_least = 100'000;
  // The log of a bound may take as much work as the search did, or so many units if that is more.
  std::int64_t least_proof = 10'000'000;
  std::int32_t attempts = 40;  // audits after which widening by units is given up; not measured
  // Witnesses are made exact by elimination with entries of at most this size and at most so many
  // touches (core/base/work.h) each, so that no witness takes more than a few milliseconds.
  std::int64_t largest_entry = 1 << 20;
  std::size_t most_touches = 8'000'000;
  std::size_t entry_touches = 10;   // of an entry in elimination
  std::size_t check_touches = 100;  // of a cell whose move is rounded and checked
  std::size_t block = 64;           // witnesses between two looks at the work that is left
};

// Touches (core/base/work.h), fitted to what was measured: docs/results/work.md.
struct WorkTuning {
  std::size_t end = 2;          // of all ends, where a point is read or slacks are copied
  std::size_t move_cell = 4;    // of a displacement that is looked at
  std::size_t cut_cell = 100;   // of a cut, through a map
  std::size_t cut_term = 60;    // of the equations that make one
  std::size_t forest_node = 4;  // of potentials in a network
  std::size_t rise = 30;        // of an arc whose potentials differ
  std::size_t goal = 50;        // one more that is looked at
};

// hier13x13x7d: after 100 rounds value and bound are 1.7% apart, after 200 0.5%, after 1,000 0.02%;
// 3 ms of a core each. With four times the weight of distances the bound, with a quarter the value
// is farther off after 200 rounds.
struct SplittingTuning {
  double relaxation = 1.6;                // of f; 1.5 to 1.8 is usual
  double least_metric = 1.0 / (1 << 20);  // of the largest weight: cells without a price
  double negligible = 1e-7;               // a coefficient of a cut that is left out
  std::int32_t look_every = 50;           // rounds between two looks at value and bound
  double worth = 0.05;                    // share of the gap that a look has to close
  std::int32_t patience = 6;              // looks in a row that closed less
  std::int64_t most_rounds = 4000;
  double gap = 1.0 / 8192;  // of value and bound, where none is allowed in the end
  double gap_share = 0.25;  // of the gap that is allowed
  double share = 0.4;       // of the work that is left
  // It pays where so many rounds take so many units per cell: hier13x13x7d 550. On table1, whose
  // cutting planes are quick, it would be 17,000.
  std::size_t few_rounds = 300;
  std::size_t work_per_cell = 4000;
  std::size_t most_columns = 2000;  // of the basis
};

struct Tuning {
  WorkTuning work;
  SplittingTuning splitting;
  LoopTuning loop;
  MasterTuning master;
  ModelTuning model;
  PublishTuning publish;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::interval
