// SPDX-License-Identifier: Apache-2.0
// The terminal at which somebody sits, and what is pressed there.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

namespace lacuna::platform {

// Bytes leave and arrive as they are, and letters outside ASCII are shown as such. First in main().
void prepare_streams();

std::optional<unsigned> columns_of_terminal();  // of that of standard errors

// Enter, pressed within a fifth of a second. Keys stay with a shell in whose background we run.
bool enter_is_pressed();
// What reading in the background of a shell would stop goes on. Of the calling thread.
void read_without_stopping();

// While it lives, the first Ctrl-C (or what ends programs in other ways) sets the flag; the second
// ends the process at once.
class CatchInterrupt {
 public:
  explicit CatchInterrupt(std::atomic<bool>& flag);
  CatchInterrupt(const CatchInterrupt&) = delete;
  CatchInterrupt& operator=(const CatchInterrupt&) = delete;
  ~CatchInterrupt();

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

// While it lives, a terminal that is closed ends the process as Ctrl-C does, and nothing stays
// behind; what was started to outlive its terminal (nohup) goes on.
class EndWithTerminal {
 public:
  EndWithTerminal();
  EndWithTerminal(const EndWithTerminal&) = delete;
  EndWithTerminal& operator=(const EndWithTerminal&) = delete;
  ~EndWithTerminal();

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

}  // namespace lacuna::platform
