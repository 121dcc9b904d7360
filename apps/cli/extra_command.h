// SPDX-License-Identifier: Apache-2.0
// A command that a program has beside those of lacuna.
#pragma once

#include <string>
#include <utility>

#include "app/job/jobs.h"
#include "apps/cli/command.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna {

class ExtraCommand {
 public:
  ExtraCommand(std::string name, std::string help)
      : name_(std::move(name)), help_(std::move(help)) {}
  virtual ~ExtraCommand() = default;

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  virtual void add_options(Command& command) = 0;
  virtual Result<job::JobOutput> run(const RunContext& run) = 0;

 private:
  std::string name_, help_;
};

}  // namespace lacuna
