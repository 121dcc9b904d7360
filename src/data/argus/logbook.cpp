// SPDX-License-Identifier: Apache-2.0
#include "data/argus/logbook.h"

#include <array>
#include <ctime>

#include "core/base/text.h"
#include "core/platform/system.h"
#include "data/argus/write_table.h"

namespace lacuna::argus {
namespace {

constexpr std::string_view kLogLineEnd = "\r\n";
constexpr std::array<std::string_view, 12> kLogMonths = {
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

std::string two_digits(int number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string seconds_in_words(std::int64_t seconds) {
  return std::to_string(seconds) + " sec needed";
}

}  // namespace

LogTime local_time(std::chrono::system_clock::time_point moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  const std::tm parts = platform::local_time(seconds);
  return {parts.tm_year + 1900,
          parts.tm_mon + 1,
          parts.tm_mday,
          parts.tm_hour,
          parts.tm_min,
          parts.tm_sec};
}

std::string format_log_time(const LogTime& time) {
  return two_digits(time.day) + "-" +
         std::string(kLogMonths[static_cast<std::size_t>(time.month - 1)]) + "-" +
         std::to_string(time.year) + " " + two_digits(time.hour) + ":" + two_digits(time.minute) +
         ":" + two_digits(time.second);
}

JobLog::JobLog(Clock clock) : clock_(std::move(clock)) {}

void JobLog::add(std::string_view message) {
  std::string opening = format_log_time(clock_()) + " : ";
  for (;;) {
    const std::size_t end = message.find('\n');
    text_ += opening;
    text_ += message.substr(0, end);
    text_ += kLogLineEnd;
    if (end == std::string_view::npos)
      return;
    opening.assign(opening.size(), ' ');
    message.remove_prefix(end + 1);
  }
}

void JobLog::start(std::string_view job) {
  add("Start of batch");
  add("Log for batch run: " + std::string(job));
}

void JobLog::command(std::string_view line) {
  add("Command: " + std::string(base::trimmed(line)));
}

void JobLog::note(std::string_view text) {
  add("Note: " + std::string(text));
}

void JobLog::warning(std::string_view text) {
  add("WARNING: " + std::string(text));
}

void JobLog::specified(int number, const Table& table) {
  std::string names;
  for (const CodeList& list : table.variables)
    names += (names.empty() ? "" : " x ") + list.variable;
  add("Table " + std::to_string(number) + ": " + names + " | " + table.response);
}

void JobLog::protected_by(std::string_view method, std::int64_t suppressed, std::int64_t seconds) {
  add("Table has been protected by " + std::string(method) + "\n   " + std::to_string(suppressed) +
      (suppressed == 1 ? " cell has" : " cells have") + " been suppressed\n   " +
      seconds_in_words(seconds));
}

void JobLog::saved(int number, std::string_view path, int type) {
  add("Table no: " + std::to_string(number) + " has been saved\n  FileName: " + std::string(path) +
      "\n  as Save table in " + std::string(output_name(type)) + " format");
}

void JobLog::error(std::size_t line, std::string_view message) {
  add("Error in command line " + std::to_string(line) + "\n  " + std::string(message));
}

void JobLog::end(std::string_view job) {
  add("End of batch run: " + std::string(job));
}

}  // namespace lacuna::argus
