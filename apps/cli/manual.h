// SPDX-License-Identifier: Apache-2.0
// Pages of the manual, made from the commands as --help is: `lacuna --man` prints that of the
// program, `lacuna --man protect` that of a command, in the language man(7) of roff.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/cli/command.h"

namespace lacuna {

// An option of the program itself, as `lacuna --help` has it.
struct OwnOption {
  std::vector<std::string> names;  // "-h", "--help"
  std::string value;               // what stands for its value; empty: none
  std::string help;
  std::vector<std::string> choices;  // of the value; empty: any
};

struct ProgramOptions {
  std::vector<OwnOption> own;
  std::vector<const Command*> commands;  // without hidden ones
};

// "lacuna-ptable-make", the name of a command's page.
std::string page_name(const Command& command);

std::string program_manual(const ProgramOptions& program);
std::string command_manual(const Command& command);

}  // namespace lacuna
