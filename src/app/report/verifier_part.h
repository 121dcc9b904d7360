// SPDX-License-Identifier: Apache-2.0
// The part of a page with which a reader's browser checks the certificate: the certificate itself,
// and the modules of packaging/npm/lib, which share no line with the library and need no network.
// They work out every verdict anew and compare the numbers that the page shows.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::report {

struct OfficeProof {  // confidential: both have the true table
  std::string problem, certificate;
  bool zero_levels_stated = false;
};

// The page with that part at its end. For the office.
std::string with_verifier(std::string page, const OfficeProof& proof);

// Of a certificate of `lacuna infer`, which is made of published files alone. For everybody.
std::string with_verifier(std::string page, std::string_view inference);

}  // namespace lacuna::report
