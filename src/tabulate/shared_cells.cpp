// SPDX-License-Identifier: Apache-2.0
#include "tabulate/shared_cells.h"

#include <bit>

namespace lacuna::inline tabulation {
namespace {

bool several(std::uint64_t leaves) {
  return (leaves & (leaves - 1)) != 0;
}

}  // namespace

SharedCells::SharedCells(const CellIndex& index) : index_(index), groups_(index.above.size()) {
  for (const auto& codes : index.above)
    sets_.emplace_back(codes.size(), 0);
}

const std::vector<std::int32_t>& SharedCells::above(std::size_t member, std::size_t d) const {
  return index_.above[d][static_cast<std::size_t>(members_[member][d])];
}

SharedCells::Group SharedCells::group_of(std::size_t d, std::int32_t code) const {
  return {index_.stride[d] * static_cast<Key>(code),
          sets_[d][static_cast<std::size_t>(code)],
          code == index_.totals[d]};
}

// The sets of a dimension, and those of them that matter once each: by their first leaf.
void SharedCells::group(std::size_t members, std::size_t d) {
  for (std::size_t i = 0; i < members; ++i) {
    for (const std::int32_t code : above(i, d))
      sets_[d][static_cast<std::size_t>(code)] |= Leaves{1} << i;
  }
  groups_[d].clear();
  for (std::size_t i = 0; i < members; ++i) {
    for (const std::int32_t code : above(i, d)) {
      const Leaves set = sets_[d][static_cast<std::size_t>(code)];
      if (several(set) && static_cast<std::size_t>(std::countr_zero(set)) == i)
        groups_[d].push_back(group_of(d, code));
    }
  }
}

void SharedCells::clear(std::size_t members, std::size_t d) {
  for (std::size_t i = 0; i < members; ++i) {
    for (const std::int32_t code : above(i, d))
      sets_[d][static_cast<std::size_t>(code)] = 0;
  }
}

std::span<const SharedCells::Found> SharedCells::of(std::span<const LeafShare> own) {
  const std::size_t width = index_.above.size();
  members_.clear();
  for (const LeafShare& share : own)
    members_.push_back(index_.leaf_codes.data() + share.leaf() * width);
  for (std::size_t d = 0; d < width; ++d)
    group(own.size(), d);
  cells_.clear();
  const Leaves all = ~Leaves{0} >> (kMostLeaves - own.size());
  for (std::size_t table = 0; table < index_.uses.size(); ++table)
    descend(table, 0, {0, all, {}});
  for (std::size_t d = 0; d < width; ++d)
    clear(own.size(), d);
  add_up(own);
  return found_;
}

// All cells of the table that begin with these codes. Few leaves that are left are gone through
// themselves, because most groups have none of them.
void SharedCells::descend(std::size_t table, std::size_t d, const Prefix& prefix) {
  if (d == groups_.size()) {
    if (!in_earlier_table(table, prefix.apart))
      cells_.push_back(prefix);
    return;
  }
  if (!index_.uses[table][d]) {
    const Key key = prefix.key + index_.stride[d] * static_cast<Key>(index_.totals[d]);
    descend(table, d + 1, {key, prefix.leaves, prefix.apart});
    return;
  }
  const auto left = static_cast<std::size_t>(std::popcount(prefix.leaves));
  if (groups_[d].size() > 4 * left)
    return descend_by_members(table, d, prefix);
  for (const Group& group : groups_[d])
    enter(table, d, prefix, group);
}

void SharedCells::descend_by_members(std::size_t table, std::size_t d, const Prefix& prefix) {
  for (Leaves rest = prefix.leaves; several(rest); rest &= rest - 1) {
    const auto member = static_cast<std::size_t>(std::countr_zero(rest));
    for (const std::int32_t code : above(member, d)) {
      const Group group = group_of(d, code);
      const Leaves common = prefix.leaves & group.leaves;
      if (static_cast<std::size_t>(std::countr_zero(common)) == member)  // each group once
        enter(table, d, prefix, group);
    }
  }
}

void SharedCells::enter(std::size_t table,
                        std::size_t d,
                        const Prefix& prefix,
                        const Group& group) {
  const Leaves common = prefix.leaves & group.leaves;
  if (!several(common))
    return;
  Prefix longer{prefix.key + group.key, common, prefix.apart};
  longer.apart[d] = !group.is_total;
  descend(table, d + 1, longer);
}

// A cell that two tables share is one cell.
bool SharedCells::in_earlier_table(std::size_t table, const DimensionSet& apart) const {
  for (std::size_t t = 0; t < table; ++t) {
    if ((apart & ~index_.uses[t]).none())
      return true;
  }
  return false;
}

void SharedCells::add_up(std::span<const LeafShare> own) {
  found_.clear();
  Leaves last = 0;
  Found sum;
  for (const Prefix& cell : cells_) {
    if (cell.leaves != last) {  // often the same again
      last = cell.leaves;
      sum = {};
      for (Leaves rest = last; rest != 0; rest &= rest - 1) {
        const LeafShare& share = own[static_cast<std::size_t>(std::countr_zero(rest))];
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
