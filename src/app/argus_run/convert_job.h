// SPDX-License-Identifier: Apache-2.0
// One file format into another, a job of tau-ARGUS into one of ours, and back; a certificate into
// lines for the proven checker.
#pragma once

#include <string>

#include "app/job/jobs.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::argus_run {

struct ConvertJob {
  std::string input;
  std::string output;   // the ending tells the format
  std::string table;    // of a certificate: what was protected
  std::string pattern;  // of a certificate: if given, it must be for exactly this release
  load::Assessment asked;
  load::Inputs inputs;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(job::kTableArgument, self.input);
    visit(FieldInfo{.name = "output",
                    .help = "the output file: .jj, .json (also .gz) or .toml with its .csv; of a "
                            "certificate .txt, the lines of docs/proof.md",
                    .shown_as = "OUT",
                    .letter = 'o',
                    .place = FieldPlace::kNamedArgument,
                    .in_jobs = false},
          self.output);
    visit(FieldInfo{.name = "table",
                    .help = "the table of a certificate: IN is then a certificate, and OUT its "
                            "lines for the proven checker (docs/proof.md)",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.table);
    visit(FieldInfo{.name = "pattern",
                    .help = "the release to which the certificate must belong; of a job, the "
                            "release whose derived columns are written with its table",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.pattern);
    load::Assessment::fields(self.asked, visit);
    visit(load::kPolicyField, self.inputs.choices.policy);
  }
};
Result<job::JobOutput> run_job(const ConvertJob& job, const RunContext& run);

}  // namespace lacuna::argus_run
