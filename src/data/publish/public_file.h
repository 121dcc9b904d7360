// SPDX-License-Identifier: Apache-2.0
// The release as it may leave the house: of every cell its codes, what is published of it, and how
// it is published; nothing else. No sum over hidden cells, no cost (which is one), no path, no
// option, no seed (which could undo what was drawn). It is made from what the draft says alone:
// of a cell that is not published as it is, the true value is never looked at. The office's own
// file, with the run, is release_file.h.
//
//   CSV   the columns of the codes (or `cell`), value, state, and where some cell has them lower,
//         upper, base, steps;
//   JSON  {"format":"lacuna-public-1","decimals":1,"dimensions":[...],
//          "cells":[{"codes":[...],"state":"published","value":12.5}, ...]}
//         and "meaning", what the states say to readers (meaning.h), where it is asked for
//
// The states are published, withheld, interval, rounded, altered, and adjusted, which then all
// cells are: a reader is not told which numbers of an adjusted table are the true ones.
#pragma once

#include <string>
#include <string_view>

#include "data/publish/pattern.h"
#include "data/publish/release_formats.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::publish {

std::string public_csv(const AuditedRelease& release, char separator = ';');
std::string public_json(const AuditedRelease& release);
// The tables of the release as one: where a file holds several, it has all cells once.
files::TableView one_view(const PublicRelease& release);
Result<std::string> public_sheets_csv(const PublicRelease& release);
Result<std::string> public_tables_json(const PublicRelease& release);
Status write_public(const AuditedRelease& release, const std::string& path);  // release_formats.h

// Public JSON of an earlier table: what is not published as it is.
Result<EarlierRelease> read_earlier_json(std::string_view text,
                                         const std::string& filename,
                                         const Table& table);

// Either of them, for an audit of what a reader sees. Every cell of the table must be there; a
// number that is said to be published as it is must be the true one.
bool is_public_json(std::string_view text);
bool is_public_csv(const std::string& text, const Table& table);  // some state is one of ours
Result<int> public_csv_decimals(std::string text,
                                const std::string& filename,
                                const Table& table);  // of its values
Result<Draft> read_public_csv(
    std::string text,
    const std::string& filename,
    const Table& table,
    const files::TableView* view = nullptr);  // a file of one table of several
Result<Draft> read_public_json(std::string_view text,
                               const std::string& filename,
                               const Table& table,
                               const files::TableView* view = nullptr);

}  // namespace lacuna::publish
