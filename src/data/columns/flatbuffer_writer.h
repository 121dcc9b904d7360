// SPDX-License-Identifier: Apache-2.0
// FlatBuffers written from the back to the front, as far as Arrow's metadata need them. A Ref is
// the distance of an object from the end of the bytes, which stays true while bytes are put before
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::columns {

class FlatWriter {
 public:
  using Ref = std::uint32_t;

  Ref text(std::string_view text) {
    pad(4, 4 + text.size() + 1);
    put(std::string(text) + '\0');
    return put_number(static_cast<std::uint32_t>(text.size()));
  }
  Ref refs(const std::vector<Ref>& targets) {
    pad(4, 4 * (targets.size() + 1));
    for (std::size_t i = targets.size(); i-- > 0;)
      put_number(static_cast<std::uint32_t>(bytes_.size()) + 4 - targets[i]);
    return put_number(static_cast<std::uint32_t>(targets.size()));
  }
  // A vector of numbers or structs, given by their bytes.
  Ref structs(std::string_view items, std::size_t count) {
    pad(8, items.size());
    put(items);
    return put_number(static_cast<std::uint32_t>(count));
  }

  // A table is begun, its fields are added in any order, and it is ended.
  void begin() { fields_.clear(); }
  template <class Number>
  void number(unsigned field, Number value) {
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    fields_.push_back({field, std::move(bytes), 0});
  }
  void ref(unsigned field, Ref target) { fields_.push_back({field, std::string(4, '\0'), target}); }
  Ref end();

  // The bytes, as many as a multiple of 8, with this table as their root.
  std::string finish(Ref root) {
    pad(8, 4);
    put_number(static_cast<std::uint32_t>(bytes_.size()) + 4 - root);
    return std::move(bytes_);
  }

 private:
  struct Field {
    unsigned number;
    std::string bytes;
    Ref target;  // 0: the bytes are the value
  };

  // So that what is put next, of so many bytes, begins at a multiple of `alignment`.
  void pad(std::size_t alignment, std::size_t size) {
    const std::size_t over = (bytes_.size() + size) % alignment;
    if (over != 0)
      put(std::string(alignment - over, '\0'));
  }
  void put(std::string_view bytes) { bytes_.insert(0, bytes); }
  template <class Number>
  Ref put_number(Number value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    put({bytes, sizeof(value)});
    return static_cast<Ref>(bytes_.size());
  }

  std::string bytes_;
  std::vector<Field> fields_;
};

}  // namespace lacuna::columns
