// SPDX-License-Identifier: Apache-2.0
// A finding about counts in words, the same on pages, in texts and in data frames. The ends are
// those of R(f) of docs/counts.md: the value of the form at the truth, moved by what was reached.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::report {

template <class Word>
std::string enum_word(Word word) {
  return std::string(enum_names(word)[static_cast<std::size_t>(word)]);
}

struct KindCounts {
  CountKind kind = CountKind::kExact;
  std::array<std::int64_t, kVerdictsOfFindings.size()> verdicts{};  // by Verdict
  std::int64_t of(Verdict verdict) const { return verdicts[static_cast<std::size_t>(verdict)]; }
  std::int64_t all() const {
    return std::accumulate(verdicts.begin(), verdicts.end(), std::int64_t{0});
  }
};
// The kinds that were asked about, in the order of CountKind.
std::vector<KindCounts> kind_counts(const AuditReport& report);

// "ill of sex=f", "a + b", and for whom if it is not the outsider.
std::string question_text(const Problem& problem, const Question& question);

// The end as a number of the table; empty: there is none.
std::string count_end_text(const Problem& problem, const Finding& finding, Direction direction);
// "[0, inf], values 0 2"
std::string count_range_text(const Problem& problem, const Finding& finding);

// What the verdict rests on: witness, release (published as it is), tree, step, chain, proof, none.
std::string evidence_word(const Finding& finding);

// By which published numbers an exposed count is told, where the evidence names some; else empty.
std::string sources_clause(const Problem& problem,
                           const Draft& draft,
                           const AuditReport& report,
                           const Finding& finding);

}  // namespace lacuna::report
