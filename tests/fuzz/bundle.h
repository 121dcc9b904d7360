// SPDX-License-Identifier: Apache-2.0
// Several files in one input, so that a fuzzer can change a job and its table together: each file
// begins with a line "==== name". What stands before the first such line belongs to no file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "data/jobfile/job_file.h"

namespace lacuna::fuzz {

class Bundle {
 public:
  explicit Bundle(std::string_view bytes) {
    constexpr std::string_view kMark = "==== ";
    std::string* text = nullptr;
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
      std::string_view line = bytes.substr(0, end);
      bytes.remove_prefix(end);
      if (line.starts_with(kMark)) {
        line.remove_prefix(kMark.size());
        text = &files_[std::string(line.substr(0, line.find('\n')))];
      } else if (text != nullptr) {
        *text += line;
      }
    }
  }

  static std::string file(std::string_view name, std::string_view text) {
    std::string out = "==== " + std::string(name) + "\n" + std::string(text);
    return out.ends_with('\n') ? out : out + "\n";
  }

  const std::map<std::string, std::string>& all() const { return files_; }
  Result<std::string> load(const std::string& name) const {
    const auto at = files_.find(name);
    if (at == files_.end() || at->second.empty())
      return Error{ErrorCode::kFileMissing, "the file does not exist", name};
    return at->second;
  }

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace lacuna::fuzz
