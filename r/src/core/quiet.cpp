// SPDX-License-Identifier: Apache-2.0
#include "quiet.h"

#include <stdexcept>

// HiGHS compares streams with that of the terminal and flushes it, so there has to be one.
FILE* lacuna_quiet_file() {
#ifdef _WIN32
  static FILE* const file = std::fopen("NUL", "w");
#else
  static FILE* const file = std::fopen("/dev/null", "w");
#endif
  return file;
}

int lacuna_quiet_printf(const char*, ...) {
  return 0;
}

int lacuna_quiet_puts(const char*) {
  return 0;
}

int lacuna_quiet_putchar(int character) {
  return character;
}

std::ostream& lacuna_quiet_stream() {
  thread_local std::ostream stream(nullptr);  // without a buffer all that is written is dropped
  return stream;
}

void lacuna_quiet_end() {
  throw std::runtime_error("the solver reached a state that should be impossible");
}
