// SPDX-License-Identifier: Apache-2.0
#include "app/check/audit_cells.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "app/inference/fit.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "lacuna/audit.h"

namespace lacuna::checking {
namespace {

struct Component {
  std::vector<std::int32_t> cells, links;  // of the system
};

class Parts {
 public:
  explicit Parts(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t find(std::int32_t of) {
    while (parent_[base::at(of)] != of)
      of = parent_[base::at(of)] = parent_[base::at(parent_[base::at(of)])];
    return of;
  }
  void join(std::int32_t a, std::int32_t b) { parent_[base::at(find(a))] = find(b); }

 private:
  std::vector<std::int32_t> parent_;
};

std::vector<Component> components_of(const CheckSystem& system,
                                     const Derivation& known,
                                     const std::vector<bool>& uses) {
  Parts parts(system.cells.size());
  const auto first_unknown = [&](const Link& link) {
    for (const LinkTerm& term : link.terms) {
      if (!known.is_known(term.cell))
        return term.cell;
    }
    return -1;
  };
  for (std::size_t l = 0; l < system.links.size(); ++l) {
    const std::int32_t first = uses[l] ? first_unknown(system.links[l]) : -1;
    for (const LinkTerm& term : system.links[l].terms) {
      if (first >= 0 && !known.is_known(term.cell))
        parts.join(first, term.cell);
    }
  }
  std::map<std::int32_t, Component> by_root;
  std::map<std::int32_t, std::set<std::int32_t>> cells;
  for (std::size_t l = 0; l < system.links.size(); ++l) {
    const std::int32_t first = uses[l] ? first_unknown(system.links[l]) : -1;
    if (first < 0)
      continue;
    const std::int32_t root = parts.find(first);
    by_root[root].links.push_back(static_cast<std::int32_t>(l));
    for (const LinkTerm& term : system.links[l].terms)
      cells[root].insert(term.cell);
  }
  std::vector<Component> components;
  for (auto& [root, component] : by_root) {
    component.cells.assign(cells[root].begin(), cells[root].end());
    components.push_back(std::move(component));
  }
  return components;
}

// What the two ends of an interval rest on.
class ComponentAudit {
 public:
  ComponentAudit(const CheckSystem& system,
                 const Derivation& known,
                 const Component& component,
                 const JudgeOptions& options)
      : system_(system), known_(known), component_(component), options_(options) {
    for (std::size_t c = 0; c < component.cells.size(); ++c)
      place_.emplace(component.cells[c], static_cast<std::int32_t>(c));
  }

  Status run(const std::vector<bool>& skipped, AuditedCells& found, const RunContext& run) {
    make_sums();
    LACUNA_TRY(fit_, inference::fit(sums_, {0, kUnboundedAbove}, options_.engine, run));
    if (!fit_.found || !fit_.corrections.empty()) {
      std::vector<std::int32_t> cells;
      for (const inference::Correction& each : fit_.corrections)
        cells.push_back(component_.cells[base::at(each.cell)]);
      if (!fit_.found)
        cells = component_.cells;
      found.contradictions.push_back(std::move(cells));
      return ok_status();
    }
    choose(skipped);
    if (asked_.empty())
      return ok_status();
    LACUNA_RETURN_IF_ERROR(ask(run));
    const auto whole = report_.of(Domain::kInteger);
    const auto real = report_.of(Domain::kRational);
    for (std::size_t i = 0; i < whole.size(); ++i)
      take(whole[i], real[i], found);
    return ok_status();
  }

 private:
  void make_sums() {
    for (const std::int32_t c : component_.cells) {
      inference::SystemCell cell;
      const Units value = known_.is_known(c) ? known_.value(c) : 0;
      cell.known = known_.is_known(c) ? Bounds{value, value} : system_.cells[base::at(c)].known;
      sums_.cells.push_back(std::move(cell));
    }
    for (const std::int32_t l : component_.links) {
      inference::Sum sum;
      for (const LinkTerm& term : system_.links[base::at(l)].terms)
        sum.terms.push_back({CellId{place_.at(term.cell)}, term.coefficient});
      sums_.sums.push_back(std::move(sum));
    }
  }

  Units least_small() const { return options_.zeros_are_sensitive ? 0 : 1; }

  void choose(const std::vector<bool>& skipped) {
    for (std::size_t c = 0; c < component_.cells.size(); ++c) {
      const Units value = fit_.values[c];
      if (sums_.cells[c].known.is_point() || skipped[base::at(component_.cells[c])] ||
          value < least_small() || value >= options_.threshold)
        continue;
      asked_.push_back(static_cast<std::int32_t>(c));
    }
  }

  Status ask(const RunContext& run) {
    TableBuilder builder(0);
    Draft draft;
    for (std::size_t c = 0; c < sums_.cells.size(); ++c) {
      Cell cell;
      cell.value = fit_.values[c];
      cell.prior = sums_.cells[c].known;
      if (cell.prior.is_point())
        cell.status = CellStatus::kKnown;
      LACUNA_RETURN_IF_ERROR(builder.add_cell(cell));
      if (!cell.prior.is_point())
        draft.withhold(CellId{static_cast<std::int32_t>(c)});
    }
    for (const inference::Sum& sum : sums_.sums)
      LACUNA_RETURN_IF_ERROR(builder.add_equation(sum.terms));
    LACUNA_TRY(Table table, std::move(builder).build());
    std::vector<Requirement> needs;
    CountRules rules;
    rules.threshold = 1;
    for (const std::int32_t c : asked_) {
      Requirement need;
      need.cell = CellId{c};
      need.sliding = 1;
      needs.push_back(need);
      rules.questions.push_back({CountKind::kExact, 0, CellId{c}, CellId{-1}, {{CellId{c}, 1}}});
    }
    LACUNA_TRY(Problem problem, make_problem(std::move(table), {outsider()}, std::move(needs)));
    LACUNA_RETURN_IF_ERROR(problem.set_counts(std::move(rules)));
    problem_ = std::make_shared<const Problem>(std::move(problem));
    AuditOptions audit;
    audit.engine = options_.engine;
    LACUNA_TRY(report_, Auditor(problem_).audit(draft, audit, run));
    return ok_status();
  }

  void take(const Finding& finding, const Finding& real, AuditedCells& found) const {
    const CellId cell = finding.question.cell;
    const Bounds prior = problem_->table().cell(cell).prior;
    const mpq_class here(base::to_integer(problem_->table().value(cell)));
    const auto proven = [&](const End& end, int side) -> std::optional<mpq_class> {
      if (end.has_bound)
        return mpq_class(here + side * base::gmp(end.bound));
      if (side < 0 && prior.has_lower() && !end.unbounded)
        return mpq_class(base::to_integer(prior.lower));
      if (side > 0 && prior.has_upper() && !end.unbounded)
        return mpq_class(base::to_integer(prior.upper));
      return std::nullopt;
    };
    const auto low = proven(finding.low, -1), high = proven(finding.high, 1);
    BoundedCell bounded;
    bounded.cell = component_.cells[base::at(cell)];
    if (low && high && *low >= base::to_integer(least_small()) &&
        *high < base::to_integer(options_.threshold)) {
      bounded.low = base::to_units(base::rounded_up(*low));
      bounded.high = base::to_units(base::rounded_down(*high));
      // The sums of real numbers where they show as much: they are read more easily.
      const bool by_real = real.question.cell == cell;
      for (const Direction direction : {Direction::kLow, Direction::kHigh}) {
        if (!by_real || !add_sum(real, direction, bounded))
          add_sum(finding, direction, bounded);
      }
      found.small.push_back(std::move(bounded));
      return;
    }
    const mpq_class least = here - base::gmp(finding.low.reached);
    const mpq_class most = here + base::gmp(finding.high.reached);
    const bool may_be_other = finding.high.unbounded || least < base::to_integer(least_small()) ||
                              most >= base::to_integer(options_.threshold);
    if (may_be_other)
      return;
    bounded.decided = false;
    found.small.push_back(std::move(bounded));
  }

  // s x = form'x for every table that adds up (lacuna/evidence.h).
  // False: it is no sum, or shows less than what is proven.
  bool add_sum(const Finding& finding, Direction direction, BoundedCell& bounded) const {
    const End& end = direction == Direction::kLow ? finding.low : finding.high;
    if (!end.has_bound || end.proof < 0 || end.tree >= 0 || end.chain >= 0)
      return false;
    const Multipliers& proof = report_.evidence.proofs[base::at(end.proof)];
    const int side = sign(direction);
    std::map<std::int32_t, mpq_class> form{{finding.question.cell.value, mpq_class(side)}};
    for (std::size_t i = 0; i < proof.equations.size(); ++i) {
      const mpq_class factor =
          base::make_fraction(base::gmp(proof.values[i]), base::gmp(proof.denominator));
      bounded.links.push_back(component_.links[base::at(proof.equations[i])]);
      for (const Term& term : problem_->table().equation(proof.equations[i]))
        form[term.cell.value] -= factor * term.coefficient;
    }
    EvidenceSum sum;
    sum.side = direction == Direction::kLow ? "at least" : "at most";
    std::map<std::int32_t, mpq_class> printed;
    mpq_class total = 0;
    for (const auto& [c, slope] : form) {
      if (slope == 0)
        continue;
      const Bounds prior = problem_->table().cell(CellId{c}).prior;
      const Units bound = slope > 0 ? prior.upper : prior.lower;
      const mpq_class factor = side * slope;
      total += factor * base::to_integer(bound);
      const std::int32_t cell = component_.cells[base::at(c)];
      if (known_.is_known(cell)) {
        const Derived& derived = *known_.cells[base::at(cell)];
        bounded.links.insert(bounded.links.end(), derived.links.begin(), derived.links.end());
        for (const auto& [other, own] : derived.form)
          printed[other] += factor * base::gmp(own);
      } else if (bound != 0) {
        sum.terms.push_back({Fraction(factor), cell, {}, bound, true});
      }
    }
    for (const auto& [cell, factor] : printed) {
      if (factor != 0)
        sum.terms.push_back(
            {Fraction(factor), cell, {}, system_.cells[base::at(cell)].known.lower, false});
    }
    const bool enough = direction == Direction::kLow
                            ? base::rounded_up(total) >= base::to_integer(bounded.low)
                            : base::rounded_down(total) <= base::to_integer(bounded.high);
    if (!enough)
      return false;
    sum.total = Fraction(total);
    bounded.sums.push_back(std::move(sum));
    return true;
  }

  const CheckSystem& system_;
  const Derivation& known_;
  const Component& component_;
  const JudgeOptions& options_;
  std::map<std::int32_t, std::int32_t> place_;
  inference::System sums_;
  inference::Fit fit_;
  std::vector<std::int32_t> asked_;
  std::shared_ptr<const Problem> problem_;
  AuditReport report_;
};

}  // namespace

Result<AuditedCells> audit_cells(const CheckSystem& system,
                                 const Derivation& known,
                                 const std::vector<bool>& uses,
                                 const std::vector<bool>& skipped,
                                 const JudgeOptions& options,
                                 const RunContext& run) {
  AuditedCells found;
  for (const Component& component : components_of(system, known, uses))
    LACUNA_RETURN_IF_ERROR(
        ComponentAudit(system, known, component, options).run(skipped, found, run));
  return found;
}

}  // namespace lacuna::checking
