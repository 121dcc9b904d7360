// SPDX-License-Identifier: Apache-2.0
// What `lacuna bench` is asked for; the sets themselves are in sets.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "job/jobs.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::inline bench {

struct BenchJob {
  std::string set;                   // quick, shared, thesis, ... (sets.cpp has the list)
  std::string output;                // folder for rows, summary and plots; empty: none
  std::string instances;             // folder of real instances; empty: none
  std::vector<std::int32_t> tables;  // of the paper behind the set; empty: all. safety: how many
  double seconds = 0;                // limit of each run; 0: the default of the set
  std::int32_t seeds = 1;            // generated tables per row
  bool formulations = false;         // cta: also the paper's formulations, with a MILP engine
  bool peers = false;                // also other programs, on the tables of method suppress
  std::string peer_runner;           // the script that runs them (docs/bench.md)
  std::int64_t first = 0;            // safety: number of the first table
  bool json = false;                 // safety: print JSON
  std::string program;               // safety: the command line, for runs that are killed
  std::string verifier;              // safety: scripts/verify_certificate.py
};
Result<JobOutput> run_job(const BenchJob& job, const RunContext& run);

}  // namespace lacuna::inline bench
