// SPDX-License-Identifier: Apache-2.0
// The step between a method and the audit: published intervals are moved off centre
// (release/off_center.h), whatever method has found them, and the outcome says what that cost. Then
// what a reader would guess, before and after.
#pragma once

#include <optional>

#include "job/methods.h"
#include "report/guesses.h"

namespace lacuna::inline job {

// Changes the draft and the details of the outcome, which keeps the centred draft; its objective,
// bound and status still speak of the method's optimum. Errors: --off-center out of range.
Status move_intervals(const std::shared_ptr<const Problem>& problem,
                      const ProtectJob& job,
                      const RunContext& run,
                      MethodOutcome& found);

struct GuessesOfRun {
  Guesses now;
  std::optional<Guesses> before;  // of the intervals before they were moved
};

// With the published ends alone for `before`: nobody audits a draft that is not published.
GuessesOfRun guesses_of(const Problem& problem,
                        const MethodOutcome& found,
                        const AuditReport& report,
                        double near_percent);

// Names and numbers for --json and the result file, and a sentence for people.
std::vector<std::pair<std::string, double>> guess_details(const GuessesOfRun& guesses);
std::string guess_text(const GuessesOfRun& guesses);

}  // namespace lacuna::inline job
