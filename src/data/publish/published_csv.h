// SPDX-License-Identifier: Apache-2.0
// A protected table as anyone publishes it: one row per cell in any order, with a column per
// dimension, a column of values in which a blank, x, :, .., c, * or the like stands for what is
// withheld, or a column of flags beside it. Columns are told by their names, whatever the case, or
// by what they hold: the codes of a dimension, the numbers of the table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/files/sheet.h"
#include "data/infer/status_word.h"
#include "data/publish/pattern.h"
#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::publish {

// Whether the text is a table with columns, not a list of indices.
bool has_columns(std::string_view text);

// Every cell of the table must be there, and every number must be the table's own: a rounded or
// altered one cannot be judged without a word on how far it may be off. `notes`: what a reader of
// the verdict should know.
Result<Draft> read_published_csv(std::string text,
                                 const std::string& filename,
                                 const Table& table,
                                 std::vector<std::string>* notes = nullptr,
                                 const files::TableView* view = nullptr,  // a table of several
                                 const infer::StatusWords& words = {});   // of flags, by the user

// The same of an earlier table: other numbers, cells that are new or gone.
Result<EarlierRelease> read_earlier_csv(std::string text,
                                        const std::string& filename,
                                        const Table& table);

}  // namespace lacuna::publish
