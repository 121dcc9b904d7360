// SPDX-License-Identifier: Apache-2.0
// What an audit found of a table of counts, as JSON and in plain words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_writer.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::job {

// "whole":true,"withheld_means":"nonzero","threshold":3 as members of "counts"; or nothing.
void write_whole(base::JsonWriter& json, const Problem& problem, const AuditReport& report);
// How many questions of each kind that was asked about have which verdict.
struct KindVerdicts {
  std::string kind;
  // By name.
  std::array<std::pair<std::string, std::int64_t>, kVerdictsOfQuestions.size()> verdicts;
  std::int64_t unasked = 0;  // levels that somebody has set to zero; said where there are any
};
std::vector<KindVerdicts> kinds_of(const AuditReport& report);
// {"exact":{"protected":40,"exposed":1,"undecided":0,"waived":0}}
void write_kinds(base::JsonWriter& json, const AuditReport& report);
// {"cell":4,"kind":"exact","lower":1,"upper":1,"values":[1],"real":[0,1],"verdict":"exposed",
// "by":"step"}; ends that nobody knows are null. Of what is exposed also the published cells that
// tell it, "from":{"upper":[{"cell":"ward=7","times":1}, ...]} (app/report/count_sources.h).
void write_finding_of_counts(base::JsonWriter& json,
                             const Problem& problem,
                             const Draft& draft,
                             const AuditReport& report,
                             const Finding& finding);
// One line for all kinds, and one for each question that is not settled well.
std::string findings_of_counts_text(const Problem& problem,
                                    const Draft& draft,
                                    const AuditReport& report);

}  // namespace lacuna::job
