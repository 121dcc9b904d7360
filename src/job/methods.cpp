// SPDX-License-Identifier: Apache-2.0
#include "job/methods.h"

#include <string_view>

namespace lacuna::inline job {
namespace {

struct Named {
  std::string_view name;
  Method method;
};

constexpr Named kMethods[] = {
    {"suppress", protect_by_suppression},
    {"adjust", protect_by_adjustment},
    {"interval", protect_by_intervals},
    {"combined", protect_combined},
    {"round", protect_by_rounding},
    {"perturb", protect_by_perturbation},
    {"mixed", protect_mixed},
};

}  // namespace

Result<Method> find_method(const std::string& name) {
  std::string known;
  for (const Named& each : kMethods) {
    if (each.name == name)
      return each.method;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  return Error{ErrorCode::kBadOption,
               "there is no method '" + name + "' (known: " + known + ")",
               "--method"};
}

Result<std::shared_ptr<const Problem>> problem_to_audit(const std::shared_ptr<const Problem>& given,
                                                        const MethodOutcome& found) {
  if (found.decimals < 0 || found.decimals == given->table.decimals())
    return given;
  LACUNA_TRY(Problem finer, with_decimals(*given, found.decimals));
  return std::make_shared<const Problem>(std::move(finer));
}

std::string default_weights(const ProtectJob& job) {
  if (!job.weights.empty())
    return job.weights;
  if (job.method == "round" || job.method == "perturb" || job.method == "mixed")
    return "unity";  // a unit of deviation costs the same wherever it is
  return job.method == "adjust" ? "inverse" : "cost";
}

}  // namespace lacuna::inline job
