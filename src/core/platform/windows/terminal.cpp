// SPDX-License-Identifier: Apache-2.0
#include "core/platform/terminal.h"

#include <conio.h>
#include <fcntl.h>
#include <io.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/platform/windows/wide.h"

namespace lacuna::platform {
namespace {

std::atomic<std::atomic<bool>*> interrupted = nullptr;  // NOLINT: handlers need a global
std::atomic<bool> told = false;                         // NOLINT

// Called in a thread of the system's. The second time the system goes on, and ends the process.
BOOL WINAPI on_event(DWORD) {
  std::atomic<bool>* flag = interrupted;
  if (flag == nullptr || told.exchange(true))
    return FALSE;
  *flag = true;
  return TRUE;
}

}  // namespace

void prepare_streams() {
  for (const int stream : {0, 1, 2})
    ::_setmode(stream, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  ::SetConsoleCP(CP_UTF8);
  for (const DWORD standard : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {  // colours, erased lines
    HANDLE handle = ::GetStdHandle(standard);
    DWORD mode = 0;
    if (::GetConsoleMode(handle, &mode) != 0)
      ::SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

std::optional<unsigned> columns_of_terminal() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(::GetStdHandle(STD_ERROR_HANDLE), &info) == 0 ||
      info.dwSize.X < 2)
    return std::nullopt;
  return static_cast<unsigned>(info.dwSize.X);
}

bool enter_is_pressed() {
  constexpr DWORD kMilliseconds = 200;
  ::Sleep(kMilliseconds);
  bool pressed = false;
  while (::_kbhit() != 0) {
    const int key = ::_getch();
    pressed = pressed || key == '\r' || key == '\n';
  }
  return pressed;
}

void read_without_stopping() {}

struct CatchInterrupt::Before {};

CatchInterrupt::CatchInterrupt(std::atomic<bool>& flag) {
  told = false;
  interrupted = &flag;
  ::SetConsoleCtrlHandler(on_event, TRUE);
}

CatchInterrupt::~CatchInterrupt() {
  ::SetConsoleCtrlHandler(on_event, FALSE);
  interrupted = nullptr;
}

// The system ends a process whose console is closed.
struct EndWithTerminal::Before {};
EndWithTerminal::EndWithTerminal() = default;
EndWithTerminal::~EndWithTerminal() = default;

}  // namespace lacuna::platform
