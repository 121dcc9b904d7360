// SPDX-License-Identifier: Apache-2.0
// Style and script of the report page: constants without a number of any table. The script draws
// only the rows and columns that are in view, so the size of a table does not matter.
#pragma once

namespace lacuna::inline report {

extern const char kPageStyle[];
extern const char kPageScript[];

}  // namespace lacuna::inline report
