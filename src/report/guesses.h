// SPDX-License-Identifier: Apache-2.0
// What a reader would guess of the sensitive cells, and how near the guesses are. The levels say
// how much uncertainty must remain; they do not say where in it the truth lies, and a reader who
// takes the middle, or knows how the method works, has more than the levels give away:
//   interval, withheld: the middle of the published interval, cut to what everyone knows, and of
//       what the outsider can infer where the audit has both ends of it;
//   rounded: the published number;
//   altered, adjusted: the published number v, and v - UPL and v + LPL, because sensitive cells
//       mostly stand at an end of their range or at a level (Castro 2012, "On assessing the
//       disclosure risk of controlled adjustment methods").
// The best guess is the one nearest to the truth: readers do not know which one that is, the office
// does. All of this is for the office.
#pragma once

#include <cstdint>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::inline report {

struct Guesses {
  double near_percent = 1;
  std::int64_t cells = 0;    // sensitive
  std::int64_t guessed = 0;  // ... of which a reader has a guess at all
  std::int64_t near = 0;     // ... whose best guess lies within near_percent of the truth
  std::int64_t exact = 0;    // ... whose best guess is the truth
  std::int64_t at_end = 0;   // intervals with the truth at an end that is news

  double share(std::int64_t count) const;  // of `cells`, in percent
};

// The ends of the report are used where they are exact (AuditOptions::intervals).
Guesses reader_guesses(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       double near_percent);

}  // namespace lacuna::inline report
