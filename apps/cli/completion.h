// SPDX-License-Identifier: Apache-2.0
// What a shell needs to complete commands, options and their values, made from the commands:
// `lacuna --completion bash`, `zsh` or `fish` prints it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/cli/manual.h"

namespace lacuna {

enum class Shell : std::uint8_t { kBash, kZsh, kFish };
constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

std::string completion(const ProgramOptions& program, Shell shell);

}  // namespace lacuna
