// SPDX-License-Identifier: Apache-2.0
// The log of a job in the form of tau-ARGUS: "26-jul-2018 14:00:24 : Command: <READMICRODATA>",
// the lines of a longer message below its beginning. Months are English and small, whatever the
// locale. tau-ARGUS adds to a log that is there, and so does whoever writes this one to a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/argus/table.h"

namespace lacuna::argus {

struct LogTime {  // local time
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
};
LogTime local_time(std::chrono::system_clock::time_point moment);
std::string format_log_time(const LogTime& time);  // "26-jul-2018 14:00:24"

class JobLog {
 public:
  using Clock = std::function<LogTime()>;
  explicit JobLog(Clock clock);

  void add(std::string_view message);  // line breaks inside: continuation lines

  void start(std::string_view job);
  void command(std::string_view line);
  void note(std::string_view text);
  void warning(std::string_view text);
  void specified(int number, const Table& table);  // "Table 1: Age x Omk | Resp"
  // "the Full optimisation method"; how many cells were suppressed, whole seconds.
  void protected_by(std::string_view method, std::int64_t suppressed, std::int64_t seconds);
  void saved(int number, std::string_view path, int type);
  void error(std::size_t line, std::string_view message);  // of the job
  void end(std::string_view job);

  const std::string& text() const { return text_; }  // lines end with CRLF

 private:
  Clock clock_;
  std::string text_;
};

}  // namespace lacuna::argus
