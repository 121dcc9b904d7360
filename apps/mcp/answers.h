// SPDX-License-Identifier: Apache-2.0
// What several tools do: reading a table, running something on it, naming cells.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/load/verdict_basis.h"
#include "app/session/session.h"
#include "apps/mcp/tools.h"
#include "lacuna/audit.h"
#include "lacuna/table.h"

namespace lacuna::mcp {

inline constexpr std::size_t kMostListed = 1000;  // cells in one answer

// Whether the file is a table as it is. What its columns are is then a guess, and where that is not
// certain, names of columns and codes may be anything that stands in the file.
bool is_plain_table(const std::string& path);
// What is said in the place of an error that was met in guessing, which shows what stands there.
Error without_guesses(const Error& error, const std::string& path);

// The table of a file, with what its own job asks. `choices`: how it is read.
Result<session::SessionProblem> table_of(const Call& call,
                                         const std::string& path,
                                         std::vector<std::string>& notes,
                                         const session::GivenOptions& choices = {});

// A run that can be cancelled; what it logs goes to `notes`.
RunContext context_of(const Call& call,
                      const job::RunOptions& run,
                      std::vector<std::string>& notes);

// "cells": some of them by their codes, and "more" how many are left out.
void list_cells(Json& answer,
                const char* name,
                const Table& table,
                const std::vector<CellId>& cells);

// Numbers of requirements and questions by their verdict, and what was not asked.
void add_verdict(Json& answer,
                 const AuditReport& report,
                 const load::VerdictBasis& basis,
                 const Problem& problem);

void add_notes(Json& answer, const std::vector<std::string>& notes);

}  // namespace lacuna::mcp
