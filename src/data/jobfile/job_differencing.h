// SPDX-License-Identifier: Apache-2.0
// [differencing] of a job: which dimensions are areas of the same units (docs/counts.md).
//   [differencing]
//   areas = ["ward", "district"]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

inline constexpr const char* kAtomTable = "atoms";  // name of the table that nobody publishes

// Nothing if the job has no such section. Errors: a job without [counts] or [[table]], areas that
// are no dimensions.
Result<std::optional<DifferencingSection>> read_differencing_section(
    const spec::ReadSpec& spec, const std::vector<std::string>& dimensions);

}  // namespace lacuna::jobfile
