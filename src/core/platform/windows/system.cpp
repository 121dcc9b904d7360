// SPDX-License-Identifier: Apache-2.0
#include "core/platform/system.h"

#include "core/platform/windows/wide.h"

namespace lacuna::platform {

CommandLine::CommandLine(int, char**) {
  int count = 0;
  wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  for (int i = 0; i < count; ++i)
    words_.push_back(narrow(words[i]));
  ::LocalFree(words);
  for (std::string& word : words_)
    pointers_.push_back(word.data());
  pointers_.push_back(nullptr);
}

std::filesystem::path program_path() {
  std::wstring name(32768, L'\0');
  const DWORD length =
      ::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
  name.resize(length);
  return name;
}

std::string program_name(const std::string& name) {
  return name + ".exe";
}

std::uint64_t process_id() {
  return ::GetCurrentProcessId();
}

std::string host_name() {
  std::wstring name(256, L'\0');
  auto length = static_cast<DWORD>(name.size());
  if (::GetComputerNameExW(ComputerNameDnsHostname, name.data(), &length) == 0)
    return "";
  return narrow(std::wstring_view(name).substr(0, length));
}

std::optional<std::uint64_t> available_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (::GlobalMemoryStatusEx(&status) == 0)
    return std::nullopt;
  return status.ullAvailPhys;
}

bool random_bytes(unsigned char* to, std::size_t count) {
  return ::BCryptGenRandom(
             nullptr, to, static_cast<ULONG>(count), BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
}

std::tm local_time(std::time_t moment) {
  std::tm parts{};
  ::localtime_s(&parts, &moment);
  return parts;
}

std::tm utc_time(std::time_t moment) {
  std::tm parts{};
  ::gmtime_s(&parts, &moment);
  return parts;
}

}  // namespace lacuna::platform
