// SPDX-License-Identifier: Apache-2.0
// Explanations in words, and as JSON. Both hold confidential numbers: they are for the office.
#pragma once

#include <span>
#include <string>

#include "app/explain/cell_explanation.h"
#include "core/base/json_writer.h"

namespace lacuna::explain {

// "branch=Total - branch=B - branch=C": by the codes in which the cells differ from each other. Of
// more than four terms three are named and the others counted.
std::string sum_text(const Table& table, const Sum& sum);

// Some lines. `reasons`: by cell, why it is sensitive; may be empty.
std::string explanation_text(const Problem& problem,
                             const Draft& draft,
                             std::span<const std::string> reasons,
                             const CellExplanation& told);

// One object.
void write_explanation(base::JsonWriter& json,
                       const Problem& problem,
                       const Draft& draft,
                       std::span<const std::string> reasons,
                       const CellExplanation& told);

}  // namespace lacuna::explain
