// SPDX-License-Identifier: Apache-2.0
// [options] and [output] of a job file as options of the command that runs it. What the command
// line says itself goes before.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "lacuna/result.h"

namespace lacuna {

// `path` is the input of the command; nothing happens if it is not a job. Errors: a name that no
// command has, a value that the option does not take.
Status apply_job_options(const CLI::App& app, CLI::App& command, const std::string& path);

}  // namespace lacuna
