// SPDX-License-Identifier: Apache-2.0
// A release as CSV, one row per cell: its codes (or index), state, the published number, and the
// ends lower and upper of what the release says of the true value; empty where it says nothing.
#pragma once

#include <string>

#include "lacuna/audit.h"

namespace lacuna::inline io {

std::string release_csv(const AuditedRelease& release, char separator);

}  // namespace lacuna::inline io
