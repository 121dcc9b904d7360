// SPDX-License-Identifier: Apache-2.0
#include "protect/perturb/ranges.h"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/random.h"
#include "core/draft/shown_range.h"
#include "core/table/number_option.h"

namespace lacuna::perturbation {
namespace {

using pattern::CellPlan;
using pattern::Choice;
using pattern::PlanKind;

constexpr Units kMostBeyond = 4;  // steps from the drawn number of a sensitive cell to its end

struct Levels {
  bool sensitive = false;
  Units lower = 0, upper = 0;  // the most that any attacker's requirement asks for
};

Levels levels_of(const Problem& problem, CellId cell) {
  const auto& needs = problem.requirements();
  auto need = std::lower_bound(
      needs.begin(), needs.end(), cell, [](const Requirement& r, CellId c) { return r.cell < c; });
  Levels levels;
  for (; need != needs.end() && need->cell == cell; ++need) {
    levels.sensitive = true;
    const Units half = need->half_sliding();
    levels.lower = std::max({levels.lower, need->lower, half, Units{1}});
    levels.upper = std::max({levels.upper, need->upper, half, Units{1}});
  }
  return levels;
}

Units percent_of(Units value, double percent) {
  const double size = std::abs(static_cast<double>(value)) * percent / 100;
  return static_cast<Units>(std::ceil(std::min(size, static_cast<double>(kMaxUnits / 8))));
}

class PlanMaker {
 public:
  PlanMaker(const Problem& problem, const PerturbOptions& options, const Drawn& drawn, CellId cell)
      : table_(problem.table()),
        options_(options),
        drawn_(drawn),
        cell_(cell),
        value_(problem.table().value(cell)),
        levels_(levels_of(problem, cell)) {}

  Result<CellPlan> make() {
    LACUNA_RETURN_IF_ERROR(find_range());
    const double unit = base::units_to_double(1, table_.decimals());
    const double weight = table_.cell(cell_).weight;
    price_ = weight * unit;
    price_changed_ = weight * options_.change_price;
    const bool prescribed =
        !options_.values.empty() && options_.values[base::at(cell_)].has_value();
    if (prescribed)
      return prescribed_plan(*options_.values[base::at(cell_)]);
    if (range_.lower == value_ && range_.upper == value_ && !levels_.sensitive)
      return pattern::exact_plan(table_, cell_);
    return levels_.sensitive ? sensitive_plan() : slide_plan();
  }

 private:
  Status find_range() {
    const Bounds prior = table_.cell(cell_).prior;
    const Units width = percent_of(value_, options_.range);
    range_.lower = value_ - (levels_.sensitive ? levels_.lower : width);
    range_.upper = value_ + (levels_.sensitive ? levels_.upper : width);
    range_ = intersect(range_, prior);
    if (options_.ranges.empty())
      return ok_status();
    const Bounds given = options_.ranges[base::at(cell_)];
    if (given.has_lower())
      range_.lower = given.lower;
    if (given.has_upper())
      range_.upper = given.upper;
    if (!range_.contains(value_))
      return Error{ErrorCode::kJobValue,
                   "the range of numbers that may be published does not contain the true value",
                   table_.label(cell_)};
    return ok_status();
  }

  Units reach() const { return range_.upper - range_.lower; }

  // What no number of the cell would change. A range by hand may be that of a zero.
  Bounds within() const {
    const Bounds prior = table_.cell(cell_).prior;
    const bool positive = value_ > 0 && prior.has_lower() && prior.lower >= 0;
    const bool by_hand =
        !options_.ranges.empty() && !(options_.ranges[base::at(cell_)] == Bounds{});
    return positive && drawn_.zeros_shown && !by_hand ? Bounds{1, kUnboundedAbove} : Bounds{};
  }

  Choice choice(Units number) const {
    const Units off = number > value_ ? number - value_ : value_ - number;
    Choice made;
    made.value = number;
    if (!options_.range_unknown) {  // never less than it takes to hold the truth
      const Units told = told_width(std::max(reach(), off));
      made.known = draft::without_negative_part(intersect({number - told, number + told}, within()),
                                                table_.cell(cell_));
      made.says = Altered{number, made.known};
    } else {
      made.says = Adjusted{number};
    }
    made.price = price_ * static_cast<double>(off) + (off > 0 ? price_changed_ : 0);
    made.changed = off != 0;
    return made;
  }

  Result<CellPlan> prescribed_plan(Units number) const {
    if (!range_.contains(number) && !options_.ranges.empty() &&
        !(options_.ranges[base::at(cell_)] == Bounds{}))
      return Error{ErrorCode::kJobValue,
                   "the number to be published lies outside its range",
                   table_.label(cell_)};
    if (levels_.sensitive && options_.range_unknown && !far_enough(number))
      return Error{ErrorCode::kJobValue,
                   "without a known range the number to be published must keep the protection "
                   "level away from the truth",
                   table_.label(cell_)};
    CellPlan plan;
    plan.choices.push_back(choice(number));
    return plan;
  }

  // Without ranges the release is adjusted as a whole, and the number itself must keep away from
  // the truth; with them a number that is the truth would still tell it.
  bool far_enough(Units number) const {
    if (!options_.range_unknown)
      return number != value_;
    return number >= value_ + levels_.upper || number <= value_ - levels_.lower;
  }

  // Numbers below and above the truth, or on the side that is asked for. With known ranges the
  // nearest is drawn: at a fixed distance from the truth it would tell it to whoever knows the
  // distance. Those beyond it are for sums that would not add up otherwise; cells with the same
  // range draw the same, since they may have to move together.
  Result<CellPlan> sensitive_plan() const {
    CellPlan plan;
    base::Random random = base::Random::of_item(
        base::Random::of_item(drawn_.seed, static_cast<std::uint64_t>(range_.lower)).next(),
        static_cast<std::uint64_t>(range_.upper));
    const Units below = nearest(value_ - range_.lower, random);
    const Units above = nearest(range_.upper - value_, random);
    if (options_.senses != SenseRule::kUp)
      add_side(below, value_ - range_.lower, -1, plan);
    if (options_.senses != SenseRule::kDown)
      add_side(above, range_.upper - value_, 1, plan);
    std::sort(plan.choices.begin(), plan.choices.end(), [](const Choice& a, const Choice& b) {
      return a.value < b.value;
    });
    if (plan.choices.empty())
      return Error{ErrorCode::kCannotProtect,
                   "the sensitive cell cannot move to the requested side",
                   table_.label(cell_)};
    return plan;
  }

  Units nearest(Units most, base::Random& random) const {
    return !options_.range_unknown && most > 0 ? random.between(1, most) : most;
  }

  void add_side(Units off, Units most, Units sign, CellPlan& plan) const {
    const Units step = std::max<Units>(1, (most - off) / kMostBeyond);
    for (; off <= most; off += step) {
      if (far_enough(value_ + sign * off))
        plan.choices.push_back(choice(value_ + sign * off));
    }
  }

  Result<CellPlan> slide_plan() const {
    CellPlan plan;
    plan.kind = PlanKind::kSlide;
    plan.most_down = value_ - range_.lower;
    plan.most_up = range_.upper - value_;
    plan.step = *grid_of(table_, options_);
    plan.range_known = !options_.range_unknown;
    plan.below = plan.above = told_width(reach());
    plan.within = within();
    plan.price_down = plan.price_up = price_;
    plan.price_changed = price_changed_;
    return plan;
  }

  const Table& table_;
  const PerturbOptions& options_;
  const Drawn& drawn_;
  CellId cell_;
  Units value_;
  Levels levels_;
  Bounds range_;
  double price_ = 0, price_changed_ = 0;
};

}  // namespace

Drawn drawn_from(const Problem& problem, std::uint64_t seed) {
  const bool zeros_shown = std::none_of(
      problem.requirements().begin(), problem.requirements().end(), [&](const Requirement& need) {
        return problem.table().value(need.cell) == 0;
      });
  return {seed, zeros_shown};
}

Result<Units> grid_of(const Table& table, const PerturbSettings& settings) {
  if (!settings.grid)
    return Units{1};
  return table::units_of(*settings.grid, table, "--grid");
}

Units told_width(Units reach) {
  for (Units power = 1;; power *= 10) {
    for (const Units rung : {power, 2 * power, 5 * power}) {
      if (rung >= reach)
        return rung;
    }
  }
}

Result<CellPlan> perturbed_plan(const Problem& problem,
                                const PerturbOptions& options,
                                const Drawn& drawn,
                                CellId cell) {
  return PlanMaker(problem, options, drawn, cell).make();
}

}  // namespace lacuna::perturbation
