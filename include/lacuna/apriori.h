// SPDX-License-Identifier: Apache-2.0
// What is said by hand of single cells before any rule looks at them: status, cost, protection
// levels, bounds. The readers are in data/problems/apriori.h; sensitivity/ applies the entries in
// their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

enum class AprioriStatus : std::uint8_t {
  kSafe,         // S: whatever the rules say
  kUnsafe,       // U: sensitive
  kMustPublish,  // P: must be published
  kSecondary,    // M: withheld already
};

struct AprioriEntry {
  std::vector<std::int32_t> codes;  // one per dimension
  std::optional<AprioriStatus> status{};
  std::optional<double> cost{};                       // finite, > 0
  std::optional<Units> lower{}, upper{}, sliding{};   // protection levels, >= 0
  std::optional<Units> lower_bound{}, upper_bound{};  // known to everyone
  bool if_present = false;                            // no error if the table has no such cell
  std::string where{};                                // "manual.csv:3:1", for messages

  bool has_levels() const { return lower || upper || sliding; }
  bool has_bounds() const { return lower_bound || upper_bound; }
  bool operator==(const AprioriEntry&) const = default;
};

}  // namespace lacuna
