// SPDX-License-Identifier: Apache-2.0
// The result file of the office: the run in one object and, under "release", every cell that is not
// published as it is. Only what the audit has passed can be written. Its costs are sums over hidden
// cells, so it may not leave the house, and its first line says so; what may is public_file.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_writer.h"
#include "data/publish/extra_columns.h"
#include "lacuna/audit.h"
#include "lacuna/bound_log.h"
#include "lacuna/result.h"

namespace lacuna::publish {

struct RunSummary {  // what --json prints and the result file keeps
  std::string method;
  std::string status;  // optimal, gap, work, limit, infeasible, cancelled
  double objective = 0;
  double bound = 0;
  std::shared_ptr<const BoundLog> bound_log{};  // for the certificate alone; null: none was asked
  double seconds = 0;
  std::int64_t cells = 0, primary = 0, suppressed = 0, secondary = 0;
  std::string verdict;
  bool reproducible = true;  // no brake from outside has shaped the result
  std::int64_t work = 0;     // units
  int threads = 1;
  std::uint64_t seed = 1;
  std::string engine;
  std::string version;
  std::string input;     // path of the table, as it was given
  std::string table;     // digest of its values and equations (certificate.h)
  std::string options;   // as they were given, "--gap 0.05 --norm l1"
  std::string finished;  // UTC, "2026-11-15T10:00:00Z"
  std::vector<std::pair<std::string, double>> details;      // what else the method counted
  std::vector<std::pair<std::string, std::string>> states;  // of figures: "guess_state", "computed"
  std::string note;         // what a reader of the result must know; empty: nothing
  std::string read_as;      // that counts were read as real numbers; empty: they were not
  std::string status_read;  // what the words of the status were read as
  std::string policy;       // the published rules that were applied, and what of them was not
  std::string attackers;    // against whom, as JSON; empty: not said
  std::string loss;         // information loss as JSON; empty: not measured
  std::string cell_keys;    // further members, as a JSON object; empty: none
  std::string replay{};     // what its owner has left of ranges, as JSON; empty: not looked for

  double gap() const { return objective > 0 ? (objective - bound) / objective : 0; }
};

void write_run(base::JsonWriter& json, const RunSummary& run);  // its members
std::string run_json(const RunSummary& run);  // one object, no line break at the end
// The same back. Errors: it is no such object.
Result<RunSummary> read_run_json(const std::string& text, const std::string& where);
// `columns`: numbers that are published beside the cells; without them a column that is published
// where it is cheapest could not be judged again.
std::string release_text(const AuditedRelease& release,
                         const RunSummary& run,
                         std::span<const ExtraColumn> columns = {});
Status write_release(const AuditedRelease& release, const RunSummary& run, const std::string& path);

}  // namespace lacuna::publish
