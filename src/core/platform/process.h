// SPDX-License-Identifier: Apache-2.0
// Other programs: started, waited for, ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/platform/memory_file.h"

namespace lacuna::platform {

struct Ending {
  int code = 0;    // of a program that has ended by itself
  int signal = 0;  // that ended it; 0: none did
};

// Where a stream of the other program leads.
struct Redirection {
  enum class Kind { kOurs, kNothing, kNewFile, kMemory };
  Kind kind = Kind::kOurs;
  std::string file{};                  // kNewFile: what it is given is the owner's alone
  const MemoryFile* memory = nullptr;  // kMemory
};

class Process {
 public:
  struct Streams {
    Redirection input{}, output{}, errors{};
    std::vector<const MemoryFile*> handed{};  // which it opens by their handed_path()
  };
  // `words`: the program, by its path or a name that the system looks for, and what is said to it.
  // Nothing: it cannot be started.
  static std::optional<Process> start(const std::vector<std::string>& words,
                                      const Streams& streams);
  std::optional<Ending> look() const;  // without waiting: nothing while it runs
  std::optional<Ending> wait() const;  // nothing: it cannot be waited for
  void kill() const;                   // and wait

 private:
  std::intptr_t id_ = 0;
};

// By which a started program opens the k-th of the files that were handed to it.
std::string handed_path(const MemoryFile& file, std::size_t k);

// Called in every process that is made as a copy of this one, where there are such.
void in_forked_children(void (*call)());

// The browser of whoever sits here, with this file; false: there is none, or it failed.
bool open_in_browser(const std::string& file);

}  // namespace lacuna::platform
