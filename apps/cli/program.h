// SPDX-License-Identifier: Apache-2.0
// The command line as a function: options in, one job, text to standard output, messages to
// standard error. It neither ends the process nor throws, and leaves signals as they were, so that
// another program can be the command line, too: the Python package is.
#pragma once

#include "apps/cli/extra_command.h"

namespace lacuna {

// The exit code. argv[0] is the name of the program, as for main(). Signals and the standard
// streams are those of the process, so that a second call waits for the first. `extra`: a command
// beside those of lacuna, which must outlive the call; may be null.
int run_command_line(int argc, char** argv, ExtraCommand* extra = nullptr);

}  // namespace lacuna
