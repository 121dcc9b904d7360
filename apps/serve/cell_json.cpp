// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/cell_json.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/report/cell_view.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "data/problems/cell_index.h"

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostTerms = 40, kMostEquations = 24, kMostSteps = 12, kMostExposed = 1000,
                      kMostFindings = 50, kMostNeeds = 200;

// Short: what tells the cell from the grand total.
std::string short_label(const Table& table, CellId cell) {
  std::string text;
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const Dimension& dimension = table.dimensions()[d];
    if (codes[d] != dimension.total())
      text += (text.empty() ? "" : " · ") + dimension.code(codes[d]);
  }
  if (!text.empty())
    return text;
  return codes.empty() ? "cell " + std::to_string(cell.value) : "Total";
}

std::string units_text(const Table& table, Units value) {
  return base::format_units(value, table.decimals());
}

Json bound_json(const Table& table, Units end) {
  if (end == kUnboundedBelow || end == kUnboundedAbove)
    return nullptr;
  return units_text(table, end);
}

std::string status_word(CellStatus status) {
  switch (status) {
    case CellStatus::kFree:
      return "free";
    case CellStatus::kPrimary:
      return "sensitive";
    case CellStatus::kSecondary:
      return "withheld";
    case CellStatus::kMustPublish:
      return "published";
    case CellStatus::kKnown:
      return "known";
  }
  return "";
}

// "+ 2 North", with a sign before all but a first plus.
std::string term_text(const std::string& name, const Fraction& coefficient, bool first) {
  const Fraction size = abs(coefficient);
  std::string text = coefficient < 0 ? "− " : first ? "" : "+ ";
  if (size != 1)
    text += size.text() + " × ";
  return text + name + " ";
}

std::string without_last_blank(std::string text) {
  if (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

// The total on the left: "Total = North + South".
std::string equation_text(const Table& table, EquationId id) {
  std::string left, right;
  const auto terms = table.equation(id);
  const auto head = std::find_if(
      terms.begin(), terms.end(), [&](const Term& term) { return term.coefficient < 0; });
  const bool has_head = table.rhs(id) == 0 && head != terms.end() && head->coefficient == -1 &&
                        std::count_if(terms.begin(), terms.end(), [](const Term& term) {
                          return term.coefficient < 0;
                        }) == 1;
  std::size_t told = 0;
  for (const Term& term : terms) {
    if (has_head && term.cell == head->cell)
      continue;
    if (++told > kMostTerms)
      break;
    right += term_text(short_label(table, term.cell), Fraction(term.coefficient), right.empty());
  }
  if (told > kMostTerms)
    right += "…";
  left = has_head ? short_label(table, head->cell) : units_text(table, table.rhs(id));
  return left + " = " + without_last_blank(right);
}

Json equations_json(const Table& table, CellId cell) {
  Json equations = Json::array();
  for (const Incidence& incidence : table.equations_of(cell)) {
    if (equations.size() >= kMostEquations)
      break;
    Json terms = Json::array();
    for (const Term& term : table.equation(incidence.equation)) {
      if (terms.size() >= kMostTerms)
        break;
      terms.push_back({{"cell", term.cell.value},
                       {"label", short_label(table, term.cell)},
                       {"coefficient", term.coefficient},
                       {"text", units_text(table, table.value(term.cell))}});
    }
    equations.push_back({{"text", equation_text(table, incidence.equation)}, {"terms", terms}});
  }
  return equations;
}

// ---- contributors

std::string column_text(const columns::OutputColumn& column, std::size_t row) {
  if (row >= column.num_rows() || column.is_null(row))
    return "";
  switch (column.kind) {
    case columns::OutputKind::kText:
      return column.texts[row];
    case columns::OutputKind::kReal:
      return base::format_double(column.reals[row]);
    default:
      return base::format_units(column.numbers[row], column.decimals);
  }
}

// The row of the facts, which stand in the order of the table as it was read.
std::optional<std::size_t> facts_row(const Table& now,
                                     const session::SessionProblem& held,
                                     CellId id) {
  if (!held.facts)
    return std::nullopt;
  const Table& table = held.loaded->problem.table();
  if (table.num_cells() == now.num_cells())
    return static_cast<std::size_t>(id.value);
  const auto codes = now.codes(id);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto other = table.codes(CellId{c});
    if (std::equal(codes.begin(), codes.end(), other.begin(), other.end()))
      return static_cast<std::size_t>(c);
  }
  return std::nullopt;
}

void add_contributors(Json& json,
                      const Table& now,
                      const session::SessionProblem& held,
                      CellId id) {
  json["records"] = nullptr;
  json["shares"] = nullptr;
  const auto row = facts_row(now, held, id);
  if (!row)
    return;
  Json shares = Json::array();
  for (const columns::OutputColumn& column : held.facts->columns) {
    const std::string text = column_text(column, *row);
    if (column.name == "records" || column.name == "contributors" || column.name == "weighted")
      json[column.name] = text;
    else if (column.name.starts_with("share") && column.name.size() == 6 && !text.empty())
      shares.push_back(text);
  }
  json["shares"] = shares;
}

// ---- findings

std::vector<std::string> steps_of_finding(const Problem& problem,
                                          const Draft& draft,
                                          const AuditReport& report,
                                          const Finding& finding) {
  for (const End* end : {&finding.high, &finding.low}) {
    if (end->proof < 0)
      continue;
    auto steps = steps_of(problem,
                          draft,
                          report.evidence.proofs[static_cast<std::size_t>(end->proof)],
                          finding.question.cell);
    if (!steps.empty())
      return steps;
  }
  return {};
}

void add_inferred(Json& json, const report::InferredView& inferred) {
  json["low"] = inferred.low.text("-∞");
  json["high"] = inferred.high.text("∞");
  json["exact"] = inferred.exact;
}

// What is required, what can be inferred, and the sums that tell it.
void add_levels(Json& json,
                const Problem& problem,
                const Draft& draft,
                const AuditReport& report,
                const Finding& finding) {
  const Table& table = problem.table();
  const report::FindingView view = report::finding_view(problem, finding);
  json["need_low"] = units_text(table, view.needed_low());
  json["need_high"] = units_text(table, view.needed_high());
  json["width"] = units_text(table, view.sliding);
  add_inferred(json, view.inferred);
  if (!is_met(finding.verdict))
    json["steps"] = steps_of_finding(problem, draft, report, finding);
}

void add_values(Json& json, const Problem& problem, const Finding& finding) {
  const CountKind kind = finding.question.kind;
  json["kind"] = std::string(enum_names(kind)[static_cast<std::size_t>(kind)]);
  json["values"] = Json::array();
  for (const Units value : finding.values)
    json["values"].push_back(units_text(problem.table(), value));
}

Json finding_json(const Problem& problem,
                  const Draft& draft,
                  const AuditReport& report,
                  const Finding& finding) {
  const auto attacker = static_cast<std::size_t>(finding.question.attacker);
  Json json{{"attacker", problem.attackers()[attacker].name},
            {"verdict", std::string(to_string(finding.verdict))},
            {"reason", finding.reason},
            {"steps", Json::array()}};
  if (finding.question.domain == Domain::kRational)
    add_levels(json, problem, draft, report, finding);
  else
    add_values(json, problem, finding);
  return json;
}

constexpr int kAfterAll = 3;

int rank(Verdict verdict) {
  return verdict == Verdict::kExposed ? 0 : verdict == Verdict::kUndecided ? 1 : 2;
}

bool moves(const AuditReport& report, std::int32_t witness, CellId cell) {
  if (witness < 0)
    return false;
  const auto& cells = report.evidence.witnesses[static_cast<std::size_t>(witness)].cells;
  return std::binary_search(cells.begin(), cells.end(), cell);
}

Json needed_by(const Problem& problem, const AuditReport& report, CellId cell) {
  std::set<CellId> needs;
  for (const Finding& finding : report.findings) {
    if (finding.question.cell != cell && needs.size() < kMostNeeds &&
        (moves(report, finding.low.witness, cell) || moves(report, finding.high.witness, cell)))
      needs.insert(finding.question.cell);
  }
  Json json = Json::array();
  for (const CellId need : needs)
    json.push_back({{"cell", need.value}, {"label", short_label(problem.table(), need)}});
  return json;
}

}  // namespace

std::string state_word(StatementKind state) {
  return std::string(
      to_string(state == StatementKind::kAdjusted ? StatementKind::kAltered : state));
}

Json cell_json(const Problem& problem,
               std::span<const std::string> reasons,
               const session::SessionProblem& held,
               CellId id) {
  const Table& table = problem.table();
  const report::CellView view = report::cell_view(problem, reasons, id);
  Json json{{"cell", id.value},
            {"label", view.label},
            {"codes", view.codes},
            {"value", units_text(table, view.value)},
            {"status", status_word(view.status)}};
  json["frequency"] = view.frequency ? Json(std::to_string(*view.frequency)) : Json();
  json["weight"] = view.weight;
  json["lower"] = bound_json(table, view.prior.lower);
  json["upper"] = bound_json(table, view.prior.upper);
  json["reason"] = view.reason;
  Json levels = Json::array();
  for (const report::LevelView& level : view.levels) {
    if (levels.size() < kMostFindings)
      levels.push_back({{"attacker", level.attacker},
                        {"lower", units_text(table, level.lower)},
                        {"upper", units_text(table, level.upper)},
                        {"sliding", units_text(table, level.sliding)}});
  }
  json["levels"] = levels;
  add_contributors(json, table, held, id);
  json["equations"] = equations_json(table, id);
  return json;
}

Json release_json(const Problem& problem,
                  const Draft& draft,
                  const AuditReport& report,
                  CellId cell) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : report.findings) {
    if (finding.question.cell == cell)
      findings.push_back(&finding);
  }
  const auto place =
      [](const Finding* each) {  // requirements first, the worst of them before others
        const bool rational = each->question.domain == Domain::kRational;
        return rational ? rank(each->verdict) : kAfterAll;
      };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding* a, const Finding* b) {
    return place(a) < place(b);
  });
  Json told = Json::array();
  for (const Finding* finding : findings) {
    if (told.size() < kMostFindings)
      told.push_back(finding_json(problem, draft, report, *finding));
  }
  Json json{{"state", state_word(draft.state(cell))},
            {"published",
             report::published_text(problem.table(),
                                    report::published_view(problem.table(), draft, cell))},
            {"findings", told},
            {"needed_by", needed_by(problem, report, cell)}};
  for (const CellRange& range : report.ranges) {
    if (range.cell == cell)
      add_inferred(json["range"],
                   report::inferred_view(problem.table(), cell, range.low, range.high));
  }
  return json;
}

Json exposed_json(const Problem& problem, const Draft& draft, const AuditReport& report) {
  Json list = Json::array();
  for (const Verdict verdict : {Verdict::kExposed, Verdict::kUndecided}) {
    for (const Finding& finding : report.findings) {
      if (finding.verdict != verdict || list.size() >= kMostExposed)
        continue;
      const CellId cell = finding.question.cell;
      Json json = finding_json(problem, draft, report, finding);
      json["cell"] = cell.value;
      json["label"] = short_label(problem.table(), cell);
      list.push_back(std::move(json));
    }
  }
  return list;
}

std::vector<std::string> steps_of(const Problem& problem,
                                  const Draft& draft,
                                  const Multipliers& proof,
                                  CellId cell) {
  const Table& table = problem.table();
  std::map<CellId, Fraction> sum;
  Fraction right = 0;
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < proof.equations.size(); ++i) {
    const Fraction factor = base::make_fraction(proof.values[i], proof.denominator);
    const EquationId id = proof.equations[i];
    for (const Term& term : table.equation(id))
      sum[term.cell] += factor * term.coefficient;
    right += factor * base::to_integer(table.rhs(id));
    if (factor != 0 && steps.size() < kMostSteps)
      steps.push_back(equation_text(table, id));
  }
  const Fraction own = sum[cell];
  if (own == 0)
    return {};
  std::string names, numbers, open;
  Fraction value = right / own;
  for (const auto& [other, factor] : sum) {
    const Fraction moved = -factor / own;
    if (other == cell || moved == 0)
      continue;
    if (!draft.is_exact(other)) {
      open += term_text(short_label(table, other), moved, open.empty());
      continue;
    }
    value += moved * base::to_integer(table.value(other));
    names += term_text(short_label(table, other), moved, names.empty());
    numbers += term_text(units_text(table, table.value(other)), moved, numbers.empty());
  }
  std::string last = short_label(table, cell) + " = " + without_last_blank(names);
  if (!numbers.empty())
    last += " = " + without_last_blank(numbers);
  last += " = " + base::format_fraction(value, table.decimals());
  if (!open.empty())
    last += ", and also " + without_last_blank(open) + ", which is bounded";
  steps.push_back(last);
  return steps;
}

}  // namespace lacuna::serve
