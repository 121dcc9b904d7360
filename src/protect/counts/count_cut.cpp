// SPDX-License-Identifier: Apache-2.0
#include "protect/counts/count_cut.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/rational.h"

namespace lacuna::counts {
namespace {

using Row = std::map<CellId, Fraction>;

class Mentioned {
 public:
  Mentioned(const Problem& problem, const AuditReport& report, const LinearForm& form)
      : table_(problem.table()), report_(report), form_(form) {}

  void add(const End& end, Direction direction) {
    add_chain(end.chain);
    add_step(end.step);
    if (end.tree >= 0) {
      for (const TreeNode& node : report_.evidence.trees[static_cast<std::size_t>(end.tree)])
        add_node(node, direction);
      return;
    }
    add_proof(end.proof, Fraction(sign(direction)));
  }

  const std::set<CellId>& cells() const { return cells_; }

 private:
  // A leaf that is empty says nothing of the form.
  void add_node(const TreeNode& node, Direction direction) {
    if (node.cell.value >= 0)
      return;
    add_chain(node.chain);
    add_step(node.step);
    if (node.proof >= 0 || !node.empty)
      add_proof(node.proof, node.empty ? Fraction(0) : Fraction(sign(direction)));
  }

  // Without multipliers the slacks of the form's own cells are the bound.
  void add_proof(std::int32_t proof, const Fraction& factor) {
    Row row = scaled_form(factor);
    if (proof >= 0)
      subtract(report_.evidence.proofs[static_cast<std::size_t>(proof)], row);
    for (const auto& [cell, entry] : row) {
      if (entry != 0)
        cells_.insert(cell);
    }
  }

  void add_step(std::int32_t step) {
    if (step < 0)
      return;
    const Step& used = report_.evidence.steps[static_cast<std::size_t>(step)];
    Row row = scaled_form(Fraction(1) / Fraction(used.q));
    subtract(used.h, row);
    for (const auto& [cell, entry] : row) {
      if (entry.denominator() != 1)
        cells_.insert(cell);
    }
  }

  void add_chain(std::int32_t chain) {
    if (chain < 0)
      return;
    for (const ChainLine& line : report_.evidence.chains[static_cast<std::size_t>(chain)]) {
      for (const Term& term : table_.equation(line.equation))
        cells_.insert(term.cell);
    }
  }

  Row scaled_form(const Fraction& factor) const {
    Row row;
    for (const Term& term : form_)
      row[term.cell] = factor * term.coefficient;
    return row;
  }

  void subtract(const Multipliers& multipliers, Row& row) const {
    for (std::size_t i = 0; i < multipliers.equations.size(); ++i) {
      Fraction factor(multipliers.values[i], multipliers.denominator);
      for (const Term& term : table_.equation(multipliers.equations[i]))
        row[term.cell] -= factor * term.coefficient;
    }
  }

  const Table& table_;
  const AuditReport& report_;
  const LinearForm& form_;
  std::set<CellId> cells_;
};

// What would have to be wider: both ends where either would do.
bool falls_short(const End& end, Units level) {
  return level > 0 && end.has_bound && end.bound < base::to_integer(level);
}

std::set<CellId> mentioned(const Problem& problem,
                           const AuditReport& report,
                           const Finding& finding) {
  Mentioned found(problem, report, finding.question.form);
  const Question& asked = finding.question;
  const bool width = asked.values > 0 || asked.kind == CountKind::kLevels;
  if (width || falls_short(finding.low, asked.lower))
    found.add(finding.low, Direction::kLow);
  if (width || falls_short(finding.high, asked.upper))
    found.add(finding.high, Direction::kHigh);
  return found.cells();
}

std::set<CellId> next_to(const Table& table, const LinearForm& form) {
  std::set<CellId> cells;
  for (const Term& own : form) {
    for (const Incidence& in : table.equations_of(own.cell)) {
      for (const Term& term : table.equation(in.equation))
        cells.insert(term.cell);
    }
  }
  return cells;
}

bool meets(const CountCut& cut, CellId cell) {
  return std::binary_search(cut.begin(), cut.end(), cell);
}

}  // namespace

CountCut count_cut(const Problem& problem,
                   const Draft& draft,
                   const AuditReport& report,
                   const Finding& finding,
                   const std::function<bool(CellId)>& may_hide) {
  const std::set<CellId> cells = finding.verdict == Verdict::kExposed
                                     ? mentioned(problem, report, finding)
                                     : next_to(problem.table(), finding.question.form);
  CountCut cut;
  for (const CellId cell : cells) {
    if (draft.state(cell) == StatementKind::kExact && may_hide(cell))
      cut.push_back(cell);
  }
  return cut;
}

std::vector<CellId> meet_cuts(const Table& table, const std::vector<CountCut>& cuts) {
  std::vector<bool> met(cuts.size(), false);
  std::vector<CellId> chosen;
  while (true) {
    std::map<CellId, int> gains;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      for (const CellId cell : met[i] ? CountCut{} : cuts[i])
        ++gains[cell];
    }
    if (gains.empty())
      break;
    const auto best =
        std::min_element(gains.begin(), gains.end(), [&](const auto& a, const auto& b) {
          return table.cell(a.first).weight * b.second < table.cell(b.first).weight * a.second;
        });
    chosen.push_back(best->first);
    for (std::size_t i = 0; i < cuts.size(); ++i)
      met[i] = met[i] || meets(cuts[i], best->first);
  }
  for (const CellId cell : std::vector<CellId>(chosen)) {  // the first may be in vain by now
    const bool in_vain = std::all_of(cuts.begin(), cuts.end(), [&](const CountCut& cut) {
      return std::any_of(chosen.begin(), chosen.end(), [&](CellId other) {
        return other != cell && meets(cut, other);
      });
    });
    if (in_vain)
      chosen.erase(std::find(chosen.begin(), chosen.end(), cell));
  }
  return chosen;
}

}  // namespace lacuna::counts
