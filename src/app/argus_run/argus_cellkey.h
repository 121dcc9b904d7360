// SPDX-License-Identifier: Apache-2.0
// <SUPPRESS> CKM of a tau-ARGUS job: the cell key method with the record keys, perturbation tables
// and scaling that its metadata name (<RECORDKEY>, <PFILE...>, <CKM>, <SCALING>); the command may
// name other tables, and mu. docs/cellkey.md has the formulas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/argus/batch.h"
#include "data/argus/found_file.h"
#include "data/argus/metadata.h"
#include "data/argus/table.h"
#include "lacuna/cellkey.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"

namespace lacuna::argus_run {

struct ArgusCellKeys {
  std::shared_ptr<const Ptable> table, small_table;
  std::optional<FlexFunction> flex;  // of magnitudes
  std::vector<double> top{1};
  NoiseBase base = NoiseBase::kLargest;
  bool parity = false;
  double mu = 0;
  std::vector<std::string> notes;  // which files, how many digits
};

struct ArgusCellKeySource {
  const argus::Suppress& command;
  const std::string& batch;  // name of the job, for messages
  const argus::Metadata& metadata;
  const argus::Table& table;
};

// Errors: a table without record keys or with holdings, a response that is not for cell keys, files
// that are not there or no perturbation tables.
Result<ArgusCellKeys> cell_keys_of(const ArgusCellKeySource& source, argus::FileFinder& finder);

void set_cell_key_options(const ArgusCellKeys& keys, ProtectOptions& options);

// The table with as many decimals as the numbers that are published or that the noise is measured
// by need. Errors: numbers that do not fit.
Result<argus::Table> fine_table(const argus::Table& table);

// The problem with the keys of its cells; `cells`: by table and cell, its cell or -1. Counts are
// judged by whole-number questions instead of levels: nobody may know an unsafe count, nor that it
// is below the minimum of FREQ.
Result<Problem> with_cell_keys(Problem problem,
                               const std::vector<const argus::Table*>& tables,
                               const std::vector<std::vector<std::int32_t>>& cells);

}  // namespace lacuna::argus_run
