// SPDX-License-Identifier: Apache-2.0
// Options of the methods that publish numbers other than the true ones.
#pragma once

#include <CLI/CLI.hpp>

#include "job/jobs.h"

namespace lacuna {

void add_number_options(CLI::App& command, ProtectJob& job);

}  // namespace lacuna
