// SPDX-License-Identifier: Apache-2.0
// JSON-stat 2.0 (json-stat.org/full): a dataset with `id`, `size`, `role`, `dimension`, `value`
// (list or object) and `status` (list, object or one text); a collection with datasets in its
// `link.item` as well. The grid has a row per cell, "<dimension> label" where labels differ from
// codes, `value`, and `status` where the file has any. `category.child` is a tree of the grid;
// the dimension of the role metric is a measure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

bool is_json_stat(std::string_view bytes);

// A grid per dataset.
Result<std::vector<Grid>> read_json_stat(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
