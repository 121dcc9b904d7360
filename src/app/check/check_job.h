// SPDX-License-Identifier: Apache-2.0
// `lacuna check FOLDER`: an output checker's desk (docs/check.md). What a folder of tables and all
// that the project has released before tell together, and what was decided about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/check/amounts.h"
#include "app/check/judge.h"
#include "app/check/store.h"
#include "app/job/jobs.h"
#include "app/load/inputs.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::checking {

struct CheckJob {
  std::string folder;
  load::Inputs inputs;
  std::string policy;
  std::int64_t threshold = 0;  // 0: that of the policy, of the notes, else 10
  bool sensitive_zeros = false;
  std::string records;
  std::string store;
  std::string output;  // a page
  std::vector<std::string> accept, refuse;
  std::string by, why;
  bool log = false;
  std::int64_t most = 40;
  std::string engine;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "folder",
                    .help = "folder with the outputs of a project, in any format that is read, and "
                            "lacuna-check.toml, which says what they do not",
                    .shown_as = "FOLDER",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.folder);
    visit(load::kPolicyField, self.policy);
    visit(FieldInfo{.name = "threshold",
                    .help = "counts below this are small",
                    .least = 0,
                    .most = 2147483647,
                    .absent = "that of the policy or of lacuna-check.toml, else 10",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.threshold);
    visit(FieldInfo{.name = "sensitive-zeros",
                    .help = "empty cells may not be shown either",
                    .in_jobs = false},
          self.sensitive_zeros);
    visit(FieldInfo{.name = "records",
                    .help = "microdata of the project (CSV, Parquet or Arrow): the same tables are "
                            "made of them, compared, and their contributors judged",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.records);
    visit(FieldInfo{.name = "store",
                    .help = "what the project has released before, and the log of decisions",
                    .absent = "FOLDER.released.log beside the folder",
                    .shown_as = "STORE",
                    .in_jobs = false},
          self.store);
    visit(FieldInfo{.name = "output",
                    .help = "write a page for checker and researcher, .html",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .in_jobs = false},
          self.output);
    decision_fields(self, visit);
    visit(FieldInfo{.name = "log",
                    .help = "print the decisions so far, and check nothing",
                    .in_jobs = false},
          self.log);
    visit(FieldInfo{.name = "most",
                    .help = "number of findings to list, those that fail first",
                    .least = 0,
                    .in_jobs = false},
          self.most);
    visit(job::kEngine, self.engine);
    visit(job::kJsonFlag, self.json);
  }

 private:
  template <class Self, class Visit>
  static void decision_fields(Self& self, Visit&& visit) {
    visit(
        FieldInfo{.name = "accept",
                  .help = "release this output (a name or pattern of the folder; passed: all that "
                          "pass) and keep it in the store; may be given several times",
                  .shown_as = "NAME",
                  .in_jobs = false},
        self.accept);
    visit(FieldInfo{.name = "refuse",
                    .help = "write down that this output is refused; may be given several times",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.refuse);
    visit(FieldInfo{.name = "by",
                    .help = "who decides; needed with --accept and --refuse",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.by);
    visit(FieldInfo{.name = "why",
                    .help = "reason of the decision; needed if an output is refused, or accepted "
                            "although it does not pass",
                    .shown_as = "TEXT",
                    .in_jobs = false},
          self.why);
  }
};

struct OutputVerdict {
  Weight weight = Weight::kPass;
  std::vector<std::size_t> findings;
};

struct Check {
  std::string folder;
  Outputs outputs;
  CheckSystem system;
  Notes notes;
  std::int64_t threshold = 10;
  std::string threshold_from;  // "the policy uk-llc"
  bool zeros_are_sensitive = false;
  AmountRules rules;
  std::string policy;
  std::vector<CheckFinding> findings;   // those that fail first
  std::vector<OutputVerdict> verdicts;  // by output
  // The fewest outputs that were found without which the rest was checked and does not fail.
  std::vector<std::size_t> hold_back;
  std::vector<std::string> records_said;
  std::string store_path;
  std::size_t released_before = 0;
  std::string decided;  // what was written to the store
  double seconds = 0;

  bool passes() const;
  std::size_t count(Weight weight) const;  // of outputs that are not released yet
};

Result<Check> run_check(const CheckJob& job, const RunContext& run);
Result<job::JobOutput> run_job(const CheckJob& job, const RunContext& run);

std::string check_text(const Check& check, std::size_t most);
std::string check_json(const Check& check);
std::string check_page(const Check& check);
// "a.csv:3:7 region=North 120 - b.csv:3:2 region=North, age>=18 117 = 3"
std::string sum_text(const EvidenceSum& sum);

}  // namespace lacuna::checking
