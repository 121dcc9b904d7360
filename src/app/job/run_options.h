// SPDX-License-Identifier: Apache-2.0
// What is said of a run whatever it does: threads, seed, limit. A command has those of them that
// mean something to it.
#pragma once

#include <cstdint>
#include <stop_token>

#include "lacuna/fields.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

inline constexpr int kMostThreads = 256;

struct RunOptions {
  std::int32_t threads = 0;  // 0: LACUNA_THREADS, else as many cores as the process may use
  std::uint64_t seed = 1;
  std::int64_t work = 0;  // units; 0: what the effort allows
  double time_limit = 0;  // seconds; 0: none
  bool quiet = false;     // no notes, no progress

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "threads",
                    .help = "number of threads",
                    .least = 1,
                    .most = kMostThreads,
                    .absent =
                        "LACUNA_THREADS, otherwise as many as the cores that the process may use"},
          self.threads);
    visit(FieldInfo{.name = "seed",
                    .help = "seed of the run; keep it secret if intervals are moved with it"},
          self.seed);
    visit(FieldInfo{.name = "work",
                    .help = "work that the method may do, counted in the same way on every "
                            "machine; a unit is about a microsecond of one core",
                    .unit = "units",
                    .least = 1,
                    .absent = "what the effort allows"},
          self.work);
    visit(FieldInfo{.name = "time-limit",
                    .help = "limit on the wall-clock time; a run that it stops is not reproducible",
                    .unit = "seconds",
                    .least = 0,
                    .above_least = true,
                    .absent = "none"},
          self.time_limit);
    visit(FieldInfo{.name = "quiet", .help = "print no notes and no progress on standard error"},
          self.quiet);
  }

  // The limit begins now.
  RunContext context(std::stop_token stop) const;
};

}  // namespace lacuna::job
