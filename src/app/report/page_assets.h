// SPDX-License-Identifier: Apache-2.0
// Style and scripts of pages: constants without a number of any table, made of the files in
// src/app/report/web, web/shared and packaging/npm/lib by cmake/LacunaPageAssets.cmake.
#pragma once

namespace lacuna::report {

extern const char kPageStyle[];
extern const char kPageScript[];
extern const char kVerifierScript[];  // of with_verifier()

}  // namespace lacuna::report
