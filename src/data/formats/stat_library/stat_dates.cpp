// SPDX-License-Identifier: Apache-2.0
#include "data/formats/stat_library/stat_dates.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "data/formats/sheet_cells.h"

namespace lacuna::formats {
namespace {

struct Begin {
  std::string_view name;
  StatTime time;
};

// The longer ones first.
constexpr std::array kSpssFormats{
    Begin{"DATETIME", StatTime::kSeconds},
    Begin{"YMDHMS", StatTime::kSeconds},
    Begin{"DATE", StatTime::kDaySeconds},
    Begin{"ADATE", StatTime::kDaySeconds},
    Begin{"EDATE", StatTime::kDaySeconds},
    Begin{"JDATE", StatTime::kDaySeconds},
    Begin{"SDATE", StatTime::kDaySeconds},
    Begin{"WKYR", StatTime::kDaySeconds},
    Begin{"MOYR", StatTime::kMonthOfSeconds},
    Begin{"QYR", StatTime::kQuarterOfSeconds},
    Begin{"TIME", StatTime::kClock},
};
constexpr std::array kSasFormats{
    Begin{"DATETIME", StatTime::kSeconds},   Begin{"DATEAMPM", StatTime::kSeconds},
    Begin{"MDYAMPM", StatTime::kSeconds},    Begin{"DTDATE", StatTime::kDaySeconds},
    Begin{"E8601DT", StatTime::kSeconds},    Begin{"B8601DT", StatTime::kSeconds},
    Begin{"E8601DN", StatTime::kDaySeconds}, Begin{"B8601DN", StatTime::kDaySeconds},
    Begin{"NLDATM", StatTime::kSeconds},     Begin{"DATE", StatTime::kDays},
    Begin{"NLDATE", StatTime::kDays},        Begin{"E8601DA", StatTime::kDays},
    Begin{"B8601DA", StatTime::kDays},       Begin{"DDMMYY", StatTime::kDays},
    Begin{"MMDDYY", StatTime::kDays},        Begin{"YYMMDD", StatTime::kDays},
    Begin{"WEEKDATE", StatTime::kDays},      Begin{"WEEKDATX", StatTime::kDays},
    Begin{"WORDDAT", StatTime::kDays},       Begin{"JULIAN", StatTime::kDays},
    Begin{"DAY", StatTime::kNone},           Begin{"YYMON", StatTime::kMonthOfDay},
    Begin{"YYMM", StatTime::kMonthOfDay},    Begin{"MMYY", StatTime::kMonthOfDay},
    Begin{"MONYY", StatTime::kMonthOfDay},   Begin{"YYQ", StatTime::kQuarterOfDay},
    Begin{"YEAR", StatTime::kYearOfDay},     Begin{"TIMEAMPM", StatTime::kClock},
    Begin{"TIME", StatTime::kClock},         Begin{"HHMM", StatTime::kClock},
    Begin{"TOD", StatTime::kClock},          Begin{"E8601TM", StatTime::kClock},
};

template <std::size_t count>
StatTime find(const std::array<Begin, count>& formats, std::string_view format) {
  std::string upper;
  for (const char c : format)
    upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (const Begin& each : formats) {
    if (upper.starts_with(each.name))
      return each.time;
  }
  return StatTime::kNone;
}

// "%td", "%-tdD_m_Y", "%tc", and of old "%d".
StatTime stata_time(std::string_view format) {
  format.remove_prefix(format.starts_with('%') ? 1 : 0);
  format.remove_prefix(format.starts_with('-') ? 1 : 0);
  if (format.starts_with('d'))
    return StatTime::kDays;
  if (!format.starts_with('t') || format.size() < 2)
    return StatTime::kNone;
  switch (format[1]) {
    case 'd':
      return StatTime::kDays;
    case 'c':
    case 'C':  // with leap seconds, of which there are fewer than thirty
      return StatTime::kMilliseconds;
    case 'w':
      return StatTime::kWeeks;
    case 'm':
      return StatTime::kMonths;
    case 'q':
      return StatTime::kQuarters;
    case 'h':
      return StatTime::kHalves;
    default:
      return StatTime::kNone;  // %ty: the year itself
  }
}

std::string padded(std::int64_t value, std::size_t digits) {
  std::string text = std::to_string(value);
  return text.insert(0, text.size() < digits ? digits - text.size() : 0, '0');
}

std::chrono::year_month_day date_of(std::int64_t days_since_1970) {
  return std::chrono::year_month_day{std::chrono::sys_days{std::chrono::days{days_since_1970}}};
}
std::string year_of(std::chrono::year_month_day date) {
  return padded(static_cast<int>(date.year()), 4);
}
std::string month_of(std::chrono::year_month_day date) {
  return year_of(date) + "-" + padded(static_cast<unsigned>(date.month()), 2);
}
std::string quarter_of(std::chrono::year_month_day date) {
  return year_of(date) + "-Q" + std::to_string((static_cast<unsigned>(date.month()) + 2) / 3);
}
std::string day_of(std::chrono::year_month_day date) {
  return month_of(date) + "-" + padded(static_cast<unsigned>(date.day()), 2);
}
std::string clock_of(std::int64_t seconds) {
  return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" +
         padded(seconds % 60, 2);
}

// Whole periods since 1960, so many in a year.
std::string period(std::int64_t number,
                   std::int64_t per_year,
                   const char* sign,
                   std::size_t digits) {
  constexpr std::int64_t kFirst = 1960;
  const std::int64_t shifted = number + kFirst * per_year;
  return padded(shifted / per_year, 4) + sign + padded(shifted % per_year + 1, digits);
}

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t k1960 = -3'653, k1582 = -141'428;  // days since 1970

}  // namespace

StatTime stat_time(StatKind kind, std::string_view format) {
  switch (kind) {
    case StatKind::kStata:
      return stata_time(format);
    case StatKind::kSpss:
    case StatKind::kSpssPortable:
      return find(kSpssFormats, format);
    case StatKind::kSas7bdat:
    case StatKind::kSasXport:
      return find(kSasFormats, format);
  }
  return StatTime::kNone;
}

std::string stat_time_text(StatKind kind, StatTime time, double value) {
  constexpr double kMostSeconds = 4e11;  // beyond year 9999 in any of the calendars
  const bool in_milliseconds = time == StatTime::kMilliseconds;
  const double scaled = in_milliseconds ? value / 1000 : value;
  if (!(std::abs(scaled) < kMostSeconds))
    return plain_number(value);
  const bool is_spss = kind == StatKind::kSpss || kind == StatKind::kSpssPortable;
  const std::int64_t epoch = is_spss ? k1582 : k1960;
  const auto whole = static_cast<std::int64_t>(std::floor(scaled));
  const std::int64_t day_of_seconds = epoch + (whole >= 0 ? whole : whole - kDay + 1) / kDay;
  const bool in_days = time == StatTime::kDays || time == StatTime::kMonthOfDay ||
                       time == StatTime::kQuarterOfDay || time == StatTime::kYearOfDay;
  const std::int64_t day = in_days ? epoch + whole : day_of_seconds;
  constexpr std::int64_t kFirstDay = -719'528, kLastDay = 2'932'896;  // of years 0 to 9999
  constexpr std::int64_t kMostPeriods = 400'000;
  const bool in_periods = time == StatTime::kWeeks || time == StatTime::kMonths ||
                          time == StatTime::kQuarters || time == StatTime::kHalves;
  if (in_periods && (whole < -1960 * 2 || whole > kMostPeriods))
    return plain_number(value);
  if (!in_periods && (day < kFirstDay || day > kLastDay))
    return plain_number(value);
  const std::int64_t clock = ((whole % kDay) + kDay) % kDay;
  switch (time) {
    case StatTime::kDays:
    case StatTime::kDaySeconds:
      return day_of(date_of(day));
    case StatTime::kSeconds:
    case StatTime::kMilliseconds:
      return day_of(date_of(day)) + " " + clock_of(clock);
    case StatTime::kClock:
      return whole >= 0 && whole < kDay ? clock_of(whole) : plain_number(value);
    case StatTime::kWeeks:
      return period(whole, 52, "w", 2);
    case StatTime::kMonths:
      return period(whole, 12, "-", 2);
    case StatTime::kQuarters:
      return period(whole, 4, "-Q", 1);
    case StatTime::kHalves:
      return period(whole, 2, "-S", 1);
    case StatTime::kMonthOfDay:
    case StatTime::kMonthOfSeconds:
      return month_of(date_of(day));
    case StatTime::kQuarterOfDay:
    case StatTime::kQuarterOfSeconds:
      return quarter_of(date_of(day));
    case StatTime::kYearOfDay:
      return year_of(date_of(day));
    case StatTime::kNone:
      break;
  }
  return plain_number(value);
}

}  // namespace lacuna::formats
