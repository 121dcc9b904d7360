// SPDX-License-Identifier: Apache-2.0
// One run of a bench: load a table, protect it, audit the result; each in a process of its own, so
// that peak memory is the run's. What all sets share; the sets themselves are in <set>.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/sets/bench_job.h"
#include "lacuna/audit.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct BenchRow {  // the columns of rows.csv, and what summaries and plots need besides
  std::string instance;
  std::int64_t cells = 0, equations = 0, primary = 0;
  std::string method, options;
  std::uint64_t seed = 1;
  std::string status;  // optimal, gap, limit, ...; "failed" if there is no result at all
  double objective = 0, bound = 0;
  std::int64_t secondary = 0;
  double seconds = 0;      // of the method alone, without reading and audit
  double peak_memory = 0;  // MiB, of the whole run
  std::string verdict;     // of the audit; "none" if there is nothing to audit
  std::string engine;

  std::string note;         // why a run failed
  bool is_measure = false;  // nothing is released: it measures alone, and came out as it should
  double cpu_seconds = 0;
  std::map<std::string, double> details;
  std::vector<TracePoint> trace;

  bool has_result() const { return verdict != "none"; }
  double gap() const {  // bounds in floating point may be a rounding error above
    return objective > bound ? (objective - bound) / objective : 0;
  }
  double detail(const std::string& name) const;  // 0 if there is none
};

using Solve = std::function<Result<ProtectResult>(const std::shared_ptr<const Problem>& problem,
                                                  const RunContext& run)>;
struct Judged {            // what a run has found, for further measures
  const Problem& problem;  // at the decimals of the draft
  const ProtectResult& found;
  const AuditReport& report;
};

struct BenchCase {
  std::string instance;
  std::string method;   // as it stands in the row
  std::string options;  // the same
  std::function<Result<Problem>()> load;
  Solve solve;                 // empty: `protect` by its method and weights
  ProtectOptions protect;      // what that method is told
  double seconds = 0;          // limit; 0: that of the bench
  bool exact_widths = false;   // the audit finds exact intervals, for measure III
  bool with_peers = true;      // if they are asked for (--peers)
  bool needs_complete = true;  // false: what the method calls incomplete is audited as well
  std::function<void(const Judged& judged, BenchRow& row)> measure;  // adds details; may be empty
};

class BenchRecorder {
 public:
  BenchRecorder(const BenchJob& job, const RunContext& run) : job_(job), run_(run) {}

  BenchRow run(const BenchCase& bench_case);  // and the peers, if they are asked for
  void add(BenchRow row);                     // of a run that was made elsewhere
  void note(std::string line);                // for the summary; said once

  const std::vector<BenchRow>& rows() const { return rows_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const BenchJob& job() const { return job_; }
  const RunContext& context() const { return run_; }
  bool stopped() const { return run_.stop.stop_requested(); }
  double limit(const BenchCase& bench_case) const {
    return bench_case.seconds > 0 ? bench_case.seconds : job_.seconds;
  }
  bool wants_table(std::int32_t table) const;  // --tables

 private:
  const BenchJob& job_;
  const RunContext& run_;
  std::vector<BenchRow> rows_;
  std::vector<std::string> notes_;
};

// NAME.jj, NAME.jj.xz or NAME.jj.gz in the folder or in a folder of it; empty if it is not there.
std::string find_instance(const std::string& folder, const std::string& name);
// All such files, by name.
std::vector<std::string> all_instances(const std::string& folder);
std::string instance_name(const std::string& path);

// Fills the columns that come from the table.
void describe(const Problem& problem, BenchRow& row);

}  // namespace lacuna::bench
