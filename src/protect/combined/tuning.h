// SPDX-License-Identifier: Apache-2.0
// The numbers of the combined method that were chosen and could be another: unit, why, and what was
// measured (CPU seconds; 1ALT, 2ALT, 2LINKED are the sizes of the thesis, docs/results).
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::combined {

struct StartTuning {
  double part_gap = 0.0625;  // gap of the parts, as a share of that of the whole; not measured
  // Least gap of the parts, and that of patterns, which are quick: patterns to 1e-4 instead of a
  // sixteenth of the gap raise the bound of 2ALT by half as much.
  double finest_gap = 1e-4;
  int pattern_rounds = 6;   // of guesses what widths will cost; not measured
  double worth = 0.05;      // go on closing if this share of the cells was closed; not measured
  double work_share = 0.4;  // of the work that is left, for each problem solved; not measured
};

struct HeuristicTuning {
  std::int32_t slope_rounds = 10;  // at most; it ends when the open cells repeat; not measured
  // Vain tries to close an interval, one after the other: without an end 37 s for nothing on 2ALT.
  std::int32_t vain_tries = 25;
  double negligible = 1.0 / 65536;  // of a level: no width to spread a price over
  double rough_gap = 1.0 / 256;     // of the interval problems on the way; not measured
};

struct RelaxationTuning {
  double satisfied = 1e-8;  // a level missed by less than this share of it is met
  double violated = 1e-6;   // a cut violated by less than this share of its level is not added
  double bridge = 1000;     // times that: a bridgeless inequality must be violated by so much
  // Share of the level that slacks have at least in the search for cuts, so that of cuts violated
  // alike a strong one is found. Not measured here.
  double widening = 1e-3;
  // Less than this share of the cost in a round is slow, and after so many slow rounds the tree has
  // its turn. Measured against what is missing of the gap instead: 2ALT 229 s, 183 s so.
  double progress = 1e-5;
  int slow_rounds = 6;
  std::size_t enough_rows = 40;   // found without attacker problems; not measured
  std::int32_t idle_rounds = 10;  // that a slack cut stays; not measured
  std::size_t row_entry = 100;    // touches (core/base/work.h) of an entry of a row on its way
};

struct PatternTuning {
  std::size_t few_cuts = 20;      // of the equations: then attackers are asked too; not measured
  std::size_t cuts_of_lane = 60;  // per round, as in suppression; not measured
  std::size_t bridges = 20;       // attacker problems for bridges, per lane; not measured
  // The relaxation of the pattern ends once so many rounds added less than this share of the bound.
  // Not measured.
  std::size_t stall_rounds = 6;
  double worth_rounds = 1.0 / (1 << 12);
};

struct SearchTuning {
  double share = 0.85;           // of all work; the rest is for exact ends; not measured
  double first = 0.7;            // of the work of the least effort: what every run begins with
  double integral = 1e-6;        // distance of x from 0 or 1
  double heuristic_share = 0.4;  // of the work that is left; not measured
  // Units of work to find out what makes a problem infeasible without the limits of this model.
  std::int64_t reason = 10'000'000;
};

struct Tuning {
  double rounding = 1e-9;  // a relative gap that is none
  StartTuning start;
  HeuristicTuning heuristic;
  RelaxationTuning relaxation;
  PatternTuning pattern;
  SearchTuning search;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::combined
