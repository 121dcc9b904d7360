// SPDX-License-Identifier: Apache-2.0
#include "data/columns/flatbuffer_writer.h"

#include <algorithm>

namespace lacuna::columns {

// The table begins at a multiple of 8, so that its fields, laid out from its start, keep theirs.
FlatWriter::Ref FlatWriter::end() {
  std::stable_sort(fields_.begin(), fields_.end(), [](const Field& a, const Field& b) {
    return a.bytes.size() > b.bytes.size();
  });
  unsigned num_slots = 0;
  for (const Field& field : fields_)
    num_slots = std::max(num_slots, field.number + 1);
  std::vector<std::uint16_t> vtable(2 + num_slots, 0);
  std::string inline_bytes(4, '\0');  // the way to the vtable
  for (const Field& field : fields_) {
    const std::size_t over = inline_bytes.size() % field.bytes.size();
    if (over != 0)
      inline_bytes.append(field.bytes.size() - over, '\0');
    vtable[2 + field.number] = static_cast<std::uint16_t>(inline_bytes.size());
    inline_bytes += field.bytes;
  }
  inline_bytes.append((4 - inline_bytes.size() % 4) % 4, '\0');
  vtable[0] = static_cast<std::uint16_t>(vtable.size() * 2);
  vtable[1] = static_cast<std::uint16_t>(inline_bytes.size());

  pad(8, inline_bytes.size());
  const auto table = static_cast<Ref>(bytes_.size() + inline_bytes.size());
  const auto back = static_cast<std::int32_t>(vtable[0]);  // the vtable stands right before
  std::memcpy(inline_bytes.data(), &back, sizeof(back));
  for (const Field& field : fields_) {
    if (field.target == 0)
      continue;
    const std::uint16_t at = vtable[2 + field.number];
    const std::uint32_t way = table - at - field.target;
    std::memcpy(inline_bytes.data() + at, &way, sizeof(way));
  }
  put(inline_bytes);
  std::string entries(vtable.size() * 2, '\0');
  std::memcpy(entries.data(), vtable.data(), entries.size());
  put(entries);
  return table;
}

}  // namespace lacuna::columns
