// SPDX-License-Identifier: Apache-2.0
// Evidence into confirmed ends and verdicts, for search and confirmation alike: of one attacker, in
// one domain.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "attack/counted_rooms.h"
#include "attack/whole_check.h"
#include "audit/judge.h"
#include "lacuna/audit.h"
#include "lacuna/question.h"

namespace lacuna::inline audit {

// What is left open to an attacker in a domain. Errors: a release at odds with what its readers are
// told.
Result<CountedRooms> known_to(const Problem& problem,
                              const Draft& draft,
                              const Attacker& attacker,
                              Domain domain);

class Confirmation {
 public:
  // All must outlive it.
  Confirmation(const Problem& problem,
               const Draft& draft,
               Domain domain,
               std::span<const Room> rooms,
               const Holes& holes);

  // Fills in what the evidence named by the end shows of the form in this direction. Evidence that
  // does not hold is an error; an end without evidence shows nothing but the truth itself.
  Status confirm_end(const Evidence& evidence,
                     const Question& question,
                     Direction direction,
                     End& end);
  // Verdict and reason from confirmed ends, and from the further values that the finding says are
  // shown. Those that are not make an error.
  Status judge_ends(const Evidence& evidence, Finding& finding);

 private:
  Status add_shown(const Evidence& evidence, const Finding& finding, Facts& facts);
  void keep_true_values(const Facts& facts, Finding& finding) const;

  const Problem& problem_;
  const Draft& draft_;
  std::span<const Room> rooms_;
  const Holes& holes_;
  std::optional<WholeChecker> checker_;  // of whole numbers
};

}  // namespace lacuna::inline audit
