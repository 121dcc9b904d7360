// SPDX-License-Identifier: Apache-2.0
// Numbers for people: thousands in groups, no exponents, no more digits than anyone reads. Never
// for files that are read again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna::base {

// "-1234567.25" becomes "-1,234,567.25"; the digits stay as they are.
std::string grouped(std::string_view decimal);
std::string grouped(std::int64_t number);

// Four digits that count below 1,000, whole numbers from there on: 0.01234, 72.52, 118,635,000;
// beyond 10^15 "1.2 x 10^15".
std::string readable(double number);

// A share in percent: "0.04%", "11.3%", "250%"; from ten times on "10,795 times".
std::string readable_percent(double percent);

}  // namespace lacuna::base
