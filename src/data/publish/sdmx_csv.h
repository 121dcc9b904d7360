// SPDX-License-Identifier: Apache-2.0
// SDMX-CSV 2.0: STRUCTURE, STRUCTURE_ID, ACTION, the dimensions, OBS_VALUE, OBS_STATUS and
// CONF_STATUS, separated by commas. In public files what is withheld has no value, OBS_STATUS Q and
// CONF_STATUS C, sensitive or not. The office's is what is transmitted to another authority: all
// values, with codes that tell sensitive cells (A, O, T, M, C) from secondary ones (D).
#pragma once

#include <string>

#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

Result<std::string> public_sdmx_csv(const PublicRelease& release);
Result<std::string> office_sdmx_csv(const OfficeRelease& release);

}  // namespace lacuna::publish
