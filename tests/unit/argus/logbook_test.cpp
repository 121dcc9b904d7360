// SPDX-License-Identifier: Apache-2.0
#include "data/argus/logbook.h"

#include <gtest/gtest.h>

namespace lacuna::argus {
namespace {

JobLog log_of_july() {
  return JobLog([] { return LogTime{2018, 7, 26, 14, 0, 5}; });
}

TEST(Logbook, TimesAreThoseOfTheOldLogs) {
  EXPECT_EQ(format_log_time({2018, 7, 26, 14, 0, 24}), "26-jul-2018 14:00:24");
  EXPECT_EQ(format_log_time({2026, 12, 1, 3, 4, 5}), "01-dec-2026 03:04:05");
}

TEST(Logbook, MessagesFollowTheTime) {
  JobLog log = log_of_july();
  log.start("j.arb");
  log.command("  <READMICRODATA>\r");
  log.command("");
  log.note("a file was found elsewhere");
  log.warning("true values");
  EXPECT_EQ(log.text(),
            "26-jul-2018 14:00:05 : Start of batch\r\n"
            "26-jul-2018 14:00:05 : Log for batch run: j.arb\r\n"
            "26-jul-2018 14:00:05 : Command: <READMICRODATA>\r\n"
            "26-jul-2018 14:00:05 : Command: \r\n"
            "26-jul-2018 14:00:05 : Note: a file was found elsewhere\r\n"
            "26-jul-2018 14:00:05 : WARNING: true values\r\n");
  log.end("j.arb");
  EXPECT_TRUE(log.text().ends_with("26-jul-2018 14:00:05 : End of batch run: j.arb\r\n"));
}

TEST(Logbook, FurtherLinesStandBelowTheFirst) {
  JobLog log = log_of_july();
  log.protected_by("the Full optimisation method", 4, 1);
  log.saved(1, "o.csv", 5);
  log.error(7, "Unknown keyword");
  EXPECT_EQ(log.text(),
            "26-jul-2018 14:00:05 : Table has been protected by the Full optimisation method\r\n"
            "                          4 cells have been suppressed\r\n"
            "                          1 sec needed\r\n"
            "26-jul-2018 14:00:05 : Table no: 1 has been saved\r\n"
            "                         FileName: o.csv\r\n"
            "                         as Save table in intermediate format\r\n"
            "26-jul-2018 14:00:05 : Error in command line 7\r\n"
            "                         Unknown keyword\r\n");
}

TEST(Logbook, TablesAreNamedByTheirVariables) {
  Table table;
  table.variables.resize(2);
  table.variables[0].variable = "Age";
  table.variables[1].variable = "Omk";
  table.response = "Resp";
  JobLog log = log_of_july();
  log.specified(1, table);
  EXPECT_EQ(log.text(), "26-jul-2018 14:00:05 : Table 1: Age x Omk | Resp\r\n");
}

TEST(Logbook, LocalTimesAreTimes) {
  const LogTime time = local_time(std::chrono::system_clock::time_point{});
  EXPECT_GE(time.year, 1969);
  EXPECT_LE(time.year, 1970);
}

}  // namespace
}  // namespace lacuna::argus
