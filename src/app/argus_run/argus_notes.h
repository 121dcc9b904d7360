// SPDX-License-Identifier: Apache-2.0
// What became of every command of a tau-ARGUS job, so that none is passed over in silence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::argus_run {

enum class ArgusDone : std::uint8_t {
  kNotReached,   // the job ended before
  kDone,         // as tau-ARGUS does it
  kDifferently,  // the texts say how
  kRefused,      // the last text says why
};
std::string_view to_string(ArgusDone done);  // "not reached", "done", ...

struct ArgusNote {
  std::string command;  // the line as it stands in the job
  std::size_t line = 0;
  ArgusDone done = ArgusDone::kNotReached;
  std::vector<std::string> texts;
};

}  // namespace lacuna::argus_run
