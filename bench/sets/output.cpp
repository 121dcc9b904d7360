// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/output.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <thread>

#include "app/load/provenance.h"
#include "app/report/svg_chart.h"
#include "bench/sets/peers.h"
#include "core/base/decimal.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "lacuna/version.h"

namespace lacuna::bench {
namespace {

// One proven and audited result; anything else counts as not finished, however fast.
bool is_finished(const BenchRow& row) {
  return row.verdict == "protected" && (row.status == "optimal" || row.status == "gap");
}

bool has_bound(const BenchRow& row) {
  return row.status != "failed" && row.status != kPeerStatus;
}

std::string method_name(const BenchRow& row) {
  return row.options.empty() ? row.method : row.method + " " + row.options;
}

std::vector<std::string> methods_of(std::span<const BenchRow> rows) {  // in the order of the rows
  std::vector<std::string> names;
  for (const BenchRow& row : rows) {
    const std::string name = method_name(row);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0 && line.find(':') != std::string::npos)
      return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

double shifted_mean(const std::vector<double>& seconds) {
  constexpr double kShift = 0.1;
  double sum = 0;
  for (const double each : seconds)
    sum += std::log(each + kShift);
  return seconds.empty() ? 0 : std::exp(sum / static_cast<double>(seconds.size())) - kShift;
}

std::string per_method(std::span<const BenchRow> rows) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& name : methods_of(rows)) {
    std::vector<double> seconds;
    std::int64_t protected_count = 0, optimal = 0;
    double cpu = 0, peak = 0;
    for (const BenchRow& row : rows) {
      if (method_name(row) != name)
        continue;
      seconds.push_back(row.seconds);
      protected_count += row.verdict == "protected" ? 1 : 0;
      optimal += is_finished(row) ? 1 : 0;
      cpu += row.cpu_seconds;
      peak = std::max(peak, row.peak_memory);
    }
    lines.push_back({name,
                     std::to_string(seconds.size()),
                     std::to_string(protected_count),
                     std::to_string(optimal),
                     fmt::format("{:.3f}", shifted_mean(seconds)),
                     fmt::format("{:.1f}", cpu),
                     fmt::format("{:.0f}", peak)});
  }
  return markdown_table({"method",
                         "runs",
                         "protected",
                         "and proven",
                         "seconds, shifted geometric mean (0.1 s)",
                         "CPU seconds of all, audits included",
                         "peak memory, MiB"},
                        lines);
}

std::string failures(std::span<const BenchRow> rows) {
  std::string text;
  for (const BenchRow& row : rows) {
    const bool cost_alone =  // a model of a paper that has nothing to audit
        !row.has_result() && row.status != "failed" && !find_method(row.method);
    if (row.verdict == "protected" || cost_alone || row.is_measure)
      continue;
    text += fmt::format("- {} {}: {}, {}{}{}\n",
                        row.instance,
                        method_name(row),
                        row.status,
                        row.verdict,
                        row.note.empty() ? "" : ": ",
                        row.note);
  }
  return text.empty() ? "" : "\nWithout a protected release:\n\n" + text;
}

// The peers beside our suppression of the same table.
std::string peers_text(std::span<const BenchRow> rows) {
  std::vector<std::vector<std::string>> lines;
  const BenchRow* ours = nullptr;
  for (const BenchRow& row : rows) {
    if (row.method == "suppress")
      ours = &row;
    const bool peer = row.status == kPeerStatus ||
                      (row.status == "failed" && ours != nullptr && !find_method(row.method));
    if (!peer || ours == nullptr || ours->instance != row.instance)
      continue;
    lines.push_back({row.instance,
                     std::to_string(ours->cells),
                     row.method,
                     row.has_result() ? fmt::format("{:.10g}", row.objective) : row.note,
                     fmt::format("{:.10g}", ours->objective),
                     row.has_result() ? std::to_string(row.secondary) : "",
                     std::to_string(ours->secondary),
                     fmt::format("{:.2f}", row.seconds),
                     fmt::format("{:.2f}", ours->seconds),
                     row.verdict + (row.has_result() && !row.note.empty() ? ": " + row.note : ""),
                     ours->verdict + ", " + ours->status});
  }
  if (lines.empty())
    return "";
  return "## Peers\n\n" +
         markdown_table({"table",
                         "cells",
                         "peer",
                         "its cost",
                         "ours",
                         "its secondaries",
                         "ours",
                         "its seconds",
                         "ours",
                         "our audit of it",
                         "of ours"},
                        lines) +
         "\n";
}

}  // namespace

std::string markdown_table(const std::vector<std::string>& head,
                           const std::vector<std::vector<std::string>>& lines) {
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (std::size_t c = 0; c < head.size(); ++c)
      text += " " + (c < cells.size() ? cells[c] : std::string()) + " |";
    return text + "\n";
  };
  std::string text = line_of(head) + "|";
  for (std::size_t c = 0; c < head.size(); ++c)
    text += "---|";
  text += "\n";
  for (const auto& line : lines)
    text += line_of(line);
  return text;
}

RowColumn text_column(std::string head, std::string BenchRow::*member) {
  return {std::move(head), [member](const BenchRow& row) { return row.*member; }};
}

RowColumn count_column(std::string head, std::int64_t BenchRow::*member) {
  return {std::move(head), [member](const BenchRow& row) { return std::to_string(row.*member); }};
}

RowColumn number_column(std::string head, double BenchRow::*member, std::string format) {
  return {std::move(head), [member, format = std::move(format)](const BenchRow& row) {
            return fmt::format(fmt::runtime(format), row.*member);
          }};
}

std::string rows_table(std::span<const BenchRow> rows, const std::vector<RowColumn>& columns) {
  std::vector<std::string> head;
  for (const RowColumn& column : columns)
    head.push_back(column.head);
  std::vector<std::vector<std::string>> lines;
  for (const BenchRow& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const RowColumn& column : columns)
      line.push_back(column.cell(row));
  }
  return markdown_table(head, lines);
}

std::string bench_csv(std::span<const BenchRow> rows) {
  std::string text =
      "instance,cells,equations,primary,method,options,seed,status,objective,bound,gap,secondary,"
      "seconds,peak_memory,verdict,engine,version,commit\n";
  for (const BenchRow& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.1f},{},{},{},{}\n",
                        files::csv_quoted(row.instance, ','),
                        row.cells,
                        row.equations,
                        row.primary,
                        files::csv_quoted(row.method, ','),
                        files::csv_quoted(row.options, ','),
                        row.seed,
                        row.status,
                        row.objective > 0 ? base::format_double(row.objective) : "",
                        has_bound(row) ? base::format_double(row.bound) : "",
                        has_bound(row) && row.objective > 0 ? base::format_double(row.gap()) : "",
                        row.has_result() ? std::to_string(row.secondary) : "",
                        row.seconds,
                        row.peak_memory,
                        row.verdict,
                        row.engine,
                        version(),
                        commit());
  }
  return text;
}

std::string bench_summary(const BenchRecorder& recorder,
                          const std::string& about,
                          const std::string& body) {
  const BenchJob& job = recorder.job();
  const std::string head = fmt::format(
      "# lacuna bench {}\n\n{}\n\n{}, {} cores of {}, {} threads, at most {:g} s per run, lacuna "
      "{}, commit {}.\n\n",
      job.set,
      about,
      load::utc_now().substr(0, 10),
      std::thread::hardware_concurrency(),
      cpu_model(),
      recorder.context().threads,
      job.seconds,
      version(),
      commit());
  std::string notes;
  for (const std::string& note : recorder.notes())
    notes += note + "\n\n";
  return head + body + (body.empty() ? "" : "\n") + peers_text(recorder.rows()) +
         "## All runs\n\n" + notes + per_method(recorder.rows()) + failures(recorder.rows());
}

std::string time_size_svg(std::span<const BenchRow> rows) {
  report::Chart chart{"Time against size", {"cells", true}, {"seconds", true}, {}};
  for (const std::string& name : methods_of(rows)) {
    report::ChartSeries series{name, report::SeriesKind::kPoints, {}};
    for (const BenchRow& row : rows) {
      if (method_name(row) == name && row.has_result())
        series.points.emplace_back(static_cast<double>(row.cells), row.seconds);
    }
    chart.series.push_back(std::move(series));
  }
  return report::chart_svg(chart, report::SvgPlace::kFile);
}

std::string profile_svg(std::span<const BenchRow> rows) {
  const std::vector<std::string> methods = methods_of(rows);
  const bool by_ratio = methods.size() > 1;
  std::map<std::string, double> fastest;
  for (const BenchRow& row : rows) {
    const auto known = fastest.find(row.instance);
    const double seconds =
        is_finished(row) && by_ratio ? row.seconds : std::numeric_limits<double>::infinity();
    if (known == fastest.end())
      fastest[row.instance] = seconds;
    else
      known->second = std::min(known->second, seconds);
  }
  report::Chart chart{"Performance profile",
                      {by_ratio ? "factor of the fastest method" : "seconds", true},
                      {"share of instances proven and protected", false},
                      {}};
  for (const std::string& name : methods) {
    std::vector<double> ratios;
    std::size_t all = 0;
    for (const BenchRow& row : rows) {
      if (method_name(row) != name)
        continue;
      ++all;
      if (is_finished(row))
        ratios.push_back(by_ratio ? row.seconds / fastest[row.instance] : row.seconds);
    }
    std::sort(ratios.begin(), ratios.end());
    report::ChartSeries series{name, report::SeriesKind::kSteps, {}};
    for (std::size_t k = 0; k < ratios.size(); ++k)
      series.points.emplace_back(ratios[k], static_cast<double>(k + 1) / static_cast<double>(all));
    chart.series.push_back(std::move(series));
  }
  return report::chart_svg(chart, report::SvgPlace::kFile);
}

std::string gap_time_svg(std::span<const BenchRow> rows) {
  constexpr std::size_t kMostLines = 6;
  constexpr double kPercent = 100;
  std::vector<const BenchRow*> longest;
  for (const BenchRow& row : rows) {
    if (row.trace.size() > 1)
      longest.push_back(&row);
  }
  std::stable_sort(longest.begin(), longest.end(), [](const BenchRow* a, const BenchRow* b) {
    return a->seconds > b->seconds;
  });
  if (longest.size() > kMostLines)
    longest.resize(kMostLines);
  report::Chart chart{
      "Gap over time, the longest runs", {"seconds", false}, {"gap, percent", false}, {}};
  for (const BenchRow* row : longest) {
    report::ChartSeries series{
        row->instance + " " + method_name(*row), report::SeriesKind::kSteps, {}};
    for (const TracePoint& point : row->trace) {
      if (point.incumbent > 0)
        series.points.emplace_back(point.seconds,
                                   kPercent * (point.incumbent - point.bound) / point.incumbent);
    }
    chart.series.push_back(std::move(series));
  }
  return report::chart_svg(chart, report::SvgPlace::kFile);
}

Status write_bench(const std::string& folder,
                   const std::string& summary,
                   std::span<const BenchRow> rows) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble)
    return Error{
        ErrorCode::kFileUnwritable, "the folder cannot be made: " + trouble.message(), folder};
  const std::pair<const char*, std::string> files[] = {{"rows.csv", bench_csv(rows)},
                                                       {"summary.md", summary},
                                                       {"time_size.svg", time_size_svg(rows)},
                                                       {"profile.svg", profile_svg(rows)},
                                                       {"gap_time.svg", gap_time_svg(rows)}};
  for (const auto& [name, text] : files)
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(folder + "/" + name, text));
  return ok_status();
}

}  // namespace lacuna::bench
