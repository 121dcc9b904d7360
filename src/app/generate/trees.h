// SPDX-License-Identifier: Apache-2.0
// Random classifications. In every tree made here a child has a larger index than its parent,
// except that the groups of a second hierarchy come last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"

namespace lacuna::generation {

struct Tree {  // the parts of a Dimension while it grows; code 0 is the total
  std::vector<std::string> codes{"T"};
  std::vector<Relation> relations;

  // Adds that many children below the code as one relation; returns the index of the first.
  std::int32_t open(std::int32_t parent, std::int64_t children);
  bool has_room_for(std::int64_t children) const;
  Result<Dimension> build(std::string name) &&;
};

struct TreeShape {
  std::int32_t depth = 1;
  std::int32_t fan_least = 2;
  std::int32_t fan_most = 2;
  std::int32_t ragged_percent = 0;
  std::int32_t one_child_percent = 0;
};
Result<Tree> random_tree(const TreeShape& shape, base::Random& random);

struct SubtableShape {  // the rows of a 1H2D table
  std::int32_t rows = 10;
  std::int32_t depth = 4;
  std::int32_t open_least = 2;
  std::int32_t open_most = 2;
};
Result<Tree> subtable_tree(const SubtableShape& shape, base::Random& random);

// A tree with exactly that many codes and relations, each relation of two or more children.
Tree counted_tree(std::int32_t codes, std::int32_t relations, base::Random& random);

// Groups the leaves a second time, at random, into about sqrt(leaves) groups below the total.
void add_second_hierarchy(Tree& tree, base::Random& random);

}  // namespace lacuna::generation
