// SPDX-License-Identifier: Apache-2.0
// Seeds of property tests: LACUNA_SEED=17 in the environment replays one, else a range is run.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "support/part_of.h"

namespace lacuna::testing {

// Runs body(seed) for each seed and prints the first that fails.
template <class Body>
void for_each_seed(std::uint64_t first, std::uint64_t count, Body&& body) {
  if (const char* replay = std::getenv("LACUNA_SEED"); replay != nullptr) {
    std::uint64_t seed = 0;
    const auto parsed = std::from_chars(replay, replay + std::strlen(replay), seed);
    ASSERT_TRUE(parsed.ec == std::errc() && *parsed.ptr == '\0') << "LACUNA_SEED is not a number";
    first = seed;
    count = 1;
  }
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("replay with LACUNA_SEED=" + std::to_string(seed));
    body(seed);
    if (::testing::Test::HasFailure())
      return;
  }
}

}  // namespace lacuna::testing
