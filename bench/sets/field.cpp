// SPDX-License-Identifier: Apache-2.0
// lacuna bench field --instances FOLDER: every tool that can be run here on every table of a
// folder, beside patterns and rows that others have made, judged by one audit. docs/field.md.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "bench/sets/field_rows.h"
#include "bench/sets/field_tools.h"
#include "bench/sets/sets.h"
#include "data/files/file.h"

namespace lacuna::bench {
namespace {

constexpr const char* kOurs = "lacuna";  // as --tool calls it

bool is_wanted(const BenchJob& job, const std::string& tool) {
  return job.tools.empty() ||
         std::find(job.tools.begin(), job.tools.end(), tool) != job.tools.end();
}

// Errors: a tool of --tool that nobody knows.
Result<std::vector<PeerTool>> wanted_peers(BenchRecorder& recorder) {
  const BenchJob& job = recorder.job();
  std::vector<PeerTool> peers;
  if (job.tools != std::vector<std::string>{kOurs})
    peers = peer_tools(recorder);
  std::string known = kOurs;
  for (const PeerTool& peer : peers)
    known += ", " + peer.peer;
  for (const std::string& tool : job.tools) {
    const bool found = tool == kOurs || std::any_of(peers.begin(), peers.end(), [&](auto& peer) {
                         return peer.peer == tool;
                       });
    if (!found)
      return Error{ErrorCode::kOptionValue,
                   fmt::format("there is no tool '{}' (known here: {})", tool, known),
                   "--tool"};
  }
  std::erase_if(peers, [&](const PeerTool& peer) { return !is_wanted(job, peer.peer); });
  return peers;
}

// A tool that cannot be run is a row of its own, for no table, so that the page can say it.
FieldLine absent(const PeerTool& peer) {
  FieldRow row;
  row.tool = peer.tool;
  row.options = peer.options;
  row.weights = peer.weights;
  row.asked = peer.asked;
  row.run.status = "not run";
  row.run.note = peer.missing;
  return line_of(row);
}

Status check_folders(const BenchJob& job) {
  if (job.instances.empty() || !std::filesystem::is_directory(job.instances))
    return Error{ErrorCode::kOptionMissing, "name the folder of the tables", "--instances"};
  if (!job.patterns.empty() && !std::filesystem::is_directory(job.patterns))
    return Error{ErrorCode::kFileUnreadable,
                 fmt::format("there is no folder '{}'", job.patterns),
                 "--patterns"};
  return ok_status();
}

// Written after every table: a long run that is stopped has left what it found.
Status write_rows(const BenchJob& job, const std::vector<FieldLine>& lines) {
  if (job.output.empty())
    return ok_status();
  std::error_code trouble;
  std::filesystem::create_directories(job.output, trouble);
  return files::write_file_atomically(job.output + "/field.csv", field_csv(lines));
}

void run_table(const FieldTable& table,
               const std::vector<PeerTool>& peers,
               BenchRecorder& recorder,
               std::vector<FieldLine>& lines) {
  const BenchJob& job = recorder.job();
  std::vector<FieldRow> rows;
  const auto append = [&rows](std::vector<FieldRow> more) {
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  };
  if (is_wanted(job, kOurs))
    append(run_ours(table, recorder));
  append(run_theirs(table, peers, recorder));
  if (!job.patterns.empty())
    append(judge_patterns(table, job.patterns, recorder));
  // Who refuses a table has not said how large it is.
  const auto sized =
      std::find_if(rows.begin(), rows.end(), [](const FieldRow& row) { return row.run.cells > 0; });
  for (FieldRow& row : rows) {
    if (row.run.cells == 0 && sized != rows.end()) {
      row.run.cells = sized->run.cells;
      row.run.equations = sized->run.equations;
      row.run.primary = sized->run.primary;
    }
    lines.push_back(line_of(row));
  }
}

}  // namespace

Result<std::string> bench_field(BenchRecorder& recorder) {
  const BenchJob& job = recorder.job();
  LACUNA_RETURN_IF_ERROR(check_folders(job));
  std::vector<FieldLine> stated;
  for (const std::string& path : job.add) {
    LACUNA_TRY(std::vector<FieldLine> more, read_field_rows(path));
    std::move(more.begin(), more.end(), std::back_inserter(stated));
  }
  LACUNA_TRY(const std::vector<PeerTool> peers, wanted_peers(recorder));
  std::vector<FieldLine> lines = stated;
  for (const PeerTool& peer : peers) {
    if (!peer.missing.empty())
      lines.push_back(absent(peer));
  }
  std::int32_t number = 0;
  for (const FieldTable& table : field_tables(job.instances)) {
    if (!recorder.wants_table(++number) || recorder.stopped())
      continue;
    run_table(table, peers, recorder, lines);
    LACUNA_RETURN_IF_ERROR(write_rows(job, lines));
  }
  if (number == 0)
    recorder.note(fmt::format("No table (.toml, .tab, .jj) is in {}.", job.instances));
  LACUNA_RETURN_IF_ERROR(write_rows(job, lines));
  return field_table_text(lines);
}

}  // namespace lacuna::bench
