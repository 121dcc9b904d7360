// SPDX-License-Identifier: Apache-2.0
// Certificates: a release together with the evidence for every requirement, checkable by anyone
// with integer arithmetic (docs/formats.md; scripts/verify_certificate.py is a second reader).
#pragma once

#include <string>
#include <string_view>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

struct Certificate {
  std::string problem_sha256;  // of the problem's canonical JSON, as the problem was given
  int decimals = 0;            // of its numbers; an adjusted table may have more than the problem
  Draft draft;
  AuditReport claimed;         // with evidence; neither verdicts nor numbers are to be trusted
};

std::string problem_digest(const Problem& problem);
// `problem` as it was given; `draft` and `report` are in units of 10^-decimals.
std::string write_certificate(const Problem& problem,
                              int decimals,
                              const Draft& draft,
                              const AuditReport& report);
inline std::string write_certificate(const Problem& problem,
                                     const Draft& draft,
                                     const AuditReport& report) {
  return write_certificate(problem, problem.table().decimals(), draft, report);
}
Result<Certificate> read_certificate(std::string_view text,
                                     const std::string& filename,
                                     const Problem& problem);
// What it is for, without its evidence: of the problem the table alone counts.
Result<Certificate> read_certified_release(std::string_view text,
                                           const std::string& filename,
                                           const Problem& problem);

}  // namespace lacuna::inline io
