// SPDX-License-Identifier: Apache-2.0
// The tables of a job together with what readers can subtract: areas of the same units as one
// system of atoms ([differencing]), and releases of other tables over these units (--known).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/load/inputs.h"
#include "app/load/load.h"
#include "data/jobfile/job_file.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::load {

// To be called before the tables are judged as counts. Without a section every known cell must be
// one of the tables. Of counts readers know that every inhabited unit has somebody in it. Errors:
// as of core/table/atoms.h and data/publish/known_release.h.
Result<LoadedProblem> with_differencing(LoadedProblem loaded,
                                        const std::optional<jobfile::DifferencingSection>& section,
                                        bool are_counts,
                                        const std::vector<std::string>& known,
                                        const RunContext& run,
                                        const Inputs& inputs);

// That all of a category live in one part of an area is asked of categories, not of areas: where
// areas lie is no secret. Drops what was asked of areas.
void ask_of_categories_only(const jobfile::DifferencingSection& section, Problem& problem);

}  // namespace lacuna::load
