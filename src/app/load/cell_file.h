// SPDX-License-Identifier: Apache-2.0
// What is said by hand of single cells about how they are published (docs/formats.md): a CSV file
// with one column per dimension (or the column `cell` with the index) and any of the columns
//   method  exact, withheld, interval, perturbed or rounded
//   base    of rounding
//   lower   the least number that may be published, upper the largest (perturbation)
//   value   the number that is published (perturbation)
// An empty field says nothing; a cell that is not listed is left to the options.
#pragma once

#include <string>
#include <vector>

#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::load {

// By cell of the table. Errors: what cannot be read, with its place; no such cell; a cell twice.
Result<std::vector<CellSettings>> read_cell_text(std::string text,
                                                 const std::string& path,
                                                 const Table& table);

}  // namespace lacuna::load
