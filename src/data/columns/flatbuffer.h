// SPDX-License-Identifier: Apache-2.0
// The part of the FlatBuffers format that Arrow's metadata uses, read from bytes that nobody
// vouches for. Every access is checked; one that leaves the bytes gives the default and marks the
// buffer as damaged, so that a reader may ask once, when it has all it wants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace lacuna::columns {

class FlatBytes {
 public:
  explicit FlatBytes(std::string_view bytes) : bytes_(bytes) {}

  template <class Value>
  Value load(std::uint64_t offset, Value otherwise) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Value)) {
      damaged_ = true;
      return otherwise;
    }
    Value value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(Value));
    return value;
  }
  std::string_view part(std::uint64_t offset, std::uint64_t length) const {
    if (offset > bytes_.size() || bytes_.size() - offset < length) {
      damaged_ = true;
      return {};
    }
    return bytes_.substr(offset, length);
  }
  void damage() const { damaged_ = true; }
  bool damaged() const { return damaged_; }

 private:
  std::string_view bytes_;
  mutable bool damaged_ = false;
};

class FlatTable {
 public:
  static FlatTable root(const FlatBytes& bytes) { return {bytes, bytes.load<std::uint32_t>(0, 0)}; }
  FlatTable(const FlatBytes& bytes, std::uint64_t at) : bytes_(&bytes), at_(at) {
    const auto back = bytes.load<std::int32_t>(at, 0);
    const std::int64_t vtable = static_cast<std::int64_t>(at) - back;
    if (vtable < 0)
      bytes.damage();
    else
      vtable_ = static_cast<std::uint64_t>(vtable);
    vtable_size_ = bytes.load<std::uint16_t>(vtable_, 0);
  }

  bool has(unsigned field) const { return offset_of(field) != 0; }
  template <class Value>
  Value number(unsigned field, Value otherwise) const {
    const std::uint64_t offset = offset_of(field);
    return offset == 0 ? otherwise : bytes_->load<Value>(at_ + offset, otherwise);
  }
  std::optional<FlatTable> table(unsigned field) const {
    if (!has(field))
      return std::nullopt;
    return FlatTable(*bytes_, target_of(field));
  }
  std::string_view text(unsigned field) const {
    return has(field) ? bytes_->part(target_of(field) + 4, length_of(field)) : std::string_view{};
  }
  std::vector<FlatTable> tables(unsigned field) const {
    std::vector<FlatTable> found;
    const std::string_view offsets = vector(field, 4);
    const std::uint64_t start = has(field) ? target_of(field) + 4 : 0;
    for (std::uint64_t i = 0; i < offsets.size(); i += 4)
      found.emplace_back(*bytes_, start + i + bytes_->load<std::uint32_t>(start + i, 0));
    return found;
  }
  // The bytes of a vector of numbers or structs of `size` bytes each.
  std::string_view vector(unsigned field, std::uint64_t size) const {
    return has(field) ? bytes_->part(target_of(field) + 4, length_of(field) * size)
                      : std::string_view{};
  }

 private:
  std::uint64_t offset_of(unsigned field) const {
    const std::uint64_t entry = 4 + std::uint64_t{field} * 2;
    return entry + 2 > vtable_size_ ? 0 : bytes_->load<std::uint16_t>(vtable_ + entry, 0);
  }
  std::uint64_t target_of(unsigned field) const {
    const std::uint64_t at = at_ + offset_of(field);
    return at + bytes_->load<std::uint32_t>(at, 0);
  }
  std::uint64_t length_of(unsigned field) const {
    return bytes_->load<std::uint32_t>(target_of(field), 0);
  }

  const FlatBytes* bytes_;
  std::uint64_t at_;
  std::uint64_t vtable_ = 0;
  std::uint64_t vtable_size_ = 0;
};

}  // namespace lacuna::columns
