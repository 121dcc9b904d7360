// SPDX-License-Identifier: Apache-2.0
#include "tabulate/shared_cells.h"

#include <algorithm>
#include <bit>

namespace lacuna::inline tabulation {
namespace {

// So many groups are gone through without asking whether there are fewer leaves.
constexpr std::size_t kFewGroups = 12;

bool several(std::uint64_t leaves) {
  return (leaves & (leaves - 1)) != 0;
}

std::size_t first_of(std::uint64_t leaves) {
  return static_cast<std::size_t>(std::countr_zero(leaves));
}

}  // namespace

SharedCells::SharedCells(const CellIndex& index) : index_(index), sets_(index.above.size()) {
  for (std::size_t d = 0; d < sets_.size(); ++d)
    sets_[d].of_code.resize(index.above[d].size(), 0);
}

// Leaf codes first, then what is above each of them, once per leaf code.
void SharedCells::group(std::size_t d) {
  Sets& sets = sets_[d];
  const auto add = [&](std::int32_t code, Leaves leaves) {
    Leaves& set = sets.of_code[static_cast<std::size_t>(code)];
    if (set == 0)
      sets.touched.push_back(code);
    set |= leaves;
  };
  for (std::size_t i = 0; i < members_.size(); ++i)
    add(members_[i][d], Leaves{1} << i);
  const std::size_t leaf_codes = sets.touched.size();
  for (std::size_t t = 0; t < leaf_codes; ++t) {
    const std::int32_t leaf = sets.touched[t];
    const Leaves leaves = sets.of_code[static_cast<std::size_t>(leaf)];
    for (const std::int32_t code : above(d, leaf))
      add(code, leaves);
  }
  sets.groups.clear();
  for (const std::int32_t code : sets.touched) {
    const Leaves leaves = sets.of_code[static_cast<std::size_t>(code)];
    if (several(leaves))
      sets.groups.push_back({index_.stride[d] * static_cast<Key>(code), leaves});
  }
}

void SharedCells::clear(std::size_t d) {
  for (const std::int32_t code : sets_[d].touched)
    sets_[d].of_code[static_cast<std::size_t>(code)] = 0;
  sets_[d].touched.clear();
}

std::span<const SharedCells::Found> SharedCells::of(std::span<const LeafShare> own) {
  const std::size_t width = sets_.size();
  members_.clear();
  for (const LeafShare& share : own)
    members_.push_back(index_.leaf_codes.data() + share.leaf() * width);
  for (std::size_t d = 0; d < width; ++d)
    group(d);
  found_.clear();
  for (const DimensionSet& used : index_.uses) {
    prefixes_.assign(1, {0, ~Leaves{0} >> (kMostLeaves - own.size())});
    for (std::size_t d = 0; d < width; ++d) {
      if (used[d]) {
        lengthen(d);
        continue;
      }
      for (Prefix& prefix : prefixes_)
        prefix.key += index_.stride[d] * static_cast<Key>(index_.totals[d]);
    }
    add_up(own);
  }
  for (std::size_t d = 0; d < width; ++d)
    clear(d);
  if (index_.uses.size() > 1) {  // cells that two tables share
    const auto by_cell = [](const Found& a, const Found& b) { return a.cell < b.cell; };
    const auto same = [](const Found& a, const Found& b) { return a.cell == b.cell; };
    std::sort(found_.begin(), found_.end(), by_cell);
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  }
  return found_;
}

// Few leaves that are left are gone through themselves, because most groups have none of them.
void SharedCells::lengthen(std::size_t d) {
  const std::vector<Prefix>& groups = sets_[d].groups;
  longer_.clear();
  for (const Prefix& prefix : prefixes_) {
    if (groups.size() > kFewGroups &&
        groups.size() > 4 * static_cast<std::size_t>(std::popcount(prefix.leaves))) {
      lengthen_by_members(d, prefix);
      continue;
    }
    for (const Prefix& group : groups) {
      if (const Leaves common = prefix.leaves & group.leaves; several(common))
        longer_.push_back({prefix.key + group.key, common});
    }
  }
  prefixes_.swap(longer_);
}

void SharedCells::lengthen_by_members(std::size_t d, const Prefix& prefix) {
  for (Leaves rest = prefix.leaves; several(rest); rest &= rest - 1) {
    for (const std::int32_t code : above(d, members_[first_of(rest)][d])) {
      const Leaves common = prefix.leaves & sets_[d].of_code[static_cast<std::size_t>(code)];
      if (several(common) && first_of(common) == first_of(rest))  // each code once
        longer_.push_back({prefix.key + index_.stride[d] * static_cast<Key>(code), common});
    }
  }
}

void SharedCells::add_up(std::span<const LeafShare> own) {
  Leaves last = 0;
  Found sum;
  for (const Prefix& cell : prefixes_) {
    if (cell.leaves != last) {  // often the same again
      last = cell.leaves;
      sum = {};
      for (Leaves rest = last; rest != 0; rest &= rest - 1) {
        const LeafShare& share = own[first_of(rest)];
        ++sum.leaves;
        sum.flags |= share.flags();
        sum.fits &= !__builtin_add_overflow(sum.amount, share.amount, &sum.amount);
        sum.fits &= sum.amount <= kMaxUnits && sum.amount >= -kMaxUnits;
      }
    }
    sum.cell = index_.numbers.find(cell.key);
    found_.push_back(sum);
  }
}

}  // namespace lacuna::inline tabulation
