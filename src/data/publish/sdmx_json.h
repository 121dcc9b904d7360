// SPDX-License-Identifier: Apache-2.0
// SDMX-JSON 2.0 data message (sdmx-twg/sdmx-json): one structure, flat observations, the dimensions
// with their codes and parents, OBS_VALUE, OBS_STATUS and CONF_STATUS. What is withheld has no
// value, OBS_STATUS Q and CONF_STATUS C, sensitive or not, as in SDMX-CSV. Title and notes are the
// name of the structure and annotations of the type NOTE. Where we differ: the message names no
// schema and no link, since what it is of is not registered anywhere.
#pragma once

#include <string>

#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

Result<std::string> public_sdmx_json(const PublicRelease& release);

}  // namespace lacuna::publish
