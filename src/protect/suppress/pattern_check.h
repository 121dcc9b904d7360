// SPDX-License-Identifier: Apache-2.0
// Is a pattern safe? Decided by the auditor in exact arithmetic. If it is not, the proofs of
// exposure are capacity constraints that the pattern violates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/suppress.h"
#include "protect/suppression_model/cuts/capacity.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

class PatternCheck {
 public:
  PatternCheck(const suppression_model::SuppressModel& model, const SuppressOptions& options);

  struct Outcome {
    Verdict verdict = Verdict::kUndecided;
    std::vector<suppression_model::Cut> cuts;  // of an exposed pattern
    std::vector<Displacement> witnesses;       // of a protected pattern
  };
  // `withheld` by column.
  Outcome check(const std::vector<bool>& withheld, const RunContext& run) const;
  // Cells of this part that the pattern withholds.
  std::vector<CellId> cells(const std::vector<bool>& withheld) const;

 private:
  void add_cuts(const Finding& finding,
                const AuditReport& report,
                std::vector<suppression_model::Cut>& cuts) const;
  // d of capacity.h, by local cell; most entries are zero and left out.
  std::vector<suppression_model::CapacityBuilder::Entry> dual_of(const Finding& finding,
                                                                 Direction direction,
                                                                 const AuditReport& report) const;

  const suppression_model::SuppressModel& model_;
  const SuppressOptions& options_;
  std::unique_ptr<Auditor> auditor_;        // null if conditional levels make a problem per pattern
  std::vector<std::int32_t> requirements_;  // of this part
};

}  // namespace lacuna::suppression
