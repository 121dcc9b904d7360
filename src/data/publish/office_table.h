// SPDX-License-Identifier: Apache-2.0
// The released tables for the office: of every cell its true value, what is published of it, a flag
// that tells sensitive cells from secondary ones, and the rule that made it sensitive. Not for
// publication.
#pragma once

#include <string>

#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

// abdv: A too few contributors or set by hand, B another rule, D withheld without being sensitive,
// V published. conf-status: A too few, O and T one or two that dominate, M another rule, C set by
// hand, D, F free.
std::string office_flag(const OfficeRelease& release, CellId cell, files::FlagChoice flags);

Result<std::string> office_csv(const OfficeRelease& release);
Result<std::string> office_xlsx(const OfficeRelease& release);
Result<std::string> office_json(const OfficeRelease& release);  // the result file

}  // namespace lacuna::publish
