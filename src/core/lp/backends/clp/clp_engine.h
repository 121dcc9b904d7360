// SPDX-License-Identifier: Apache-2.0
// Clp (COIN-OR) behind LpEngine: LP only, single-threaded.
#pragma once

#include <memory>

#include "core/lp/engine.h"

namespace lacuna::lp {

std::unique_ptr<LpEngine> make_clp_engine(const LpOptions& options);

}  // namespace lacuna::lp
