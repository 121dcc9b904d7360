// SPDX-License-Identifier: Apache-2.0
// Identifiers of SDMX for names of tables and dimensions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/publish/release_formats.h"

namespace lacuna::publish {

// Capitals, digits, '_' and '-'; all else is '_'.
std::string sdmx_id(std::string_view name);
// "OFFICE:SALES(1.0)", or what --dataflow says.
std::string dataflow_of(const PublicRelease& release);

}  // namespace lacuna::publish
