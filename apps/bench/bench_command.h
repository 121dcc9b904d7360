// SPDX-License-Identifier: Apache-2.0
// The command `bench`, which the program lacuna-bench has beside those of lacuna.
#pragma once

#include <string>

#include "app/job/jobs.h"
#include "apps/cli/command.h"
#include "apps/cli/extra_command.h"
#include "bench/sets/bench_job.h"

namespace lacuna {

class BenchCommand : public ExtraCommand {
 public:
  BenchCommand();
  void add_options(Command& command) override;
  Result<job::JobOutput> run(const RunContext& run) override;

 private:
  bench::BenchJob job_;
};

}  // namespace lacuna
