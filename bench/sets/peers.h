// SPDX-License-Identifier: Apache-2.0
// Other programs on the same tables in the same run, through a script of the project (scripts/
// run_peer) that gets the problem as JSON and leaves a pattern; their patterns are audited like
// ours.
#pragma once

#include "bench/sets/run.h"

namespace lacuna::bench {

inline constexpr char kPeerStatus[] = "peer";  // of a row whose method gives no bound

// Adds one row per peer for the table of the case; a peer that cannot be run is a note.
void run_peers(const BenchCase& bench_case, BenchRecorder& recorder);

}  // namespace lacuna::bench
