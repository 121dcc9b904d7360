// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "core/base/spelling.h"
#include "core/table/least_counts.h"
#include "data/sensitivity/attackers.h"
#include "data/sensitivity/options.h"
#include "data/sensitivity/rule_check.h"
#include "lacuna/linked_tables.h"
#include "lacuna/sensitivity.h"

namespace lacuna {
namespace {

struct Mark {  // what is known of a cell while the problem is put together
  std::vector<sensitivity::Hit> hits;
  std::optional<AprioriStatus> status;  // by hand
  std::optional<double> cost;
  std::optional<Units> lower, upper, sliding;
  std::optional<Units> lower_bound, upper_bound;
  sensitivity::Levels levels;
  Bounds prior;
  bool overruled = false;  // sensitive by a rule, and called safe by hand

  bool sensitive() const { return !hits.empty(); }
  bool has_levels() const { return lower || upper || sliding; }
};

// A number of the user's unit in table units, rounded toward the inside of the bounds: an attacker
// knows at least what is stated. Values are whole units, so none is left out.
Units bound_units(const mpq_class& units, bool is_lower) {
  const mpz_class rounded = is_lower ? base::rounded_up(units) : base::rounded_down(units);
  if (rounded > base::to_integer(kMaxUnits))
    return kMaxUnits;
  return rounded < base::to_integer(-kMaxUnits) ? -kMaxUnits : base::to_units(rounded);
}

class ProblemMaker {
 public:
  ProblemMaker(const Tabulation& tabulation,
               const sensitivity::SensitivityRules& rules,
               SensitivityReport& report)
      : tabulation_(tabulation), rules_(rules), report_(report), marks_(tabulation.cells.size()) {}

  Result<Problem> run(std::span<const AprioriEntry> apriori) {
    LACUNA_RETURN_IF_ERROR(check_depth());
    for (std::size_t cell = 0; cell < marks_.size(); ++cell)
      marks_[cell].hits = judge(facts(cell), rules_, tabulation_.decimals);
    LACUNA_RETURN_IF_ERROR(apply(apriori));
    signed_ = has_negative() || may_be_negative(rules_.lower_bound);
    for (std::size_t cell = 0; cell < marks_.size(); ++cell)
      LACUNA_RETURN_IF_ERROR(set_levels(cell));
    LACUNA_TRY(Table table, build_table());
    explain();
    const std::vector<sensitivity::SensitiveCell> sensitive = sensitive_cells();
    sensitivity::AttackerList list =
        make_attackers(tabulation_, table, sensitive, rules_, signed_ || has_negative_bound());
    report_.attackers = list.counts;
    report_.covered = std::move(list.covered);
    report_.sensitive = static_cast<std::int64_t>(sensitive.size());
    LACUNA_TRY(
        Problem problem,
        make_problem(std::move(table), std::move(list.attackers), std::move(list.requirements)));
    LACUNA_RETURN_IF_ERROR(problem.set_keys(tabulation_.keys));
    if (tabulation_.none_is_empty)  // which is in the file, whatever bounds are stated
      return table::knowing_none_is_empty(problem);
    return problem;
  }

 private:
  const CellFacts& facts(std::size_t cell) const { return tabulation_.cells[cell]; }
  std::span<const std::int32_t> codes(std::size_t cell) const {
    const std::size_t width = tabulation_.dimensions.size();
    return {tabulation_.codes.data() + cell * width, width};
  }

  std::string label(std::size_t cell) const {
    std::string text;
    for (std::size_t d = 0; d < tabulation_.dimensions.size(); ++d) {
      const Dimension& dimension = tabulation_.dimensions[d];
      text += (d == 0 ? "" : "|") + dimension.name() + "=" + dimension.code(codes(cell)[d]);
    }
    return text;
  }

  Status check_depth() const {
    const std::int32_t needed = rules_.contributions_needed();
    if (tabulation_.top >= needed)
      return ok_status();
    return Error{ErrorCode::kOptionConflict,
                 "the rules look at the " + std::to_string(needed) +
                     " largest contributions of a cell, but only " +
                     std::to_string(tabulation_.top) + " are kept; tabulate with more",
                 ""};
  }

  bool has_negative() const {
    return std::any_of(tabulation_.cells.begin(), tabulation_.cells.end(), [](const CellFacts& f) {
      return f.absolute > f.value;
    });
  }

  bool has_negative_bound() const {  // by hand
    return std::any_of(marks_.begin(), marks_.end(), [](const Mark& mark) {
      return mark.lower_bound && *mark.lower_bound < 0;
    });
  }

  static bool may_be_negative(const KnownBound& lower) {
    return lower.kind == KnownBound::Kind::kUnbounded ||
           (lower.kind == KnownBound::Kind::kNumber && lower.number < 0);
  }

  Status apply(std::span<const AprioriEntry> entries) {
    if (entries.empty())
      return ok_status();
    std::map<std::vector<std::int32_t>, std::size_t> cells;
    for (std::size_t cell = 0; cell < marks_.size(); ++cell)
      cells.emplace(std::vector<std::int32_t>(codes(cell).begin(), codes(cell).end()), cell);
    for (const AprioriEntry& entry : entries) {
      const auto at = cells.find(entry.codes);
      if (at != cells.end())
        LACUNA_RETURN_IF_ERROR(apply(entry, at->second));
      else if (!entry.if_present)
        return Error{ErrorCode::kNoSuchCell, "the table has no such cell", entry.where};
    }
    return ok_status();
  }

  Status apply(const AprioriEntry& entry, std::size_t cell) {
    Mark& mark = marks_[cell];
    if (entry.status)
      LACUNA_RETURN_IF_ERROR(apply_status(entry, cell));
    if (entry.cost)
      mark.cost = entry.cost;
    if (entry.has_levels()) {
      if (!mark.sensitive())
        return refuse(
            entry, cell, "protection levels are for sensitive cells, and the cell is not");
      if (entry.lower)
        mark.lower = entry.lower;
      if (entry.upper)
        mark.upper = entry.upper;
      if (entry.sliding)
        mark.sliding = entry.sliding;
    }
    if (entry.lower_bound)
      mark.lower_bound = entry.lower_bound;
    if (entry.upper_bound)
      mark.upper_bound = entry.upper_bound;
    return ok_status();
  }

  Error refuse(const AprioriEntry& entry, std::size_t cell, std::string why) const {
    return {ErrorCode::kWrongStatus, std::move(why) + " (" + label(cell) + ")", entry.where};
  }

  Status apply_status(const AprioriEntry& entry, std::size_t cell) {
    Mark& mark = marks_[cell];
    if (entry.status == mark.status)
      return ok_status();
    if (mark.status == AprioriStatus::kSecondary)
      return refuse(entry, cell, "the cell is a secondary by hand already");
    switch (*entry.status) {
      case AprioriStatus::kSafe:
        mark.overruled = mark.overruled || mark.sensitive();
        mark.hits.clear();
        mark.lower = mark.upper = mark.sliding = std::nullopt;
        break;
      case AprioriStatus::kUnsafe:
        if (mark.status == AprioriStatus::kMustPublish)
          return refuse(entry, cell, "a cell that must be published cannot be unsafe");
        mark.hits.push_back(sensitivity::manual_hit(facts(cell), rules_, entry.where));
        break;
      case AprioriStatus::kMustPublish:
        if (mark.sensitive())
          return refuse(entry, cell, "an unsafe cell cannot be published; make it safe first");
        break;
      case AprioriStatus::kSecondary:
        if (mark.sensitive() || mark.status == AprioriStatus::kMustPublish)
          return refuse(entry, cell, "only a safe cell can become a secondary by hand");
        break;
    }
    mark.status = entry.status;
    return ok_status();
  }

  Units bound(const KnownBound& known, Units value, bool is_lower) const {
    const Units unbounded = is_lower ? kUnboundedBelow : kUnboundedAbove;
    switch (known.kind) {
      case KnownBound::Kind::kUnbounded:
        return unbounded;
      case KnownBound::Kind::kNumber:
        return bound_units(base::fraction_of(known.number) * base::ten_to_the(tabulation_.decimals),
                           is_lower);
      case KnownBound::Kind::kPercent: {
        const mpq_class width =
            base::fraction_of(known.number) * abs(base::to_integer(value)) / 100;
        const mpq_class end = is_lower ? mpq_class(base::to_integer(value) - width)
                                       : mpq_class(base::to_integer(value) + width);
        return bound_units(end, is_lower);
      }
      case KnownBound::Kind::kAuto:
        break;
    }
    return is_lower && !signed_ ? Units{0} : unbounded;
  }

  Status set_levels(std::size_t cell) {
    Mark& mark = marks_[cell];
    const Units value = facts(cell).value;
    mark.prior = {mark.lower_bound.value_or(bound(rules_.lower_bound, value, true)),
                  mark.upper_bound.value_or(bound(rules_.upper_bound, value, false))};
    if (!mark.prior.contains(value)) {
      return Error{ErrorCode::kContradiction,
                   "the bounds do not contain the value; give wider ones or a percentage",
                   label(cell)};
    }
    if (!mark.sensitive())
      return ok_status();
    auto levels =
        sensitivity::levels_of(facts(cell), mark.hits, rules_, slack_below(mark.prior, value));
    if (!levels)
      return Error{levels.error().code, levels.error().message, label(cell)};
    mark.levels = levels.value();
    if (mark.has_levels()) {
      mark.levels.lower = mark.lower.value_or(mark.levels.lower);
      mark.levels.upper = mark.upper.value_or(mark.levels.upper);
      mark.levels.sliding = mark.sliding.value_or(mark.levels.sliding);
    }
    return fit(cell);
  }

  static Units slack_below(Bounds prior, Units value) {
    if (!prior.has_lower())
      return kMaxUnits;
    return static_cast<Units>(std::min(Wide{value} - prior.lower, Wide{kMaxUnits}));
  }
  static Units slack_above(Bounds prior, Units value) {
    if (!prior.has_upper())
      return kMaxUnits;
    return static_cast<Units>(std::min(Wide{prior.upper} - value, Wide{kMaxUnits}));
  }

  // The levels and the bounds of a sensitive cell must leave room for each other.
  Status fit(std::size_t cell) {
    Mark& mark = marks_[cell];
    const Units below = slack_below(mark.prior, facts(cell).value);
    const Units above = slack_above(mark.prior, facts(cell).value);
    const bool low = mark.levels.lower > below;
    const bool high = mark.levels.upper > above;
    const bool wide = Wide{mark.levels.sliding} > Wide{below} + above;
    if (!low && !high && !wide)
      return ok_status();
    if (rules_.misfit == Misfit::kError)
      return misfit_error(cell, low, high);
    if (rules_.misfit == Misfit::kWiden)
      return widen(cell, below, above);
    ++report_.cut;
    mark.levels.lower = std::min(mark.levels.lower, below);
    mark.levels.upper = std::min(mark.levels.upper, above);
    mark.levels.sliding =
        static_cast<Units>(std::min(Wide{mark.levels.sliding}, Wide{below} + above));
    return ok_status();
  }

  Error misfit_error(std::size_t cell, bool low, bool high) const {
    const Mark& mark = marks_[cell];
    const int decimals = tabulation_.decimals;
    const Units level = low ? mark.levels.lower : high ? mark.levels.upper : mark.levels.sliding;
    const std::string name = low ? "lower" : high ? "upper" : "sliding";
    const auto number = [&](Units units) {
      return base::confidential(base::format_units(units, decimals));
    };
    const std::string known =
        low    ? "at least " + number(mark.prior.lower)
        : high ? "at most " + number(mark.prior.upper)
               : "between " + number(mark.prior.lower) + " and " + number(mark.prior.upper);
    return {ErrorCode::kLevelMisfit,
            "the " + name + " protection level " + number(level) +
                " does not fit: everyone knows that the value is " + known +
                "; give wider bounds, or " + base::named_option("misfit", "widen") + " or cut",
            label(cell)};
  }

  Status widen(std::size_t cell, Units below, Units above) {
    Mark& mark = marks_[cell];
    const Wide missing = Wide{mark.levels.sliding} - below - above;
    const Wide lower = std::max(Wide{below}, Wide{mark.levels.lower});
    const Wide upper = std::max(
        {Wide{above}, Wide{mark.levels.upper}, missing > 0 ? Wide{above} + missing : Wide{0}});
    const Wide value = facts(cell).value;
    if (value - lower < -Wide{kMaxUnits} || value + upper > Wide{kMaxUnits})
      return Error{ErrorCode::kNumberTooLarge, "a protection level is too large", label(cell)};
    if (mark.prior.has_lower())
      mark.prior.lower = static_cast<Units>(value - lower);
    if (mark.prior.has_upper())
      mark.prior.upper = static_cast<Units>(value + upper);
    ++report_.widened;
    return ok_status();
  }

  CellStatus status_of(const Mark& mark) const {
    if (mark.sensitive())
      return CellStatus::kPrimary;
    if (mark.status == AprioriStatus::kMustPublish)
      return CellStatus::kMustPublish;
    return mark.status == AprioriStatus::kSecondary ? CellStatus::kSecondary : CellStatus::kFree;
  }

  Result<double> weight_of(const Mark& mark, Cell cell) const {
    if (mark.cost && !rules_.weights.uses(sensitivity::WeightKind::kCost))
      return *mark.cost;
    const double size = base::units_to_double(cell.value, tabulation_.decimals);
    cell.weight = mark.cost.value_or(size < 0 ? -size : size);
    return rules_.weights.weight_of(cell, tabulation_.decimals);
  }

  Result<Table> build_table() const {
    TableBuilder builder(tabulation_.decimals, tabulation_.dimensions);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      Cell cell{.value = facts(i).value,
                .prior = marks_[i].prior,
                .frequency = facts(i).records < 0 ? -1 : facts(i).contributors,
                .status = status_of(marks_[i])};
      LACUNA_TRY(cell.weight, weight_of(marks_[i], cell));
      LACUNA_RETURN_IF_ERROR(builder.add_cell(cell, codes(i)));
    }
    LACUNA_RETURN_IF_ERROR(add_table_equations(builder, tabulation_.tables));
    return std::move(builder).build();
  }

  void explain() const {
    report_.explanations.assign(marks_.size(), {});
    for (std::size_t cell = 0; cell < marks_.size(); ++cell) {
      for (const sensitivity::Hit& hit : marks_[cell].hits)
        report_.explanations[cell].push_back(hit.why);
      if (marks_[cell].sensitive() || !marks_[cell].status)
        continue;
      const AprioriStatus status = *marks_[cell].status;
      const std::string what = status == AprioriStatus::kSafe          ? "safe"
                               : status == AprioriStatus::kMustPublish ? "to be published"
                                                                       : "withheld";
      report_.explanations[cell].push_back(
          {"manual",
           what + ": set by hand" +
               std::string(marks_[cell].overruled ? sensitivity::kOverruled : "")});
    }
  }

  std::vector<sensitivity::SensitiveCell> sensitive_cells() const {
    std::vector<sensitivity::SensitiveCell> cells;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (!marks_[i].sensitive())
        continue;
      cells.push_back({CellId{static_cast<std::int32_t>(i)},
                       marks_[i].hits,
                       marks_[i].levels,
                       marks_[i].has_levels()});
    }
    return cells;
  }

  const Tabulation& tabulation_;
  const sensitivity::SensitivityRules& rules_;
  SensitivityReport& report_;
  std::vector<Mark> marks_;
  bool signed_ = false;
};

Tabulation without_waivers(Tabulation tabulation) {
  for (CellFacts& facts : tabulation.cells) {
    for (Contribution& one : facts.largest)
      one.waived = false;
  }
  return tabulation;
}

}  // namespace

Result<Problem> make_sensitive_problem(const Tabulation& tabulation,
                                       const SensitivityOptions& options,
                                       std::span<const AprioriEntry> apriori,
                                       SensitivityReport& report) {
  LACUNA_TRY(const sensitivity::SensitivityRules rules, sensitivity::read_options(options));
  report = {};
  if (rules.waivers)
    return ProblemMaker(tabulation, rules, report).run(apriori);
  const Tabulation strict = without_waivers(tabulation);
  return ProblemMaker(strict, rules, report).run(apriori);
}

}  // namespace lacuna
