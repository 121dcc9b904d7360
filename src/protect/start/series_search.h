// SPDX-License-Identifier: Apache-2.0
// Patterns against exact disclosure. If every level is one unit and cells have slack, a sensitive
// cell is protected if and only if some displacement over withheld cells moves it at all.
// Publishing a withheld cell exposes those in series with it and no other, so a secondary is
// superfluous if and only if no sensitive cell is in series with it (series_classes.h): where
// searches for routes give up, this is known.
//
// The search withholds an open cell with what its circuit needs (kernel_tableau.h), publishes what
// becomes superfluous, and keeps what costs no more; patterns of the same cost are kept always,
// which walks over plateaus. What a trial can save is estimated first, along one circuit. Open
// cells are taken a few thousand at a time, neighbours together, to keep the tableau small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "judge/presolve/kernel_tableau.h"
#include "lacuna/run_context.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route_assignment.h"
#include "protect/start/series_classes.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

struct SeriesOptions {
  std::int32_t max_rounds = kTuning.series.max_rounds;    // over all open cells
  std::int32_t idle_rounds = kTuning.series.idle_rounds;  // without a gain, then it is enough
  std::int32_t sweeps = kTuning.series.sweeps;  // over the open cells taken at a time, and
  std::size_t cells_at_a_time =
      kTuning.series.cells_at_a_time;                      // at most so many of them, fewer if
  std::size_t most_entries = kTuning.series.most_entries;  // the tableau has more than that
  std::size_t all_entries =
      kTuning.series.all_entries;  // beyond, withheld cells alone are too many
  std::size_t most_in_series =
      kTuning.series.most_in_series;  // cells of a class at first; fewer if goals are not served
  std::size_t longest_circuit = kTuning.series.longest_circuit;  // that is tried
};

class SeriesSearch {
 public:
  // Starts from what the pattern state withholds.
  SeriesSearch(const PatternState& pattern_state,
               const std::vector<RouteGoal>& goals,
               const SeriesOptions& options);

  // `last`: the time in which what was found must be ready, after the search has ended.
  void run(const RunContext& run, const RunContext& last);
  std::vector<CellId> secondaries() const;
  double cost() const { return cost_; }  // of these
  // Circuits over withheld cells, checked in integers, the longest first: every goal has one that
  // serves it, as far as there is one among the circuits of the tableau.
  const std::vector<Route>& circuits() const { return kept_.circuits; }

 private:
  using Residue = presolve::KernelTableau::Residue;
  using Role = presolve::KernelTableau::Role;
  using Prints = SeriesClasses::Prints;
  struct Change {
    std::int32_t cell = -1;
    Prints prints;             // before, and
    std::int32_t number = -1;  // the class
    bool withheld = false;
  };
  struct Estimate {
    double paid = 0, saved = 0;
  };

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  bool withheld(std::int32_t cell) const { return withheld_[index(cell)] != 0; }
  bool may_be_tried(std::int32_t cell) const;
  Residue draw() { return static_cast<Residue>(random_.between(1, presolve::residue::kPrime - 1)); }
  void shuffle(std::vector<std::int32_t>& cells);
  std::vector<std::int32_t> open_cells_in_order();

  // The tableau anew, with these open cells; false if it has too many entries, or there is no time.
  bool rebuild(std::span<const std::int32_t> open, std::size_t most_entries, const RunContext& run);
  bool clean_up(const RunContext& run);
  void improve_over(std::vector<std::int32_t> open, const RunContext& run);
  void round(const RunContext& run, const RunContext& last);
  bool keep_if_served(const RunContext& run);
  void restore();

  void note(std::int32_t cell);
  void set_withheld(std::int32_t cell, bool withheld);
  void move_along(std::int32_t nonbasic, Residue by_x, Residue by_y);
  void move_along_at_random(std::int32_t nonbasic);
  void withhold(std::int32_t nonbasic);  // with what its circuit needs
  void publish(std::int32_t cell);       // with what is exposed thereby
  void publish_superfluous(std::vector<std::int32_t> cells, const RunContext& run);
  std::vector<std::int32_t> superfluous_now() const;
  Estimate estimate(std::int32_t nonbasic);
  void try_cell(std::int32_t nonbasic, const RunContext& run);
  bool any_long_class_since(std::size_t mark) const;
  void undo_to(std::size_t mark);
  void undo();

  const PatternState& pattern_state_;
  const std::vector<RouteGoal>& goals_;
  SeriesOptions options_;
  std::vector<std::uint8_t> withheld_;  // by cell
  presolve::KernelTableau tableau_;
  SeriesClasses classes_;
  base::Random random_{1};
  double cost_ = 0;
  struct Kept {
    std::vector<std::uint8_t> withheld;
    double cost = 0;
    std::vector<Route> circuits;
  };
  Kept kept_;  // the last pattern whose goals are served
  std::size_t at_a_time_ = 0;
  // Of the trial at hand.
  std::vector<Change> journal_;
  std::vector<std::int32_t> added_;
  std::vector<SeriesClasses::Moved> moved_;
};

}  // namespace lacuna::start
