// SPDX-License-Identifier: Apache-2.0
// What is said by hand of a table after it was read, whatever it was read from: status, cost,
// levels and bounds of single cells (a-priori files, data/problems/apriori.h), and codes below
// which nothing is published. `protect --apriori FILE --collapse region=North` repeats what was
// done on the page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/load/assessment.h"
#include "app/load/inputs.h"
#include "app/load/load.h"
#include "data/problems/apriori.h"
#include "lacuna/apriori.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

// The dimensions by which a-priori files name cells: those of the table; of a table without codes
// one, "cell", whose codes are the indices.
Result<std::vector<Dimension>> apriori_dimensions(const Table& table);

// The entries in their order, later ones over earlier ones; reasons say so. A cell that becomes
// sensitive gets levels (manual_levels.h), those of the entry before all. Errors: no such cell,
// levels for a cell that is not sensitive, a sensitive cell that is to be published, what
// make_problem() refuses.
Result<LoadedProblem> with_overrides(LoadedProblem loaded, std::span<const AprioriEntry> entries);

// The table in which the codes below "dimension=code" are not published any more: their cells are
// gone, and with them every sum that has one. Errors: no such dimension or code, a code without
// parts.
Result<LoadedProblem> with_collapsed(LoadedProblem loaded, const std::vector<std::string>& codes);

// An a-priori file as it stands, .csv or .hst.
Result<problems::AprioriFile> read_overrides(const std::string& path,
                                             const Table& table,
                                             const Inputs& inputs);

// All that is asked by hand: first the codes of --collapse and of the files are collapsed, then the
// entries of the files hold for what is left.
Result<LoadedProblem> with_changes(LoadedProblem loaded,
                                   const Assessment& asked,
                                   const Inputs& inputs);

}  // namespace lacuna::load
