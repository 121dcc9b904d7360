// SPDX-License-Identifier: Apache-2.0
// Perturbation tables of the cell key method: made, checked, written in another format.
#pragma once

#include <cstdint>
#include <string>

#include "app/job/jobs.h"
#include "data/ptable_files/ptable_file.h"
#include "lacuna/make_ptable.h"

namespace lacuna::job {

inline constexpr FieldInfo kPtableArgument{
    .name = "input",
    .help = "a perturbation table in the format of tau-ARGUS, SAS, cellKey (.yaml), ONS or ABS",
    .shown_as = "FILE",
    .place = FieldPlace::kArgument,
    .in_jobs = false};
inline constexpr FieldInfo kPtableOutput{.name = "output",
                                         .help = "write the table to this file",
                                         .shown_as = "OUT",
                                         .letter = 'o',
                                         .place = FieldPlace::kNeeded,
                                         .in_jobs = false};
inline constexpr FieldInfo kPtableFormat{
    .name = "format",
    .help =
        "format: argus (i;j;p;v;p_ub), sas (with p_lb), cellkey (YAML), ons (pcv,ckey,pvalue) or "
        "abs (256 lines by folded key)",
    .in_jobs = false};
inline constexpr FieldInfo kPtableCycle{.name = "cycle",
                                        .help =
                                            "abs only: number of last columns through which large "
                                            "counts cycle; the format does not say it",
                                        .least = 0,
                                        .most = 1'000'000,
                                        .absent = "large counts use the last column",
                                        .in_jobs = false};

struct PtableMakeJob {
  PtableOptions options;
  std::string output;
  ptable_files::PtableFormat format = ptable_files::PtableFormat::kArgus;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    PtableOptions::fields(self.options, visit);
    visit(kPtableOutput, self.output);
    visit(kPtableFormat, self.format);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const PtableMakeJob& job, const RunContext& run);

// Exit code 1 if the table has faults: sums other than 1, a mean other than 0, false statements.
struct PtableCheckJob {
  std::string input;
  std::int64_t cycle = 0;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kPtableArgument, self.input);
    visit(kPtableCycle, self.cycle);
    visit(kJsonFlag, self.json);
  }
};
Result<JobOutput> run_job(const PtableCheckJob& job, const RunContext& run);

struct PtableConvertJob {
  std::string input;
  std::string output;
  ptable_files::PtableFormat format = ptable_files::PtableFormat::kArgus;
  std::int64_t keys = 0;
  std::int64_t cycle = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kPtableArgument, self.input);
    visit(kPtableOutput, self.output);
    visit(kPtableFormat, self.format);
    visit(FieldInfo{.name = "keys",
                    .help = "ons only: number of whole keys",
                    .least = 0,
                    .most = 65'536,
                    .absent = "as many as the table has, or 256",
                    .in_jobs = false},
          self.keys);
    visit(kPtableCycle, self.cycle);
  }
};
Result<JobOutput> run_job(const PtableConvertJob& job, const RunContext& run);

}  // namespace lacuna::job
