// SPDX-License-Identifier: Apache-2.0
#include "app/explain/exchange.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/explain/neighborhood.h"
#include "app/explain/tuning.h"
#include "core/base/index.h"
#include "lacuna/audit.h"
#include "lacuna/protect.h"

namespace lacuna::explain {
namespace {

// The table with the cell published, whatever is withheld besides staying so.
Result<Table> insisting_on(const Table& table, const Draft& draft, CellId published) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    if (CellId{c} == published)
      cell.status = CellStatus::kMustPublish;
    else if (cell.status == CellStatus::kFree && !draft.is_exact(CellId{c}))
      cell.status = CellStatus::kSecondary;
    LACUNA_TRY([[maybe_unused]] const CellId same, builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    LACUNA_TRY([[maybe_unused]] const EquationId same,
               builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
  }
  return std::move(builder).build();
}

class Exchanger {
 public:
  Exchanger(const Problem& problem,
            const Draft& draft,
            CellId cell,
            const ExchangeOptions& options,
            const RunContext& run)
      : problem_(problem), before_(draft), cell_(cell), options_(options), run_(run) {}

  Result<Exchange> find(const Problem& open) {
    Exchange exchange;
    exchange.cost_before = cost_of(problem_.table(), before_);
    if (open.asks_nothing()) {
      exchange.draft = before_;
      exchange.draft.publish_exact(cell_);
      LACUNA_TRY(const bool passed, passes_audit(exchange.draft, {}));
      if (!passed)
        return not_found(std::move(exchange), "what is asked then depends on the release");
      exchange.state = ExchangeState::kNotNeeded;
    } else {
      LACUNA_TRY(const bool found, search(open, exchange));
      if (!found)
        return exchange;
    }
    LACUNA_RETURN_IF_ERROR(give_back(exchange));
    for (const CellEntry& entry : exchange.draft.each()) {
      if (before_.is_exact(entry.cell))
        exchange.withheld.push_back(entry.cell);
    }
    exchange.cost_after = cost_of(problem_.table(), exchange.draft);
    return exchange;
  }

 private:
  // Whether there is a draft that has passed.
  Result<bool> search(const Problem& open, Exchange& exchange) {
    LACUNA_TRY(Table table, insisting_on(problem_.table(), before_, cell_));
    ProblemParts parts = open.parts();
    parts.table = std::move(table);
    LACUNA_TRY(Problem made, assemble_problem(std::move(parts)));
    ProtectOptions protect_options;
    protect_options.weights = "cost";
    protect_options.engine = options_.engine;
    const auto found = protect(std::make_shared<const Problem>(std::move(made)),
                               protect_options,
                               with_work(run_, options_.work));
    if (!found && found.error().code != ErrorCode::kCannotProtect)
      return found.error();
    if (!found || found->why == StopReason::kInfeasible) {
      exchange.why = found ? found->reason : found.error().text();
      LACUNA_TRY(const bool hopeless, fails_whatever_is_withheld(open));
      exchange.state = hopeless ? ExchangeState::kImpossible : ExchangeState::kNotFound;
      return false;
    }
    exchange.bound = found->bound;
    exchange.cheapest = found->why == StopReason::kOptimal;
    bool passed = false;
    if (found->complete) {
      LACUNA_TRY(passed, passes_audit(found->draft, found->witnesses));
    }
    if (!passed) {
      exchange =
          not_found(std::move(exchange),
                    found->complete ? "what was found did not pass the audit" : found->reason);
      return false;
    }
    exchange.state = ExchangeState::kFound;
    exchange.draft = found->draft;
    return true;
  }

  static Exchange not_found(Exchange exchange, const std::string& why) {
    exchange.state = ExchangeState::kNotFound;
    exchange.why = why;
    return exchange;
  }

  // A release that withholds more tells no more, so that what this one tells, all tell.
  Result<bool> fails_whatever_is_withheld(const Problem& open) const {
    const Table& table = problem_.table();
    Draft largest;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      if (CellId{c} != cell_ &&
          (may_be_withheld(table.cell(CellId{c})) || !before_.is_exact(CellId{c})))
        largest.withhold(CellId{c});
    }
    AuditOptions options;
    options.intervals = false;
    options.engine = options_.engine;
    const auto asked = std::make_shared<const Problem>(open);
    LACUNA_TRY(const AuditReport report, Auditor(asked).audit(largest, options, run_));
    return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
      return finding.verdict == Verdict::kExposed &&  // the last is asked of more, too
             finding.question.kind != CountKind::kImplied;
    });
  }

  // Cells that were withheld and need not be, with the cell published and others in its place.
  Status give_back(Exchange& exchange) {
    const Table& table = problem_.table();
    const std::vector<bool> near = touched_by(table, before_, std::array{cell_});
    std::vector<CellId> candidates;
    for (const CellEntry& entry : before_.each()) {
      const Cell& cell = table.cell(entry.cell);
      if (entry.cell != cell_ && near[base::at(entry.cell)] && cell.status == CellStatus::kFree &&
          cell.weight > 0 && !is_sensitive(problem_, entry.cell))
        candidates.push_back(entry.cell);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](CellId a, CellId b) {
      return table.cell(a).weight > table.cell(b).weight;
    });
    if (candidates.size() > kTuning.most_given_back)
      candidates.resize(kTuning.most_given_back);
    for (const CellId candidate : candidates) {
      if (run_.should_stop())
        break;
      Draft fewer = exchange.draft;
      fewer.publish_exact(candidate);
      LACUNA_TRY(const bool passed, passes_audit(fewer, {}));
      if (!passed)
        continue;
      exchange.draft = std::move(fewer);
      exchange.published.push_back(candidate);
    }
    return ok_status();
  }

  // Of all that differs from the release as it is.
  Result<bool> passes_audit(const Draft& draft, const std::vector<Displacement>& hints) const {
    std::vector<CellId> changed{cell_};
    for (std::int32_t c = 0; c < problem_.table().num_cells(); ++c) {
      if (draft.is_exact(CellId{c}) != before_.is_exact(CellId{c}))
        changed.push_back(CellId{c});
    }
    AuditOptions options;
    options.intervals = false;
    options.engine = options_.engine;
    options.hints = hints;
    const auto asked = asked_of(problem_, touched_by(problem_.table(), draft, changed));
    LACUNA_TRY(const AuditReport report, Auditor(asked).audit(draft, options, run_));
    return report.verdict == Verdict::kProtected || report.verdict == Verdict::kUnasked;
  }

  const Problem& problem_;
  const Draft& before_;
  CellId cell_;
  const ExchangeOptions& options_;
  const RunContext& run_;
};

}  // namespace

std::span<const std::string_view> enum_names(ExchangeState) {
  static constexpr std::array<std::string_view, 5> kNames{
      "not sought", "not needed", "found", "impossible", "not found"};
  return kNames;
}

double cost_of(const Table& table, const Draft& draft) {
  double cost = 0;
  for (const CellEntry& entry : draft.each())
    cost += table.cell(entry.cell).weight;
  return cost;
}

Result<Exchange> find_exchange(const Problem& problem,
                               const Draft& draft,
                               CellId cell,
                               const Problem& open,
                               const ExchangeOptions& options,
                               const RunContext& run) {
  return Exchanger(problem, draft, cell, options, run).find(open);
}

}  // namespace lacuna::explain
