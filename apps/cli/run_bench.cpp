// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run_bench.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "apps/cli/terminal.h"

namespace lacuna {

std::filesystem::path program_path() {
  std::error_code trouble;
  return std::filesystem::read_symlink("/proc/self/exe", trouble);
}

Result<int> run_bench(int argc, char** argv) {
  const std::string program = program_path().replace_filename("lacuna-bench").string();
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (int i = 1; i < argc; ++i)
    arguments.push_back(argv[i]);
  arguments.push_back(nullptr);
  const Interrupt interrupt;  // Ctrl-C reaches both; the other one ends, and says how
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
    return Error{ErrorCode::kUnsupported,
                 "the benchmarks are a separate program, lacuna-bench, which is not next to this "
                 "one; in the source tree, make all builds it",
                 "bench"};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace lacuna
