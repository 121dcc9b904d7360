// SPDX-License-Identifier: Apache-2.0
// The reference page docs/options.md, made from the commands: `lacuna --reference` prints it.
#pragma once

#include <span>
#include <string>

#include "apps/cli/command.h"

namespace lacuna {

std::string reference_page(std::span<const Command* const> commands);
// The codes of errors, a line each: code, kind, when. scripts/errors_page.py makes docs/errors.md
// of it and of an example each.
std::string errors_page();

}  // namespace lacuna
