// SPDX-License-Identifier: Apache-2.0
// One run from input to output, as command line, server and bindings call it. A job reads its
// files, works, writes its outputs in one step each, and returns what goes to standard output. Each
// job states its options once, in its fields() list (lacuna/fields.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/generate/generate.h"
#include "app/load/assessment.h"
#include "app/load/inputs.h"
#include "app/load/table_choices.h"
#include "data/files/output_options.h"
#include "lacuna/audit.h"
#include "lacuna/fields.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

enum class ExitCode : std::uint8_t {
  kDone = 0,
  kBadInput = 1,
  kNotProtected = 2,
  kNoResult = 3,
  kInternal = 4,
  kUnasked = 5,  // nothing was asked of the release, so that nothing is known of it
  kWaived = 6    // released although some of it is exposed, as it was asked
};

// Of a release, or of an audit. Where rules were applied that make no cell sensitive, that nothing
// is asked is their answer.
ExitCode code_of(Verdict verdict, bool by_rules);

// What becomes of a release of which nothing was asked: nothing for the public, or all of it.
enum class UnaskedRule : std::uint8_t { kRefuse, kPublish };
std::span<const std::string_view> enum_names(UnaskedRule rule);

// How the cells lie in a public file.
enum class PublicShape : std::uint8_t { kAuto, kAsInput, kLong };
std::span<const std::string_view> enum_names(PublicShape shape);

struct JobOutput {
  ExitCode code = ExitCode::kDone;
  std::string text;       // for standard output: data
  std::string message{};  // for standard error: why there is no data; one sentence, may be empty
};

// Fields that several jobs have.
inline constexpr FieldInfo kTableArgument{
    .name = "input",
    .help =
        "the table: a file .csv, .xlsx, .px and more as it is (docs/formats.md), a .toml job, .jj "
        "or .json (also .gz, .xz)",
    .shown_as = "IN",
    .place = FieldPlace::kArgument,
    .in_jobs = false};
inline constexpr FieldInfo kJsonFlag{.name = "json", .help = "print JSON", .in_jobs = false};
inline constexpr FieldInfo kEngine{
    .name = "engine", .help = "LP engine: highs or clp", .absent = "the best one available"};
inline constexpr FieldInfo kNear{.name = "near",
                                 .help = "how close to the truth a reader's guess counts as near",
                                 .unit = "percent of the truth",
                                 .least = 0,
                                 .most = 100};
inline constexpr FieldInfo kRecordFlag{
    .name = "record",
    .help = "add the release to the store that the job names ([store]), if the audit passes it",
    .in_jobs = false};
inline constexpr FieldInfo kUnaskedField{
    .name = "unasked",
    .help =
        "what to do with a table in which no cell is sensitive, so that nothing is asked about it: "
        "refuse to write public files, or publish it"};
inline constexpr FieldInfo kProblemFile{
    .name = "output",
    .help = "the output file: .jj, .json (also .gz) or .toml with its .csv",
    .shown_as = "OUT",
    .letter = 'o',
    .place = FieldPlace::kNamedArgument,
    .in_jobs = false};

struct AuditJob {
  std::string input;
  std::string pattern;      // empty: the primaries and the cells withheld already
  std::string certificate;  // where to write it; empty: nowhere
  std::string engine;
  load::Assessment asked;
  load::Inputs inputs;
  bool all = false;
  bool verdicts_only = false;
  bool exposure = false;
  bool values = false;
  std::int64_t node_limit = 10'000;
  bool record = false;
  bool replay = false;           // run the program on other tables that fit (replay.h)
  std::int64_t replay_runs = 8;  // at most, per end of a range
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kTableArgument, self.input);
    visit(FieldInfo{.name = "pattern",
                    .help = "the release: a result JSON, a public file, a protected table in the "
                            "form in which it is published (.csv; {table} for one file per table), "
                            "or a list of withheld cells with one index per line",
                    .absent = "exactly the sensitive cells are withheld",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.pattern);
    visit(FieldInfo{.name = "certificate",
                    .help = "write the witnesses and proofs to this file",
                    .shown_as = "OUT",
                    .in_jobs = false},
          self.certificate);
    load::Assessment::fields(self.asked, visit);
    load::TableChoices::fields(self.inputs.choices, visit);
    visit(kEngine, self.engine);
    visit(FieldInfo{.name = "all",
                    .help = "compute also the interval of every other cell that is not published"},
          self.all);
    visit(FieldInfo{.name = "verdicts-only",
                    .help = "compute the verdicts alone, without exact intervals"},
          self.verdicts_only);
    visit(FieldInfo{.name = "exposure",
                    .help = "classify the primaries as initially, consequentially or not exposed"},
          self.exposure);
    visit(FieldInfo{.name = "values",
                    .help = "counts only: list all possible values of a cell if they are few"},
          self.values);
    visit(FieldInfo{.name = "node-limit",
                    .help = "counts only: largest number of cases to examine per end of a range",
                    .least = 0},
          self.node_limit);
    visit(kRecordFlag, self.record);
    visit(FieldInfo{.name = "replay",
                    .help = "run the program on other tables that fit: how much of each range is "
                            "left to a reader who owns it; --pattern is the result file of the "
                            "run (docs/owner.md)",
                    .in_jobs = false},
          self.replay);
    visit(FieldInfo{.name = "replay-runs",
                    .help = "with --replay: largest number of runs per end of a range",
                    .least = 1,
                    .most = 1000,
                    .in_jobs = false},
          self.replay_runs);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const AuditJob& job, const RunContext& run);

struct ProtectJob : ProtectOptions {
  std::string input;
  std::vector<std::string> outputs;       // result files, for the office
  std::vector<std::string> public_files;  // the release and nothing else, for everyone
  std::string certificate;                // where to write it; empty: nowhere
  std::string cell_file;                  // settings of single cells (cell_file.h)
  std::string ptable_file;                // cellkey: the table of perturbations,
  std::string small_ptable_file;          // ... and that of small contributions
  std::string prefer;                     // an earlier release whose cells are kept
  std::string checkpoint;                 // where to save progress, and to go on from
  std::string trace_file;                 // history of the run as CSV
  std::string calendar;                   // since when, and how long, each cell is withheld
  double near = 1;                        // percent: what counts as a near guess
  load::Assessment asked;
  files::OutputOptions written;
  PublicShape public_shape = PublicShape::kAuto;
  std::string given;  // the options as they were given, for the result file
  load::Inputs inputs;
  bool accept_all_withheld = false;
  UnaskedRule unasked = UnaskedRule::kRefuse;
  bool record = false;  // the release goes into the store
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kTableArgument, self.input);
    output_fields(self, visit);
    ProtectOptions::fields(self, visit);
    files::OutputOptions::fields(self.written, visit);
    load::Assessment::fields(self.asked, visit);
    load::TableChoices::fields(self.inputs.choices, visit);
    visit(FieldInfo{.name = "cells",
                    .help = "CSV file with settings of single cells (docs/formats.md)",
                    .methods = "round perturb mixed",
                    .shown_as = "FILE"},
          self.cell_file);
    ptable_fields(self, visit);
    visit(FieldInfo{.name = "prefer",
                    .help = "an earlier release whose withheld cells should stay withheld, in a "
                            "format that --pattern of audit reads; cells are matched by codes",
                    .methods = "suppress",
                    .shown_as = "FILE"},
          self.prefer);
    visit(FieldInfo{.name = "checkpoint",
                    .help = "save the progress in this file, and continue from it if it exists",
                    .methods = "suppress",
                    .shown_as = "OUT"},
          self.checkpoint);
    visit(FieldInfo{.name = "trace",
                    .help = "write a CSV file with the best cost and the bound over time",
                    .methods = "suppress adjust",
                    .shown_as = "OUT"},
          self.trace_file);
    period_fields(self, visit);
    visit(kNear, self.near);
    visit(FieldInfo{.name = "accept-all-withheld",
                    .help = "release the table even if every cell is withheld because the run was "
                            "stopped early"},
          self.accept_all_withheld);
    visit(kUnaskedField, self.unasked);
    visit(kJsonFlag, self.json);
  }

 private:
  template <class Self, class Visit>
  static void output_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "output",
                    .help =
                        "write the result, for the office only: .json (the run and the release), "
                        ".csv or .xlsx (all cells with flags and rules), .sdmx.csv (transmission); "
                        "{table} in the name writes one file per table; may be given several times",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .in_jobs = false},
          self.outputs);
    visit(
        FieldInfo{.name = "public",
                  .help = "write what may be published, and nothing else: .csv, .json, .xlsx, .px, "
                          ".sdmx.csv, .sdmx.json, .jsonstat.json, .parquet or .arrow; {table} in "
                          "the name writes one file per table; may be given several times",
                  .shown_as = "OUT",
                  .in_jobs = false},
        self.public_files);
    visit(FieldInfo{.name = "certificate",
                    .help = "write the certificate, with the witnesses, to this file",
                    .shown_as = "OUT",
                    .in_jobs = false},
          self.certificate);
    visit(
        FieldInfo{
            .name = "public-shape",
            .help = "layout of the public file: as-input has the layout of the input file (wide, "
                    "with titles and footnotes, the same workbook), long has one row per cell; "
                    "auto is as-input where the input has a layout of its own and the same format",
            .in_jobs = false},
        self.public_shape);
  }
  template <class Self, class Visit>
  static void period_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "calendar",
                    .help = "write a CSV file, for the office: since when each withheld cell is "
                            "withheld, why, and what has to happen before it can be published",
                    .methods = "suppress",
                    .shown_as = "OUT"},
          self.calendar);
    visit(kRecordFlag, self.record);
  }
  template <class Self, class Visit>
  static void ptable_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "ptable",
                    .help = "the perturbation table, in any format of lacuna ptable",
                    .methods = "cellkey",
                    .shown_as = "FILE"},
          self.ptable_file);
    visit(FieldInfo{.name = "small-ptable",
                    .help = "magnitudes: the perturbation table for small contributions",
                    .methods = "cellkey",
                    .shown_as = "FILE"},
          self.small_ptable_file);
  }
};
Result<JobOutput> run_job(const ProtectJob& job, const RunContext& run);

struct VerifyJob {
  std::string input;
  std::string certificate;
  std::string pattern;  // if given, the certificate must be for exactly this release
  load::Assessment asked;
  load::Inputs inputs;
  bool proven = false;  // the proven checker has to say the same (certified.h)
  bool replay = false;  // the program has to make this release of the tables that it names
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "the table that was protected",
                    .shown_as = "IN",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "certificate",
                    .help = "the certificate",
                    .shown_as = "CERTIFICATE",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.certificate);
    visit(FieldInfo{.name = "pattern",
                    .help = "the release to which the certificate must belong",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.pattern);
    load::Assessment::fields(self.asked, visit);
    load::TableChoices::fields(self.inputs.choices, visit);
    visit(FieldInfo{.name = "proven",
                    .help = "have the evidence checked by lacuna-proven as well, a program whose "
                            "checker is proven correct (docs/proof.md)",
                    .in_jobs = false},
          self.proven);
    visit(FieldInfo{.name = "replay",
                    .help = "run the program on every table that the certificate names for its "
                            "owner: it must make the very same release; needs --pattern with the "
                            "result file of the run (docs/owner.md)",
                    .in_jobs = false},
          self.replay);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const VerifyJob& job, const RunContext& run);

struct TabulateJob {
  std::string input;       // a job over records
  std::string output;      // the problem; the ending tells the format; empty: none
  std::string table;       // the cells as CSV with counts and shares; empty: none
  std::string aggregates;  // folder of sums that a database made; empty: the records are read
  std::string policy;      // published rules; empty: those that the job names, or none
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "a .toml job over records",
                    .shown_as = "JOB",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "output",
                    .help = "write the table and what must be protected: .jj, .json (also .gz) or "
                            ".toml with its .csv",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .in_jobs = false},
          self.output);
    visit(FieldInfo{.name = "table",
                    .help = "write the cells, with counts and shares: .csv, .parquet or .arrow",
                    .shown_as = "OUT",
                    .in_jobs = false},
          self.table);
    visit(FieldInfo{.name = "aggregates",
                    .help = "use the sums in this folder, computed by the text of lacuna sql, "
                            "instead of the records",
                    .shown_as = "FOLDER",
                    .in_jobs = false},
          self.aggregates);
    visit(load::kPolicyField, self.policy);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const TabulateJob& job, const RunContext& run);

// The SQL text that makes the sums of a job where its records are (docs/scale.md).
struct SqlJob {
  std::string input;
  std::string dialect;  // of engine_names(); empty: the engine of the job
  std::string plan;     // A or B; empty: as the job says
  std::string output;   // empty: standard output
  bool json = false;    // statements one by one, for programs that run them

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "a .toml job over records",
                    .shown_as = "JOB",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "dialect",
                    .help = "the SQL dialect: duckdb, postgresql or spark",
                    .absent = "the engine of the job",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.dialect);
    visit(FieldInfo{.name = "plan",
                    .help = "A: contributors with several leaves leave the database one by one; B: "
                            "the database adds them up by cell",
                    .absent = "the plan of the job, otherwise A",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.plan);
    visit(FieldInfo{.name = "output",
                    .help = "write the text to this file",
                    .absent = "it is printed",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .in_jobs = false},
          self.output);
    visit(FieldInfo{.name = "json",
                    .help = "print the statements one by one, for programs that run them",
                    .in_jobs = false},
          self.json);
  }
};
Result<JobOutput> run_job(const SqlJob& job, const RunContext& run);

// What a table file says by itself, as a job: columns, totals, hierarchies.
struct InspectJob {
  std::string input;
  std::string output;  // the job; empty: standard output
  load::TableChoices choices;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "a table: .csv, .xlsx, .px, .parquet or any other format of tables",
                    .shown_as = "TABLE",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "output",
                    .help = "write the job to this .toml file, even if parts of it are still open",
                    .absent = "it is printed",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .in_jobs = false},
          self.output);
    load::TableChoices::fields(self.choices, visit);
  }
};
Result<JobOutput> run_job(const InspectJob& job, const RunContext& run);

// The published rules that the program has, or the text of one.
struct PoliciesJob {
  std::string name;  // empty: all, a line each
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "name",
                    .help = "print the text of this policy, with its source",
                    .absent = "all are listed, a line each",
                    .shown_as = "NAME",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.name);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const PoliciesJob& job, const RunContext& run);

struct ReportJob {
  std::string result;       // JSON written by protect
  std::string output;       // the page
  std::string input;        // the table; empty: the one that the result names
  std::string certificate;  // checked as well, and its evidence used; empty: none
  std::string title;        // empty: the name of the table
  std::string unit;         // of the numbers, as text; empty: not said
  load::Assessment asked;
  load::Inputs inputs;
  std::string engine;
  double near = 1;  // percent: what counts as a near guess
  bool public_view = false;
  bool verdicts_only = false;  // no exact intervals; always so in the public view
  bool exact = false;          // exact intervals whatever they cost
  bool own_run = false;        // this process has computed the result, and with it the bound
  bool proven = false;         // have the certificate checked by the others, and say so
  UnaskedRule unasked = UnaskedRule::kRefuse;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "result",
                    .help = "result JSON of lacuna protect -o; with --input, any release",
                    .shown_as = "RESULT",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.result);
    visit(FieldInfo{.name = "output",
                    .help = "the page to write (.html)",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .place = FieldPlace::kNeeded,
                    .in_jobs = false},
          self.output);
    visit(FieldInfo{.name = "input",
                    .help = "the table",
                    .absent = "the table that the result names",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "certificate",
                    .help = "check this certificate as well, and use its evidence",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.certificate);
    visit(FieldInfo{.name = "proven",
                    .help = "have the certificate checked by lacuna-proven and by the verifier in "
                            "Python as well, and say on the page that three programs have checked it "
                            "(docs/proof.md)",
                    .in_jobs = false},
          self.proven);
    visit(
        FieldInfo{.name = "title", .help = "title of the page", .absent = "the name of the table"},
        self.title);
    visit(FieldInfo{.name = "unit",
                    .help = "unit to show with the numbers, such as \"thousand euro\"",
                    .absent = "none"},
          self.unit);
    load::Assessment::fields(self.asked, visit);
    load::TableChoices::fields(self.inputs.choices, visit);
    visit(kNear, self.near);
    visit(FieldInfo{.name = "public",
                    .help = "show only what is published, and no confidential number",
                    .in_jobs = false},
          self.public_view);
    visit(FieldInfo{.name = "verdicts-only", .help = "leave out exact intervals"},
          self.verdicts_only);
    visit(FieldInfo{.name = "exact",
                    .help = "compute exact intervals, however long they take; without this option "
                            "they are left out if they would take more than about half a minute"},
          self.exact);
    visit(kUnaskedField, self.unasked);
    visit(kEngine, self.engine);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const ReportJob& job, const RunContext& run);

enum class ColorChoice : std::uint8_t { kAuto, kAlways, kNever };
std::span<const std::string_view> enum_names(ColorChoice choice);

struct ShowJob {
  std::string path;   // a table, or a result
  std::string input;  // of a result: the table; empty: the one that it names
  load::Inputs inputs;
  ColorChoice color = ColorChoice::kAuto;
  bool terminal = false;  // whoever reads it can show colours, and has nothing against them

  bool colors() const {
    return color == ColorChoice::kAlways || (color == ColorChoice::kAuto && terminal);
  }

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "path",
                    .help = "a table as for protect, or the result JSON of lacuna protect -o; with "
                            "--input, any release",
                    .shown_as = "IN",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.path);
    visit(FieldInfo{.name = "input",
                    .help = "the table of a release",
                    .absent = "the table that the result names",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "color", .help = "whether to use the colours of the terminal"},
          self.color);
    load::TableChoices::fields(self.inputs.choices, visit);
  }
};
Result<JobOutput> run_job(const ShowJob& job, const RunContext& run);

struct CompareJob {
  std::string input;
  std::string methods = "suppress,interval,combined,round,adjust";
  std::int64_t work = 60'000'000;  // of each method, units
  double seconds = 0;              // limit of each method; 0: none
  ProtectOptions options;  // of all methods; each takes its own. Without a base one is chosen
  double near = 1;
  load::Assessment asked;
  load::Inputs inputs;
  bool json = false;
  bool markdown = false;
  std::string plot;  // a picture of loss against risk; empty: none

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "the table: a file .csv, .xlsx, .px and more as it is, a .toml job, "
                            ".jj or .json (also .gz, .xz); a result stands for its table",
                    .shown_as = "TABLE",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "methods", .help = "methods of lacuna protect, separated by commas"},
          self.methods);
    visit(FieldInfo{.name = "work",
                    .help = "work that each method may do; a unit is about a microsecond of one "
                            "core",
                    .unit = "units",
                    .least = 1},
          self.work);
    visit(FieldInfo{.name = "time-limit",
                    .help = "limit on the wall-clock time of each method",
                    .unit = "seconds",
                    .least = 0,
                    .above_least = true,
                    .absent = "none"},
          self.seconds);
    ProtectOptions::fields(self.options, [&](const FieldInfo& info, auto& field) {
      if (info.name != "method")
        visit(info, field);
    });
    load::Assessment::fields(self.asked, visit);
    load::TableChoices::fields(self.inputs.choices, visit);
    visit(kNear, self.near);
    visit(kJsonFlag, self.json);
    visit(FieldInfo{.name = "markdown", .help = "print a Markdown table", .in_jobs = false},
          self.markdown);
    visit(FieldInfo{.name = "plot",
                    .help = "draw the loss of each method against its risk, as .svg or .html",
                    .shown_as = "OUT",
                    .in_jobs = false},
          self.plot);
  }
};
Result<JobOutput> run_job(const CompareJob& job, const RunContext& run);

struct GenerateJob {
  generation::GenerateOptions options;
  std::string output;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kProblemFile, self.output);
    generation::GenerateOptions::fields(self.options, visit);
  }
};
Result<JobOutput> run_job(const GenerateJob& job, const RunContext& run);

}  // namespace lacuna::job
