// SPDX-License-Identifier: Apache-2.0
// [counts] of a job: that its table is one of counts, and what it is judged by.
//   [counts]
//   threshold = 3
//   zeros = "published"                      # or sensitive, structural
//   withheld_means = "nonzero"               # or any, rule
//   kinds = ["exact", "small", "all"]
//   sensitive = { health = ["ill"] }
//   groups = [{ health = ["ill", "dead"] }]
//   coalition = 0
//   ambiguity = 1
// Whether the table has such dimensions and codes is for sensitivity/ to say.
#pragma once

#include <optional>

#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// Nothing if the job has no such section.
Result<std::optional<CountSection>> read_count_section(const spec::ReadSpec& spec);

}  // namespace lacuna::jobfile
