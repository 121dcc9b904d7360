// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/roll_up.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lacuna::tabulation {
namespace {

using Key = KeyTable::Key;  // mixed-radix number of the codes of a cell, first dimension first
using Codes = std::vector<std::int32_t>;

constexpr std::size_t kMostCells = std::numeric_limits<std::int32_t>::max();
// Six dimensions of five levels each; more is a slip in the job, and would fill the memory.
constexpr std::size_t kMostCellsOfRecord = 20'000;
constexpr std::size_t kMostWithEmpty = std::size_t{1}
                                       << 24U;  // cells, if the empty ones are listed
constexpr std::size_t kMostAbove = 1000;        // codes above a code

class CellCollector {
 public:
  CellCollector(const std::vector<Dimension>& dimensions, const std::vector<LinkedTable>& tables)
      : dimensions_(dimensions), stride_(dimensions.size(), 1) {
    for (std::size_t d = dimensions.size(); d-- > 1;)
      stride_[d - 1] = stride_[d] * static_cast<Key>(dimensions[d].num_codes());
    for (const LinkedTable& table : tables) {
      DimensionSet& used = uses_.emplace_back();
      for (const std::int32_t d : table.dimensions)
        used.set(static_cast<std::size_t>(d));
    }
  }

  Status climb() {
    for (const Dimension& dimension : dimensions_) {
      LACUNA_TRY(std::vector<Codes> above, codes_above(dimension));
      above_.push_back(std::move(above));
    }
    return ok_status();
  }

  // The cells of one table that the leaf is part of, or (leaf empty) all its cells.
  void keys_of(std::size_t table, std::span<const std::int32_t> leaf, std::vector<Key>& keys) {
    const std::size_t begin = keys.size();
    keys.push_back(0);
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const auto codes = choices(table, leaf, d);
      const std::size_t end = keys.size();
      for (std::size_t c = 1; c < codes.size(); ++c) {
        for (std::size_t i = begin; i < end; ++i)
          keys.push_back(keys[i] + stride_[d] * static_cast<Key>(codes[c]));
      }
      for (std::size_t i = begin; i < end; ++i)
        keys[i] += stride_[d] * static_cast<Key>(codes.front());
    }
  }

  // How many cells the leaf is part of, over all tables; counts up to a little beyond the limit.
  std::size_t count_of(std::span<const std::int32_t> leaf) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < uses_.size() && count <= kMostCellsOfRecord; ++t) {
      std::size_t size = 1;
      for (std::size_t d = 0; d < dimensions_.size() && size <= kMostCellsOfRecord; ++d)
        size *= choices(t, leaf, d).size();
      count += size;
    }
    return count;
  }

  // Whether every tuple of codes has a key of its own.
  bool keys_fit() const { return num_tuples(dimensions_) < kTooManyTuples; }

  // How many cells a table has at most; more than kMostWithEmpty counts as kMostWithEmpty + 1.
  std::size_t size_of(std::size_t table) const {
    std::size_t size = 1;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (is_used(table, d))
        size *= static_cast<std::size_t>(dimensions_[d].num_codes());
      size = std::min(size, kMostWithEmpty + 1);
    }
    return size;
  }

  std::size_t num_tables() const { return uses_.size(); }

  void append_codes(Key key, Codes& codes) const {
    for (const Key stride : stride_) {
      codes.push_back(static_cast<std::int32_t>(key / stride));
      key %= stride;
    }
  }

  // What the index needs in order to find cells by their codes.
  void give(CellIndex& index) && {
    for (const Dimension& dimension : dimensions_)
      index.totals.push_back(dimension.total());
    index.above = std::move(above_);
    index.stride = std::move(stride_);
    index.uses = std::move(uses_);
  }

 private:
  bool is_used(std::size_t table, std::size_t d) const { return uses_[table][d]; }
  std::span<const std::int32_t> choices(std::size_t table,
                                        std::span<const std::int32_t> leaf,
                                        std::size_t d) {
    if (!is_used(table, d)) {
      scratch_.assign(1, dimensions_[d].total());
      return scratch_;
    }
    if (!leaf.empty())
      return above_[d][static_cast<std::size_t>(leaf[d])];
    scratch_.resize(static_cast<std::size_t>(dimensions_[d].num_codes()));
    std::iota(scratch_.begin(), scratch_.end(), 0);
    return scratch_;
  }

  const std::vector<Dimension>& dimensions_;
  std::vector<Key> stride_;
  std::vector<std::vector<Codes>> above_;
  std::vector<DimensionSet> uses_;  // per table
  Codes scratch_;
};

Error too_many_cells(std::size_t most) {
  return {ErrorCode::kTooLarge,
          "the tables have more than " + std::to_string(most) +
              " cells: use fewer dimensions, or leave out empty cells",
          ""};
}

Error too_many_of_record() {
  return {ErrorCode::kTooLarge,
          "a record counts in more than " + std::to_string(kMostCellsOfRecord) +
              " cells: use fewer dimensions or levels",
          ""};
}

}  // namespace

Key num_tuples(const std::vector<Dimension>& dimensions) {
  constexpr Key kMostTuples = Key{1} << 90U;  // times the codes of one more dimension: 121 bits
  Key tuples = 1;
  for (const Dimension& dimension : dimensions) {
    if (tuples > kMostTuples)
      return kTooManyTuples;
    tuples *= static_cast<Key>(dimension.num_codes());
  }
  return tuples;
}

Result<std::vector<Codes>> codes_above(const Dimension& dimension) {
  const auto count = static_cast<std::size_t>(dimension.num_codes());
  std::vector<Codes> parents(count);
  for (const Relation& relation : dimension.relations()) {
    for (const std::int32_t child : relation.children)
      parents[static_cast<std::size_t>(child)].push_back(relation.parent);
  }
  std::vector<Codes> above(count);
  for (std::size_t code = 0; code < count; ++code) {
    Codes& reached = above[code];
    reached.push_back(static_cast<std::int32_t>(code));
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (i > kMostAbove) {
        return Error{ErrorCode::kTooLarge,
                     "the hierarchy has more than " + std::to_string(kMostAbove) + " levels",
                     "dimension " + dimension.name()};
      }
      for (const std::int32_t parent : parents[static_cast<std::size_t>(reached[i])]) {
        if (std::find(reached.begin(), reached.end(), parent) == reached.end())
          reached.push_back(parent);
      }
    }
  }
  return above;
}

Result<CellIndex> index_cells(const std::vector<Dimension>& dimensions,
                              const std::vector<LinkedTable>& tables,
                              std::vector<std::int32_t> leaf_codes,
                              bool all) {
  CellCollector collector(dimensions, tables);
  if (!collector.keys_fit())
    return too_many_cells(kMostCells);
  LACUNA_RETURN_IF_ERROR(collector.climb());
  NumberedKeys table(num_tuples(dimensions), leaf_codes.size() / dimensions.size());
  CellIndex index;
  const std::size_t width = dimensions.size();
  std::vector<Key> keys;
  index.start.push_back(0);
  for (std::size_t leaf = 0; leaf * width < leaf_codes.size(); ++leaf) {
    const std::span<const std::int32_t> codes{leaf_codes.data() + leaf * width, width};
    if (collector.count_of(codes) > kMostCellsOfRecord)
      return too_many_of_record();
    keys.clear();
    for (std::size_t t = 0; t < tables.size(); ++t)
      collector.keys_of(t, codes, keys);
    if (tables.size() > 1) {  // cells that two tables share
      std::sort(keys.begin(), keys.end());
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    }
    for (const Key key : keys)
      index.cells.push_back(table.find_or_add(key));
    index.start.push_back(index.cells.size());
    if (table.size() > kMostCells)
      return too_many_cells(kMostCells);
  }
  for (std::size_t t = 0; all && t < tables.size(); ++t) {
    if (collector.size_of(t) > kMostWithEmpty)
      return too_many_cells(kMostWithEmpty);
    keys.clear();
    collector.keys_of(t, {}, keys);
    for (const Key key : keys)
      table.find_or_add(key);
  }

  index.num_cells = table.size();
  index.codes.reserve(index.num_cells * width);
  std::vector<std::uint32_t> rank(index.num_cells);
  std::uint32_t next = 0;
  table.visit_in_order([&](std::uint32_t number, Key key) {
    rank[number] = next++;
    collector.append_codes(key, index.codes);
  });
  for (std::uint32_t& cell : index.cells)
    cell = rank[cell];
  table.renumber(rank);
  index.numbers = std::move(table);
  index.leaf_codes = std::move(leaf_codes);
  std::move(collector).give(index);
  return index;
}

}  // namespace lacuna::tabulation
