// SPDX-License-Identifier: Apache-2.0
// Certificates: a release together with the evidence for every question, checkable by anyone with
// integer arithmetic (docs/formats.md; scripts/verify_certificate.py is a second reader). Five
// lists of evidence,
//   "witnesses":[{"denominator":1,"cells":[0,1],"moves":[2,-2]}]
//   "proofs":[{"denominator":1,"equations":[0],"values":[1]}]
//   "steps":[{"q":2,"denominator":2,"equations":[0,1],"values":[1,1]}]
//   "chains":[[{"cell":3,"side":"high","equation":2,"value":1}]]
//   "trees":[{"node":{"cell":3,"at":0},"low":{"proof":5},"high":{"chain":6,"empty":true}}]
// and findings in the order of questions_of() of the release's system (core/draft/system.h), whose
// ends name what shows them: a witness or a ray; and chain, then proof or tree, then step.
// On request there is a log of the bound of a suppression besides (bound_json.h).
// Where the program was run on witnesses (docs/owner.md), "replays":[{"cell":3,"side":"high",
// "witness":5}] names tables of which it makes the very same release; no finding rests on them.
// Format 2, which is read as well, has no domain: findings about whole numbers are marked as such,
// and the others have no kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/bound_log.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::certificate {

struct Replay {  // the program makes this release of the table that the witness shows
  CellId cell;
  Direction side = Direction::kHigh;
  std::int32_t witness = -1;
  bool operator==(const Replay&) const = default;
};

struct Certificate {
  std::string problem_sha256;  // of the problem's canonical JSON, as the problem was given
  int decimals = 0;            // of its numbers; an adjusted table may have more than the problem
  Draft draft;
  std::optional<BoundLog> bound;  // why no pattern weighs less; not to be trusted either
  AuditReport claimed;  // with evidence; neither verdicts nor numbers are to be trusted
  std::vector<Replay> replays;
};

std::string problem_digest(const Problem& problem);
// `problem` as it was given; `draft` and `report` are in units of 10^-decimals.
std::string write_certificate(const Problem& problem,
                              int decimals,
                              const Draft& draft,
                              const AuditReport& report,
                              const BoundLog* bound = nullptr,
                              const std::vector<Replay>& replays = {});
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

}  // namespace lacuna::certificate
