// SPDX-License-Identifier: Apache-2.0
// One program per target, named by LACUNA_FUZZ_TARGET: libFuzzer brings main().
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lacuna::fuzz::Target& target = *lacuna::fuzz::find_target(LACUNA_FUZZ_TARGET);
  // NOLINTNEXTLINE: bytes are text to the readers
  lacuna::fuzz::fuzz_one(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
