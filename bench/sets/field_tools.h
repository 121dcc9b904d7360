// SPDX-License-Identifier: Apache-2.0
// Who is run on a table by `lacuna bench field`: our methods, the programs of others through
// scripts/run_peer, and patterns that somebody has made elsewhere.
#pragma once

#include <string>
#include <vector>

#include "bench/sets/field_rows.h"
#include "bench/sets/field_table.h"
#include "bench/sets/run.h"

namespace lacuna::bench {

struct PeerTool {  // as scripts/run_peer --list tells it
  std::string peer;
  std::string tool, version, options, asked, weights;
  std::string missing;  // why it cannot be run here; empty: it can
};

// Empty, with a note, if there is no script.
std::vector<PeerTool> peer_tools(BenchRecorder& recorder);

// Our methods, by the questions that the table has.
std::vector<FieldRow> run_ours(const FieldTable& table, BenchRecorder& recorder);

// Every peer that is not missing.
std::vector<FieldRow> run_theirs(const FieldTable& table,
                                 const std::vector<PeerTool>& peers,
                                 BenchRecorder& recorder);

// One row per file FOLDER/TABLE/TOOL.*: a list of withheld cells or a result JSON. Comment lines
// "# version: 1.2" say what a row has besides (version, options, weights, asked, status, seconds).
std::vector<FieldRow> judge_patterns(const FieldTable& table,
                                     const std::string& folder,
                                     BenchRecorder& recorder);

}  // namespace lacuna::bench
