// SPDX-License-Identifier: Apache-2.0
#include "protect/round/choices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/random.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/draft/shown_range.h"
#include "core/table/number_option.h"
#include "judge/attack/view.h"
#include "protect/round/tuning.h"

namespace lacuna::rounding {
namespace {

using pattern::CellPlan;
using pattern::Choice;
using pattern::Plan;

Units floor_multiple(Units value, Units base) {
  const Units remainder = value % base;
  return value - (remainder < 0 ? remainder + base : remainder);
}

struct Grid {  // of one cell
  Units base = 1;
  Units low = 0, high = 0;  // the adjacent multiples, equal for a multiple
};

Grid grid_of(Units value, Units base) {
  Grid grid{base, floor_multiple(value, base), 0};
  grid.high = grid.low == value ? value : grid.low + base;
  return grid;
}

class PlanMaker {
 public:
  PlanMaker(const Problem& problem, const RoundOptions& options, std::int32_t steps)
      : problem_(problem),
        table_(problem.table()),
        options_(options),
        base_(common_base(problem.table(), options)),
        steps_(steps) {
    one_ = 1;
    for (int d = 0; d < table_.decimals(); ++d)
      one_ *= 10;
    number_ = 1 / static_cast<double>(one_);
  }

  Plan make() {
    Plan plan;
    plan.problem = &problem_;
    plan.max_changed = options_.max_changed;
    plan.cells.resize(static_cast<std::size_t>(table_.num_cells()));
    for (std::int32_t c = 0; c < table_.num_cells(); ++c)
      plan.cells[static_cast<std::size_t>(c)].choices = choices_of(CellId{c});
    for (const Requirement& need : problem_.requirements())
      drop_short(need, plan.cells[base::at(need.cell)].choices);
    return plan;
  }

 private:
  bool small(Units value) const {
    return options_.no_small_counts && (value == one_ || value == 2 * one_);
  }

  std::vector<Choice> choices_of(CellId cell) const {
    const Units value = table_.value(cell);
    const Units base = options_.bases.empty() ? base_ : options_.bases[base::at(cell)];
    const Grid grid = grid_of(value, base);
    std::vector<Choice> choices;
    if (grid.low == grid.high && multiples_are_exact() && !small(value)) {
      choices.push_back({Exact{}, value, {value, value}, 0, false});
      return choices;
    }
    for (Units v = lowest(grid, value); v <= highest(grid, value); v += base) {
      if (!small(v))
        choices.push_back(rounded(cell, v, grid));
    }
    const bool sensitive = is_sensitive(problem_, cell);
    if (options_.max_changed >= 0 && !sensitive && grid.low != grid.high && !small(value))
      choices.push_back({Exact{}, value, {value, value}, 0, false});
    std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
      return a.value < b.value;
    });
    return choices;
  }

  // The next multiple that may be published, that is one that is no 1 or 2.
  Units beyond(Units multiple, Units step) const {
    do
      multiple += step;
    while (small(multiple));
    return multiple;
  }

  // A number never changes its sign. A neighbour that would be a 1 or a 2 gives way to the next.
  Units lowest(const Grid& grid, Units value) const {
    const Units low = small(grid.low) ? beyond(grid.low, -grid.base) : grid.low;
    return value >= 0 ? std::max<Units>(low - steps_ * grid.base, 0) : low - steps_ * grid.base;
  }
  Units highest(const Grid& grid, Units value) const {
    const Units high = small(grid.high) ? beyond(grid.high, grid.base) : grid.high;
    return value < 0 ? std::min<Units>(high + steps_ * grid.base, 0) : high + steps_ * grid.base;
  }

  // Whether v is among what may be published of a value. Ends of the choices rise with the value,
  // so that the values of which it is are an unbroken run.
  bool shows(Units value, Units v, Units base) const {
    const Grid grid = grid_of(value, base);
    return lowest(grid, value) <= v && v <= highest(grid, value);
  }

  // The last value on one side (step = 1 or -1) of which v may be published: multiples and the
  // values between two of them in turn.
  Units last_shown(Units v, Units base, Units step) const {
    Units last = v;
    while (true) {
      const Units multiple = last + step * base;
      if (base > 1 && !shows(last + step, v, base))
        return last;
      if (!shows(multiple, v, base))
        return multiple - step;
      last = multiple;
    }
  }

  // What v tells one who knows the rule and the unit of the table (docs/knowledge.md).
  Bounds told(Units v, Units base) const {
    const Units reach = (steps_ + 1) * base - 1;
    const Units far = 2 * one_ + (steps_ + 2) * base;
    if (options_.no_small_counts && v <= far && v >= -far)
      return {last_shown(v, base, -1), last_shown(v, base, 1)};
    Bounds all{v - reach, v + reach};
    if (v > 0)
      all.lower = std::max<Units>(all.lower, 0);
    if (v < 0)
      all.upper = std::min<Units>(all.upper, -1);
    return all;
  }

  void state(CellId cell, Units base, Choice& choice) const {
    const Units v = choice.value;
    const Cell& own = table_.cell(cell);
    const Units inside = (steps_ + 1) * base - 1;
    const Bounds told_of_it = draft::without_negative_part(told(v, base), own);
    const CellEntry plain{cell, Rounded{v, base, steps_}};
    choice.says = plain.says;
    choice.known = plain.bounds();
    if (told_of_it != draft::without_negative_part({v - inside, v + inside}, own)) {
      choice.known = told_of_it;  // base and steps would say something else
      choice.says = Altered{v, told_of_it};
    } else if (told_of_it.is_point()) {
      choice.known = told_of_it;  // a base of one unit hides nothing
      choice.says = Exact{};
    } else if (multiples_are_exact()) {
      const bool from_zero = v == 0 && own.prior.has_lower() && own.prior.lower >= 0;
      choice.known = {from_zero ? Units{1} : v - inside, v + inside};
    }
  }

  // Readers then know of every other cell that it is no multiple.
  bool multiples_are_exact() const { return options_.exact_multiples && steps_ == 0; }

  Choice rounded(CellId cell, Units v, const Grid& grid) const {
    const Units value = table_.value(cell);
    Choice choice;
    choice.value = v;
    state(cell, grid.base, choice);
    const Units off = v > value ? v - value : value - v;
    const Units farther = v < grid.low ? grid.low - v : v > grid.high ? v - grid.high : 0;
    const double weight = table_.cell(cell).weight;
    choice.price = weight * number_ *
                   (static_cast<double>(off) + options_.step_price * static_cast<double>(farther));
    choice.changed = off != 0;
    return choice;
  }

  void drop_short(const Requirement& need, std::vector<Choice>& choices) const {
    const Attacker& attacker = problem_.attackers()[static_cast<std::size_t>(need.attacker)];
    const Bounds mine = known_bounds(table_, attacker, need.cell);
    std::erase_if(choices, [&](const Choice& choice) {
      const Bounds known = intersect(mine, choice.known);
      const attack::Slack slack = attack::slack_within(table_.value(need.cell), known);
      return choice.known.is_point() || slack.up < need.upper || slack.down < need.lower ||
             (slack.up != kUnboundedAbove && slack.down != kUnboundedAbove &&
              Wide{slack.up} + slack.down < need.sliding);
    });
  }

  const Problem& problem_;
  const Table& table_;
  const RoundOptions& options_;
  Units base_;
  std::int32_t steps_;
  Units one_ = 1;  // the number 1 in units
  double number_ = 1;
};

// Whether base r can give the levels by what one cell states: some adjacent multiple v of a has
// v + r - a >= upper, a - v + r >= lower, 2 r >= sliding.
bool gives(Units value, const Requirement& need, Units base) {
  if (Wide{2} * base < need.sliding)
    return false;
  const Grid grid = grid_of(value, base);
  for (const Units v : {grid.low, grid.high}) {
    if (v + base - value >= need.upper && value - v + base >= need.lower)
      return true;
  }
  return false;
}

bool gives_all(const Problem& problem, Units base, std::int64_t& effort) {
  return std::all_of(
      problem.requirements().begin(), problem.requirements().end(), [&](const Requirement& need) {
        --effort;
        return gives(problem.table().value(need.cell), need, base);
      });
}

struct EnoughBases {
  Units smallest = 0;  // 0: the search took too long
  Units round = 0;     // 1, 2 or 5 times a power of ten
};

// Bases that give every requirement its levels. One that is the sum of both levels always does: the
// value is at least the lower level above the multiple below it, or else the upper level below the
// next one.
EnoughBases enough_bases(const Problem& problem) {
  Wide least = 1, enough = 1;
  for (const Requirement& need : problem.requirements()) {
    const Wide half = (Wide{need.sliding} + 1) / 2;
    least = std::max({least, (Wide{need.upper} + need.lower + 1) / 2, half});
    enough = std::max({enough, Wide{need.upper} + need.lower, half});
  }
  EnoughBases bases;
  std::int64_t effort = 50'000'000;  // cells looked at
  enough = std::min<Wide>(enough, kMaxUnits / 4);
  for (Wide base = least; base <= enough && effort > 0 && bases.smallest == 0; ++base) {
    if (gives_all(problem, static_cast<Units>(base), effort))
      bases.smallest = static_cast<Units>(base);
  }
  std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
  for (Wide power = 1; bases.round == 0 && power <= kMaxUnits / 10; power *= 10) {
    for (const int factor : {1, 2, 5}) {
      const Wide base = power * factor;
      if (bases.round == 0 && base >= least && base <= kMaxUnits / 4 &&
          gives_all(problem, static_cast<Units>(base), unlimited))
        bases.round = static_cast<Units>(base);
    }
  }
  return bases;
}

}  // namespace

Units common_base(const Table& table, const RoundSettings& settings) {
  return settings.base ? *table::units_of(*settings.base, table, "--base") : 1;
}

Plan rounding_plan(const Problem& problem, const RoundOptions& options, std::int32_t steps) {
  base::count_work(kTuning.touches.planned_cell * problem.table().num_cells());
  return PlanMaker(problem, options, steps).make();
}

Status check_levels(const Problem& problem, const RoundOptions& options, const Plan& plan) {
  const Table& table = problem.table();
  for (const Requirement& need : problem.requirements()) {
    const CellPlan& cell = plan.cells[base::at(need.cell)];
    if (cell.kind != pattern::PlanKind::kChoices || !cell.choices.empty())
      continue;  // of a mixture: an interval or a perturbed cell has ranges instead
    const auto number = [&](Units units) { return base::format_units(units, table.decimals()); };
    const Units base = options.bases.empty() ? common_base(problem.table(), options)
                                             : options.bases[base::at(need.cell)];
    // The levels themselves follow from the contributions, so they are not said.
    std::string text =
        "rounding to base " + number(base) + " cannot give the cell its protection levels";
    // Which bases would do depends on which values are multiples, and to name one would tell.
    const EnoughBases enough = options.exact_multiples ? EnoughBases{} : enough_bases(problem);
    if (options.exact_multiples)
      text += ": with " + base::named_option("exact-multiples") +
              " a multiple is published as it is, and readers know that every other number is not "
              "a multiple; leave that option out, or take another base";
    if (enough.smallest > 0)
      text += "; the smallest base that works for every cell is " +
              base::confidential(number(enough.smallest));
    if (enough.round > 0 && enough.round != enough.smallest)
      text += (enough.smallest > 0 ? ", the smallest round one " : "; a base that works is ") +
              number(enough.round);
    return Error{ErrorCode::kOptionConflict, text, table.label(need.cell)};
  }
  return ok_status();
}

std::vector<std::int32_t> random_wishes(const Problem& problem,
                                        const Plan& plan,
                                        std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::int32_t> wishes(plan.cells.size(), -1);
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    const std::vector<Choice>& choices = plan.cells[c].choices;
    const Units value = problem.table().value(CellId{static_cast<std::int32_t>(c)});
    const auto above = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
      return choice.value >= value;
    });
    if (above == choices.begin() || above == choices.end())
      continue;
    const Units low = (above - 1)->value, high = above->value;
    const auto index = static_cast<std::int32_t>(above - choices.begin());
    wishes[c] = random.between(1, high - low) <= value - low ? index : index - 1;
  }
  return wishes;
}

}  // namespace lacuna::rounding
