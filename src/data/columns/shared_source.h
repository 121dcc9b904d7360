// SPDX-License-Identifier: Apache-2.0
// Columns that are read several times, one run after the other: each begins with select().
#pragma once

#include <memory>

#include "data/columns/column_source.h"

namespace lacuna::columns {

std::unique_ptr<ColumnSource> shared_source(std::shared_ptr<ColumnSource> columns);

}  // namespace lacuna::columns
