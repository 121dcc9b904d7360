// SPDX-License-Identifier: Apache-2.0
// Style and script of the report page: constants without a number of any table, made of the files
// in src/app/report/web and web/shared by cmake/LacunaPageAssets.cmake.
#pragma once

namespace lacuna::report {

extern const char kPageStyle[];
extern const char kPageScript[];

}  // namespace lacuna::report
