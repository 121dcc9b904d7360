// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/start.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/index.h"
#include "core/base/work.h"
#include "lacuna/audit.h"
#include "lacuna/tolerance.h"
#include "protect/start/flats.h"
#include "protect/start/proof_repair.h"
#include "protect/suppress/program_routes.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression {
Result<StartPattern> SuppressStart::find() const {
  if (!options_.earlier().empty()) {
    LACUNA_TRY(std::optional<StartPattern> kept, if_safe(*options_.preferred, {}));
    if (kept)
      return *std::move(kept);
  }
  LACUNA_TRY(std::optional<start::Constructed> started, kept_from(SuppressStage::Name::kStarted));
  if (started)
    return finished(*std::move(started));
  LACUNA_TRY(std::optional<start::Constructed> kept, kept_from(SuppressStage::Name::kExchanged));
  start::Constructed found;
  if (kept) {
    found = *std::move(kept);
  } else {
    LACUNA_TRY(found, construct());
  }
  if (!found.complete && !run_.should_stop())
    LACUNA_RETURN_IF_ERROR(complete_by_programs(found));
  if (kind_ == StartKind::kByItself && found.complete) {
    if (on_stage)
      on_stage(found.draft, found.witnesses, SuppressStage::Name::kExchanged);
    LACUNA_RETURN_IF_ERROR(improve_further(found));
  }
  if (!found.complete && !run_.should_stop() && !tree_finds_patterns())
    LACUNA_RETURN_IF_ERROR(start::complete_by_proofs(
        problem_, options_.engine, found, beyond(kTuning.start.to_be_complete)));
  LACUNA_TRY(StartPattern result, no_worse_than_where_it_began(finished(std::move(found))));
  if (on_stage && result.draft)
    on_stage(*result.draft, result.witnesses, SuppressStage::Name::kStarted);
  return result;
}

StartPattern SuppressStart::finished(start::Constructed found) const {
  StartPattern result;
  result.witnesses = std::move(found.witnesses);
  if (found.complete)
    result.draft = std::move(found.draft);
  return result;
}

// What an earlier run had at the end of this stage, if that is where it stopped and if it is safe;
// what that run had done counts, the look at its pattern does not.
Result<std::optional<start::Constructed>> SuppressStart::kept_from(
    SuppressStage::Name stage) const {
  if (!resumes || options_.start.empty() || options_.start_stage.name != stage)
    return std::optional<start::Constructed>();
  const std::int64_t before = base::touches_so_far();
  LACUNA_TRY(const std::optional<StartPattern> safe,
             if_safe(options_.start, options_.start_evidence));
  base::count_work(before - base::touches_so_far());
  if (!safe)
    return std::optional<start::Constructed>();
  base::count_work(options_.start_stage.touches);
  start::Constructed found;
  found.complete = true;
  found.draft = with_primaries(options_.start);
  found.witnesses = options_.start_evidence;
  return std::optional(std::move(found));
}

// The quick effort counts cells, too, and weight may rise for them: not above that of the pattern
// it was given, or runs that go on from each other could turn in a circle.
Result<StartPattern> SuppressStart::no_worse_than_where_it_began(StartPattern found) const {
  if (!begins_underway() || options_.max_withheld >= 0 || !options_.earlier().empty())
    return found;
  const Draft given = with_primaries(options_.start);
  if (found.draft && suppression_model::withheld_weight(problem_->table(), *found.draft) <=
                         suppression_model::withheld_weight(problem_->table(), given))
    return found;
  LACUNA_TRY(std::optional<StartPattern> begun, if_safe(options_.start, options_.start_evidence));
  return begun ? *std::move(begun) : std::move(found);
}

// Cells are expensive while the first routes are found: routes of few cells are found sooner, and
// leave fewer behind than exchanges of many small ones, at hardly more weight. Where exchanges of
// the quick effort go far, first routes at their own prices may lead further: a few rounds tell.
Result<start::Constructed> SuppressStart::construct() const {
  const RunContext& run = run_;
  const RunContext quick = base::share_of_work(run, kTuning.start.quick_pass);
  const double price = quick_price();
  if (flats_may_help()) {
    LACUNA_TRY(std::optional<start::Constructed> flat, construct_by_flats());
    if (flat)
      return *std::move(flat);
  }
  LACUNA_TRY(start::Constructed found, first_pass(kTuning.start.at_first * price, run));
  if (!found.complete)
    return found;
  if (kind_ == StartKind::kForTree)
    return exchanged(std::move(found), 0, start_options(0).max_rounds, run);
  if (price > 0 && !quick.should_stop()) {
    const double share = kTuning.start.few_rounds_share;
    LACUNA_TRY(
        found,
        exchanged(
            std::move(found), price, kTuning.start.few_rounds, base::share_of_work(run, share)));
    if (is_least(found))
      return found;
    LACUNA_TRY(start::Constructed other, first_pass(price, run));
    LACUNA_TRY(other,
               exchanged(std::move(other),
                         price,
                         kTuning.start.few_rounds,
                         base::share_of_work(run, share / (1 - share))));
    if (other.complete && other.cost < found.cost)
      found = std::move(other);
  }
  return exchanged(std::move(found), price, start::ConstructOptions().max_rounds, run);
}

// Exchanges go on from what flats find. Weight alone counts here: flats that count cells, too, have
// few fewer and weigh much more.
Result<std::optional<start::Constructed>> SuppressStart::construct_by_flats() const {
  const StartTuning& tuning = kTuning.start;
  const double price = 0;
  const std::int64_t before = work_done();
  const RunContext run =
      kind_ == StartKind::kForTree
          ? with_work(run_, tuning.flats_per_cell * std::int64_t{problem_->table().num_cells()})
          : with_work(run_, flats_work());
  LACUNA_TRY(std::optional<start::Constructed> found, from_flats(price, run));
  if (!found)
    return found;
  if (on_safe)
    on_safe(suppression_model::withheld_weight(problem_->table(), found->draft));
  LACUNA_TRY(found,
             exchanged(*std::move(found),
                       price,
                       start_options(price).max_rounds,
                       with_work(run_, work_done() - before)));
  return found;
}

// As much as with the quick effort alone: within a longer one the rest is for further turns, so
// that a limit that strikes finds a pattern.
std::int64_t SuppressStart::flats_work() const {
  const std::int64_t fast = effort_work(Effort::kFast, problem_->table().num_cells());
  const std::int64_t left = std::min(run_.work_left(), fast);
  return static_cast<std::int64_t>(kTuning.start.flats_share * static_cast<double>(left));
}

Result<start::Constructed> SuppressStart::first_pass(double each_cell,
                                                     const RunContext& run) const {
  start::ConstructOptions first = start_options(each_cell);
  first.grace = run.work_left();
  first.improve = false;
  return start::construct_pattern(*problem_, first, run);
}

// Exchanges at that price; what there was, at that price too, if no time is left for them.
Result<start::Constructed> SuppressStart::exchanged(start::Constructed found,
                                                    double price,
                                                    std::int32_t max_rounds,
                                                    const RunContext& run) const {
  start::ConstructOptions construct = start_options(price);
  construct.max_rounds = max_rounds;
  construct.least_rate = least_rate();
  LACUNA_TRY(start::Constructed better, construct_from(found, construct, run));
  if (better.complete)
    return better;
  found.cost = cost_at(construct.costs, found);
  return found;
}

// What a cell costs besides its weight, with the quick effort; nothing if weight is number.
double SuppressStart::quick_price() const {
  std::vector<double> weights;
  for (std::size_t c = 0; c < problem_->table().cells().size(); ++c)
    weights.insert(
        weights.end(), base::at(size_of(c)), problem_->table().cells()[c].weight / size_of(c));
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  return weights.empty() || *least == *most ? 0
                                            : kTuning.start.each_cell * median(std::move(weights));
}

start::ConstructOptions SuppressStart::start_options(double each_cell) const {
  start::ConstructOptions construct;
  construct.engine = options_.engine;
  if (begins_underway()) {
    construct.withheld = options_.start;
    construct.evidence = options_.start_evidence;
  }
  if (options_.on_pattern) {
    construct.on_pattern = [this](const Draft& draft, const std::vector<Displacement>& evidence) {
      options_.on_pattern(draft, evidence, {});
    };
  }
  if (on_safe) {
    construct.on_safe = [this](const Draft& draft) {
      on_safe(suppression_model::withheld_weight(problem_->table(), draft));
    };
  }
  if (tree_finds_patterns() && !any_part_has_few_leaves() && options_.earlier().empty())
    construct.max_rounds = kTuning.start.rounds_for_the_tree;
  for (std::size_t c = 0; c < problem_->table().cells().size(); ++c)
    construct.costs.push_back(problem_->table().cells()[c].weight + each_cell * size_of(c));
  for (const CellId cell : options_.earlier()) {
    construct.costs[base::at(cell)] *= kTuning.start.kept;
    construct.withheld.push_back(cell);
  }
  return construct;
}

SuppressStart::Measure SuppressStart::measure(const start::Constructed& found) const {
  Measure result;
  for (const CellEntry& entry : found.draft.each()) {
    if (always_[base::at(entry.cell)])
      continue;
    result.cells += size_of(base::at(entry.cell));
    result.weight += problem_->table().cell(entry.cell).weight;
  }
  return result;
}

// Nothing but what has to be withheld?
bool SuppressStart::is_least(const start::Constructed& found) const {
  return measure(found).cells == 0;
}

// What a cell costs if weight counts several times as much as number; whole weights stay whole.
// Nothing where patterns come from flats, for which weight alone counts.
double SuppressStart::balanced_price(const Measure& found) const {
  const auto cells = problem_->table().cells();
  const bool whole = std::all_of(
      cells.begin(), cells.end(), [](const Cell& cell) { return tol::is_integer(cell.weight); });
  const double price = found.cells == 0 || flats_may_help()
                           ? 0
                           : found.weight / found.cells / kTuning.start.weight_over_number;
  return whole ? std::round(price) : price;
}

// Where few displacements generate all, patterns that leave fewer still are often far cheaper than
// what routes find one by one.
bool SuppressStart::flats_may_help() const {
  return options_.earlier().empty() && options_.max_withheld < 0 && parts_are_small() &&
         any_part_has_few_leaves();
}

// A pattern whose parts are supports of a few displacements each (protect/start/flats.h), confirmed
// by the audit; nothing if one of them has none.
Result<std::optional<start::Constructed>> SuppressStart::from_flats(double price,
                                                                    const RunContext& run) const {
  const std::vector<double> costs = start_options(price).costs;
  start::Constructed found;
  found.complete = true;
  found.draft = with_primaries({});
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const double share = 1 / static_cast<double>(parts_.size() - p);
    LACUNA_TRY(const bool taken,
               take_flat(parts_[p], costs, found, base::share_of_work(run, share)));
    if (!taken)
      return std::optional<start::Constructed>();
  }
  found.cost = cost_at(costs, found);
  return std::optional(std::move(found));
}

Result<bool> SuppressStart::take_flat(const std::vector<CellId>& part,
                                      const std::vector<double>& costs,
                                      start::Constructed& found,
                                      const RunContext& run) const {
  for (const start::FlatPattern& pattern : start::search_flats(*problem_, costs, part, run)) {
    if (!pattern.served)
      break;
    start::Constructed trial = found;
    for (const CellId cell : pattern.cells)
      trial.draft.withhold(cell);
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.engine = options_.engine;
    for (std::size_t i = 0; i < problem_->requirements().size(); ++i) {
      if (std::binary_search(part.begin(), part.end(), problem_->requirements()[i].cell))
        verdicts.only.push_back(static_cast<std::int32_t>(i));
    }
    RunContext quiet = beyond(kTuning.start.to_be_complete);
    quiet.on_progress = nullptr;
    LACUNA_TRY(AuditReport report, Auditor(problem_).audit(trial.draft, verdicts, quiet));
    if (!passes(report.verdict))
      continue;
    found = std::move(trial);
    auto& more = report.evidence.witnesses;
    std::move(more.begin(), more.end(), std::back_inserter(found.witnesses));
    return true;
  }
  return false;
}

Result<start::Constructed> SuppressStart::construct_from(const start::Constructed& found,
                                                         start::ConstructOptions construct,
                                                         const RunContext& run) const {
  construct.withheld.clear();
  for (const CellEntry& entry : found.draft.each())
    construct.withheld.push_back(entry.cell);
  construct.evidence = found.witnesses;
  return start::construct_pattern(*problem_, construct, run);
}

double SuppressStart::cost_at(const std::vector<double>& costs,
                              const start::Constructed& found) const {
  double total = 0;
  for (const CellEntry& entry : found.draft.each())
    total += costs[base::at(entry.cell)];
  return total;
}

double SuppressStart::median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

Draft SuppressStart::with_primaries(const std::vector<CellId>& cells) const {
  Draft draft = Draft::withholding_primaries(problem_->table());
  for (const Requirement& need : problem_->requirements())
    draft.withhold(need.cell);
  for (const CellId cell : cells) {
    if (may_be_withheld(problem_->table().cell(cell)))
      draft.withhold(cell);
  }
  return draft;
}

// What was withheld before with the sensitive cells of today, if the audit confirms it.
Result<std::optional<StartPattern>> SuppressStart::if_safe(
    const std::vector<CellId>& cells, const std::vector<Displacement>& evidence) const {
  Draft draft = with_primaries(cells);
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = options_.engine;
  verdicts.hints = evidence;
  RunContext quiet = beyond(kTuning.start.to_be_complete);
  quiet.on_progress = nullptr;
  LACUNA_TRY(AuditReport report, Auditor(problem_).audit(draft, verdicts, quiet));
  if (!passes(report.verdict))
    return std::optional<StartPattern>();
  return std::optional(StartPattern{std::move(draft), std::move(report.evidence.witnesses)});
}

// Where everything hangs together routes are searched by linear programs. Whether these met the
// needs is for the audit to say.
Status SuppressStart::complete_by_programs(start::Constructed& found) const {
  Draft draft = found.draft;
  const RunContext run = beyond(kTuning.start.to_be_complete);
  for (const std::vector<CellId>& part : parts_) {
    const suppression_model::SuppressModel model(problem_, part, always_, options_.minimum_width);
    const std::vector<std::int32_t> needs = needs_behind(model, found.unmet);
    if (needs.empty())
      continue;
    if (!ProgramRoutes::are_quick(model))
      return ok_status();
    std::vector<bool> withheld;
    for (std::int32_t j = 0; j < model.num_columns(); ++j)
      withheld.push_back(draft.state(model.cell(model.cell_of(j))) != StatementKind::kExact);
    if (!ProgramRoutes(model, options_.engine).complete(needs, withheld, run))
      return ok_status();
    for (std::int32_t j = 0; j < model.num_columns(); ++j) {
      if (withheld[static_cast<std::size_t>(j)])
        draft.withhold(model.cell(model.cell_of(j)));
    }
  }
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.engine = options_.engine;
  verdicts.only = found.unmet;
  LACUNA_TRY(AuditReport report,
             Auditor(problem_).audit(draft, verdicts, beyond(2 * kTuning.start.to_be_complete)));
  if (!passes(report.verdict))
    return ok_status();
  found.complete = true;
  found.draft = std::move(draft);
  auto& more = report.evidence.witnesses;
  std::move(more.begin(), more.end(), std::back_inserter(found.witnesses));
  return ok_status();
}

std::vector<std::int32_t> SuppressStart::needs_behind(
    const suppression_model::SuppressModel& model,
    const std::vector<std::int32_t>& requirements) const {
  // Requirements are sorted by cell and attacker, their indices ascend.
  const auto place = [&](std::int32_t index) {
    const Requirement& asked = problem_->requirements()[static_cast<std::size_t>(index)];
    return std::pair(asked.cell, asked.attacker);
  };
  std::vector<std::int32_t> needs;
  for (std::size_t n = 0; n < model.needs().size(); ++n) {
    const suppression_model::Need& need = model.needs()[n];
    const std::pair sought(model.cell(need.cell), need.attacker);
    const auto found = std::lower_bound(
        requirements.begin(), requirements.end(), sought, [&](std::int32_t index, const auto& key) {
          return place(index) < key;
        });
    if (need.column < 0 && found != requirements.end() && place(*found) == sought)
      needs.push_back(static_cast<std::int32_t>(n));
  }
  return needs;
}

// Dives find patterns where attacker problems are quick; elsewhere the start has to.
bool SuppressStart::tree_finds_patterns() const {
  return kind_ == StartKind::kForTree && parts_are_small();
}

bool SuppressStart::parts_are_small() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const std::vector<CellId>& part) {
    return part.size() <= kTuning.start.quick_cells;
  });
}

bool SuppressStart::any_part_has_few_leaves() const {
  if (!few_leaves_)
    few_leaves_ =
        suppression_model::any_has_few_leaves(problem_, parts_, always_, options_.minimum_width);
  return *few_leaves_;
}

// More than the work of the start, for what must be done before there is a pattern.
RunContext SuppressStart::beyond(double share) const {
  RunContext part = run_;
  if (run_.work_end != kNoWorkLimit)
    part.work_end += static_cast<std::int64_t>(share * static_cast<double>(run_.work_end - begin_));
  return part;
}

// Improvement ends when it would save less than a small share of the cost if it went on like this
// for all the work of the start.
double SuppressStart::least_rate() const {
  return run_.work_end == kNoWorkLimit
             ? 0
             : kTuning.start.worth_all_work / static_cast<double>(run_.work_end - begin_);
}

}  // namespace lacuna::suppression
