// SPDX-License-Identifier: Apache-2.0
// What the system knows of this process, of the machine and of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lacuna::platform {

// The words of the command line in UTF-8, behind pointers as main() has them.
class CommandLine {
 public:
  CommandLine(int count, char** words);
  int count() const { return static_cast<int>(words_.size()); }
  char** words() { return pointers_.data(); }  // a null pointer follows the last

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

std::filesystem::path program_path();  // of the program that runs; empty: nobody knows
// The name that a program of this name has as a file here.
std::string program_name(const std::string& name);
std::uint64_t process_id();
std::string host_name();                            // empty: nobody knows
std::optional<std::uint64_t> available_memory();    // bytes that the system could give now
bool random_bytes(unsigned char* to, std::size_t count);  // for secrets; at most 256
std::tm local_time(std::time_t moment);
std::tm utc_time(std::time_t moment);

}  // namespace lacuna::platform
