// SPDX-License-Identifier: Apache-2.0
// What `lacuna bench` is asked for; the sets themselves are in sets.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

// Of the set `field` alone.
struct FieldSetOptions {
  std::vector<std::string> tools;  // only these; empty: all
  std::vector<std::string> add;    // files with rows of others
  std::string patterns;            // folder with patterns of others

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "tool",
                    .help = "field: only this tool, or lacuna; may stand several times",
                    .absent = "all",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.tools);
    visit(
        FieldInfo{
            .name = "add",
            .help =
                "field: a CSV file with rows that others have measured; may stand several times",
            .shown_as = "FILE",
            .in_jobs = false},
        self.add);
    visit(FieldInfo{.name = "patterns",
                    .help = "field: folder with patterns of others, TABLE/TOOL.txt",
                    .shown_as = "FOLDER",
                    .in_jobs = false},
          self.patterns);
  }
};

// Of the set `owner` alone.
struct OwnerSetOptions {
  std::vector<std::string> rows;  // only those whose names contain one of these; empty: all

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "rows",
                    .help = "owner: only rows whose names contain this, or tables of --instances "
                            "with this name; may stand several times",
                    .absent = "all",
                    .shown_as = "TEXT",
                    .in_jobs = false},
          self.rows);
  }
};

struct BenchJob : FieldSetOptions, OwnerSetOptions {
  std::string set;                   // quick, shared, thesis, ... (sets.cpp has the list)
  std::string output;                // folder for rows, summary and plots; empty: none
  std::string instances;             // folder of real instances; empty: none
  std::vector<std::int32_t> tables;  // of the paper behind the set; empty: all. safety, owner:
                                     // how many
  double seconds = 0;                // limit of each run; 0: the default of the set
  std::int32_t seeds = 1;            // generated tables per row
  bool formulations = false;         // cta: also the paper's formulations, with a MILP engine
  bool peers = false;                // also other programs, on the tables of method suppress
  std::string peer_runner;           // the script that runs them (docs/bench.md)
  std::string plan_runner;           // scale: the script that runs plans
  std::int64_t first = 0;            // safety, owner: number of the first table
  bool json = false;                 // safety, owner: print JSON
  std::string program;               // safety: the command line, for runs that are killed
  std::string verifier;              // safety: scripts/verify_certificate.py

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "set",
                    .help = "the set of runs",
                    .shown_as = "SET",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.set);
    visit(FieldInfo{.name = "output",
                    .help = "folder for rows.csv, summary.md and plots; made if needed",
                    .shown_as = "FOLDER",
                    .letter = 'o',
                    .in_jobs = false},
          self.output);
    visit(FieldInfo{.name = "instances",
                    .help = "folder with real instances",
                    .shown_as = "FOLDER",
                    .in_jobs = false},
          self.instances);
    visit(
        FieldInfo{
            .name = "tables",
            .help =
                "only these tables of the paper (scale: sizes, 1 to 5); safety and owner: number of "
                "tables",
            .absent = "all",
            .in_jobs = false},
        self.tables);
    visit(FieldInfo{.name = "first",
                    .help = "safety, owner: number of the first table",
                    .least = 0,
                    .in_jobs = false},
          self.first);
    visit(FieldInfo{.name = "json", .help = "safety, owner: print JSON", .in_jobs = false}, self.json);
    visit(FieldInfo{.name = "time-limit",
                    .help = "limit of each run; owner: of each row",
                    .unit = "seconds",
                    .least = 0,
                    .above_least = true,
                    .absent = "that of the set",
                    .alias = "seconds",
                    .in_jobs = false},
          self.seconds);
    visit(FieldInfo{.name = "seeds",
                    .help = "cta: generated tables per row",
                    .least = 1,
                    .most = 100,
                    .in_jobs = false},
          self.seeds);
    visit(FieldInfo{.name = "formulations",
                    .help = "cta: also MIQP+ and P/C with a MILP engine",
                    .in_jobs = false},
          self.formulations);
    visit(FieldInfo{.name = "peers",
                    .help = "also run gconfid and pytauargus, if they can be installed",
                    .in_jobs = false},
          self.peers);
    FieldSetOptions::fields(self, visit);
    OwnerSetOptions::fields(self, visit);
  }
};
Result<job::JobOutput> run_job(const BenchJob& job, const RunContext& run);

}  // namespace lacuna::bench
