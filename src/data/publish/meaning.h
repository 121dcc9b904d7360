// SPDX-License-Identifier: Apache-2.0
// What a release tells its readers of the numbers that it does not publish as they are: sentences,
// and words for programs. Each public format has them where it has a place for such things; a .csv
// has none, and gets a file beside it, as "CSV on the Web" has it (W3C, Metadata Vocabulary for
// Tabular Data, 2015): NAME.csv-metadata.json.
#pragma once

#include <string>
#include <vector>

#include "core/base/json_writer.h"
#include "core/draft/meaning.h"
#include "data/publish/release_formats.h"

namespace lacuna::publish {

// Of all cells of the file. None if all are published as they are, or if nothing is to be said.
std::vector<draft::Meaning> meanings_of(const PublicRelease& release);

// The notes of the run, and behind them the sentences: what each kind means, then what was asked.
std::vector<std::string> notes_with_meaning(const PublicRelease& release);

// {"states":[{"state":"withheld","reason":"confidentiality","text":"..."}],"asked":"..."}
void write_meaning(base::JsonWriter& json, const PublicRelease& release);
// The same as a text; empty if there is nothing to say.
std::string meaning_json(const PublicRelease& release);

// What is said about a .csv in the file beside it. `own_columns`: the table has the columns that we
// give it, and not those of the input.
std::string csv_metadata(const PublicRelease& release, const std::string& path, bool own_columns);
inline constexpr std::string_view kMetadataEnding = "-metadata.json";

}  // namespace lacuna::publish
