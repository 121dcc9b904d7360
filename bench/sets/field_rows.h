// SPDX-License-Identifier: Apache-2.0
// The rows of `lacuna bench field`, one per table, tool and options, as docs/field.md describes
// their columns; and rows of tools that cannot be run here, from files of others.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/sets/field_table.h"
#include "bench/sets/run.h"
#include "lacuna/result.h"

namespace lacuna::bench {

inline constexpr std::array<std::string_view, 25> kFieldColumns{"table",
                                                                "cells",
                                                                "equations",
                                                                "sensitive",
                                                                "tool",
                                                                "version",
                                                                "options",
                                                                "weights",
                                                                "asked",
                                                                "source",
                                                                "limit",
                                                                "status",
                                                                "cost",
                                                                "secondary",
                                                                "seconds",
                                                                "cpu",
                                                                "peak_mib",
                                                                "verdict",
                                                                "exposed",
                                                                "undecided",
                                                                "exact",
                                                                "exact_verdict",
                                                                "respondents_verdict",
                                                                "respondents_exposed",
                                                                "note"};

// Where a row comes from. What is stated was not judged by our audit.
enum class FieldSource : std::uint8_t { kRun, kPattern, kStated };

struct FieldRow {
  BenchRow run;  // table, sizes, status, seconds, memory, note; details are FieldCounts
  std::string tool, version, options, weights, asked;
  FieldSource source = FieldSource::kRun;
  double limit = 0;  // seconds; 0: none
  bool is_judged = false;

  double count(const std::string& name) const { return run.detail(name); }
};

using FieldLine = std::array<std::string, kFieldColumns.size()>;  // a row as text
FieldLine line_of(const FieldRow& row);
std::string field_csv(std::span<const FieldLine> lines);

// A row file of others. All columns must be among ours; `table`, `tool`, `version` and `status`
// must be there and filled, numbers must be numbers. Their source becomes "stated".
Result<std::vector<FieldLine>> read_field_rows(const std::string& path);

// Side by side, as Markdown.
std::string field_table_text(std::span<const FieldLine> lines);

}  // namespace lacuna::bench
