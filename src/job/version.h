// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lacuna::inline job {

inline constexpr char kVersion[] = LACUNA_VERSION;  // set by CMake from the project's version
extern const char kCommit[];  // abbreviated hash at the time of the build, or "unknown"

}  // namespace lacuna::inline job
