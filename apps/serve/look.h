// SPDX-License-Identifier: Apache-2.0
// A file before it is a table: its rows as they stand, what each row and column is taken for, and
// the job that reads it, guessed around what the user has said of it (data/infer/table_guess.h).
// Nothing is opened and nothing is kept.
#pragma once

#include "apps/serve/files.h"
#include "apps/serve/json.h"

namespace lacuna::serve {

// `asked` has "file"; "said", a part of a job: [input], [columns] and dimensions with their totals;
// and which rows to show, "first" and "rows". What is not certain is in "open". Errors: a file that
// may not be read, one that holds nothing, something said that no job has.
Result<Json> look_at(const Files& files, const Json& asked);

}  // namespace lacuna::serve
