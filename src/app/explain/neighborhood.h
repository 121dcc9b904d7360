// SPDX-License-Identifier: Apache-2.0
// What a change of a few cells of a release can touch. Two cells that readers do not know for
// certain are neighbours if an equation has both; a requirement can only depend on the connected
// part of its cell. So whatever is published or withheld besides, all others stay as they were, and
// nobody has to look at them again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::explain {

// By cell: whether it is connected, through cells that the draft does not publish as they are, with
// one of these, or with a cell of one of their equations.
std::vector<bool> touched_by(const Table& table, const Draft& draft, std::span<const CellId> cells);

// The problem with those requirements and questions alone that are about cells of the set.
std::shared_ptr<const Problem> asked_of(const Problem& problem, const std::vector<bool>& cells);

}  // namespace lacuna::explain
