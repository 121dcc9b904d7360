// SPDX-License-Identifier: Apache-2.0
// Records in memory, a column per variable that some table of the job needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/argus/table.h"
#include "lacuna/units.h"

namespace lacuna::argus {

struct CodeColumn {
  CodeList list;                     // without a recode
  std::vector<std::int32_t> values;  // by record: a leaf of the list
};

struct NumberColumn {
  std::string variable;
  int decimals = 0;
  std::vector<Units> values;
};

struct Records {
  std::size_t count = 0;
  std::vector<CodeColumn> codes;
  std::vector<NumberColumn> numbers;
  std::optional<NumberColumn> weights;
  std::optional<NumberColumn> keys;    // below 1: multiples of 10^-decimals
  std::vector<std::int32_t> holdings;  // by record, numbered from 0; empty: no such variable
  std::int32_t num_holdings = 0;
  std::vector<std::int8_t> requests;  // by record: 0, 1 or 2; empty: no such variable

  const CodeColumn* find_codes(std::string_view variable) const;      // ignoring case
  const NumberColumn* find_numbers(std::string_view variable) const;  // likewise
};

}  // namespace lacuna::argus
