// SPDX-License-Identifier: Apache-2.0
// A text of a file with its place.
#pragma once

#include <string>

#include "data/files/position.h"

namespace lacuna::argus {

struct Word {
  std::string text;
  files::Position place;
};

}  // namespace lacuna::argus
