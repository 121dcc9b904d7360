// SPDX-License-Identifier: Apache-2.0
// What is certain and what is likely of a cell-key release (docs/cellkey.md), as JSON and in words:
//   "by":"cellkey","left_variance":{"mean":.53,"min":.3,"quantiles":[...]},
//   "certain":{"cells":9,"small":6,"narrowed":40},
//   "posterior":{"prior":"every count equally likely","table":[{"published":3,"counts":[1,2],
//   "shares":[.4,.6]}]}
// Quantiles are those of P_cc: least, quartiles and most; "right" has the chance that rounding
// finds a count, before averaging, afterwards and at the quantiles, where the variance is known.
#pragma once

#include <string>

#include "core/base/json_writer.h"
#include "lacuna/cellkey.h"

namespace lacuna::job {

// Members of an object; nothing of a release that is none by keys.
void write_cell_keys(base::JsonWriter& json, const Problem& problem, const Draft& draft);
std::string cell_key_text(const Problem& problem, const Draft& draft);

// The same of a run, which knows the table of perturbations: an object, or an empty text.
std::string cell_key_json(const CellKeyResult& found);
std::string cell_key_text(const CellKeyResult& found);

}  // namespace lacuna::job
