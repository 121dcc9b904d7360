// SPDX-License-Identifier: Apache-2.0
// For the portable program only. Debian's libstdc++ takes arc4random from glibc 2.36 for
// std::random_device, which a part of HiGHS names; nothing else needs more than glibc 2.35. With this
// one the program also runs where glibc is that old (Ubuntu 22.04).
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" std::uint32_t arc4random() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) {
    std::abort();  // so does glibc's: there is no random number that is none
  }
  return number;
}
