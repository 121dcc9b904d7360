// SPDX-License-Identifier: Apache-2.0
// A published table in any format and shape, as separated text with one row per cell, for readers
// of releases: a blank stands for what is withheld.
#pragma once

#include <string>
#include <vector>

#include "data/infer/shape_choice.h"
#include "lacuna/result.h"

namespace lacuna::infer {

// `dimensions` are those of the table that was released: those that are no column are looked for in
// the heading. Errors: as of open_tables().
Result<std::string> release_as_csv(std::string bytes,
                                   const std::string& filename,
                                   ShapeChoice choice,
                                   const std::vector<std::string>& dimensions);

}  // namespace lacuna::infer
