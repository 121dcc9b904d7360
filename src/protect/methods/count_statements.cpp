// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/count_statements.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/base/spelling.h"
#include "core/table/number_option.h"
#include "lacuna/mixed.h"
#include "protect/methods/methods.h"

namespace lacuna::methods {
namespace {

constexpr Units kLargestListed = 1000;  // base: twice as many numbers are listed of every cell

// The entry without the numbers that are ruled out; they are rising and hold the truth.
CellEntry among_these(const CellEntry& entry, Units value, std::vector<Units> numbers) {
  const Bounds range{numbers.front(), numbers.back()};
  const bool all = range.upper - range.lower + 1 == static_cast<Units>(numbers.size());
  Altered told{value, range};
  if (!all)
    told.among = std::move(numbers);
  return {entry.cell, std::move(told)};
}

template <class Keep>
std::vector<Units> numbers_in(Bounds range, const Keep& keep) {
  std::vector<Units> numbers;
  for (Units n = std::max<Units>(range.lower, 0); n <= range.upper; ++n) {
    if (keep(n))
      numbers.push_back(n);
  }
  return numbers;
}

class Teller {
 public:
  Teller(const Problem& problem, const ProtectOptions& options)
      : problem_(problem), options_(options), states_(states_by(problem, options)) {}

  // Of a release in which multiples are said to be exact.
  Result<CellEntry> told(const CellEntry& entry) const {
    if (states_[base::at(entry.cell)] == StatementKind::kRounded)
      return without_multiples(entry);
    return entry;
  }

 private:
  Result<Units> base_of(CellId cell) const {
    if (!options_.cells.empty() && options_.cells[base::at(cell)].base)
      return *options_.cells[base::at(cell)].base;
    if (!options_.round.base)
      return Error{ErrorCode::kOptionMissing, "rounding needs a base", "--base"};
    return table::units_of(*options_.round.base, problem_.table(), "--base");
  }

  Result<CellEntry> without_multiples(const CellEntry& entry) const {
    LACUNA_TRY(const Units base, base_of(entry.cell));
    if (base > kLargestListed)
      return Error{
          ErrorCode::kOptionConflict,
          "multiples of a base above 1000 cannot be called exact in a table of counts: the release "
          "would have to list the possible values of all other counts; leave out " +
              base::named_option("exact-multiples"),
          "--exact-multiples"};
    const bool rounded = entry.state() == StatementKind::kRounded;
    const Bounds ends = entry.bounds();
    const Bounds inside = rounded ? Bounds{ends.lower + 1, ends.upper - 1} : ends;
    const auto possible = [&](Units n) {
      return n % base != 0 || (options_.round.no_small_counts && (n == 1 || n == 2));
    };
    return among_these(entry, *entry.number(), numbers_in(inside, possible));
  }

  const Problem& problem_;
  const ProtectOptions& options_;
  std::vector<StatementKind> states_;
};

StatementKind state_of(PublishAs group) {
  switch (group) {
    case PublishAs::kExact:
      return StatementKind::kExact;
    case PublishAs::kWithheld:
      return StatementKind::kWithheld;
    case PublishAs::kInterval:
      return StatementKind::kInterval;
    case PublishAs::kPerturbed:
      return StatementKind::kAltered;
    case PublishAs::kRounded:
      return StatementKind::kRounded;
  }
  return StatementKind::kExact;
}

// The width of a range is that of a level, or a percentage of the count: either tells the count.
Status check_ranges(const Problem& problem, const ProtectOptions& options) {
  const bool perturbs = options.method == Method::kPerturb || options.method == Method::kMixed;
  if (!perturbs || options.perturb.range_unknown)
    return ok_status();
  const std::vector<StatementKind> states = states_by(problem, options);
  if (std::find(states.begin(), states.end(), StatementKind::kAltered) == states.end())
    return ok_status();
  return Error{ErrorCode::kOptionConflict,
               "counts are not perturbed within printed ranges, whose widths would tell readers "
               "which counts are below the threshold; print no ranges (" +
                   base::named_option("range-unknown") + "), or use " +
                   base::named_option("method", "small-counts") + ", round or cellkey",
               "--method"};
}

}  // namespace

std::vector<StatementKind> states_by(const Problem& problem, const ProtectOptions& options) {
  const auto cells = static_cast<std::size_t>(problem.table().num_cells());
  switch (options.method) {
    case Method::kSuppress:
      return std::vector<StatementKind>(cells, StatementKind::kWithheld);
    case Method::kInterval:
    case Method::kCombined:
      return std::vector<StatementKind>(cells, StatementKind::kInterval);
    case Method::kRound:
      return std::vector<StatementKind>(cells, StatementKind::kRounded);
    case Method::kMixed: {
      std::vector<StatementKind> states;
      for (const PublishAs group : mixed_groups(problem, options))
        states.push_back(state_of(group));
      return states;
    }
    case Method::kPerturb:
    case Method::kAdjust:
    case Method::kSmallCounts:
    case Method::kCellKey:
      break;
  }
  return std::vector<StatementKind>(cells, StatementKind::kAltered);
}

std::vector<bool> zeros_shown(const Problem& problem, const ProtectOptions& options) {
  const std::vector<StatementKind> states = states_by(problem, options);
  std::vector<bool> shown(states.size(), false);
  const bool rounded_show = options.round.exact_multiples && options.round.steps == 0;
  for (std::size_t c = 0; c < shown.size(); ++c)
    shown[c] = states[c] == StatementKind::kRounded && rounded_show;
  return shown;
}

Status check_ways(const Problem& problem, const ProtectOptions& options) {
  if (options.method != Method::kMixed)
    return check_ranges(problem, options);
  const std::vector<bool> total = total_cells(problem.table());
  for (std::size_t c = 0; c < total.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    const PublishAs other = total[c] ? options.mixed.totals_as : options.mixed.others_as;
    const bool by_hand = !options.cells.empty() && options.cells[c].method;
    const bool shown = other == PublishAs::kExact && !is_sensitive(problem, cell);
    const bool same = other == options.mixed.sensitive_as;
    if (by_hand || shown || same || !may_be_withheld(problem.table().cell(cell)))
      continue;
    return Error{
        ErrorCode::kOptionConflict,
        "a mixture that publishes sensitive counts differently from others shows readers which "
        "counts are below the threshold; publish sensitive and other cells in the same way (" +
            base::named_option("sensitive-as") + ", " + base::named_option("others-as") + ", " +
            base::named_option("totals-as") + "), or state the way for each cell (" +
            base::named_option("cells") + ")",
        problem.table().label(cell)};
  }
  return check_ranges(problem, options);
}

Result<Draft> as_count_readers_see(const Problem& problem,
                                   const ProtectOptions& options,
                                   double steps,
                                   Draft draft) {
  if (!options.round.exact_multiples || steps != 0 || draft.adjusted())
    return draft;
  const Teller teller(problem, options);
  for (const CellEntry& entry : draft.entries()) {
    LACUNA_TRY(const CellEntry told, teller.told(entry));
    draft.set(told);
  }
  return draft;
}

}  // namespace lacuna::methods
