// SPDX-License-Identifier: Apache-2.0
// What a verdict rests on, in words. "Protected" is an answer to questions; where nobody asked any,
// the verdict is unasked, and these are the sentences that say so and what to do about it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/json_writer.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/sensitivity.h"

namespace lacuna::load {

struct ChangeFacts {   // of a cell of the system that is the change of a cell of the table
  std::string since;   // name of the earlier period
  Units added = 0;     // with which it stands in the system, as of counts
};

// One value, which goes from the reading of a table to every page and line about its releases.
struct VerdictBasis {
  std::string rules{};           // rules_applied(): why nothing is asked; or empty
  std::int64_t withheld = 0;     // cells that were asked about because the release withholds them
  std::int64_t lifted = 0;       // sensitive cells that somebody has called safe by hand
  std::string read_as{};         // that counts were not judged as counts, and why; or empty
  std::string status_reading{};  // what the words of the status were read as; or empty
  std::string policy{};          // which published rules were applied, and what not; or empty
  std::int32_t own_cells = -1;   // of the table, where others stand behind it (together.h)
  std::map<std::int32_t, ChangeFacts> changes{};  // of them, those that are changes
  // Who lets out what is exposed: an option, or whoever wrote the problem file.
  std::string waived_by = "the problem file";

  // Null if the cell is not a change.
  const ChangeFacts* change(CellId cell) const {
    const auto found = changes.find(cell.value);
    return found == changes.end() ? nullptr : &found->second;
  }
  bool answered_by_rules() const { return !rules.empty() && lifted == 0; }
};

// The rules that decide which cells are sensitive, by their options; empty if none is on.
std::string rules_text(const SensitivityOptions& options);
// These, and what is asked of counts, where they are the answer to why nothing is asked: "minimum-
// frequency 3, p-percent 10". Empty where there are requirements, though none may ask for anything:
// what made these cells sensitive has not called the table harmless.
std::string rules_applied(const std::string& rules, const Problem& problem);

// A release from elsewhere, of a table that marks no cell as sensitive: whoever withheld a cell had
// a reason, so that an outsider must at least not be able to tell it exactly. A table that marks
// cells itself is asked about these alone, since the others are withheld for their sake. Of counts
// in whole numbers, too. Returns of how many cells this was asked.
std::int64_t ask_of_withheld(Problem& problem, const Draft& release);

// Adjusted tables are judged by distances alone: of counts that is said.
VerdictBasis judged_as(VerdictBasis basis, const Problem& problem, bool adjusted);

// Why nothing was asked, and what to do; or that the rules are the answer, unless what they say of
// `lifted` cells was overruled by hand.
std::string unasked_text(const AuditReport& report,
                         const std::string& rules,
                         std::int64_t lifted = 0);
// "2 sensitive cells were called safe by hand, and nothing was asked about them"; empty if none
// was.
std::string lifted_text(std::int64_t lifted);
// "the table marks no cell as sensitive: each of the 4 withheld cells ..."; empty if it was not so.
std::string withheld_asked_text(const VerdictBasis& basis);

// What was asked instead of all that could be asked, sentence by sentence.
std::vector<std::string> limits_of(const VerdictBasis& basis, const Problem& problem);
// "called_safe_by_hand":2,"read_as":"...","asked_because_withheld":4 as members, what there is.
void write_basis(base::JsonWriter& json, const VerdictBasis& basis);

// "exposed: 70 of 72 requirements and 5 of 6 questions about counts hold (3 exposed, 0 undecided)",
// or what else the verdict is; `waived_by` says who waives.
std::string headline(const AuditReport& report,
                     const std::string& rules,
                     std::int64_t lifted,
                     const std::string& waived_by);

}  // namespace lacuna::load
