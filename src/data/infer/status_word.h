// SPDX-License-Identifier: Apache-2.0
// The words for the status of a cell that offices use: those of tau-ARGUS (S U P M E), of
// Eurostat's business statistics (A B D V), TRUE and FALSE of R, 1 and 0, and plain words.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/table.h"

namespace lacuna::infer {

// Words of a job's own, in small letters.
using StatusWords = std::map<std::string, CellStatus, std::less<>>;

// In capital or small letters; no text is free. Nothing if the word is not known.
std::optional<CellStatus> status_of_word(std::string_view text, const StatusWords& own = {});

std::string unknown_status(std::string_view text);  // the message, with the words there are
char status_letter(CellStatus status);              // as written: s, u, m, z, k

// In small letters, without what stands between words: "N_OBS" is "nobs".
std::string bare_name(std::string_view name);

// What the words of a column of this name mean where they mean something else than above: those of
// CONF_STATUS, the code list of SDMX, in which S is withheld and every code but F, D, S is unsafe.
StatusWords status_words_of(std::string_view column);

// What a column of statuses was read as: "status from column 'flag': u = unsafe (27), empty = free
// (18)".
using WordCounts = std::map<std::string, std::size_t>;  // as written, without blanks around
std::string status_reading(std::string_view column,
                           const WordCounts& words,
                           const StatusWords& own);
std::string counted_words(const WordCounts& words);  // 'b' (27), empty (18)

}  // namespace lacuna::infer
