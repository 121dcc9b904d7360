// SPDX-License-Identifier: Apache-2.0
// `lacuna infer PUBLIC...`: what a reader can infer from published tables alone (docs/infer.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/inference/inference.h"
#include "app/job/jobs.h"
#include "app/load/inputs.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::inference {

struct InferJob {
  std::vector<std::string> files;
  load::Inputs inputs;
  InferenceOptions options;
  std::string certificate;  // where to write it; empty: nowhere
  std::string report;       // a page
  bool verifier = false;    // that page carries the proofs and a program that checks them
  std::int64_t most = 40;   // cells that are listed
  bool proofs = false;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "files",
                    .help = "published tables, in any format that is read, or .toml jobs that say "
                            "how they are read; several are one system",
                    .shown_as = "PUBLIC",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.files);
    visit(FieldInfo{.name = "sensitive",
                    .help = "which blanks count for the exit code: those with this sign, or "
                            "DIMENSION=CODE; may be given several times",
                    .absent = "all of them",
                    .shown_as = "BLANKS",
                    .in_jobs = false},
          self.options.sensitive);
    visit(FieldInfo{.name = "protection",
                    .help = "what is too narrow: 10% if a reader knows the number to within 10 "
                            "percent of it, 50 if to within 50",
                    .absent = "only what is known exactly",
                    .shown_as = "WIDTH",
                    .in_jobs = false},
          self.options.protection);
    KnowledgeOptions::fields(self.options.knowledge, visit);
    visit(FieldInfo{.name = "all",
                    .help = "compute also what the sums tell of rounded numbers",
                    .in_jobs = false},
          self.options.all);
    visit(FieldInfo{.name = "certificate",
                    .help = "write the proofs to this file; scripts/verify_certificate.py --public "
                            "checks them against the published files",
                    .shown_as = "OUT",
                    .in_jobs = false},
          self.certificate);
    visit(FieldInfo{.name = "report",
                    .help = "write a page about it, .html",
                    .shown_as = "OUT",
                    .in_jobs = false},
          self.report);
    visit(FieldInfo{.name = "verifier",
                    .help = "the page carries the proofs and a program with which any reader's "
                            "browser checks them",
                    .in_jobs = false},
          self.verifier);
    visit(FieldInfo{.name = "proofs",
                    .help = "print behind each interval the sums that show its ends",
                    .in_jobs = false},
          self.proofs);
    visit(FieldInfo{.name = "most",
                    .help = "number of cells to list, the narrowest first",
                    .least = 0,
                    .in_jobs = false},
          self.most);
    load::TableChoices::fields(self.inputs.choices, visit);
    visit(job::kEngine, self.options.engine);
    visit(job::kJsonFlag, self.json);
  }
};
Result<job::JobOutput> run_job(const InferJob& job, const RunContext& run);

// What the job prints and writes, for callers in other languages.
Result<Inference> run_infer(const InferJob& job, const RunContext& run);

}  // namespace lacuna::inference
