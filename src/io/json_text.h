// SPDX-License-Identifier: Apache-2.0
// Pieces of JSON text that the writers share.
#pragma once

#include <string>

#include "lacuna/units.h"

namespace lacuna::inline io {

inline std::string json_bound(Units end) {  // null: unbounded
  return end == kUnboundedBelow || end == kUnboundedAbove ? "null" : std::to_string(end);
}

// "[", the items as `write` appends them, "]".
template <class Items, class Write>
void append_json_list(std::string& out, const Items& items, Write&& write) {
  out += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!first)
      out += ',';
    first = false;
    write(item);
  }
  out += ']';
}

}  // namespace lacuna::inline io
