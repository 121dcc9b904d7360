// SPDX-License-Identifier: Apache-2.0
// Text that is safe inside a page, whatever codes and names the table has.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::report {

// For text and for attributes in double quotes.
std::string html_escaped(std::string_view text);

}  // namespace lacuna::report
