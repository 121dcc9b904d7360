// SPDX-License-Identifier: Apache-2.0
#include "protect/start/series_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/confidential.h"
#include "core/base/work.h"
#include "protect/start/circuits.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

std::vector<std::uint8_t> cells_of(const std::vector<RouteGoal>& goals, std::int32_t cells) {
  std::vector<std::uint8_t> needed(static_cast<std::size_t>(cells), 0);
  for (const RouteGoal& goal : goals)
    needed[static_cast<std::size_t>(goal.cell.value)] = 1;
  return needed;
}

}  // namespace

SeriesSearch::SeriesSearch(const PatternState& pattern_state,
                           const std::vector<RouteGoal>& goals,
                           const SeriesOptions& options)
    : pattern_state_(pattern_state),
      goals_(goals),
      options_(options),
      withheld_(index(pattern_state.table().num_cells()), 0),
      classes_(pattern_state, cells_of(goals, pattern_state.table().num_cells())),
      at_a_time_(options.cells_at_a_time) {
  for (std::int32_t c = 0; c < pattern_state.table().num_cells(); ++c) {
    if (pattern_state.place(CellId{c}) != CellRole::kWithheld)
      continue;
    withheld_[index(c)] = 1;
    cost_ += classes_.cost(c);
  }
}

std::vector<CellId> SeriesSearch::secondaries() const {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < pattern_state_.table().num_cells(); ++c) {
    if (withheld(c) && !pattern_state_.permanent(CellId{c}))
      cells.push_back(CellId{c});
  }
  return cells;
}

void SeriesSearch::run(const RunContext& run, const RunContext& last) {
  random_ = base::Random(run.seed);
  kept_ = {withheld_, cost_, {}};
  for (bool clean = false; !clean; clean = keep_if_served(last)) {
    if (run.should_stop() || !clean_up(run)) {
      restore();
      return;
    }
  }
  std::int32_t idle = 0;
  for (std::int32_t i = 0; i < options_.max_rounds && !run.should_stop(); ++i) {
    const double before = cost_;
    round(run, last);
    idle = cost_ < before ? 0 : idle + 1;
    if (run.log)
      run.log("series: cost " + base::confidential(std::to_string(cost_)));
    if (idle >= options_.idle_rounds)
      break;
  }
}

// A pattern counts if its circuits are short and tame enough to serve the goals within the slacks;
// else the last one that did is taken up again, and classes are kept shorter from now on. False if
// that is worth another trial.
bool SeriesSearch::keep_if_served(const RunContext& run) {
  if (cost_ >= kept_.cost)
    return true;
  if (!rebuild({}, options_.all_entries, run)) {
    restore();
    return true;
  }
  Circuits circuits = find_circuits(pattern_state_, tableau_, goals_);
  if (circuits.unserved <= goals_.size() / kTuning.series.few_unserved) {
    kept_ = {withheld_, cost_, std::move(circuits.steps)};
    return true;
  }
  restore();
  const bool last_resort = options_.most_in_series <= kTuning.series.shortest_series;
  options_.most_in_series = std::max(kTuning.series.shortest_series, options_.most_in_series / 2);
  return last_resort;
}

void SeriesSearch::restore() {
  withheld_ = kept_.withheld;
  cost_ = kept_.cost;
}

bool SeriesSearch::clean_up(const RunContext& run) {
  if (!rebuild({}, options_.all_entries, run))
    return false;
  std::vector<std::int32_t> cells;
  for (const CellId cell : secondaries())
    cells.push_back(cell.value);
  publish_superfluous(std::move(cells), run);
  return true;
}

void SeriesSearch::round(const RunContext& run, const RunContext& last) {
  const std::vector<std::int32_t> cells = open_cells_in_order();
  std::int32_t parts = 0;
  for (std::size_t next = 0; next < cells.size() && !run.should_stop();) {
    const std::size_t end = std::min(next + at_a_time_, cells.size());
    std::vector<std::int32_t> some(cells.begin() + static_cast<std::ptrdiff_t>(next),
                                   cells.begin() + static_cast<std::ptrdiff_t>(end));
    const bool few = at_a_time_ <= kTuning.series.fewest_at_a_time;
    if (rebuild(some, few ? options_.all_entries : options_.most_entries, run)) {
      improve_over(std::move(some), run);
      at_a_time_ = std::min(options_.cells_at_a_time, at_a_time_ * 3 / 2);
      next = end;
      if (++parts % kTuning.series.parts_between_checks == 0)
        keep_if_served(last);
    } else if (few) {
      break;
    } else {
      at_a_time_ /= 2;
    }
  }
  keep_if_served(last);
}

void SeriesSearch::improve_over(std::vector<std::int32_t> open, const RunContext& run) {
  for (std::int32_t sweep = 0; sweep < options_.sweeps; ++sweep) {
    shuffle(open);
    for (const std::int32_t cell : open) {
      if (run.should_stop())
        return;
      if (!withheld(cell) && !tableau_.is_basic(cell))
        try_cell(cell, run);
    }
  }
}

bool SeriesSearch::may_be_tried(std::int32_t cell) const {
  const attack::Slack& slack = pattern_state_.slack(CellId{cell});
  return !withheld(cell) && pattern_state_.place(CellId{cell}) != CellRole::kNever &&
         slack.up > 0 && slack.down > 0;
}

void SeriesSearch::shuffle(std::vector<std::int32_t>& cells) {
  for (std::size_t i = cells.size(); i > 1; --i) {
    const auto other = random_.between(0, static_cast<std::int64_t>(i) - 1);
    std::swap(cells[i - 1], cells[static_cast<std::size_t>(other)]);
  }
}

// From equation to equation, breadth first from random cells.
std::vector<std::int32_t> SeriesSearch::open_cells_in_order() {
  const Table& table = pattern_state_.table();
  std::vector<std::int32_t> starts(withheld_.size());
  std::iota(starts.begin(), starts.end(), 0);
  std::erase_if(starts, [&](std::int32_t c) { return !may_be_tried(c); });
  shuffle(starts);
  std::vector<std::uint8_t> seen(withheld_.size(), 0);
  std::vector<std::uint8_t> done(index(table.num_equations()), 0);
  std::vector<std::int32_t> order;
  const auto add = [&](std::int32_t c) {
    if (may_be_tried(c) && std::exchange(seen[index(c)], 1) == 0)
      order.push_back(c);
  };
  for (const std::int32_t start : starts) {
    std::size_t next = order.size();
    for (add(start); next < order.size(); ++next) {
      for (const Incidence& incidence : table.equations_of(CellId{order[next]})) {
        if (std::exchange(done[index(incidence.equation.value)], 1) != 0)
          continue;
        for (const Term& term : table.equation(incidence.equation))
          add(term.cell.value);
      }
    }
  }
  return order;
}

bool SeriesSearch::rebuild(std::span<const std::int32_t> open,
                           std::size_t most_entries,
                           const RunContext& run) {
  std::vector<Role> roles(withheld_.size(), Role::kAbsent);
  for (const std::int32_t cell : open)
    roles[index(cell)] = Role::kPublished;
  for (std::size_t c = 0; c < roles.size(); ++c) {
    if (withheld_[c] != 0)
      roles[c] = Role::kWithheld;
  }
  tableau_ = presolve::KernelTableau(std::move(roles));
  if (!tableau_.build(pattern_state_.table(), most_entries, run))
    return false;
  classes_.clear();
  for (std::int32_t c = 0; c < pattern_state_.table().num_cells(); ++c) {
    if (withheld(c) && !tableau_.is_basic(c))
      move_along_at_random(c);
  }
  journal_.clear();
  return true;
}

void SeriesSearch::note(std::int32_t cell) {
  journal_.push_back({cell, classes_.prints(cell), classes_.class_of(cell), withheld(cell)});
}

void SeriesSearch::set_withheld(std::int32_t cell, bool withheld) {
  tableau_.set_role(cell, withheld ? Role::kWithheld : Role::kPublished);
  withheld_[index(cell)] = withheld ? 1 : 0;
  cost_ += withheld ? classes_.cost(cell) : -classes_.cost(cell);
}

// Adds multiples of the cell's circuit to the two displacements.
void SeriesSearch::move_along(std::int32_t nonbasic, Residue by_x, Residue by_y) {
  const auto change = [&](std::int32_t cell, Residue factor) {
    note(cell);
    const Prints& old = classes_.prints(cell);
    classes_.set_prints(cell,
                        {presolve::residue::add(old.x, presolve::residue::multiply(by_x, factor)),
                         presolve::residue::add(old.y, presolve::residue::multiply(by_y, factor))});
  };
  change(nonbasic, 1);
  tableau_.for_column(nonbasic, change);
  base::count_work(50 * (1 + tableau_.column_size(nonbasic)));
}

// One draw after the other: compilers differ in the order of arguments.
void SeriesSearch::move_along_at_random(std::int32_t nonbasic) {
  const Residue by_x = draw();
  const Residue by_y = draw();
  move_along(nonbasic, by_x, by_y);
}

void SeriesSearch::withhold(std::int32_t nonbasic) {
  move_along_at_random(nonbasic);
  const auto take = [&](std::int32_t cell) {
    if (withheld(cell))
      return;
    set_withheld(cell, true);
    added_.push_back(cell);
  };
  take(nonbasic);
  tableau_.for_circuit(nonbasic, take);
}

// Only displacements that do not move the cell are left.
void SeriesSearch::publish(std::int32_t cell) {
  if (tableau_.is_basic(cell)) {
    const presolve::KernelTableau::Entry entering = tableau_.withheld_in_row(cell);
    if (entering.cell >= 0)
      tableau_.pivot(cell, entering.cell);
  }
  const std::size_t first = journal_.size();
  const Prints prints = classes_.prints(cell);
  if (tableau_.is_basic(cell))
    note(cell);  // it did not move anyway
  else
    move_along(cell, presolve::residue::negate(prints.x), presolve::residue::negate(prints.y));
  for (std::size_t i = first; i < journal_.size(); ++i) {
    const std::int32_t other = journal_[i].cell;
    if (withheld(other) && classes_.prints(other).none() &&
        !pattern_state_.permanent(CellId{other}))
      set_withheld(other, false);
  }
}

// In random order, the most expensive first. Publishing one may make others necessary, never the
// reverse.
void SeriesSearch::publish_superfluous(std::vector<std::int32_t> cells, const RunContext& run) {
  shuffle(cells);
  std::stable_sort(cells.begin(), cells.end(), [&](std::int32_t a, std::int32_t b) {
    return classes_.cost(a) > classes_.cost(b);
  });
  for (const std::int32_t cell : cells) {
    if (run.should_stop())
      return;
    if (!withheld(cell) || !classes_.superfluous(cell))
      continue;
    const std::size_t mark = journal_.size();
    publish(cell);
    if (any_long_class_since(mark))
      undo_to(mark);
  }
}

// In the classes that the trial has touched.
std::vector<std::int32_t> SeriesSearch::superfluous_now() const {
  std::vector<std::int32_t> numbers;
  for (const Change& change : journal_) {
    numbers.push_back(classes_.class_of(change.cell));
    numbers.push_back(change.number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<std::int32_t> cells;
  for (const std::int32_t number : numbers) {
    if (number < 0 || classes_.at(number).needed > 0)
      continue;
    for (const std::int32_t cell : classes_.at(number).cells) {
      if (!pattern_state_.permanent(CellId{cell}) &&
          std::find(added_.begin(), added_.end(), cell) == added_.end())
        cells.push_back(cell);
    }
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

// What withholding the cell would cost, and what it would make superfluous: at least what can then
// be published together.
SeriesSearch::Estimate SeriesSearch::estimate(std::int32_t nonbasic) {
  Estimate result;
  result.paid = classes_.cost(nonbasic);
  moved_.clear();
  tableau_.for_circuit(nonbasic, [&](std::int32_t cell) {
    const std::int32_t number = classes_.class_of(cell);
    if (!withheld(cell))
      result.paid += classes_.cost(cell);
    else if (number >= 0 && classes_.at(number).cost > 0)
      moved_.push_back({cell, number, 0});
  });
  std::sort(moved_.begin(), moved_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.number, a.cell) < std::pair(b.number, b.cell);
  });
  for (std::size_t begin = 0; begin < moved_.size();) {
    std::size_t end = begin;
    for (; end < moved_.size() && moved_[end].number == moved_[begin].number; ++end)
      moved_[end].factor = tableau_.factor(moved_[end].cell, nonbasic);
    result.saved += classes_.split_off(std::span(moved_).subspan(begin, end - begin));
    begin = end;
  }
  return result;
}

void SeriesSearch::try_cell(std::int32_t nonbasic, const RunContext& run) {
  if (tableau_.column_size(nonbasic) > options_.longest_circuit)
    return;
  const Estimate guess = estimate(nonbasic);
  if (guess.saved < guess.paid)
    return;
  journal_.clear();
  added_.clear();
  const double before = cost_;
  withhold(nonbasic);
  publish_superfluous(superfluous_now(), run);
  publish_superfluous(added_, run);
  if (cost_ > before)
    undo();
}

// Cells in series move together: where hundreds do, no displacement is short, proportions become
// wild, and slacks may not suffice for a unit.
bool SeriesSearch::any_long_class_since(std::size_t mark) const {
  return std::any_of(
      journal_.begin() + static_cast<std::ptrdiff_t>(mark), journal_.end(), [&](const Change& c) {
        const std::int32_t number = classes_.class_of(c.cell);
        return number >= 0 && number != c.number &&
               classes_.at(number).cells.size() > options_.most_in_series;
      });
}

void SeriesSearch::undo_to(std::size_t mark) {
  while (journal_.size() > mark) {
    const Change change = journal_.back();
    journal_.pop_back();
    classes_.set_prints(change.cell, change.prints);
    if (withheld(change.cell) != change.withheld)
      set_withheld(change.cell, change.withheld);
  }
}

void SeriesSearch::undo() {
  undo_to(0);
  // Withheld cells come first into the basis.
  for (const std::int32_t cell : added_) {
    if (withheld(cell) || !tableau_.is_basic(cell))
      continue;
    const presolve::KernelTableau::Entry entering = tableau_.withheld_in_row(cell);
    if (entering.cell >= 0)
      tableau_.pivot(cell, entering.cell);
  }
}

}  // namespace lacuna::start
