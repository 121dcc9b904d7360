// SPDX-License-Identifier: Apache-2.0
// Tables of counts. A reader of counts knows more than a linear program: numbers are whole, and the
// rule that hid a cell says something about it. What may be inferred is then the range of a whole
// linear form f over
//   F = { y whole : M y = b, max(lb, s, lb^k) <= y <= min(ub, t, ub^k) },
// where [s, t] is what the release states of a cell (docs/counts.md has the table), and a kind of
// disclosure is a question about that range.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

// What a reader takes from a cell that is left blank.
enum class WithheldMeans : std::uint8_t {
  kAny,      // nothing
  kNonzero,  // zeros are never withheld: at least 1
  kRule,     // and primaries are marked: they are below the threshold, the others are not
};
std::span<const std::string_view> enum_names(WithheldMeans means);

enum class Zeros : std::uint8_t {
  kPublished,   // zeros are shown, and that is no disclosure
  kSensitive,   // nobody may be sure that a category is empty
  kStructural,  // zeros are known in advance to everyone
};
std::span<const std::string_view> enum_names(Zeros zeros);

enum class CountKind : std::uint8_t {
  kExact,    // the count is told: fewer than ambiguity + 1 values are left
  kSmall,    // somebody is sure that it is one of 1 .. threshold - 1
  kZero,     // somebody is sure that the category is empty
  kAll,      // all of a group (but for those who attack together) are in one part
  kGroup,    // ... in a listed union of parts
  kImplied,  // the withheld parts of an equation together are below the threshold, and known
  kLevels,   // the protection levels of a requirement, in whole numbers
};
std::span<const std::string_view> enum_names(CountKind kind);

// A whole linear form over the cells: sum of coefficient times cell, strictly increasing cells.
using LinearForm = std::vector<Term>;

// A question of one kind. `cell` is the cell it is about; for kAll and kGroup the form is
// y_group - (sum of the parts), `cell` the (first) part and `group` the group's cell.
struct CountQuestion {
  CountKind kind = CountKind::kExact;
  std::int32_t attacker = 0;  // index into Problem::attackers
  CellId cell;
  CellId group{-1};
  LinearForm form;
  bool operator==(const CountQuestion&) const = default;
};

struct CodeUnion {  // some codes of a dimension, taken together or each by itself
  std::string dimension;
  std::vector<std::string> codes;
  bool operator==(const CodeUnion&) const = default;
};

// As a user states them: [counts] of a job, --counts of the command line.
struct CountOptions {
  std::int64_t threshold = 3;  // >= 1: counts of 1 .. threshold - 1 are sensitive
  Zeros zeros = Zeros::kPublished;
  WithheldMeans withheld_means = WithheldMeans::kAny;
  std::int64_t ambiguity = 1;        // >= 1
  std::int64_t coalition = 0;        // >= 0
  std::vector<CountKind> kinds;      // empty: exact, small, all; zero and group where they can be
  std::vector<CodeUnion> sensitive;  // kAll: categories that count; empty: every one
  std::vector<CodeUnion> groups;     // kGroup: unions of categories
};

// What a table of counts is judged by. The questions are listed once, when the problem is made
// (count_questions); the outsider's always stay.
struct CountRules {
  Units threshold = 3;  // in units of the table, which has no decimals
  Zeros zeros = Zeros::kPublished;
  WithheldMeans withheld_means = WithheldMeans::kAny;
  std::int64_t ambiguity = 1;  // kExact: at least so many other values must be possible
  std::int64_t coalition = 0;  // kAll, kGroup: so many attack together
  bool implied = false;        // kImplied is asked, too: of which sums depends on the release
  std::vector<CountQuestion> questions;
  bool operator==(const CountRules&) const = default;
};

}  // namespace lacuna
