// SPDX-License-Identifier: Apache-2.0
// Text with named holes, "SELECT {codes} FROM lacuna_pair": statements stand in the program as they
// will be read. What fills a hole is not looked at again, so that braces in names of columns and
// codes stay what they are.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::tabulation {

using SqlHoles = std::vector<std::pair<std::string_view, std::string>>;

// Every hole of the text must be among `holes` or else among `more`; either may have others.
std::string filled(std::string_view text, const SqlHoles& holes, const SqlHoles& more = {});

std::string joined(const std::vector<std::string>& parts, std::string_view between);

}  // namespace lacuna::tabulation
