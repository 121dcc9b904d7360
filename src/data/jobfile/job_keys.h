// SPDX-License-Identifier: Apache-2.0
// What a job says of keys (docs/cellkey.md):
//   [columns] key = "<column>"
//   [keys] digits = 8, or modulus = 4096; from = "<column>", secret = "<file>"
#pragma once

#include <string>

#include "data/jobfile/job_file.h"
#include "data/spec/job_spec.h"
#include "lacuna/keys.h"
#include "lacuna/result.h"

namespace lacuna::jobfile {

// `column` is what [columns] says; `load` reads the file with the secret.
Result<KeyOptions> read_key_options(const spec::ReadSpec& spec,
                                    const std::string& column,
                                    const FileLoader& load);

}  // namespace lacuna::jobfile
