// SPDX-License-Identifier: Apache-2.0
// Programs that check a certificate, each for itself: what this one says of it, and whether the
// others say the same.
#pragma once

#include <string>

#include "app/load/load.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::job {

// The verdict and the counts of verdicts, in one line, which all of them print.
std::string tally_text(const AuditReport& report);
// What the log of the bound shows, of all safe releases of the kind and of this one.
std::string bound_text(const load::ConfirmedBound& bound);

// The proven checker has to say the same; `path` of the certificate, for messages.
Status ask_proven(const Problem& problem,
                  const certificate::Certificate& certificate,
                  const std::string& path,
                  const AuditReport& report);

// And the verifier in Python, of the bytes of the certificate and of the problem as it was given.
// It is the file that LACUNA_VERIFIER names, or verify_certificate.py beside the program or in the
// folder scripts next to that.
Status ask_verifier(const Problem& given,
                    const std::string& certificate,
                    bool zeros_are_stated,
                    const std::string& path,
                    const AuditReport& report);

}  // namespace lacuna::job
