// SPDX-License-Identifier: Apache-2.0
// An assignment with the pattern of the first pass, for tests of what comes after it.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/audit.h"
#include "protect/start/first_pass.h"
#include "unit/start/witness.h"

namespace lacuna::testing {

struct FirstPattern {
  FirstPattern(std::shared_ptr<const Problem> given, std::size_t lanes, const RunContext& run = {})
      : problem(std::move(given)),
        pattern_state(*problem, {}),
        assignment(pattern_state, start::list_goals(pattern_state)) {
    for (std::size_t i = 0; i < lanes; ++i)
      this->lanes.push_back(std::make_unique<start::Lane>(assignment, patient, ""));
    unmet = start::FirstPass(pattern_state, assignment, this->lanes, "", run, patient).meet_all();
    for (const CellId cell : assignment.idle())
      assignment.publish(cell);
  }

  Verdict verdict() const {
    AuditOptions options;
    options.intervals = false;
    return Auditor(problem).audit(pattern_state.draft(), options, RunContext{})->verdict;
  }

  // Every goal that is met points to a shared route over withheld cells that serves it.
  void expect_in_order() const {
    for (std::int32_t n = 0; n < std::ssize(assignment.goals()); ++n) {
      const std::int32_t index = assignment.shared_route_of(n);
      if (index < 0)
        continue;
      const start::SharedRoute& shared_route = assignment.shared_route(index);
      EXPECT_TRUE(shared_route.alive);
      EXPECT_TRUE(assignment.fits(shared_route.steps, assignment.goal(n)));
      for (const start::RouteStep& step : shared_route.steps)
        EXPECT_EQ(pattern_state.place(step.cell), start::CellRole::kWithheld);
    }
  }

  std::shared_ptr<const Problem> problem;
  RunContext patient;
  start::PatternState pattern_state;
  start::RouteAssignment assignment;
  std::vector<std::unique_ptr<start::Lane>> lanes;
  std::vector<std::int32_t> unmet;
};

}  // namespace lacuna::testing
