// SPDX-License-Identifier: Apache-2.0
// The options of `lacuna generate`, read off GenerateOptions::fields() so that they are named once.
#pragma once

#include <CLI/CLI.hpp>

#include "lacuna/generate.h"

namespace lacuna {

void add_generate_options(CLI::App& command, GenerateOptions& options);

}  // namespace lacuna
