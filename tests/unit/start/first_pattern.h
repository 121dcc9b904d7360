// SPDX-License-Identifier: Apache-2.0
// A ledger with the pattern of the first pass, for tests of what comes after it.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/audit.h"
#include "protect/start/first_pass.h"
#include "unit/start/witness.h"

namespace lacuna::testing {

struct FirstPattern {
  FirstPattern(std::shared_ptr<const Problem> given, std::size_t lanes, const RunContext& run = {})
      : problem(std::move(given)), board(*problem, {}), ledger(board, start::list_needs(board)) {
    for (std::size_t i = 0; i < lanes; ++i)
      this->lanes.push_back(std::make_unique<start::Lane>(ledger, patient, ""));
    unmet = start::FirstPass(board, ledger, this->lanes, "", run, patient).meet_all();
    for (const CellId cell : ledger.idle())
      ledger.open(cell);
  }

  Verdict verdict() const {
    AuditOptions options;
    options.intervals = false;
    return Auditor(problem).audit(board.draft(), options, RunContext{})->verdict;
  }

  // Every need that is met points to a shape over withheld cells that serves it.
  void expect_in_order() const {
    for (std::int32_t n = 0; n < std::ssize(ledger.needs()); ++n) {
      const std::int32_t index = ledger.shape_of(n);
      if (index < 0)
        continue;
      const start::Shape& shape = ledger.shape(index);
      EXPECT_TRUE(shape.alive);
      EXPECT_TRUE(ledger.fits(shape.steps, ledger.need(n)));
      for (const start::RouteStep& step : shape.steps)
        EXPECT_EQ(board.place(step.cell), start::Place::kTaken);
    }
  }

  std::shared_ptr<const Problem> problem;
  RunContext patient;
  start::Board board;
  start::Ledger ledger;
  std::vector<std::unique_ptr<start::Lane>> lanes;
  std::vector<std::int32_t> unmet;
};

}  // namespace lacuna::testing
