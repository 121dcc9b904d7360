// SPDX-License-Identifier: Apache-2.0
// What [input] of a job over records says of where they are: files, globs, a table or a query, the
// engine that adds them up, and the folder of sums that an engine has made.
#pragma once

#include <string>
#include <vector>

#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

using Engine = SpecEngine;

struct EngineSection {
  Engine engine = Engine::kLacuna;
  std::vector<std::string> files;  // names or globs, from the job's folder
  std::string table;
  std::string query;
  std::string aggregates;  // folder of sums; empty: none yet
  std::string salt;        // identities leave the engine as hashes; empty: as they are
  std::string memory;      // that DuckDB may use, such as "6GB"; empty: as it likes
  std::string temporary;   // folder for what does not fit; empty: none
  bool plan_b = false;
  std::string where;  // place in the job
};

// The names of engines as jobs and commands write them; the first is the program itself.
const std::vector<std::string>& engine_names();

// `folder` is put before names; `load` reads the salt.
Result<EngineSection> read_engine(const spec::ReadSpec& spec,
                                  const std::string& folder,
                                  const FileLoader& load);

}  // namespace lacuna::jobfile
