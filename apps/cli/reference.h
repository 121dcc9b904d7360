// SPDX-License-Identifier: Apache-2.0
// The reference page docs/options.md, made from the commands: `lacuna --reference` prints it.
#pragma once

#include <span>
#include <string>

#include "apps/cli/command.h"

namespace lacuna {

std::string reference_page(std::span<const Command* const> commands);

}  // namespace lacuna
