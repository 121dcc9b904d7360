// SPDX-License-Identifier: Apache-2.0
// One run from input to output, as command line, server and bindings call it. A job reads its
// files, works, writes its outputs in one step each, and returns what goes to standard output.
#pragma once

#include <cstdint>
#include <string>

#include "job/asked.h"
#include "lacuna/generate.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::inline job {

enum class ExitCode : std::uint8_t {
  kDone = 0,
  kBadInput = 1,
  kNotProtected = 2,
  kNoResult = 3,
  kInternal = 4
};

struct JobOutput {
  ExitCode code = ExitCode::kDone;
  std::string text;       // for standard output: data
  std::string message{};  // for standard error: why there is no data; one sentence, may be empty
};

struct AuditJob {
  std::string input;
  std::string pattern;      // empty: the primaries and the cells withheld already
  std::string certificate;  // where to write it; empty: nowhere
  std::string engine;
  Asked asked;
  bool all = false;
  bool verdicts_only = false;
  bool exposure = false;
  bool json = false;
};
Result<JobOutput> run_job(const AuditJob& job, const RunContext& run);

struct ProtectJob {
  std::string input;
  std::string output;       // the result file, for the office; empty: none
  std::string public_file;  // the release and nothing else, for everyone; empty: none
  std::string certificate;  // where to write it; empty: nowhere
  std::string method = "suppress";
  std::string weights;  // cost (as in the file), unity, value, log, ...; empty: the method's own
  std::string engine;
  std::string effort = "default";       // fast, default, best
  std::string prefer;                   // suppress: an earlier release whose cells are kept
  std::string checkpoint;               // suppress: where to save progress, and to go on from
  std::string trace;                    // suppress: history of the run as CSV; empty: none
  double gap = 0;                       // stop once (objective - bound) / objective is at most this
  std::int64_t max_withheld = -1;       // suppress: at most so many withheld cells; -1: any number
  double minimum_width = 0;             // suppress: of withheld cells, in percent of the value
  std::int32_t interval_digits = 0;     // interval, combined: significant digits of ends; 0: all
  double off_center = 0.25;             // interval, combined, mixed: share by which ends are moved
  double near = 1;                      // percent: what counts as a near guess
  std::string width_weights = "unity";  // combined: the price of a unit of width
  std::int64_t max_intervals = -1;      // combined: at most so many; -1: any number
  double interval_width = 0;            // combined: least width of an interval, percent of |value|
  double interval_level = 0;    // combined: least inferred width of cells not sensitive, percent
  std::string norm = "l2";      // adjust: l1 or l2
  std::string senses = "free";  // adjust: free, or up: every sensitive cell is raised
  int decimals = -1;            // adjust: of the published table; -1: as many as the gap needs
  std::string given;            // the options as they were given, for the result file
  Asked asked;
  std::string base;             // round, mixed: the rounding base, a number of the table
  std::string cells;            // round, perturb, mixed: settings of single cells (cell_file.h)
  bool unbiased = false;        // round: seeded random directions
  double unbiased_cost = 0.05;  // round: share of the optimum that they may cost
  std::int32_t steps = 0;  // round: bases beyond the adjacent multiples, if there is no other way
  double step_price = 1;   // round: in bases
  std::int64_t max_changed = -1;  // round, perturb, mixed: at most so many changed cells
  bool no_small_counts = false;   // round: never publish a 1 or a 2
  bool exact_multiples = false;   // round: say which cells are multiples of the base
  double range = 20;              // perturb, mixed: percent of the value on either side
  bool range_unknown = false;     // perturb, mixed: readers are not told the ranges
  double change_price = 0;        // perturb, mixed: of a cell that is changed at all
  std::string grid;               // perturb, mixed: deviations are multiples; empty: one unit
  std::string sensitive_as = "interval";  // mixed: how sensitive cells are published,
  std::string totals_as = "exact";        // ... other cells that are sums,
  std::string others_as = "perturbed";    // ... and the rest
  bool json = false;
};
Result<JobOutput> run_job(const ProtectJob& job, const RunContext& run);

struct VerifyJob {
  std::string input;
  std::string certificate;
  std::string pattern;  // if given, the certificate must be for exactly this release
  Asked asked;
  bool json = false;
};
Result<JobOutput> run_job(const VerifyJob& job, const RunContext& run);

struct TabulateJob {
  std::string input;   // a job over records
  std::string output;  // the problem; the ending tells the format; empty: none
  std::string table;   // the cells as CSV with counts and shares; empty: none
  bool json = false;
};
Result<JobOutput> run_job(const TabulateJob& job, const RunContext& run);

struct ConvertJob {
  std::string input;
  Asked asked;
  std::string output;  // the ending tells the format
};
Result<JobOutput> run_job(const ConvertJob& job, const RunContext& run);

struct ReportJob {
  std::string result;       // JSON written by protect
  std::string output;       // the page
  std::string input;        // the table; empty: the one that the result names
  std::string certificate;  // checked as well, and its evidence used; empty: none
  std::string title;        // empty: the name of the table
  Asked asked;
  std::string engine;
  double near = 1;  // percent: what counts as a near guess
  bool public_view = false;
  bool verdicts_only = false;  // no exact intervals; always so in the public view
  bool json = false;
};
Result<JobOutput> run_job(const ReportJob& job, const RunContext& run);

struct ShowJob {
  std::string path;    // a table, or a result
  std::string input;   // of a result: the table; empty: the one that it names
  bool color = false;  // with terminal colours
};
Result<JobOutput> run_job(const ShowJob& job, const RunContext& run);

struct CompareJob {
  std::string input;
  std::string methods = "suppress,interval,combined,round,adjust";
  std::string format = "text";  // text, markdown, json
  double seconds = 60;          // limit of each method
  ProtectJob options;           // of all methods; each takes its own. Without a base one is chosen
};
Result<JobOutput> run_job(const CompareJob& job, const RunContext& run);

struct GenerateJob {
  GenerateOptions options;
  std::string output;
};
Result<JobOutput> run_job(const GenerateJob& job, const RunContext& run);

}  // namespace lacuna::inline job
