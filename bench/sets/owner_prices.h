// SPDX-License-Identifier: Apache-2.0
// What it costs to withstand the owner of the program on tables of a folder, and how many sensitive
// cells then have tables on which the program, run again, makes the very same release.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/sets/owner_sample.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct OwnerPrice {
  std::string instance, trouble;  // the latter: why there is nothing else
  std::int64_t cells = 0, sensitive = 0;
  double reference = 0;  // the cheapest found with the levels of the file, by its weights
  bool proven = false;   // ... and nothing is cheaper
  double cost = 0;       // against the owner, by the same weights
  std::int64_t secondary = 0, reference_secondary = 0;
  std::int64_t short_first = 0, repairs = 0;
  std::int64_t replayed = 0;  // sensitive cells with tables as far apart as the width
  std::int64_t runs = 0;
  double seconds = 0, replay_seconds = 0;
  OwnerSample sample{};  // of the reference, where nothing is cheaper
};

// Sizes of last period: each number 70 to 130% of today's; widths: both levels of then together.
// `seconds`: of the search for the reference, of the replays, and of the attack by sampling, which
// draws so many tables at most.
OwnerPrice price_of(const std::string& path,
                    double seconds,
                    std::int64_t samples,
                    const RunContext& run);

std::string prices_csv(const std::vector<OwnerPrice>& prices);
std::string prices_text(const std::vector<OwnerPrice>& prices);

}  // namespace lacuna::bench
