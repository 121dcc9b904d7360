// SPDX-License-Identifier: Apache-2.0
// Cells with several leaves of one respondent, against counting in every cell above every leaf:
// random hierarchies (some codes split in two ways), one table or two linked ones, cells numbered
// by place and by hash, from two leaves to as many as a word has bits.
#include "data/tabulate/shared_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/random.h"

namespace lacuna::tabulation {
namespace {

// A total, groups of leaves, and perhaps the same leaves by odd and even.
Dimension random_dimension(base::Random& random,
                           const std::string& name,
                           std::int64_t most_leaves) {
  const auto leaves = static_cast<std::int32_t>(random.between(2, most_leaves));
  const auto num_groups = static_cast<std::int32_t>(random.between(1, std::min(leaves, 4)));
  const bool two_ways = random.chance(1, 2);
  std::vector<std::string> codes{"Total"};
  std::vector<Relation> groups(static_cast<std::size_t>(num_groups + (two_ways ? 2 : 0)));
  for (auto& group : groups) {
    group.parent = static_cast<std::int32_t>(codes.size());
    codes.push_back("g" + std::to_string(codes.size()));
  }
  for (std::int32_t leaf = 0; leaf < leaves; ++leaf) {
    const auto code = static_cast<std::int32_t>(codes.size());
    codes.push_back("l" + std::to_string(leaf));
    groups[static_cast<std::size_t>(leaf % num_groups)].children.push_back(code);
    if (two_ways)
      groups[static_cast<std::size_t>(num_groups + leaf % 2)].children.push_back(code);
  }
  std::vector<Relation> relations = groups;
  Relation first{0, {}};
  Relation second{0, {}};
  for (std::size_t g = 0; g < groups.size(); ++g)
    (std::cmp_less(g, num_groups) ? first : second).children.push_back(groups[g].parent);
  relations.push_back(first);
  if (two_ways)
    relations.push_back(second);
  return Dimension::build(name, codes, relations).value();
}

std::int32_t random_leaf(base::Random& random, const Dimension& dimension) {
  for (;;) {
    const auto code = static_cast<std::int32_t>(random.between(0, dimension.num_codes() - 1));
    if (dimension.is_leaf(code))
      return code;
  }
}

CellIndex random_index(base::Random& random, std::int64_t most_leaves) {
  const std::vector<Dimension> dimensions{random_dimension(random, "A", most_leaves),
                                          random_dimension(random, "B", most_leaves),
                                          random_dimension(random, "C", most_leaves)};
  std::vector<LinkedTable> tables(1);
  tables[0].dimensions = {0, 1, 2};
  if (random.chance(1, 3)) {
    tables[0].dimensions = {0, 1};
    tables.emplace_back().dimensions = {1, 2};
  }
  std::set<std::vector<std::int32_t>> leaves;
  for (int i = 0; i < 300; ++i) {
    leaves.insert({random_leaf(random, dimensions[0]),
                   random_leaf(random, dimensions[1]),
                   random_leaf(random, dimensions[2])});
  }
  std::vector<std::int32_t> codes;
  for (const auto& leaf : leaves)
    codes.insert(codes.end(), leaf.begin(), leaf.end());
  return index_cells(dimensions, tables, codes, false).value();
}

std::vector<LeafShare> random_shares(base::Random& random, const CellIndex& index) {
  std::set<std::uint32_t> leaves;
  const auto most = static_cast<std::int64_t>(
      std::min<std::size_t>(index.num_leaves(), SharedCells::kMostLeaves));
  const auto wanted =
      static_cast<std::size_t>(random.chance(1, 4) ? most : random.between(2, most));
  while (leaves.size() < wanted) {
    leaves.insert(static_cast<std::uint32_t>(
        random.between(0, static_cast<std::int64_t>(index.num_leaves()) - 1)));
  }
  std::vector<LeafShare> shares;
  for (const std::uint32_t leaf : leaves) {
    const auto flags = static_cast<std::uint32_t>(random.between(0, 3));
    shares.push_back({leaf << RecordShare::kFlagBits | flags, random.between(0, 1000)});
  }
  return shares;
}

void expect_plain_sums(std::span<const SharedCells::Found> found,
                       const std::vector<LeafShare>& own,
                       const CellIndex& index) {
  std::map<std::uint32_t, SharedCells::Found> plain;
  for (const LeafShare& share : own) {
    for (const std::uint32_t cell : index.of_leaf(share.leaf())) {
      ++plain[cell].leaves;
      plain[cell].flags |= share.flags();
      plain[cell].amount += share.amount;
    }
  }
  std::erase_if(plain, [](const auto& cell) { return cell.second.leaves < 2; });
  ASSERT_EQ(found.size(), plain.size());
  std::set<std::uint32_t> seen;
  for (const SharedCells::Found& cell : found) {
    EXPECT_TRUE(seen.insert(cell.cell).second);
    ASSERT_TRUE(plain.contains(cell.cell));
    EXPECT_EQ(cell.leaves, plain[cell.cell].leaves);
    EXPECT_EQ(cell.flags, plain[cell.cell].flags);
    EXPECT_EQ(cell.amount, plain[cell.cell].amount);
    EXPECT_TRUE(cell.fits);
  }
}

TEST(SharedCells, AreThoseWithSeveralLeavesOfTheRespondent) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    // Many codes and few leaves are numbered by hash.
    const CellIndex index = random_index(random, seed % 3 == 0 ? 60 : 6);
    SharedCells shared(index);
    for (int respondent = 0; respondent < 20; ++respondent) {
      const auto own = random_shares(random, index);
      expect_plain_sums(shared.of(own), own, index);
    }
  }
}

TEST(SharedCells, SayWhichSumsDoNotFit) {
  base::Random random(1);
  const CellIndex index = random_index(random, 6);
  auto own = random_shares(random, index);
  for (LeafShare& share : own)
    share.amount = kMaxUnits;
  SharedCells shared(index);
  const auto found = shared.of(own);
  ASSERT_FALSE(found.empty());
  for (const SharedCells::Found& cell : found)
    EXPECT_FALSE(cell.fits);
}

}  // namespace
}  // namespace lacuna::tabulation
