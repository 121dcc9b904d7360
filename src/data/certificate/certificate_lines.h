// SPDX-License-Identifier: Apache-2.0
// A certificate as lines for the proven checker (docs/proof.md): problem, release, evidence and
// findings in words and whole numbers between blanks, so that its reader can be small.
#pragma once

#include <string>

#include "data/certificate/certificate.h"
#include "lacuna/problem.h"

namespace lacuna::certificate {

// `problem` as load_certificate() leaves it: in the units of the certificate, with what is asked.
std::string certificate_lines(const Problem& problem, const Certificate& certificate);

}  // namespace lacuna::certificate
