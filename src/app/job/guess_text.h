// SPDX-License-Identifier: Apache-2.0
// What a reader would guess of the sensitive cells of a run, before and after its intervals were
// moved off centre, as numbers and as a sentence.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/protect.h"
#include "lacuna/report.h"

namespace lacuna::job {

struct GuessesOfRun {
  Guesses now;
  std::optional<Guesses> before;  // of the intervals before they were moved
};

// With the published ends alone for `before`: nobody audits a draft that is not published.
GuessesOfRun guesses_of(const Problem& problem,
                        const ProtectResult& found,
                        const AuditReport& report,
                        double near_percent);

// Names and numbers for --json and the result file, no number where nobody has computed one, and a
// sentence for people.
std::vector<std::pair<std::string, double>> guess_details(const GuessesOfRun& guesses);
std::string guess_text(const GuessesOfRun& guesses);  // a line; empty: no cell is sensitive

}  // namespace lacuna::job
