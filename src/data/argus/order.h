// SPDX-License-Identifier: Apache-2.0
// The order of commands, checked before anything is read: 0 start, 1 data named, 2 metadata named,
// 3 table specified, 4 rule set. A job that breaks it is wrong as a whole, and nothing of it is
// run.
#pragma once

#include "data/argus/batch.h"
#include "lacuna/result.h"

namespace lacuna::argus {

Status check_order(const Batch& batch);

}  // namespace lacuna::argus
