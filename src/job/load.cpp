// SPDX-License-Identifier: Apache-2.0
#include "job/load.h"

#include <vector>

#include "io/job_file.h"

namespace lacuna {

Result<Problem> load_problem(const std::string& path, const RunContext& run) {
  std::vector<std::string> notes;
  auto problem = read_problem(path, &notes);
  if (problem && run.log) {
    for (const std::string& note : notes)
      run.log(note);
  }
  return problem;
}

}  // namespace lacuna
