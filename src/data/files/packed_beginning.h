// SPDX-License-Identifier: Apache-2.0
// What the first bytes of a gzip or xz file unpack to, to see what is in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lacuna::files {

bool is_packed(std::string_view bytes);  // by the first bytes: gzip or xz

// At most so many bytes; as many as can be had of what is damaged. Other bytes: nothing.
std::string packed_beginning(std::string_view bytes, std::size_t most);

}  // namespace lacuna::files
