// SPDX-License-Identifier: Apache-2.0
// lacuna-bench: the command line of lacuna with the command `bench` and its sets.
#include "apps/bench/bench_command.h"
#include "apps/cli/program.h"
#include "core/platform/system.h"
#include "core/platform/terminal.h"

int main(int argc, char** argv) {
  lacuna::platform::prepare_streams();
  lacuna::platform::CommandLine line(argc, argv);
  lacuna::BenchCommand bench;
  return lacuna::run_command_line(line.count(), line.words(), &bench);
}
