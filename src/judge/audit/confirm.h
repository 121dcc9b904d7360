// SPDX-License-Identifier: Apache-2.0
// Evidence into confirmed ends and verdicts: the same path for an audit, which has just searched
// for it, and for a certificate, which brings it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/attack/checker.h"
#include "judge/audit/judge.h"
#include "lacuna/audit.h"

namespace lacuna::audit {

// Of one attacker and one domain. Problem and draft are those of a ReleaseSystem
// (core/draft/system.h), and must outlive it.
class Confirmer {
 public:
  Confirmer(const Problem& problem,
            const Draft& draft,
            Domain domain,
            std::vector<attack::Slack> slacks,
            attack::Holes holes = {})
      : problem_(problem),
        draft_(draft),
        domain_(domain),
        checker_(problem.table(), std::move(slacks), domain, std::move(holes)) {}
  // With what the attacker knows. Errors: a release at odds with what its readers are told
  // (judge/attack/count_slacks.h).
  static Result<Confirmer> make(const Problem& problem,
                                const Draft& draft,
                                std::size_t attacker,
                                Domain domain);

  // Of another attacker, in fractions: the outsider with what that one knows besides. None knows
  // less than the outsider does.
  void become(const Attacker& attacker);

  std::span<const attack::Slack> slacks() const { return checker_.slacks(); }
  const attack::Holes& holes() const { return checker_.holes(); }

  // Fills in all that the evidence shows, and the verdict. Errors: evidence that does not hold.
  Status confirm(const Evidence& evidence, Finding& finding);

  // The same piece by piece, for an audit, which drops what does not hold.
  Status confirm_end(const Evidence& evidence,
                     std::span<const Term> form,
                     Direction direction,
                     End& end) {
    return checker_.confirm(form, direction, evidence, end);
  }
  Status add_shown(const Evidence& evidence, const Finding& finding, Facts& facts);
  void conclude(const Evidence& evidence, Facts facts, Finding& finding) const;

 private:
  void add_facts(const Evidence& evidence, const Finding& finding, Facts& facts) const;
  void keep_true_values(const Facts& facts, Finding& finding) const;

  const Problem& problem_;
  const Draft& draft_;
  Domain domain_;
  attack::Checker checker_;
};

}  // namespace lacuna::audit
