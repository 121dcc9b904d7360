// SPDX-License-Identifier: Apache-2.0
// Sums of equations in whole numbers, from which every step of a log of the bound is computed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/exact.h"
#include "lacuna/bound_log.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::bound {

using Terms = std::vector<std::pair<std::int32_t, mpz_class>>;  // by cell, ascending, none zero

// What is wrong with a log, in one sentence.
Error refuse(std::string message);
Terms in_order(std::map<std::int32_t, mpz_class> sums);

// M'g, with the values of `sum` as g; its denominator plays no part.
Result<Terms> sum_of_equations(const Table& table, const Multipliers& sum);
// t = sign D e_p - M'g: every displacement z has sign D z_p = t'z.
Result<Terms> slopes(const Table& table, CellId p, int sign, const Multipliers& proof);

}  // namespace lacuna::bound
