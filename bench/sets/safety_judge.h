// SPDX-License-Identifier: Apache-2.0
// Three opinions on a release that lies on the disk, and whether they agree: the library's (audits
// of the office's and of the public file, confirmation of the certificate), that of
// scripts/verify_certificate.py, which is asked for many at once, and the plain linear program's
// (plain_judge.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/load/assessment.h"
#include "bench/sets/plain_judge.h"
#include "core/base/random.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

enum class ReleaseKind : std::uint8_t {
  kReleased,  // written by the program, which says that it is protected
  kChanged,   // one that someone has made tell more, audited and certified anew
  kTampered,  // the same with the evidence of the release before the change
};

// Words: protected, exposed, undecided, refused (not a release of this table, or evidence that does
// not hold); of the plain program protected, exposed, close, none, refused. Empty: not asked.
struct Opinions {
  ReleaseKind kind = ReleaseKind::kReleased;
  std::string result, shown, confirmed, verifier, plain;
  bool plain_complete = false;  // the plain program has looked at every requirement
};

// One sentence for each pair that cannot both be right; none if all is well.
std::vector<std::string> disagreements(const Opinions& opinions);
// The same by requirement: verdicts, and where the audit has exact ends, the ends.
std::vector<std::string> disagreements(const AuditReport& report,
                                       const PlainJudgement& plain,
                                       const PlainOptions& options);
// Whether someone says, or may say, that a release of the program is not safe.
bool calls_unsafe(const Opinions& opinions);
// The plain program is sure that a changed release is unsafe, and nobody else would let it pass.
bool is_unsafe(const Opinions& opinions);
bool is_refused(const Opinions& opinions);

struct CertifiedPair {  // for the second verifier
  std::string table;    // problem JSON as it was asked
  std::string certificate;
  bool zeros_meant = false;
  Opinions opinions;  // of the others
};

struct ReleaseFiles {
  std::string table;                       // problem JSON
  std::string result, shown, certificate;  // as `protect` has written them
  std::string folder;                      // for what judging needs
  load::Assessment asked;                  // by the run
};

struct Judgement {
  std::vector<CertifiedPair> pairs;
  std::vector<std::string> troubles;  // what disagrees already without the second verifier
  std::int64_t looked_at = 0;         // requirements that the plain program has looked at
  std::int64_t unanswered = 0;        // and those that it has no answer for
  std::int64_t texts = 0;             // of front ends that were held against it
};

// Reads everything back. With `change` the release is also shown with one entry that tells more.
Judgement judge_files(const ReleaseFiles& files,
                      bool change,
                      base::Random& random,
                      const RunContext& run);

// Whether the library finds a release safe that withholds whatever may be withheld.
Result<bool> safe_if_all_is_withheld(const std::string& table,
                                     const load::Assessment& asked,
                                     const RunContext& run);

// Asks the verifier for all pairs in one process and fills in what it says. Errors: it cannot be
// run, or does not answer for each.
Status ask_verifier(const std::string& script,
                    const std::string& list,
                    std::vector<CertifiedPair*> pairs);

}  // namespace lacuna::bench
