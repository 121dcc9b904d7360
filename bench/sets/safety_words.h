// SPDX-License-Identifier: Apache-2.0
// What the front ends say of a release, in the words of their readers, held against what the plain
// linear program (plain_judge.h) knows of it: verdicts, ticks, guesses, and figures of parts that
// were left out. A sentence that it contradicts is a failure, however right the verdict is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "app/load/assessment.h"
#include "bench/sets/plain_judge.h"
#include "core/base/random.h"
#include "lacuna/draft.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct PlainFacts {
  bool asked = false;    // something was required of the release
  bool exposed = false;  // the program is sure that a requirement does not hold
  // Of withheld sensitive cells, those that were looked at: whose inferred middle is the truth,
  // surely, and by how much of its value such a middle is off at most.
  std::int64_t told = 0;
  double largest_percent = 0;
};
PlainFacts facts_of(const PlainJudgement& plain, const Draft& draft);

struct SaidText {
  std::string who;   // "report page, verdicts only"
  std::string text;  // without scripts
};

// One sentence for each claim that cannot stand.
std::vector<std::string> contradictions(const SaidText& said, const PlainFacts& facts);

struct ReadRelease {
  std::string table, release;  // files
  std::string folder;          // for pages
  load::Assessment asked{};
};
// Audits and reports of a release as the command line shows them, with and without exact intervals,
// for office and public.
std::vector<SaidText> said_of_release(const ReadRelease& read, const RunContext& run);

// What is said of a table of which nothing is asked, of a release of it from elsewhere, and of one
// that is exposed and waived.
struct WordsTest {
  std::vector<std::string> troubles;
  std::int64_t texts = 0;                               // that were read
  std::int64_t unasked = 0, elsewhere = 0, waived = 0;  // releases
  std::int64_t exposed = 0;                             // of those from elsewhere, surely
};
// `table`: a problem JSON, whose requirements and sensitive cells are left out.
WordsTest test_unasked(const std::string& table,
                       const std::string& folder,
                       base::Random& random,
                       const RunContext& run);

}  // namespace lacuna::bench
