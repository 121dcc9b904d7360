// SPDX-License-Identifier: Apache-2.0
// What a caller holds in memory, under names of its own, as the inputs of a job.
#pragma once

#include <string>

#include "app/load/inputs.h"
#include "data/spec/job_spec.h"
#include "handles.h"

namespace lacuna::c {

// For a job in this folder, at which the names of its files begin. NULL: none.
load::Inputs inputs_for(const lacuna_inputs* given, const std::string& folder);
// For options that name files: all of it as the bytes of files.
load::Inputs files_for(const lacuna_inputs* given);
// The frames that the spec names under the names that they are held by. Fails if one is not there.
void find_frames(spec::ReadSpec& spec, const lacuna_inputs* given);

}  // namespace lacuna::c
