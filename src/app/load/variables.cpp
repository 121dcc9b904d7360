// SPDX-License-Identifier: Apache-2.0
#include "app/load/variables.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "app/load/sensitive_changes.h"
#include "core/base/index.h"
#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/table/unpublished.h"
#include "lacuna/decimal.h"

namespace lacuna::load {
namespace {

using table::Appendix;

constexpr CellId kNoCell{-1};

Wide ceil_of(Wide a, Wide b) {  // a >= 0, b > 0
  return (a + b - 1) / b;
}

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

class VariableBuilder {
 public:
  VariableBuilder(Appendix& to, const Problem& problem, const ShadowVariable& variable)
      : to_(to), problem_(problem), variable_(variable) {}

  Result<std::vector<CellId>> run() {
    const Table& own = problem_.table();
    const Table& other = variable_.problem.table();
    same_ = same_cells(own, other);
    cells_.assign(base::at(own.num_cells()), kNoCell);
    for (std::int32_t c = 0; c < own.num_cells(); ++c) {
      const CellId there = same_[base::at(c)];
      if (there.value < 0 && table::is_unpublished(own.cell(CellId{c})))
        continue;
      if (there.value < 0)
        return error("it has no number for " + own.label(CellId{c}));
      const Cell& cell = other.cell(there);
      const CellId added = to_.add_cell(cell.value, cell.prior, CellId{c});
      if (may_be_withheld(own.cell(CellId{c})))
        to_.leave_open(added);
      cells_[base::at(c)] = added;
    }
    LACUNA_RETURN_IF_ERROR(add_sums());
    if (variable_.by_rules)
      take_requirements();
    else if (variable_.said.sensitive != "none")
      LACUNA_RETURN_IF_ERROR(ask_like_own());
    return std::move(cells_);
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kJobValue,
            "the variable " + base::in_quotes(variable_.said.name) + ": " + std::move(message),
            variable_.where};
  }

  // It adds up wherever the table does.
  Status add_sums() {
    const Table& own = problem_.table();
    for (std::int32_t e = 0; e < own.num_equations(); ++e) {
      std::vector<Term> terms;
      Wide sum = 0;
      for (const Term& term : own.equation(EquationId{e})) {
        const CellId cell = cells_[base::at(term.cell)];
        if (cell.value < 0)
          break;
        sum += Wide{term.coefficient} * to_.cell(cell).value;
        terms.push_back({cell, term.coefficient});
      }
      if (terms.size() != own.equation(EquationId{e}).size())
        continue;  // of cells that no table has
      if (sum != 0)
        return error("its numbers do not add up to " + own.label(own.equation(EquationId{e}).back().cell));
      to_.add_equation(std::move(terms));
    }
    return ok_status();
  }

  // Of records: what the rules ask of its own table, and what its contributors know.
  void take_requirements() {
    std::map<std::int32_t, CellId> place;  // by cell of its own table
    for (std::size_t c = 0; c < same_.size(); ++c) {
      if (same_[c].value >= 0)
        place[same_[c].value] = cells_[c];
    }
    const Problem& other = variable_.problem;
    for (Requirement need : other.requirements()) {
      const auto found = place.find(need.cell.value);
      if (found == place.end() || !may_be_withheld(to_.cell(found->second)))
        continue;
      need.cell = found->second;
      need.attacker = to_.attacker(other.attackers()[base::at(need.attacker)].name);
      to_.require(need);
    }
    for (const Attacker& attacker : other.attackers()) {
      for (Knowledge known : attacker.known) {
        const auto found = place.find(known.cell.value);
        if (found == place.end())
          continue;
        known.cell = found->second;
        to_.know(to_.attacker(attacker.name), known);
      }
    }
  }

  // Where the table's own cell is sensitive, against readers who know nothing else.
  Status ask_like_own() {
    std::optional<Decimal> level;
    if (!variable_.said.level.text.empty()) {
      const auto number = Decimal::parse(variable_.said.level.text);
      if (!number || *number < Decimal(0))
        return error("level must be a percentage that is not negative");
      level = *number;
    }
    for (Requirement need : problem_.requirements()) {
      const CellId cell = cells_[base::at(need.cell)];
      if (need.attacker != 0 || cell.value < 0 || !may_be_withheld(to_.cell(cell)))
        continue;
      const Wide value = std::abs(to_.cell(cell).value);
      const Wide own = std::abs(problem_.table().value(need.cell));
      const auto scaled = [&](Units given) {
        if (given <= 0)
          return Units{0};
        const Wide part = own == 0 ? Wide{given} : ceil_of(Wide{given} * value, own);
        return static_cast<Units>(std::min<Wide>(std::max<Wide>(part, 1), kMaxUnits));
      };
      if (level) {
        const Wide scale = 100 * power_of_ten(level->places());
        need.lower = need.upper = static_cast<Units>(
            std::min<Wide>(ceil_of(value * level->digits(), scale), kMaxUnits));
        need.sliding = need.lower > 0 ? 0 : 1;
      } else {
        need.lower = scaled(need.lower);
        need.upper = scaled(need.upper);
        need.sliding = scaled(need.sliding);
      }
      const Bounds prior = to_.cell(cell).prior;  // nothing is asked beyond what everyone knows
      if (prior.has_lower())
        need.lower = std::min(need.lower, to_.cell(cell).value - prior.lower);
      if (prior.has_upper())
        need.upper = std::min(need.upper, prior.upper - to_.cell(cell).value);
      need.cell = cell;
      to_.require(need);
    }
    return ok_status();
  }

  Appendix& to_;
  const Problem& problem_;
  const ShadowVariable& variable_;
  std::vector<CellId> same_, cells_;
};

// One side of a known ratio.
struct Side {
  std::vector<CellId> cells;
  bool whole = false;  // a number of contributors, which has no decimals
};

class RatioBuilder {
 public:
  RatioBuilder(Appendix& to,
               const Problem& problem,
               const RatioOfVariables& ratio,
               const VariableCells& variables)
      : to_(to), problem_(problem), ratio_(ratio), variables_(variables) {}

  Status run() {
    if (ratio_.said.least.text.empty() && ratio_.said.most.text.empty())
      return error("[[known_ratio]] needs least, most or both");
    LACUNA_TRY(const Side above, side_of(ratio_.said.above, "above"));
    LACUNA_TRY(const Side below, side_of(ratio_.said.below, "below"));
    if (ratio_.said.above == ratio_.said.below)
      return error("above and below are the same");
    for (const auto& [text, sign] : {std::pair(&ratio_.said.least, 1), {&ratio_.said.most, -1}}) {
      if (text->text.empty())
        continue;
      const auto bound = Decimal::parse(text->text);
      if (!bound || *bound < Decimal(0))
        return error("least and most must be numbers that are not negative");
      const Wide unit = power_of_ten(problem_.table().decimals());
      const Wide x = power_of_ten(bound->places()) * (above.whole ? unit : 1);
      const Wide n = Wide{bound->digits()} * (below.whole ? unit : 1);
      for (std::size_t c = 0; c < above.cells.size(); ++c) {
        if (above.cells[c].value < 0 || below.cells[c].value < 0)
          continue;
        const CellId like{static_cast<std::int32_t>(c)};
        LACUNA_RETURN_IF_ERROR(placed(
            to_.add_at_least({{above.cells[c], sign * x}, {below.cells[c], -sign * n}}, 0, like),
            like));
      }
    }
    return ok_status();
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kJobValue, std::move(message), ratio_.where};
  }

  Status placed(Status status, CellId cell) const {
    if (status || status.error().code != ErrorCode::kFalseRelease)
      return status;
    return error("what readers are said to know of " + base::in_quotes(ratio_.said.above) + " per " +
                 base::in_quotes(ratio_.said.below) + " is not true of " +
                 problem_.table().label(cell));
  }

  Result<Side> side_of(const std::string& name, const char* key) {
    const Table& table = problem_.table();
    Side side;
    if (name == "value") {
      for (std::int32_t c = 0; c < table.num_cells(); ++c)
        side.cells.push_back(table::is_unpublished(table.cell(CellId{c})) ? kNoCell : CellId{c});
      return side;
    }
    if (name == "frequency") {
      if (ratio_.said.counts != "" && ratio_.said.counts != "everywhere" &&
          ratio_.said.counts != "never")
        return error("counts must be everywhere or never, not " +
                     base::in_quotes(ratio_.said.counts));
      return counts();
    }
    const auto found = variables_.find(name);
    if (found == variables_.end()) {
      std::vector<std::string_view> names{"value", "frequency"};
      for (const auto& [each, cells] : variables_)
        names.push_back(each);
      return error(std::string(key) + " must be value, frequency or the name of a [[shadow]], not " +
                   base::in_quotes(name) + base::did_you_mean(name, names));
    }
    side.cells = found->second;
    return side;
  }

  // Contributors of several parts are counted once above them: such sums are none.
  void add_sum_of_counts(EquationId equation, const std::vector<CellId>& counts) {
    Wide sum = 0;
    std::vector<Term> terms;
    for (const Term& term : problem_.table().equation(equation)) {
      const CellId count = counts[base::at(term.cell)];
      if (count.value < 0)
        return;
      sum += Wide{term.coefficient} * to_.cell(count).value;
      terms.push_back({count, term.coefficient});
    }
    if (sum == 0)
      to_.add_equation(std::move(terms));
  }

  Result<Side> counts() {
    const Table& table = problem_.table();
    Side side;
    side.whole = true;
    bool any = false;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const std::int64_t n = table.cell(CellId{c}).frequency;
      side.cells.push_back(kNoCell);
      if (n < 0)
        continue;
      any = true;
      side.cells.back() =
          to_.add_cell(n,
                       ratio_.said.counts == "never" ? Bounds{0, kUnboundedAbove} : Bounds{n, n},
                       CellId{c});
    }
    for (std::int32_t e = 0; ratio_.said.counts == "never" && e < table.num_equations(); ++e)
      add_sum_of_counts(EquationId{e}, side.cells);
    if (!any)
      return error("the number of contributors of the cells is not known; name their column as "
                   "frequency in [columns]");
    return side;
  }

  Appendix& to_;
  const Problem& problem_;
  const RatioOfVariables& ratio_;
  const VariableCells& variables_;
};

}  // namespace

Result<std::vector<CellId>> add_variable(Appendix& to,
                                         const Problem& problem,
                                         const ShadowVariable& variable) {
  return VariableBuilder(to, problem, variable).run();
}

Status add_known_ratio(Appendix& to,
                       const Problem& problem,
                       const RatioOfVariables& ratio,
                       const VariableCells& variables) {
  return RatioBuilder(to, problem, ratio, variables).run();
}

}  // namespace lacuna::load
