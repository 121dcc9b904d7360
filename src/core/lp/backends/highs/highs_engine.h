// SPDX-License-Identifier: Apache-2.0
// HiGHS behind LpEngine: LP by simplex on the calling thread, MIP on LpOptions::threads.
#pragma once

#include <memory>

#include "core/lp/engine.h"

namespace lacuna::lp {

std::unique_ptr<LpEngine> make_highs_engine(const LpOptions& options);

}  // namespace lacuna::lp
