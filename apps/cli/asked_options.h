// SPDX-License-Identifier: Apache-2.0
// Options of all commands that judge a release: what has to be proven of it.
#pragma once

#include <CLI/CLI.hpp>

#include "job/asked.h"

namespace lacuna {

void add_asked_options(CLI::App& command, Asked& asked);

}  // namespace lacuna
