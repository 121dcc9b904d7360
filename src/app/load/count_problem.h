// SPDX-License-Identifier: Apache-2.0
// [counts] of a job applied to its problem, and why its cells are sensitive then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/load/assessment.h"
#include "data/jobfile/job_file.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/sensitivity.h"

namespace lacuna::load {

// Adds to the reasons (one text per cell, or none at all) those of cells that the threshold made
// sensitive. Errors of the options carry the place in the job, others the label of a cell.
Result<Problem> as_counts(const Problem& problem,
                          const jobfile::CountSection& section,
                          std::vector<std::string>& reasons);
Result<Problem> as_counts(const Problem& problem,
                          const jobfile::CountSection& section,
                          SensitivityReport& report);

// What is asked of counts that nobody has called so (docs/counts.md): with a frequency rule, of its
// threshold, the kinds of every table of counts; without one (0), that no sensitive count is told.
CountOptions options_by_nature(std::int64_t minimum_frequency);

// The problem in whole numbers if its numbers are counts and nobody wants them read otherwise; its
// sensitive cells stay as they are.
Result<Problem> as_counts_by_nature(Problem problem, const CountReading& read);

// Errors: zeros are sensitive, but have no row, which tells every one of them.
Status check_zeros(const jobfile::CountSection& section,
                   const Table& table,
                   std::span<const LinkedTable> tables,
                   const CountReading& read);

// A [counts] that states no threshold has that of the frequency rule.
void take_threshold(std::optional<jobfile::CountSection>& section, std::int64_t minimum_frequency);

}  // namespace lacuna::load
