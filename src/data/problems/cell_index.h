// SPDX-License-Identifier: Apache-2.0
// The cell of a table that has given codes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/table.h"

namespace lacuna::problems {

class CellIndex {
 public:
  explicit CellIndex(const Table& table);  // keeps a reference

  std::optional<CellId> find(const std::vector<std::int32_t>& codes) const;  // -1: unknown
  std::optional<CellId> find(const std::vector<std::string_view>& codes) const;
  // "product=A|region=East", of any codes, for messages.
  std::string label(const std::vector<std::string_view>& codes) const;

 private:
  const Table* table_;
  std::map<std::vector<std::int32_t>, CellId> cells_;
};

}  // namespace lacuna::problems
