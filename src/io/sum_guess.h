// SPDX-License-Identifier: Apache-2.0
// The hierarchy of a dimension, found by the sums of a table: v_p = sum of v_c over the children c
// of p, where v_k holds the values of code k for all combinations of codes of the other dimensions.
// Either one code is the sum of all others, or a tree is searched for in which every code but the
// total has one parent.
#pragma once

#include <string>
#include <vector>

#include "io/hierarchy_file.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::inline io {

struct CodeValues {  // of one dimension
  std::vector<std::string> codes;
  std::vector<std::vector<Units>> values;  // by code and combination of the others
};

struct GuessedTree {
  std::string total;
  CodeTree tree;
  bool flat = true;  // the total and its parts, nothing between
};

// Errors, without a place: no tree fits, or what fits is not certain (a code that is zero
// throughout could stand anywhere). The message shows the candidates.
Result<GuessedTree> guess_tree(const CodeValues& dimension);

}  // namespace lacuna::inline io
