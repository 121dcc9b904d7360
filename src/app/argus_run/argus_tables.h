// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS run to its end: its tables with the status of every cell, what may be
// released of them, and what became of every command. The files that the job names are written, or
// none at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/argus_run/argus_job.h"
#include "app/argus_run/argus_notes.h"
#include "app/argus_run/argus_protect.h"
#include "app/job/jobs.h"
#include "data/argus/table.h"
#include "data/columns/output_table.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

struct ArgusRunTable {
  int part = 1;      // of the job; every <CLEAR> begins another
  std::string name;  // "table 1" of its part
  argus::Table cells;
  bool is_read = false;    // the job has read its data
  bool is_public = false;  // as its cells say now, readers may see it: released, or nothing to hide
  std::shared_ptr<const ArgusRelease> release;  // of this table, perhaps with others; may be null
  std::size_t place = 0;                        // in that release
};

struct ArgusRun {
  std::vector<ArgusRunTable> tables;  // as the commands have left them
  std::vector<ArgusNote> notes;       // one per command
  std::vector<std::string> written;   // files
  job::ExitCode code = job::ExitCode::kDone;
  std::optional<Verdict> verdict{};  // of a job that was refused by the audit, or unasked
  std::string log;                   // as a logbook has it
  std::string json;                  // what `lacuna argus --json` prints
  std::string text;                  // what it prints without
  std::optional<Error> refused;      // what ended the job early; also one that cannot be read
};

enum class ArgusFiles : std::uint8_t { kWrite, kNone };

// Errors: bad options. A job that is refused comes back with what it did until then.
Result<ArgusRun> run_argus(const ArgusJob& job, ArgusFiles files, const RunContext& run);

// All combinations of codes, the total first, the last variable fastest.
// Status: the letter of tau-ARGUS (S, U, P, M, E) and its reason in words.
columns::OutputTable argus_status(const argus::Table& table);
// What readers may see: the value, and a state: published, withheld or empty. Of a rounded table an
// empty cell is a 0 among others. Errors: it is not public.
Result<columns::OutputTable> argus_safe(const ArgusRunTable& table);
// For the office only: the true values, frequencies and statuses.
columns::OutputTable argus_unsafe(const argus::Table& table);

}  // namespace lacuna::argus_run
