// SPDX-License-Identifier: Apache-2.0
// JSON-stat 2.0 (json-stat.org/full), class dataset: `id`, `size`, `dimension` with codes and, as
// `child`, the sums that readers know; `value` as a list, or as an object where the table does not
// have every combination. A withheld cell has no value and the status c (or what --flags says),
// which `extension.status.label` explains as Eurostat's files do. Title and notes are `label` and
// `note`.
#pragma once

#include <string>

#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

Result<std::string> public_json_stat(const PublicRelease& release);

}  // namespace lacuna::publish
