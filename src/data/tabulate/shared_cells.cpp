// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/shared_cells.h"

#include <algorithm>
#include <bit>

namespace lacuna::tabulation {
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
  for (std::size_t d = 0; d < sets_.size(); ++d) {
    Sets& sets = sets_[d];
    sets.of_code.resize(index.above[d].size(), 0);
    sets.touched.resize(index.above[d].size() + 1);
    sets.groups.resize(index.above[d].size() + 1);
    for (const auto& codes : index.above[d]) {
      sets.above_start.push_back(static_cast<std::uint32_t>(sets.above.size()));
      sets.above.insert(sets.above.end(), codes.begin(), codes.end());
    }
    sets.above_start.push_back(static_cast<std::uint32_t>(sets.above.size()));
  }
}

// Leaf codes first, then what is above each of them, once per leaf code. Without branches where it
// cannot be foreseen which way they go: an entry is written, and stays if the count goes on.
void SharedCells::group(std::size_t d) {
  Sets& sets = sets_[d];
  std::size_t touched = 0;
  const auto add = [&](std::int32_t code, Leaves leaves) {
    Leaves& set = sets.of_code[static_cast<std::size_t>(code)];
    sets.touched[touched] = code;
    touched += set == 0 ? 1U : 0U;
    set |= leaves;
  };
  for (std::size_t i = 0; i < members_.size(); ++i)
    add(members_[i][d], Leaves{1} << i);
  const std::size_t leaf_codes = touched;
  for (std::size_t t = 0; t < leaf_codes; ++t) {
    const Leaves leaves = sets.of_code[static_cast<std::size_t>(sets.touched[t])];
    for (const std::int32_t code : sets.above_of(sets.touched[t]))
      add(code, leaves);
  }
  std::size_t groups = 0;
  for (std::size_t t = 0; t < touched; ++t) {
    const std::int32_t code = sets.touched[t];
    const Leaves leaves = sets.of_code[static_cast<std::size_t>(code)];
    sets.groups[groups] = {index_.stride[d] * static_cast<Key>(code), leaves};
    groups += several(leaves) ? 1U : 0U;
  }
  sets.num_touched = touched;
  sets.num_groups = groups;
}

void SharedCells::clear(std::size_t d) {
  for (std::size_t t = 0; t < sets_[d].num_touched; ++t)
    sets_[d].of_code[static_cast<std::size_t>(sets_[d].touched[t])] = 0;
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
    prefixes_.resize(std::max<std::size_t>(prefixes_.size(), 1));
    prefixes_.front() = {0, ~Leaves{0} >> (kMostLeaves - own.size())};
    num_prefixes_ = 1;
    for (std::size_t d = 0; d < width; ++d) {
      if (used[d]) {
        lengthen(d);
        continue;
      }
      for (std::size_t i = 0; i < num_prefixes_; ++i)
        prefixes_[i].key += index_.stride[d] * static_cast<Key>(index_.totals[d]);
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
  const std::span<const Prefix> groups{sets_[d].groups.data(), sets_[d].num_groups};
  num_longer_ = 0;
  for (std::size_t i = 0; i < num_prefixes_; ++i) {
    const Prefix prefix = prefixes_[i];
    if (groups.size() > kFewGroups &&
        groups.size() > 4 * static_cast<std::size_t>(std::popcount(prefix.leaves))) {
      lengthen_by_members(d, prefix);
      continue;
    }
    make_room(groups.size());
    Prefix* next = longer_.data() + num_longer_;
    for (const Prefix& group : groups) {
      const Leaves common = prefix.leaves & group.leaves;
      *next = {prefix.key + group.key, common};
      next += several(common) ? 1 : 0;
    }
    num_longer_ = static_cast<std::size_t>(next - longer_.data());
  }
  prefixes_.swap(longer_);
  num_prefixes_ = num_longer_;
}

void SharedCells::lengthen_by_members(std::size_t d, const Prefix& prefix) {
  const Sets& sets = sets_[d];
  for (Leaves rest = prefix.leaves; several(rest); rest &= rest - 1) {
    const auto codes = sets.above_of(members_[first_of(rest)][d]);
    make_room(codes.size());
    for (const std::int32_t code : codes) {
      const Leaves common = prefix.leaves & sets.of_code[static_cast<std::size_t>(code)];
      if (several(common) && first_of(common) == first_of(rest))  // each code once
        longer_[num_longer_++] = {prefix.key + index_.stride[d] * static_cast<Key>(code), common};
    }
  }
}

// For so many more, and the one that is written before it is known whether it stays.
void SharedCells::make_room(std::size_t more) {
  if (longer_.size() < num_longer_ + more + 1)
    longer_.resize(2 * (num_longer_ + more + 1));
}

void SharedCells::add_up(std::span<const LeafShare> own) {
  Leaves last = 0;
  Found sum;
  for (std::size_t i = 0; i < num_prefixes_; ++i) {
    const Prefix& cell = prefixes_[i];
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

}  // namespace lacuna::tabulation
