// SPDX-License-Identifier: Apache-2.0
#include "data/problems/cell_index.h"

#include "core/base/confidential.h"

namespace lacuna::problems {

CellIndex::CellIndex(const Table& table) : table_(&table) {
  if (table.dimensions().empty())
    return;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto codes = table.codes(CellId{c});
    cells_.emplace(std::vector<std::int32_t>(codes.begin(), codes.end()), CellId{c});
  }
}

std::optional<CellId> CellIndex::find(const std::vector<std::int32_t>& codes) const {
  const auto found = cells_.find(codes);
  return found == cells_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CellId> CellIndex::find(const std::vector<std::string_view>& codes) const {
  if (codes.size() != table_->dimensions().size())
    return std::nullopt;
  std::vector<std::int32_t> key;
  for (std::size_t d = 0; d < codes.size(); ++d)
    key.push_back(table_->dimensions()[d].find(codes[d]));
  return find(key);
}

std::string CellIndex::label(const std::vector<std::string_view>& codes) const {
  std::string text;
  for (std::size_t d = 0; d < codes.size() && d < table_->dimensions().size(); ++d)
    text += (d == 0 ? "" : "|") + table_->dimensions()[d].name() + "=" +
            (table_->dimensions()[d].find(codes[d]) < 0 ? base::strange_field(codes[d])
                                                        : std::string(codes[d]));
  return text;
}

}  // namespace lacuna::problems
