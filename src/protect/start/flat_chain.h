// SPDX-License-Identifier: Apache-2.0
// One chain of the search among flats (flats.h): a flat with all columns of the ground, of which
// some are left and the others published, and the patterns it came through.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "lacuna/run_context.h"
#include "protect/start/flat_contraction.h"
#include "protect/start/flat_ground.h"
#include "protect/start/flat_slacks.h"
#include "protect/start/flats.h"

namespace lacuna::start {

class FlatChain {
 public:
  // Ends with the work of the run, and cools down by then.
  FlatChain(const FlatGround& ground, std::uint64_t seed, const RunContext& run);

  void search();
  const std::vector<FlatPattern>& patterns() const { return patterns_; }  // the cheapest first
  const FlatCounts& counts() const { return counts_; }

 private:
  enum class Outcome : std::uint8_t { kTooExpensive, kUnserved, kServed };

  void start();
  void step();
  double most_allowed();
  std::vector<std::int32_t> columns_taken_back();
  Outcome publish_all(double most);
  Outcome publish_with_care(double most);
  void accept(bool served);
  void carry_out();
  void keep();

  const FlatGround& ground_;
  const RunContext& run_;
  std::int64_t begin_;  // reading of work_done()
  base::Random random_;
  FlatContraction contraction_;
  FlatSlacks slacks_;
  std::size_t few_columns_;  // with so many left, slacks are looked at
  // Where it stands.
  ResidueColumns columns_;
  std::vector<std::int32_t> left_, published_;  // columns
  double cost_ = 0;
  bool served_ = false;
  std::vector<FlatPattern> patterns_;
  FlatCounts counts_;
  std::int64_t last_gain_ = 0;  // trial that found the cheapest pattern so far
};

}  // namespace lacuna::start
