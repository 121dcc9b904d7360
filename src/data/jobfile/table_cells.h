// SPDX-License-Identifier: Apache-2.0
// The cells of a table as they were read, with the place of each in its file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/files/csv.h"
#include "data/problems/table_csv.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

struct TableCells {
  std::vector<files::CsvFile> files;
  std::vector<Dimension> dimensions;
  problems::CsvCells read;
  std::string job;  // its file, the place of totals that were added

  std::string place_of(std::size_t cell) const;
  // An error that names a cell by its label, moved to the cell's place in its file.
  Error placed(Error error) const;
};

}  // namespace lacuna::jobfile
