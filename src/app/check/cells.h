// SPDX-License-Identifier: Apache-2.0
// All counts of a project as one system. A cell is the number of records that fulfil a set of
// conditions; tables that print the same set print the same cell. Cells are linked by the sums of
// tables, and by what is left of a whole when disjoint parts of it are taken off: a whole is the
// sum of these parts and of a rest that is not below zero.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/check/condition.h"
#include "app/check/folder.h"
#include "app/check/notes.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::checking {

struct RowPlace {
  std::int32_t table = 0, row = 0;
};

enum class CellKind : std::uint8_t {
  kPrinted,   // some table prints its number
  kBlank,     // some table prints a sign or a range in its place
  kUnlisted,  // a part of a sum that no row lists
  kRest,      // what is left of a whole without some of its parts
};

struct CheckCell {
  CellKind kind = CellKind::kBlank;
  std::vector<std::int32_t> conditions;  // sorted; of a rest those of the whole
  std::vector<RowPlace> places;          // that print the number; of a blank, that do not
  Bounds known;                          // from what is printed
  std::string label;
};

struct LinkTerm {
  std::int32_t cell = 0;
  std::int32_t coefficient = 0;
};

struct Link {                   // the sum of coefficient times cell is zero
  std::vector<LinkTerm> terms;  // the whole first, with 1
  std::string guess;            // what was guessed for it; empty: nothing
};

// Two tables of one description whose numbers differ: they are about different records.
struct Clash {
  std::int32_t one = 0, other = 0;  // tables
  std::size_t common = 0;
  std::vector<std::pair<RowPlace, RowPlace>> differing;
  bool is_part = false;  // no number of `other` is larger: it may be a part
};

struct CheckSystem {
  std::vector<Condition> conditions;
  std::vector<CheckCell> cells;
  std::vector<Link> links;
  std::vector<Clash> clashes;
  std::vector<std::string> notes;
  // Per table and row: its cell; -1: of a table of amounts, no table prints the count.
  std::vector<std::vector<std::int32_t>> cell_of;
  // Tables of one number share cells with the same numbers, or are stated to be of one population.
  std::vector<std::int32_t> population_of;  // by table
};

struct SystemOptions {
  Units threshold = 10;
  bool blanks_are_nonzero = false;
};

// Errors: a number that is too large.
Result<CheckSystem> make_system(const Outputs& outputs,
                                const Notes& notes,
                                const SystemOptions& options);

}  // namespace lacuna::checking
