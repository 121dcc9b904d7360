// SPDX-License-Identifier: Apache-2.0
// One table or several that share variables, as one system of cells and equations: variables of the
// same name are one dimension, and cells of equal codes are one cell, with the highest levels that
// any table asks for. The program in use protects linked tables by turns; here they are one
// problem.
//
// Everyone knows of every cell what tau-ARGUS assumes: no less than min(0, 1.5 min) and no more
// than 1.5 max over the table; or, under GH with p percent, value -+ p percent. Levels that reach
// further widen what is known above, and are cut below.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/argus/table.h"
#include "data/jobfile/job_file.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct LinkOptions {
  std::optional<double> bound_percent;  // of GH; absent: 1.5 times the extremes
  bool contributors_attack = true;      // sole contributors know their cells
  bool open_bounds = false;             // nobody knows more than whether cells may be negative
};

struct LinkedTables {
  jobfile::Job job;                              // table, contributions, linked tables
  std::vector<std::vector<std::int32_t>> cells;  // by table and cell: index in the job's, -1: empty
};

// `names`: of the tables, for messages and reports. Errors: a variable with different trees, tables
// that disagree about a cell, a cell that one says is unsafe and another must publish, sums that do
// not hold.
Result<LinkedTables> link_tables(const std::vector<const Table*>& tables,
                                 const std::vector<std::string>& names,
                                 const LinkOptions& options);

// Whether the two differ in the value of a cell that both have (by the names of variables and
// codes, whatever their trees): then they are not tables of the same data.
bool contradict(const Table& one, const Table& other);

// What withholding the cell costs: cost^lambda, or log(cost + 1) for lambda 0.
double weight_of(const Table& table, const Cell& cell);

}  // namespace lacuna::argus
