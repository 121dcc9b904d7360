// SPDX-License-Identifier: Apache-2.0
// Text of a user or a file within a sentence.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::base {

// At most 40 characters, control characters replaced.
std::string in_quotes(std::string_view text);

}  // namespace lacuna::base
