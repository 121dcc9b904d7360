// SPDX-License-Identifier: Apache-2.0
// What the bench of safety draws: a small table of any shape, and runs of `lacuna protect` on it
// with any method and any option. Every draw depends on the seed and the number of the table alone,
// so that one table can be drawn again without those before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "core/base/random.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::bench {

base::Random safety_stream(std::uint64_t seed, std::int64_t number);

struct DrawnTable {
  Problem problem;
  std::vector<std::string> traits;  // for the counts: "kind flat", "levels mixed", "3 attackers"
};
// Errors: none was found that fits, which a test rules out.
Result<DrawnTable> draw_table(base::Random& random);

struct DrawnRun {
  job::ProtectJob job;             // without input and outputs
  std::vector<std::string> words;  // the same as it is said on the command line, by pairs and flags
  std::vector<std::string> options;  // names, for the counts
  int threads = 1;
  std::uint64_t seed = 1;
  double seconds = 0;  // the limit of the run
  bool hasty = false;  // it is so short that it may strike anywhere
};

struct EarlierRun {  // of the same table, for --released and --prefer
  std::string result, shown;
};

// Files that options need (settings of cells, a checkpoint) are written to, or named in, `folder`.
Result<DrawnRun> draw_run(const Problem& problem,
                          const std::vector<EarlierRun>& earlier,
                          const std::string& folder,
                          base::Random& random);

}  // namespace lacuna::bench
