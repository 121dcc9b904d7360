// SPDX-License-Identifier: Apache-2.0
// A certificate together with the table and the release that it is for: read for whoever checks it,
// turned into lines for the proven checker, and judged by that program (docs/proof.md).
#pragma once

#include <cstdint>
#include <string>

#include "app/load/assessment.h"
#include "app/load/inputs.h"
#include "app/load/prepare.h"
#include "data/certificate/certificate.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct Certified {
  load::PreparedProblem ready;  // with all that is asked, in the units of the certificate
  certificate::Certificate certificate;
  std::int64_t withheld = 0;  // cells that were asked about because the release withholds them
};

struct CertifiedFiles {
  std::string table, certificate;
  std::string pattern;  // the release for which it must be; empty: any
};

// Errors: those of the files; a certificate for another table or another release.
Result<Certified> load_certified(const CertifiedFiles& files,
                                 const load::Assessment& asked,
                                 const load::Inputs& inputs,
                                 const RunContext& run);

// The same as lines in a file.
Status write_certified_lines(const CertifiedFiles& files,
                             const load::Assessment& asked,
                             const load::Inputs& inputs,
                             const std::string& output,
                             const RunContext& run);

// What the program with the proven checker says of these lines: its lines, without the last break. It
// is the file that LACUNA_PROVEN names, or lacuna-proven beside the program that runs. Errors: it
// is not there; it refuses the evidence, in its own words.
Result<std::string> proven_answer(const std::string& lines, const std::string& certificate);

// What the verifier in Python says (checkers.h), likewise.
Result<std::string> verifier_answer(const std::string& problem_json,
                                    const std::string& certificate_json,
                                    bool zeros_are_stated,
                                    const std::string& certificate);

}  // namespace lacuna::job
