// SPDX-License-Identifier: Apache-2.0
#include "app/generate/grid.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace lacuna::generation {

Result<Grid> Grid::make(const std::vector<Dimension>& dimensions, std::vector<std::int32_t> used) {
  Grid grid;
  grid.used_ = std::move(used);
  grid.extent_.resize(grid.used_.size());
  grid.stride_.resize(grid.used_.size());
  std::size_t size = 1;
  for (std::size_t p = grid.used_.size(); p-- > 0;) {
    const Dimension& dimension = dimensions[static_cast<std::size_t>(grid.used_[p])];
    grid.extent_[p] = static_cast<std::size_t>(dimension.num_codes());
    grid.stride_[p] = size;
    size *= grid.extent_[p];  // no overflow: both factors are at most ten millions or so
    if (size > static_cast<std::size_t>(kMaxCells)) {
      return Error{ErrorCode::kOptionValue,
                   "the table would have more than " + std::to_string(kMaxCells) + " cells",
                   "generate"};
    }
  }
  grid.values_.assign(size, 0);
  grid.present_.assign(size, 0);
  return grid;
}

std::size_t Grid::at(std::span<const std::int32_t> codes) const {
  std::size_t result = 0;
  for (std::size_t p = 0; p < codes.size(); ++p)
    result += stride_[p] * static_cast<std::size_t>(codes[p]);
  return result;
}

bool Grid::is_leaf(const std::vector<Dimension>& dimensions, std::size_t at) const {
  for (std::size_t p = 0; p < used_.size(); ++p) {
    if (!dimensions[static_cast<std::size_t>(used_[p])].is_leaf(code(at, p)))
      return false;
  }
  return true;
}

std::vector<const Relation*> bottom_up(const Dimension& dimension) {
  // Trees number children after their parent; groups of a second hierarchy have leaves only.
  std::vector<const Relation*> order;
  std::vector<bool> has_value(static_cast<std::size_t>(dimension.num_codes()), false);
  for (const Relation& relation : dimension.relations()) {
    if (has_value[static_cast<std::size_t>(relation.parent)])
      continue;
    has_value[static_cast<std::size_t>(relation.parent)] = true;
    order.push_back(&relation);
  }
  std::sort(order.begin(), order.end(), [](const Relation* a, const Relation* b) {
    return a->parent > b->parent;
  });
  return order;
}

void Grid::add_up(const std::vector<Dimension>& dimensions) {
  for (std::size_t p = 0; p < used_.size(); ++p) {
    const auto order = bottom_up(dimensions[static_cast<std::size_t>(used_[p])]);
    const std::size_t block = extent_[p] * stride_[p];
    for (std::size_t begin = 0; begin < size(); begin += block) {
      for (const Relation* relation : order) {
        for (const std::int32_t child : relation->children) {
          const std::size_t to = begin + static_cast<std::size_t>(relation->parent) * stride_[p];
          const std::size_t from = begin + static_cast<std::size_t>(child) * stride_[p];
          for (std::size_t i = 0; i < stride_[p]; ++i) {
            values_[to + i] += values_[from + i];
            present_[to + i] |= present_[from + i];
          }
        }
      }
    }
  }
}

CellList list_cells(std::vector<Dimension> dimensions, const std::vector<Grid>& grids) {
  CellList list;
  std::vector<std::int32_t> totals;
  totals.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions)
    totals.push_back(dimension.total());
  const auto is_in = [&](const std::vector<std::int32_t>& codes, const Grid& grid) {
    for (std::size_t d = 0; d < codes.size(); ++d) {
      const auto& used = grid.used();
      const bool uses =
          std::find(used.begin(), used.end(), static_cast<std::int32_t>(d)) != used.end();
      if (!uses && codes[d] != totals[d])
        return false;
    }
    return true;
  };
  for (std::size_t t = 0; t < grids.size(); ++t) {
    const Grid& grid = grids[t];
    list.first_cell.push_back(list.size());
    list.tables.push_back({"table " + std::to_string(t + 1), grid.used()});
    std::vector<std::int32_t> codes = totals;
    for (std::size_t at = 0; at < grid.size(); ++at) {
      if (!grid.is_present(at))
        continue;
      for (std::size_t p = 0; p < grid.used().size(); ++p)
        codes[static_cast<std::size_t>(grid.used()[p])] = grid.code(at, p);
      const auto end = grids.begin() + static_cast<std::ptrdiff_t>(t);
      if (std::any_of(grids.begin(), end, [&](const Grid& g) { return is_in(codes, g); }))
        continue;
      list.values.push_back(grid.value(at));
      list.codes.insert(list.codes.end(), codes.begin(), codes.end());
    }
  }
  list.dimensions = std::move(dimensions);
  return list;
}

}  // namespace lacuna::generation
