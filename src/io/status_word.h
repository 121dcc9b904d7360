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

namespace lacuna::inline io {

// Words of a job's own, in small letters.
using StatusWords = std::map<std::string, CellStatus, std::less<>>;

// In capital or small letters; no text is free. Nothing if the word is not known.
std::optional<CellStatus> status_of_word(std::string_view text, const StatusWords& own = {});

std::string unknown_status(std::string_view text);  // the message, with the words there are
char status_letter(CellStatus status);              // as written: s, u, m, z, k

}  // namespace lacuna::inline io
