// SPDX-License-Identifier: Apache-2.0
// A Dimension comes from build() alone, which checks it.
// expect: is private within this context|calling a private constructor
#include "lacuna/dimension.h"

void make() {
#ifdef LACUNA_FORBIDDEN
  const lacuna::Dimension dimension;
#else
  const auto dimension = lacuna::Dimension::build("REG", {"total"}, {});
#endif
  static_cast<void>(dimension);
}
