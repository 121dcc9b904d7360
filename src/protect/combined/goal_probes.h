// SPDX-License-Identifier: Apache-2.0
// The attackers at a point of the relaxation: what they say of every goal, as rows that the point
// violates. The attacker's problem itself is asked (interval/need_searches.h), with the slacks of
// the point as hard bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/combined/columns.h"
#include "protect/combined/row_finder.h"
#include "protect/interval/model.h"
#include "protect/interval/need_searches.h"

namespace lacuna::combined {

enum class Depth : std::uint8_t {
  kQuick,  // cuts where they are easily found
  kFull,   // until every goal has a witness
};

class GoalProbes {
 public:
  GoalProbes(const interval::Model& model, const Columns& columns, int threads)
      : model_(model), columns_(columns), threads_(threads), searches_(model) {}

  struct Outcome {
    std::vector<Row> rows;
    bool all_met = false;    // kFull: every goal has a witness at the point
    std::int64_t asked = 0;  // attacker problems
  };
  Outcome ask(Depth depth, const Point& point, const RowFinder& finder, const RunContext& run);

 private:
  struct Probe {  // of one goal
    bool asked = false, trusted = false, met = false;
    std::vector<std::pair<EquationId, double>> multipliers;
    bool has_cut() const { return asked && trusted; }
    bool is_fine() const { return !asked || (trusted && met); }
  };
  struct View {  // what the need's attacker has at the point, by end
    std::vector<double> slacks, most;
  };
  View view_at(const interval::Need& need, Depth depth, const Point& point) const;
  TwoSided<Probe> probe(std::size_t need, Depth depth, const Point& point, const RunContext& run);
  Outcome ask_of(std::size_t need,
                 Depth depth,
                 const Point& point,
                 const RowFinder& finder,
                 const RunContext& run);
  std::vector<Row> rows_of(std::size_t need,
                           const TwoSided<Probe>& probes,
                           const Point& point,
                           const RowFinder& finder) const;

  const interval::Model& model_;
  const Columns& columns_;
  int threads_;
  interval::NeedSearches searches_;
};

}  // namespace lacuna::combined
