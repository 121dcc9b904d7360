// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/bound_note.h"

#include <memory>
#include <string>
#include <utility>

#include "judge/bound/check_bound.h"

namespace lacuna::methods {
namespace {

std::string text_of(const Problem& problem, const BoundLog* log) {
  const auto checked = log != nullptr ? bound::check(problem, *log) : Result<Fraction>(Fraction(0));
  if (log == nullptr || !checked)
    return "no log of the bound could be written";
  return "bound checked: " + bound::bound_in_words(*checked) +
         ", by the log in the certificate";
}

}  // namespace

void note_bound(const Problem& problem, const ProtectOptions& options, MethodOutcome& outcome) {
  if (outcome.bound_log) {
    BoundLog log = *outcome.bound_log;
    log.weights = weight_formula(options);
    outcome.bound_log = std::make_shared<const BoundLog>(std::move(log));
  }
  outcome.note += (outcome.note.empty() ? "" : "; ") + text_of(problem, outcome.bound_log.get());
}

}  // namespace lacuna::methods
