// SPDX-License-Identifier: Apache-2.0
// The sections of a job that say what is sensitive and for whom: [[rule]], [levels], [weights],
// [bounds], [attackers]. They stay texts here, under the names of SensitivityOptions::fields: what
// they mean is for sensitivity/ to say.
#pragma once

#include <string_view>
#include <vector>

#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// Each option once, with its place. `has_requests`: who has asked for protection is known. Errors:
// an option that is set twice to different values, a rule without what it needs.
Result<std::vector<JobOption>> rules_of(const spec::ReadSpec& spec, bool has_requests);

// The option that a key of these sections sets; empty if it is none, or not one alone.
std::string_view option_of_key(std::string_view section, std::string_view key);

}  // namespace lacuna::jobfile
