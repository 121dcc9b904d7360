// SPDX-License-Identifier: Apache-2.0
// The one place where sentences about safety are made: of the whole release, and of its figures.
// Each is made from what was computed. A figure has a state (FigureState in lacuna/report.h): what
// was not computed is said not to be, and is null in JSON, never 0; and nothing is called safe
// because nobody asked.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/report.h"

namespace lacuna::report {

// ---- figures

enum class BoundSide : std::uint8_t { kAtLeast, kAtMost };

// "12", "at least 12", "not computed", "not asked".
std::string figure_text(FigureState state,
                        const std::string& value,
                        BoundSide side = BoundSide::kAtLeast);

// The value, or no number, which JSON writes as null.
inline double figure_value(FigureState state, double value) {
  const bool known = state == FigureState::kComputed || state == FigureState::kBounded;
  return known ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string width_text(const InformationLoss& loss, const std::string& width);

// Of near and exact guesses; `before` is of the intervals before they were moved off centre. A
// line; empty: no cell is sensitive.
std::string guess_sentence(const Guesses& now, const std::optional<Guesses>& before);

// ---- the release

// Whether exact ends are known of everything that was asked about.
FigureState ends_state(const AuditReport& report);

// "3 of 3 requirements and 2 of 2 questions about counts": of what asks for something, how much has
// the verdict.
std::string share_text(const AuditReport& report, Verdict verdict);
// "; 1 asks for nothing", of requirements beside others that ask; or nothing.
std::string asks_nothing_text(const AuditReport& report);
// "3 of 3 requirements hold (0 exposed, 0 undecided); 1 asks for nothing", or that nothing was
// asked.
std::string held_text(const AuditReport& report);

// What three programs have said of the certificate, and what that means.
std::string checked_sentence(const CheckedByThree& checked);
std::vector<std::string> checked_meaning();

struct Claim {
  std::string heading, figure;     // the figure stands large, below the heading
  std::vector<std::string> words;  // sentences
  std::string mark;                // the verdict, for the colour of its frame
};
// `rules` that were applied, in words; empty: none. `counts_left_out`: that the numbers are counts
// was not asked about, so that nothing is called safe.
Claim office_claim(const Table& table,
                   const Draft& draft,
                   const AuditReport& report,
                   const std::string& rules,
                   bool counts_left_out = false);
// For readers: neither which requirements there are nor which of them were waived.
Claim public_claim(const Table& table,
                   const Draft& draft,
                   const AuditReport& report,
                   bool by_rules,
                   bool counts_left_out = false);

// The same in one line, for the public workbook: "protected: checked in exact arithmetic", or in
// which part.
std::string audit_words(const AuditedRelease& release, bool counts_left_out);

}  // namespace lacuna::report
