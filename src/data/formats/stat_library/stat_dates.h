// SPDX-License-Identifier: Apache-2.0
// Dates of SAS (days and seconds since 1960), Stata (days, milliseconds, weeks, months, quarters,
// half years since 1960) and SPSS (seconds since 14 October 1582), by the format of the column.
#pragma once

#include <string>
#include <string_view>

#include "data/formats/stat_files.h"

namespace lacuna::formats {

enum class StatTime : std::uint8_t {
  kNone,
  kDays,          // 2026-11-16
  kDaySeconds,    // a date, counted in seconds
  kSeconds,       // 2026-11-16 09:30:00
  kMilliseconds,  // the same
  kClock,         // 09:30:00
  kWeeks,         // 2026w46, as Stata writes them: no weeks of ISO 8601
  kMonths,        // 2026-11
  kQuarters,      // 2026-Q4
  kHalves,        // 2026-S2
  // Days or seconds of which the format shows less.
  kMonthOfDay,
  kQuarterOfDay,
  kYearOfDay,
  kMonthOfSeconds,
  kQuarterOfSeconds,
};

StatTime stat_time(StatKind kind, std::string_view format);

// The plain number where it is no time that a calendar has.
std::string stat_time_text(StatKind kind, StatTime time, double value);

}  // namespace lacuna::formats
