// SPDX-License-Identifier: Apache-2.0
// What all tables tell together. A count of 1 to threshold - 1 is small. It may be printed; it may
// follow from sums of what is printed, as that of a blank or of a group that nobody prints; and
// blanks may be small together. What follows is proven in exact arithmetic: by sums alone where
// they tell a number, else by the audit (lacuna/audit.h), which bounds it from both sides.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "app/check/cells.h"
#include "app/check/folder.h"
#include "lacuna/integer.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::checking {

enum class FindingKind : std::uint8_t {
  kShown,       // a small count is printed
  kTold,        // that of a blank follows
  kRest,        // that of a group that is left when subsets are taken off
  kTogether,    // blanks of a sum are small together
  kZero,        // an empty cell, where these are not shown
  kClash,       // two tables of one description differ by less than the threshold
  kContradict,  // no table has these numbers
  kUndecided,   // the audit did not settle it
  kFewBehind,   // an amount of few contributors
  kUnknown,     // nobody says how many contributors are behind an amount
  kDominated,   // one or few contributors hold most of an amount
  kDiffers,     // the records say another number
  kUnread,      // a file that was not read as a table
};
std::string_view to_string(FindingKind kind);

enum class Weight : std::uint8_t { kPass, kReview, kFail };
std::string_view to_string(Weight weight);

struct EvidenceTerm {
  Fraction factor;
  std::int32_t cell = -1;
  RowPlace place{};
  Units number = 0;
  bool at_bound = false;  // not printed: the bound of what is known of it
  // The same in words, for readers who have no system at hand.
  std::string label{}, where{}, output{};
  bool released = false;
};

// A sum of printed numbers; `total` is what it gives.
struct EvidenceSum {
  std::vector<EvidenceTerm> terms;
  Fraction total;
  std::string side;  // "" exactly, "at least", "at most"
};

struct CheckFinding {
  FindingKind kind = FindingKind::kShown;
  Weight weight = Weight::kFail;
  std::int32_t cell = -1;
  std::string label;  // of the group
  std::string reason;
  std::vector<EvidenceSum> sums;
  std::vector<std::string> guesses;
  std::vector<std::size_t> outputs;  // that it is about, without those released before
  bool past = false;                 // what was released before tells it by itself
};

struct JudgeOptions {
  std::int64_t threshold = 10;
  bool zeros_are_sensitive = false;
  std::string engine;
  std::set<std::string> told_before{};  // labels of groups that released outputs tell by themselves
};

// Fills in the words of the terms.
void name_terms(const CheckSystem& system, const Outputs& outputs, CheckFinding& finding);

// Each small group is found at least once; that others tell it as well shows when one of the
// outputs is left out. Errors: an unknown engine.
Result<std::vector<CheckFinding>> judge(const CheckSystem& system,
                                        const Outputs& outputs,
                                        const JudgeOptions& options,
                                        const RunContext& run);

}  // namespace lacuna::checking
