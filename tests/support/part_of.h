// SPDX-License-Identifier: Apache-2.0
// How much of the longest tests is run.
#pragma once

#include <cstdlib>
#include <cstring>

namespace lacuna::testing {

// Of the longest runs `make test` does a third; LACUNA_TESTS=whole, which `make test-all` sets, does all.
template <class Number>
Number part_of(Number count) {
  const char* tests = std::getenv("LACUNA_TESTS");
  const bool whole = tests != nullptr && std::strcmp(tests, "whole") == 0;
  return whole ? count : static_cast<Number>((count + 2) / 3);
}

}  // namespace lacuna::testing
