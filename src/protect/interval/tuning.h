// SPDX-License-Identifier: Apache-2.0
// The numbers of interval publication that were chosen and could be another: unit, why, and what
// was measured (CPU seconds; 1ALT, 2ALT, 1LINKED are the sizes of the thesis, docs/results).
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::inline interval {

struct LoopTuning {
  double rounding = 1e-9;   // relative: such a gap is none
  double satisfied = 1e-8;  // a level missed by less than this share of it is met
  // Share of the way from the master to the best safe point at which cuts are sought, and fewer
  // than one cut in so many demands there: ask the master's own point. 0.7 and 2: 1LINKED 2.4 s
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
  std::int32_t attempts = 40;  // audits after which widening by units is given up; not measured
  // Witnesses are made exact by dense elimination over at most so many cells, with entries of at
  // most this size. toy3dsarah ends 0.5 s after its limit, 141 s after it without.
  std::size_t most_cells = 2000;
  std::int64_t largest_entry = 1 << 20;
};

struct Tuning {
  LoopTuning loop;
  MasterTuning master;
  ModelTuning model;
  PublishTuning publish;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::inline interval
