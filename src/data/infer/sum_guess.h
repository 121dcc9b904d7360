// SPDX-License-Identifier: Apache-2.0
// The hierarchy of a dimension, found by the sums of a table: v_p = sum of v_c over the children c
// of p, where v_k holds the values of code k for all combinations of codes of the other dimensions.
// Either one code is the sum of all others, or a tree is searched for in which every code but the
// total has one parent.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/hierarchy_file.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::infer {

struct CodeValues {  // of one dimension
  std::vector<std::string> codes;
  std::vector<std::vector<Units>> values;  // by code and combination of the others
  // Of a published table: the same of all combinations, of which `values` has those without blanks,
  // and which of them are told. Else empty.
  std::vector<std::vector<Units>> all{};
  std::vector<std::vector<bool>> told{};
};

// Whether a code says that it is a total: "Total", "All", "Insgesamt", or nothing at all.
bool is_total_word(std::string_view code);

struct GuessedTree {
  std::string total;
  files::CodeTree tree;
  bool flat = true;  // the total and its parts, nothing between
};

// One sum that holds may be chance: where there is no second one the total must be called so, and
// the codes below a code must begin like it. Errors, without a place: no tree fits, or what fits is
// not certain (a code that is zero throughout could stand anywhere). The message shows the
// candidates.
Result<GuessedTree> guess_tree(const CodeValues& dimension);

// A code that is the sum of all others but for a few combinations, of at least four: a total with
// an error in it. Nothing if there is none, or several.
struct NearlyTotal {
  std::size_t code = 0;
  std::size_t sums = 0, broken = 0;
  std::size_t first_broken = 0;  // combination of the others
};
std::optional<NearlyTotal> nearly_total(const CodeValues& dimension);

// A total that no sum shows for certain, because the numbers were rounded (each is at most `slack`
// from the truth) or revised, or because blanks leave no sum: the one code that is called a total
// or whose sums hold but for that. Nothing if there is none, if several could be meant, or if its
// sums speak against it.
std::optional<std::string> likely_total(const CodeValues& dimension, Units slack);

// Sums of a published table that the names of codes propose (AT1 = AT11 + AT12) and that hold where
// all their numbers are told, but for their slack: of several trees, if there is no one total. Of a
// code whose numbers leave nothing to check, they are believed where others were checked and none
// failed. Empty if nothing was checked.
std::vector<files::NamedRelation> sums_by_names(const CodeValues& dimension, Units slack);

}  // namespace lacuna::infer
