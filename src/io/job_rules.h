// SPDX-License-Identifier: Apache-2.0
// The sections of a job that say what is sensitive and for whom: [[rule]], [levels], [weights],
// [bounds], [attackers]. They stay texts here, under the names of SensitivityOptions::fields: what
// they mean is for sensitivity/ to say.
#pragma once

#include <vector>

#include "io/job_file.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"
#include "spec/job_spec.h"

namespace lacuna::inline io {

// Each option once, with its place. `has_requests`: who has asked for protection is known. Errors:
// an option that is set twice to different values, a rule without what it needs.
Result<std::vector<JobOption>> rules_of(const ReadSpec& spec, bool has_requests);

}  // namespace lacuna::inline io
