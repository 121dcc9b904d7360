// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/program.h"
#include "core/platform/system.h"
#include "core/platform/terminal.h"

int main(int argc, char** argv) {
  lacuna::platform::prepare_streams();
  lacuna::platform::CommandLine line(argc, argv);
  return lacuna::run_command_line(line.count(), line.words());
}
