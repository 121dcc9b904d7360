// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run_bench.h"

#include <string>
#include <vector>

#include "apps/cli/terminal.h"
#include "core/platform/process.h"
#include "core/platform/system.h"

namespace lacuna {

Result<int> run_bench(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  words[0] = platform::program_path()
                 .replace_filename(platform::program_name("lacuna-bench"))
                 .string();
  const Interrupt interrupt;  // Ctrl-C reaches both; the other one ends, and says how
  const auto benches = platform::Process::start(words, {});
  const auto ended = benches ? benches->wait() : std::nullopt;
  if (!ended)
    return Error{ErrorCode::kUnsupported,
                 "the benchmarks are a separate program, lacuna-bench, which is not next to this "
                 "one; in the source tree, make all builds it",
                 "bench"};
  return ended->signal == 0 ? ended->code : 128 + ended->signal;
}

}  // namespace lacuna
