// SPDX-License-Identifier: Apache-2.0
// One run of ReadStat over a file: its parser calls back for the header, the columns, their labels
// and value by value. It reads from any bytes through handlers of ours, and never opens a file.
#pragma once

#include <readstat.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns/arrow_reader.h"
#include "data/formats/stat_files.h"
#include "data/formats/stat_library/stat_dates.h"
#include "lacuna/result.h"

namespace lacuna::formats {

struct StatVariable {
  StatColumn column;
  StatTime time = StatTime::kNone;
  std::string label_set;  // of the file; may be empty
};

struct StatFileHead {
  StatKind kind = StatKind::kSpss;
  std::vector<StatVariable> variables;
  std::int64_t rows = -1;
};

// Row, number of the variable, value. Returns false to stop.
using StatValues =
    std::function<bool(int, std::size_t, readstat_variable_t*, const readstat_value_t&)>;

class StatRun {
 public:
  StatRun(columns::ByteInput& input, StatKind kind, const std::string& encoding)
      : input_(input), kind_(kind), encoding_(encoding) {}

  // Columns and labels alone.
  Result<StatFileHead> head();
  // All rows, of the variables that `wanted` says. False: `values` has stopped it.
  Result<bool> rows(const std::vector<char>& wanted, StatValues values);
  double fraction() const;

 private:
  struct Handlers;  // what C calls
  Result<bool> run();

  columns::ByteInput& input_;
  StatKind kind_;
  std::string encoding_;
  std::atomic<std::uint64_t> at_ = 0;
  StatFileHead head_;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> labels_;
  std::vector<char> wanted_;
  StatValues values_;
  std::string library_says_;
  std::string trouble_;  // an exception that may not cross C
};

// A value as text, with its format as a time; empty if it is missing.
std::string stat_text(StatKind kind,
                      StatTime time,
                      readstat_variable_t* variable,
                      const readstat_value_t& value);

}  // namespace lacuna::formats
