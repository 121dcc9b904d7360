// SPDX-License-Identifier: Apache-2.0
// The one list of engines, preferred first.
#include <array>

#include "core/lp/backends/clp/clp_engine.h"
#include "core/lp/checked_solver.h"
#include "lacuna/lp.h"
#ifdef LACUNA_HAVE_HIGHS
#include "core/lp/backends/highs/highs_engine.h"
#endif

namespace lacuna {
namespace {

struct Registration {
  std::string_view name;
  std::unique_ptr<lp::LpEngine> (*make)(const LpOptions& options);
};

constexpr auto kEngines = std::to_array<Registration>({
#ifdef LACUNA_HAVE_HIGHS
    {"highs", lp::make_highs_engine},
#endif
#ifdef LACUNA_HAVE_CLP
    {"clp", lp::make_clp_engine},
#endif
});

Error unknown_engine(std::string_view name) {
  std::string known;
  for (const Registration& registration : kEngines) {
    known += known.empty() ? "" : ", ";
    known += registration.name;
  }
  return Error{ErrorCode::kOptionValue,
               "Unknown LP engine \"" + std::string(name) + "\"; this build has " + known + ".",
               "engine"};
}

Status validate(const LpOptions& options) {
  if (!(options.feasibility > 0 && options.feasibility < 1)) {
    return Error{ErrorCode::kOptionValue,
                 "The feasibility tolerance must lie between 0 and 1.",
                 "feasibility"};
  }
  if (!(options.mip_gap >= 0 && options.mip_gap < 1)) {
    return Error{ErrorCode::kOptionValue, "The MIP gap must be at least 0 and below 1.", "mip-gap"};
  }
  if (options.threads < 1) {
    return Error{ErrorCode::kOptionValue, "At least one thread is needed.", "threads"};
  }
  return ok_status();
}

}  // namespace

std::vector<std::string> lp_engines() {
  std::vector<std::string> names;
  for (const Registration& registration : kEngines) {
    names.emplace_back(registration.name);
  }
  return names;
}

Result<std::unique_ptr<LpSolver>> make_lp_solver(std::string_view engine,
                                                 const LpOptions& options) {
  LACUNA_RETURN_IF_ERROR(validate(options));
  for (const Registration& registration : kEngines) {
    if (engine.empty() || engine == registration.name) {
      return std::unique_ptr<LpSolver>(
          std::make_unique<lp::CheckedSolver>(registration.make(options), options));
    }
  }
  return unknown_engine(engine);
}

}  // namespace lacuna
