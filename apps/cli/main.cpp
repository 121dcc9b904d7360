// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/program.h"

int main(int argc, char** argv) {
  return lacuna::run_command_line(argc, argv);
}
