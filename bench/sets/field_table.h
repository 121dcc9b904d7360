// SPDX-License-Identifier: Apache-2.0
// The tables of `lacuna bench field`, and the one audit that judges every pattern, whoever made it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct FieldTable {
  std::string name;
  std::function<Result<Problem>()> load;  // with all attackers that the job has
};

// Of the files in a folder and below, by name: a job (NAME.toml); or NAME.tab, a table as
// separated text (codes, then value, freq, status, lpl and upl) whose hierarchies are
// hrc/NAME_DIMENSION.hrc; or NAME.jj, which has neither codes nor counts of contributors. The last
// two may be packed. Of several files with one name, the first of these three counts.
std::vector<FieldTable> field_tables(const std::string& folder);

// What tools are asked for. Peers promise nothing against respondents, and some nothing but that
// no number can be computed, so ours is run on each of these.
enum class FieldQuestion : std::uint8_t {
  kLevels,       // the outsider comes no nearer than the levels
  kNotExact,     // the outsider computes no sensitive cell
  kRespondents,  // the levels, against all attackers of the job
};
const char* to_string(FieldQuestion question);

// The same table with that question alone.
Result<Problem> ask(const Problem& problem, FieldQuestion question);
bool has_respondents(const Problem& problem);  // anyone but the outsider

// How many sensitive cells come out how: "asked", "exposed" and "undecided" of the levels,
// "exact" and "exact_undecided" of the second question, "respondents_asked",
// "respondents_exposed" and "respondents_undecided" of all attackers but the outsider (absent if
// there are none); besides "cost", the sum of the weights of all withheld cells, and "secondary",
// the number of those that are not sensitive. Each of the audits may take so many seconds.
using FieldCounts = std::map<std::string, double>;
Result<FieldCounts> judge_field(const Problem& problem,
                                const Draft& draft,
                                double seconds,
                                const RunContext& run);

}  // namespace lacuna::bench
