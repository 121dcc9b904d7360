// SPDX-License-Identifier: Apache-2.0
#include "protect/perturb/ranges.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/index.h"
#include "release/shown_range.h"

namespace lacuna::inline perturbation {
namespace {

using pattern::CellPlan;
using pattern::Choice;
using pattern::PlanKind;

struct Levels {
  bool sensitive = false;
  Units lower = 0, upper = 0;  // the most that any attacker's requirement asks for
};

Levels levels_of(const Problem& problem, CellId cell) {
  const auto& needs = problem.requirements;
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
  PlanMaker(const Problem& problem, const PerturbOptions& options, CellId cell)
      : table_(problem.table),
        options_(options),
        cell_(cell),
        value_(problem.table.value(cell)),
        levels_(levels_of(problem, cell)) {}

  Result<CellPlan> make() {
    LACUNA_RETURN_IF_ERROR(find_range());
    const double unit = units_to_double(1, table_.decimals());
    const double weight = table_.cell(cell_).weight;
    price_ = weight * unit;
    price_changed_ = weight * options_.change_price;
    const bool prescribed = !options_.values.empty() && options_.values[at(cell_)].has_value();
    if (prescribed)
      return prescribed_plan(*options_.values[at(cell_)]);
    if (range_.lower == value_ && range_.upper == value_ && !levels_.sensitive)
      return pattern::exact_plan(table_, cell_);
    return levels_.sensitive ? sensitive_plan() : slide_plan();
  }

 private:
  Status find_range() {
    const Bounds prior = table_.cell(cell_).prior;
    const Units width = percent_of(value_, options_.range_percent);
    range_.lower = value_ - (levels_.sensitive ? levels_.lower : width);
    range_.upper = value_ + (levels_.sensitive ? levels_.upper : width);
    range_ = intersect(range_, prior);
    if (options_.ranges.empty())
      return ok_status();
    const Bounds given = options_.ranges[at(cell_)];
    if (given.has_lower())
      range_.lower = given.lower;
    if (given.has_upper())
      range_.upper = given.upper;
    if (!range_.contains(value_))
      return Error{ErrorCode::kBadInput,
                   "the range of numbers that may be published does not contain the true value",
                   table_.label(cell_)};
    return ok_status();
  }

  Units reach() const { return range_.upper - range_.lower; }

  Choice choice(Units number) const {
    const Units off = number > value_ ? number - value_ : value_ - number;
    Choice made;
    made.value = number;
    if (options_.range_known) {  // never less than it takes to hold the truth
      const Units told = std::max(reach(), off);
      made.known = {number - told, number + told};
      made.says = Altered{number, without_negative_part(made.known, table_.cell(cell_))};
    } else {
      made.says = Adjusted{number};
    }
    made.price = price_ * static_cast<double>(off) + (off > 0 ? price_changed_ : 0);
    made.changed = off != 0;
    return made;
  }

  Result<CellPlan> prescribed_plan(Units number) const {
    if (!range_.contains(number) && !options_.ranges.empty() &&
        !(options_.ranges[at(cell_)] == Bounds{}))
      return Error{ErrorCode::kBadInput,
                   "the number to be published lies outside its range",
                   table_.label(cell_)};
    if (levels_.sensitive && !options_.range_known && !far_enough(number))
      return Error{ErrorCode::kBadInput,
                   "without a known range the number to be published must keep the protection "
                   "level away from the truth",
                   table_.label(cell_)};
    CellPlan plan;
    plan.choices.push_back(choice(number));
    return plan;
  }

  // Without ranges the release is adjusted as a whole, and the number itself must keep away from
  // the truth; with them an end that is the truth would still tell it.
  bool far_enough(Units number) const {
    if (options_.range_known)
      return number != value_;
    return number >= value_ + levels_.upper || number <= value_ - levels_.lower;
  }

  // The two ends, or the one that is asked for.
  Result<CellPlan> sensitive_plan() const {
    CellPlan plan;
    if (far_enough(range_.lower) && options_.senses != SenseRule::kUp)
      plan.choices.push_back(choice(range_.lower));
    if (far_enough(range_.upper) && options_.senses != SenseRule::kDown)
      plan.choices.push_back(choice(range_.upper));
    if (plan.choices.empty())
      return Error{ErrorCode::kBadInput,
                   "the sensitive cell cannot move to the side that is asked for",
                   table_.label(cell_)};
    return plan;
  }

  Result<CellPlan> slide_plan() const {
    CellPlan plan;
    plan.kind = PlanKind::kSlide;
    plan.most_down = value_ - range_.lower;
    plan.most_up = range_.upper - value_;
    plan.step = options_.step;
    plan.range_known = options_.range_known;
    plan.below = plan.above = reach();
    plan.price_down = plan.price_up = price_;
    plan.price_changed = price_changed_;
    return plan;
  }

  const Table& table_;
  const PerturbOptions& options_;
  CellId cell_;
  Units value_;
  Levels levels_;
  Bounds range_;
  double price_ = 0, price_changed_ = 0;
};

}  // namespace

Result<CellPlan> perturbed_plan(const Problem& problem,
                                const PerturbOptions& options,
                                CellId cell) {
  return PlanMaker(problem, options, cell).make();
}

}  // namespace lacuna::inline perturbation
