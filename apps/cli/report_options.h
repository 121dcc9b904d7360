// SPDX-License-Identifier: Apache-2.0
// The options of `lacuna report`, `show` and `compare`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "job/jobs.h"

namespace lacuna {

// --near, of every command that says how near guesses are.
void add_near_option(CLI::App& command, double& near);

void add_report_options(CLI::App& command, ReportJob& job);

// `color` is auto, always or never; wants_color() says what that means here.
void add_show_options(CLI::App& command, ShowJob& job, std::string& color);
bool wants_color(const std::string& color);

void add_compare_options(CLI::App& command, CompareJob& job);

// The options of a command as they were given, without those that only name outputs.
std::string given_options(const CLI::App& command);

}  // namespace lacuna
