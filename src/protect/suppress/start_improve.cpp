// SPDX-License-Identifier: Apache-2.0
// What the quick effort does with the work that is left once there is a pattern: branch and cut,
// further patterns (iterated local search, or flats where few displacements generate all), and
// restricted exact search: of the cells that the best pattern or another good one withholds, the
// cheapest safe choice. What neither withholds is published, so that more cells are parallel and
// attacker problems are small (path relinking and RINS are of this kind: Danna, Rothberg, Le Pape
// 2005; Glover, Laguna, Marti 2000).
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/index.h"
#include "core/base/random.h"
#include "core/base/throttle.h"
#include "core/base/work.h"
#include "protect/suppress/guided_rounding.h"
#include "protect/suppress/start.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression {

// Small tables are done long before the work is: what is left goes to branch and cut, to further
// patterns and to what can be made of two of them, in turn, as long as that pays.
Status SuppressStart::improve_further(start::Constructed& found) const {
  const StartTuning& tuning = kTuning.start;
  const bool by_flats = flats_may_help();
  const RunContext run =
      by_flats ? run_
               : with_work(run_,
                           tuning.least_trials + tuning.trials_per_cell *
                                                     std::int64_t{problem_->table().num_cells()});
  const bool by_tree = parts_are_small() && options_.max_withheld < 0;
  const int enough = by_flats ? tuning.idle_flats : tuning.idle_turns;
  std::vector<Draft> others;
  std::uint64_t turns = 0;
  for (int idle = 0; idle < enough && !run.should_stop() && !is_least(found); ++turns) {
    const double before = suppression_model::withheld_weight(problem_->table(), found.draft);
    const std::int64_t begin = work_done();
    const std::int64_t turn =  // of the tree; the next ones are longer
        std::max(tuning.shortest_turn, (begin - begin_) / tuning.turn_share);
    if (by_flats) {
      LACUNA_RETURN_IF_ERROR(improve_by_flats(found, others, turns + 1, with_work(run, turn)));
    } else {
      if (by_tree && improve_by_tree(found, parts_, with_work(run, turn)))
        break;
      LACUNA_RETURN_IF_ERROR(
          improve_by_search(found, others, by_tree ? with_work(run, turn) : run));
    }
    if (by_tree)
      improve_by_unions(found, others, with_work(run, turn));
    const double saved =
        1 - suppression_model::withheld_weight(problem_->table(), found.draft) / before;
    const auto work = static_cast<double>(work_done() - begin);
    idle = saved < least_rate() * work ? idle + 1 : 0;
    if (!by_tree)
      break;
  }
  return ok_status();
}

// Branch and cut with cells at a part of their price, which finds more in little time than at the
// whole price; the pattern is taken if it is no worse at that. `within`: of each part the cells
// that may be withheld. Is it nearly the best there is?
bool SuppressStart::improve_by_tree(start::Constructed& found,
                                    const std::vector<std::vector<CellId>>& within,
                                    const RunContext& run) const {
  const double price = balanced_price(measure(found));
  const auto priced = std::make_shared<Problem>(*problem_);
  priced->drop_counts();
  priced->set_weights(start_options(std::round(kTuning.start.price_in_tree * price)).costs);
  const GuidedRounding rounding(priced, always_, options_.engine);
  SuppressOptions options = options_;
  options.gap = std::max(options_.gap, kTuning.start.close_enough);
  const bool whole = &within == &parts_;
  start::Constructed tree;
  tree.draft = with_primaries({});
  bool is_best = true;
  for (const std::vector<CellId>& cells : within) {
    PartTask task;
    task.cells = cells;
    task.start = rounding.pattern_of(cells, found.draft);
    if (whole) {
      task.round = [&](const std::vector<double>& guess, const RunContext& share) {
        return rounding.round(cells, guess, share);
      };
    }
    PartResult part = solve_part(priced, options, std::move(task), run);
    is_best = is_best && (part.why == StopReason::kOptimal || part.why == StopReason::kGapReached);
    for (const CellId cell : part.best->cells)
      tree.draft.withhold(cell);
    std::move(part.witnesses.begin(), part.witnesses.end(), std::back_inserter(found.witnesses));
  }
  const std::vector<double> costs = start_options(price).costs;
  if (cost_at(costs, tree) <= cost_at(costs, found))
    found.draft = std::move(tree.draft);
  return is_best;
}

// Each of the other patterns once, the newest first: what is found goes into the next union.
void SuppressStart::improve_by_unions(start::Constructed& found,
                                      std::vector<Draft>& others,
                                      const RunContext& run) const {
  while (!others.empty() && !run.should_stop()) {
    const Draft other = std::move(others.back());
    others.pop_back();
    std::vector<std::vector<CellId>> within;
    bool differs = false;
    for (const std::vector<CellId>& part : parts_) {
      std::vector<CellId>& cells = within.emplace_back();
      for (const CellId cell : part) {
        const bool ours = found.draft.state(cell) == StatementKind::kWithheld;
        const bool theirs = other.state(cell) == StatementKind::kWithheld;
        differs = differs || (theirs && !ours);
        if (ours || theirs)
          cells.push_back(cell);
      }
    }
    if (differs)
      improve_by_tree(found, within, base::share_of_work(run, kTuning.start.union_share));
  }
  others.clear();
}

void SuppressStart::keep_good(const start::Constructed& other,
                              const start::Constructed& best,
                              std::vector<Draft>& others) const {
  const StartTuning& tuning = kTuning.start;
  if (suppression_model::withheld_weight(problem_->table(), other.draft) >
      tuning.good * suppression_model::withheld_weight(problem_->table(), best.draft))
    return;
  if (others.size() >= tuning.most_good)
    others.erase(others.begin());
  others.push_back(other.draft);
}

// Flats of another seed. The pattern so far is one of those that are joined with the better one.
Status SuppressStart::improve_by_flats(start::Constructed& found,
                                       std::vector<Draft>& others,
                                       std::uint64_t turn,
                                       const RunContext& run) const {
  const std::uint64_t trials = kTuning.start.flats_in_turn;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    RunContext own = base::share_of_work(run, 1 / static_cast<double>(trials + 1 - trial));
    own.seed = base::scrambled(run_.seed + turn * trials + trial);
    LACUNA_TRY(std::optional<start::Constructed> other, from_flats(0, own));
    if (!other)
      return ok_status();
    if (suppression_model::withheld_weight(problem_->table(), other->draft) <
        suppression_model::withheld_weight(problem_->table(), found.draft))
      std::swap(found, *other);
    keep_good(*other, found, others);
  }
  return ok_status();
}

// Iterated local search (Lourenco, Martin and Stuetzle 2003): a round of improvement at false
// prices, then improvement at the true ones, from the best pattern so far.
Status SuppressStart::improve_by_search(start::Constructed& found,
                                        std::vector<Draft>& others,
                                        RunContext run) const {
  const double price = options_.earlier().empty() ? balanced_price(measure(found)) : quick_price();
  const start::ConstructOptions base = trial_options(price);
  found.cost = cost_at(base.costs, found);
  base::Throttle hand_out(base.seconds_between);
  for (int idle = 0; idle < kTuning.start.idle_trials && !run.should_stop() && !is_least(found);
       ++idle) {
    ++run.seed;
    start::ConstructOptions construct = base;
    for (std::size_t c = 0; c < construct.costs.size(); ++c)
      construct.costs[c] *=
          1 + kTuning.start.false_share * base::fixed_noise(static_cast<std::int32_t>(c), run.seed);
    construct.max_rounds = kTuning.start.false_rounds;
    LACUNA_TRY(start::Constructed other, construct_from(found, std::move(construct), run));
    if (!other.complete)
      continue;
    LACUNA_TRY(other, construct_from(other, base, run));
    if (!other.complete)
      continue;
    if (!(other.cost < found.cost)) {
      keep_good(other, found, others);
      continue;
    }
    if (other.cost < found.cost * (1 - kTuning.start.worth_trying))
      idle = 0;
    std::swap(found, other);
    keep_good(other, found, others);
    if (options_.on_pattern && hand_out.is_due()) {
      options_.on_pattern(found.draft, found.witnesses, {});
      hand_out.done();
    }
  }
  return ok_status();
}

start::ConstructOptions SuppressStart::trial_options(double price) const {
  start::ConstructOptions construct = start_options(price);
  construct.on_pattern = nullptr;  // it need not be better
  construct.on_safe = nullptr;
  construct.max_rounds = kTuning.start.true_rounds;
  return construct;
}

}  // namespace lacuna::suppression
