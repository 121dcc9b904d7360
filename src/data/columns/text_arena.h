// SPDX-License-Identifier: Apache-2.0
// Memory for many short texts that stay where they are; cleared and used again as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace lacuna::columns {

class TextArena {
 public:
  // Room for so many bytes. What the caller does not need of it is given back by keep().
  char* room(std::size_t bytes) {
    while (current_ < slabs_.size() && slabs_[current_].size - used_ < bytes) {
      ++current_;
      used_ = 0;
    }
    if (current_ == slabs_.size()) {
      const std::size_t size = std::max(bytes, kSlab);
      slabs_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
    }
    return slabs_[current_].bytes.get() + used_;
  }
  // The first bytes of the last room are in use.
  void keep(std::size_t bytes) { used_ += bytes; }
  void clear() {
    current_ = 0;
    used_ = 0;
  }

 private:
  static constexpr std::size_t kSlab = std::size_t{1} << 18U;
  struct Slab {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  std::vector<Slab> slabs_;
  std::size_t current_ = 0;
  std::size_t used_ = 0;  // of the current slab
};

}  // namespace lacuna::columns
