// SPDX-License-Identifier: Apache-2.0
// Tables of the same data that readers have beside the ones at hand, in sentences and questions.
#pragma once

#include <string>
#include <vector>

#include "app/argus_run/argus_session.h"

namespace lacuna::argus_run {

std::string names_of(const std::vector<ArgusRelatedTable>& others);  // "table 1, table 2"
// It was not protected by withholding cells: its shared cells tell of those that are withheld here,
// and exact ones here tell of what was altered there.
bool shows_numbers(const ArgusRelatedTable& other);
bool hides_anything(const std::vector<ArgusRelatedTable>& others);
// Of a table protected by `method`: the two cannot be audited together.
bool conflicts(const ArgusRelatedTable& other, const std::string& method);
std::string conflict_text(const std::string& name,
                          const std::string& method,
                          const ArgusRelatedTable& other);

}  // namespace lacuna::argus_run
