// SPDX-License-Identifier: Apache-2.0
// The readers under hostile input, one target each. A target reads bytes as the program would and
// then uses what was read as the program would: problems are written and read again, releases are
// audited, evidence is confirmed. Any bytes must end in a Result; whatever was accepted must keep
// the promises of the rest of the program. Used by the libFuzzer programs (libfuzzer_main.cpp) and
// by the seeded test (readers_fuzz.cpp).
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::fuzz {

struct Target {
  std::string_view name;  // of the program fuzz_<name> and of its folder in corpus/
  bool (*run)(std::string_view bytes);
  std::vector<std::string> (*seeds)();  // valid inputs, made by the writers of today
};

std::span<const Target> targets();
const Target* find_target(std::string_view name);  // nullptr if there is none

// Whether the target's reader accepted the bytes. Throws PropertyBroken if what was accepted breaks
// a promise; any other exception and any crash is a fault as well.
bool fuzz_one(const Target& target, std::string_view bytes);

class PropertyBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& promise) {
  if (!holds)
    throw PropertyBroken("broken: " + promise);
}

}  // namespace lacuna::fuzz
