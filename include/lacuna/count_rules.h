// SPDX-License-Identifier: Apache-2.0
// What is asked of a table of counts (docs/counts.md): which counts are sensitive, and for each
// kind of disclosure the questions that a release must answer well.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lacuna/counts.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

// "exact,small,all". Errors: any other word.
Result<std::vector<CountKind>> parse_count_kinds(std::string_view text);

// The same of an option (lacuna/fields.h). They stand with the type, where every namespace finds
// them.
Status parse_field(const FieldInfo& info, const std::string& text, std::vector<CountKind>& field);
std::string field_text(const std::vector<CountKind>& field);

// The problem as one of counts: counts of 1 .. threshold - 1 (and zeros, if they are sensitive)
// become primaries, structural zeros are known, nothing is below zero, and Problem::counts has the
// rules and their questions. Errors: a table with decimals or negative numbers, options out of
// range or at odds with each other (place "--threshold" and so on), dimensions or codes that are
// not there, a sensitive count that must be published.
Result<Problem> with_count_rules(const Problem& problem, const CountOptions& options);

// The same for a problem whose primaries are marked already, by rules or by hand: no cell becomes
// sensitive, whatever the threshold.
Result<Problem> with_count_questions(const Problem& problem, const CountOptions& options);

// The questions alone, for a problem whose primaries are marked already.
Result<std::vector<CountQuestion>> count_questions(const Problem& problem,
                                                   const CountOptions& options);

// Options that ask for the very questions of Problem::counts, for formats that hold options and for
// whoever wants to change one of them. Nothing if the problem has no rules, or its questions are
// none that options ask for.
std::optional<CountOptions> count_options_of(const Problem& problem);

}  // namespace lacuna
