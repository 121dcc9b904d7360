// SPDX-License-Identifier: Apache-2.0
// What a bench leaves behind: one CSV row per run, a Markdown summary, and plots as SVG.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/sets/run.h"
#include "lacuna/result.h"

namespace lacuna::bench {

// instance,cells,equations,primary,method,options,seed,status,objective,bound,gap,secondary,
// seconds,peak_memory,verdict,engine,version,commit
std::string bench_csv(std::span<const BenchRow> rows);

// Heading with date, machine, version and commit; what the set itself has to say; a line per method
// with the shifted geometric mean of its seconds; and the runs that failed.
std::string bench_summary(const BenchRecorder& recorder,
                          const std::string& about,
                          const std::string& body);

std::string time_size_svg(std::span<const BenchRow> rows);
// Dolan and More: the share of instances that a method finishes within a factor of the fastest
// method; with one method, within so many seconds.
std::string profile_svg(std::span<const BenchRow> rows);
std::string gap_time_svg(std::span<const BenchRow> rows);

// rows.csv, summary.md, time_size.svg, profile.svg, gap_time.svg.
Status write_bench(const std::string& folder,
                   const std::string& summary,
                   std::span<const BenchRow> rows);

// "| a | b |" lines; columns of the head say how many there are.
std::string markdown_table(const std::vector<std::string>& head,
                           const std::vector<std::vector<std::string>>& lines);

// The same of runs: a line per row, a column per entry.
struct RowColumn {
  std::string head;
  std::function<std::string(const BenchRow& row)> cell;
};
RowColumn text_column(std::string head, std::string BenchRow::*member);
RowColumn count_column(std::string head, std::int64_t BenchRow::*member);
RowColumn number_column(std::string head, double BenchRow::*member, std::string format);
std::string rows_table(std::span<const BenchRow> rows, const std::vector<RowColumn>& columns);

}  // namespace lacuna::bench
