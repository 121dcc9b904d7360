// SPDX-License-Identifier: Apache-2.0
#include "core/platform/process.h"

#include <io.h>

#include <array>

#include "core/platform/windows/wide.h"

namespace lacuna::platform {
namespace {

// One word of a command line, as CommandLineToArgvW takes it apart: backslashes before a quotation
// mark are doubled.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos)
    return word;
  std::wstring made = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t letter : word) {
    if (letter == L'"')
      made.append(backslashes + 1, L'\\');
    made += letter;
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
  }
  made.append(backslashes, L'\\');
  return made + L"\"";
}

// A handle that the other program inherits.
HANDLE inherited(const Redirection& to, DWORD standard) {
  const bool reads = standard == STD_INPUT_HANDLE;
  SECURITY_ATTRIBUTES inherit{sizeof inherit, nullptr, TRUE};
  const DWORD access = reads ? GENERIC_READ : GENERIC_WRITE;
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  if (to.kind == Redirection::Kind::kNothing)
    return ::CreateFileW(L"NUL", access, kShared, &inherit, OPEN_EXISTING, 0, nullptr);
  if (to.kind == Redirection::Kind::kNewFile)
    return ::CreateFileW(
        wide_path(to.file).c_str(), access, kShared, &inherit, CREATE_ALWAYS, 0, nullptr);
  HANDLE own = to.kind == Redirection::Kind::kMemory
                   ? reinterpret_cast<HANDLE>(::_get_osfhandle(to.memory->descriptor()))  // NOLINT
                   : ::GetStdHandle(standard);
  HANDLE copy = INVALID_HANDLE_VALUE;
  ::DuplicateHandle(::GetCurrentProcess(),
                    own,
                    ::GetCurrentProcess(),
                    &copy,
                    0,
                    TRUE,
                    DUPLICATE_SAME_ACCESS);
  return copy;
}

std::optional<Ending> ending(std::intptr_t id, DWORD milliseconds) {
  HANDLE process = reinterpret_cast<HANDLE>(id);  // NOLINT: as it was given
  DWORD code = 0;
  if (::WaitForSingleObject(process, milliseconds) != WAIT_OBJECT_0 ||
      ::GetExitCodeProcess(process, &code) == 0)
    return std::nullopt;
  ::CloseHandle(process);
  constexpr DWORD kMostCode = 0xFFFF;  // above: an exception of the system ended it
  return code <= kMostCode ? Ending{static_cast<int>(code), 0}
                           : Ending{0, static_cast<int>(code & kMostCode)};
}

}  // namespace

std::optional<Process> Process::start(const std::vector<std::string>& words,
                                      const Streams& streams) {
  std::wstring line;
  for (const std::string& word : words)
    line += (line.empty() ? L"" : L" ") + quoted(wide(word));
  const Handle input(inherited(streams.input, STD_INPUT_HANDLE));
  const Handle output(inherited(streams.output, STD_OUTPUT_HANDLE));
  const Handle errors(inherited(streams.errors, STD_ERROR_HANDLE));
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = input.get();
  start.hStdOutput = output.get();
  start.hStdError = errors.get();
  PROCESS_INFORMATION made{};
  if (::CreateProcessW(words.front().find_first_of("/\\") == std::string::npos  // looked for
                           ? nullptr
                           : wide(words.front()).c_str(),
                       line.data(),
                       nullptr,
                       nullptr,
                       TRUE,
                       0,
                       nullptr,
                       nullptr,
                       &start,
                       &made) == 0)
    return std::nullopt;
  ::CloseHandle(made.hThread);
  Process process;
  process.id_ = reinterpret_cast<std::intptr_t>(made.hProcess);  // NOLINT
  return process;
}

std::optional<Ending> Process::look() const {
  return ending(id_, 0);
}

std::optional<Ending> Process::wait() const {
  return ending(id_, INFINITE);
}

void Process::kill() const {
  ::TerminateProcess(reinterpret_cast<HANDLE>(id_), 1);  // NOLINT
  wait();
}

std::string handed_path(const MemoryFile& file, std::size_t) {
  return file.path();
}

void in_forked_children(void (*)()) {}

bool open_in_browser(const std::string& file) {
  constexpr std::intptr_t kFailed = 32;  // and below
  return reinterpret_cast<std::intptr_t>(::ShellExecuteW(  // NOLINT: as the system has it
             nullptr,
             L"open",
             wide(file).c_str(),
             nullptr,
             nullptr,
             SW_SHOWNORMAL)) > kFailed;
}

}  // namespace lacuna::platform
