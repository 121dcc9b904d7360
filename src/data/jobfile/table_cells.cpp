// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/table_cells.h"

#include "core/base/moved_error.h"

namespace lacuna::jobfile {

std::string TableCells::place_of(std::size_t cell) const {
  const problems::CsvOrigin& origin = read.origins[cell];
  return origin.row == problems::CsvOrigin::kAdded
             ? job
             : files[origin.file].where(origin.row, origin.column);
}

Error TableCells::placed(Error error) const {
  for (std::size_t c = 0; c < read.cells.size(); ++c) {
    const auto codes = read.codes_of(c, dimensions.size());
    std::string label;
    for (std::size_t d = 0; d < codes.size(); ++d)
      label += (d > 0 ? "|" : "") + dimensions[d].name() + "=" + dimensions[d].code(codes[d]);
    if (label == error.where)
      return base::moved_to(std::move(error), place_of(c));
  }
  return base::moved_to(std::move(error), job);
}

}  // namespace lacuna::jobfile
