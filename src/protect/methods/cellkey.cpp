// SPDX-License-Identifier: Apache-2.0
// --method cellkey: the cell key method. What a reader would know for certain is found by passing
// bounds on, which is quick, and then by the audit, which has the last word; such cells are left
// blank on demand, and others of their equations with them, until the audit finds nothing.
#include "lacuna/cellkey.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "core/draft/deviation.h"
#include "core/table/labels.h"
#include "core/table/unpublished.h"
#include "judge/attack/count_slacks.h"
#include "lacuna/audit.h"
#include "protect/methods/methods.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 3> kExposedNames{"refuse", "withhold", "report"};

void add_details(const CellKeyResult& found, methods::MethodOutcome& outcome) {
  auto& details = outcome.details;
  details.emplace_back("unchanged_expected", found.unchanged_expected);
  details.emplace_back("largest_gap", found.largest_gap);
  details.emplace_back("certain_cells", static_cast<double>(found.certain.cells));
  details.emplace_back("certain_small", static_cast<double>(found.certain.small));
  if (found.additive.bound > 0 || found.additive.distance > 0) {
    details.emplace_back("additive_distance", found.additive.distance);
    details.emplace_back("additive_bound", found.additive.bound);
  }
  details.emplace_back("left_variance_mean", found.left.mean);
  if (!found.left.by_cell)
    return;
  details.emplace_back("left_variance_min", found.left.least);
  details.emplace_back("right_before", found.left.right_before);
  details.emplace_back("right_after", found.left.right_after);
}

// Whether the ranges that are left answer a question for certain.
bool is_told(const CountRules& rules, const CountQuestion& question, const CellKeyResult& found) {
  const auto range = [&](CellId cell) {
    return found.certain.ranges[static_cast<std::size_t>(cell.value)];
  };
  const Bounds own = range(question.cell);
  switch (question.kind) {
    case CountKind::kExact:
      return own.has_upper() && own.has_lower() && own.upper - own.lower < rules.ambiguity;
    case CountKind::kSmall:
      return own.lower >= 1 && own.upper < rules.threshold;
    case CountKind::kZero:
      return own.upper <= 0;
    case CountKind::kAll:
      return own.has_lower() && range(question.group).has_upper() &&
             range(question.group).upper - own.lower <= rules.coalition;
    case CountKind::kGroup:
    case CountKind::kImplied:
    case CountKind::kLevels:
      break;  // left to the audit
  }
  return false;
}

using CertainCells = std::vector<CellId>;  // to a reader who knows the table of perturbations

void sort_cells(CertainCells& told) {
  std::sort(told.begin(), told.end());
  told.erase(std::unique(told.begin(), told.end()), told.end());
}

// The same by the audit of the draft: what is not protected.
Result<CertainCells> certain_by_audit(const std::shared_ptr<const Problem>& problem,
                                      const Draft& draft,
                                      const RunContext& run) {
  AuditOptions options;
  options.intervals = false;
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(draft, options, run));
  CertainCells told;
  for (const Finding& finding : report.findings) {
    if (!is_met(finding.verdict))
      told.push_back(finding.question.cell);
  }
  sort_cells(told);
  return told;
}

// What must not be certain and is: by the rules of the table, or, if it has none and `any`, every
// cell of which one number is left.
CertainCells certain_to_readers(const Problem& problem, const CellKeyResult& found, bool any) {
  CertainCells told;
  if (found.certain.ranges.empty())
    return told;  // magnitudes, which the audit judges by their ranges
  if (problem.counts()) {
    for (const CountQuestion& question : problem.counts()->questions) {
      if (question.attacker == 0 && is_told(*problem.counts(), question, found)) {
        told.push_back(question.cell);
      }
    }
  } else if (any) {
    for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
      if (may_be_withheld(problem.table().cell(CellId{c})) &&
          found.certain.ranges[static_cast<std::size_t>(c)].is_point())
        told.push_back(CellId{c});
    }
  }
  sort_cells(told);
  return told;
}

// Whether the cell can be blank without a contradiction to what readers are told of blanks.
bool may_be_blank(const Problem& problem, CellId cell) {
  return !table::is_unpublished(problem.table().cell(cell)) &&
         may_be_withheld(problem.table().cell(cell)) &&
         (!problem.counts() ||
          attack::implied_by_rule(
              problem.table(), *problem.counts(), cell, StatementKind::kWithheld)
              .contains(problem.table().value(cell)));
}

// Blanks for the cells; where one is blank already, for one more cell of each of its equations.
bool withhold_more(const Problem& problem,
                   const CertainCells& told,
                   std::vector<CellId>& withheld) {
  const Table& table = problem.table();
  std::set<CellId> all(withheld.begin(), withheld.end());
  const std::size_t before = all.size();
  for (const CellId cell : told) {
    if (may_be_blank(problem, cell) && all.insert(cell).second)
      continue;
    for (const Incidence& one : table.equations_of(cell)) {
      for (const Term& term : table.equation(one.equation)) {
        if (may_be_blank(problem, term.cell) && all.insert(term.cell).second)
          break;
      }
    }
  }
  withheld.assign(all.begin(), all.end());
  return all.size() > before;
}

std::string certain_text(const Table& table, const CertainCells& told) {
  return "a reader who knows the perturbation table knows " + std::to_string(told.size()) +
         (told.size() == 1 ? " cell" : " cells") + " (" + table::labels_text(table, told) +
         ") better than the rules allow";
}

}  // namespace

std::span<const std::string_view> enum_names(ExposedRule) {
  return kExposedNames;
}

}  // namespace lacuna

namespace lacuna::methods {

Result<MethodOutcome> protect_by_cell_key(const std::shared_ptr<const Problem>& problem,
                                          const ProtectOptions& given,
                                          const RunContext& run) {
  CellKeyOptions options{given.cellkey, {}};
  LACUNA_TRY(CellKeyResult found, publish_by_cell_key(problem, options, run));
  const bool withholds = given.exposed == ExposedRule::kWithhold;
  const bool reports = given.exposed == ExposedRule::kReport;  // the audit does, of all
  CertainCells told = reports ? CertainCells{} : certain_to_readers(*problem, found, withholds);
  const auto ask_audit = [&]() -> Status {
    if (!withholds || !told.empty())
      return ok_status();
    LACUNA_TRY(told, certain_by_audit(problem, found.draft, run));
    return ok_status();
  };
  LACUNA_RETURN_IF_ERROR(ask_audit());
  while (withholds && !told.empty() && !run.should_stop() &&
         withhold_more(*problem, told, options.withheld)) {
    LACUNA_TRY(found, publish_by_cell_key(problem, options, run));
    told = certain_to_readers(*problem, found, true);
    LACUNA_RETURN_IF_ERROR(ask_audit());
  }
  Draft draft = std::move(found.draft);  // once is enough: it has an entry for every cell
  MethodOutcome outcome = outcome_of(found);
  outcome.draft = std::move(draft);
  outcome.adds_up = options.additive == Additive::kNearest;
  outcome.details = draft::deviation_details(draft::deviation(problem->table(), outcome.draft));
  add_details(found, outcome);
  if (!told.empty()) {
    outcome.complete = false;
    outcome.reason = certain_text(problem->table(), told) +
                     "; nothing is released; take a table with larger noise, or " +
                     base::named_option("exposed", "withhold") + " or report";
  }
  outcome.cell_keys = std::make_shared<const CellKeyResult>(std::move(found));
  return outcome;
}

}  // namespace lacuna::methods
