// SPDX-License-Identifier: Apache-2.0
// Perturbation tables in the YAML files of cellKey (ck_params_cnts, ck_params_nums with a path):
//
//   params:
//     ptable:        (ptab for magnitudes)
//       i:
//       - 0.0
//       - 1.0
//       j: [0, 1]
//       ...
//
// Of YAML only what such files have is read: block mappings, lists of scalars (one per line or in
// brackets), quotes, comments. Everything outside the table is passed over.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/ptable.h"
#include "lacuna/result.h"

namespace lacuna::ptable_files {

bool looks_like_yaml_ptable(std::string_view text, std::string_view filename);
Result<Ptable> read_yaml_ptable(std::string_view text, const std::string& filename);

}  // namespace lacuna::ptable_files
