// SPDX-License-Identifier: Apache-2.0
// What the page tells of one cell: what it is, what asks for its protection, what every attacker
// can infer, which equations give it away, and which sensitive cells need it hidden.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "apps/serve/json.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::serve {

// `held`: the document as it was read, for counts and shares of contributors.
Json cell_json(const Problem& problem,
               std::span<const std::string> reasons,
               const session::SessionProblem& held,
               CellId cell);

// What a release and its audit say of the cell, beside that.
Json release_json(const Problem& problem,
                  const Draft& draft,
                  const AuditReport& report,
                  CellId cell);

// The cells that are not protected, those that are given away first.
Json exposed_json(const Problem& problem, const Draft& draft, const AuditReport& report);

// How readers get at a cell: the equations that a proof adds up, and what comes out for the cell,
// "South = Total - North - East = 120 - 50 - 40 = 30". The combination sum g_e (M y)_e = sum g_e
// b_e is solved for the cell; what remains of other cells is told with what bounds it.
std::vector<std::string> steps_of(const Problem& problem,
                                  const Draft& draft,
                                  const Multipliers& proof,
                                  CellId cell);

std::string state_word(StatementKind state);

}  // namespace lacuna::serve
