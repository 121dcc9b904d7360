// SPDX-License-Identifier: Apache-2.0
#include "core/draft/system.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/draft/same_units.h"
#include "core/table/part_sum.h"
#include "core/table/unpublished.h"

namespace lacuna::draft {
namespace {

// The table with the differences of a release.
class Extension {
 public:
  Extension(const Table& table, const std::vector<Difference>& differences) : table_(table) {
    for (const Cell& cell : table.cells())
      cells_.push_back(cell);
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      const auto terms = table.equation(EquationId{e});
      equations_.emplace_back(terms.begin(), terms.end());
    }
    divided_.assign(equations_.size(), false);
    for (const Difference& difference : differences)
      add(difference);
  }

  std::int32_t added() const {
    return static_cast<std::int32_t>(cells_.size()) - table_.num_cells();
  }

  Table build() const {
    TableBuilder builder(table_.decimals(), table_.dimensions());
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const CellId like = c < base::at(table_.num_cells())
                              ? CellId{static_cast<std::int32_t>(c)}
                              : like_[c - base::at(table_.num_cells())];
      LACUNA_CHECK(builder.add_cell(cells_[c], table_.codes(like)).has_value());
    }
    for (std::size_t e = 0; e < equations_.size(); ++e) {
      const bool given = e < base::at(table_.num_equations()) && !divided_[e];
      const Units rhs = given ? table_.rhs(EquationId{static_cast<std::int32_t>(e)}) : 0;
      LACUNA_CHECK(builder.add_equation(equations_[e], rhs).has_value());
    }
    auto built = std::move(builder).build();
    LACUNA_CHECK(built.has_value());
    return *std::move(built);
  }

 private:
  void add(const Difference& difference) {
    if (difference.equation.value < 0) {
      add_cell(difference.form);
      return;
    }
    const auto sum = table::part_sum(table_, difference.equation);
    LACUNA_CHECK(sum.has_value());
    std::vector<CellId> others;
    for (const CellId part : sum->parts) {
      const bool own = std::any_of(difference.form.begin(),
                                   difference.form.end(),
                                   [&](const Term& term) { return term.cell == part; });
      if (!own)
        others.push_back(part);
    }
    if (others.size() == 1) {
      Bounds& prior = cells_[base::at(others.front())].prior;
      prior.lower = std::max<Units>(prior.lower, 1);
      return;
    }
    const CellId rest = add_cell(difference.form);
    if (divided_[base::at(difference.equation)])
      return;
    divided_[base::at(difference.equation)] = true;
    std::swap(equations_[base::at(difference.equation)], equations_.back());
    std::vector<Term>& parts = equations_.back();
    parts = {{rest, -1}};
    for (const CellId other : others)
      parts.push_back({other, 1});
  }

  // form - r = 0, r >= 1.
  CellId add_cell(const LinearForm& form) {
    Cell cell;
    cell.prior = {1, kUnboundedAbove};
    cell.weight = 0;
    cell.frequency = table::kUnpublished;
    cell.status = CellStatus::kSecondary;
    for (const Term& term : form)
      cell.value += term.coefficient * table_.value(term.cell);
    const CellId added{static_cast<std::int32_t>(cells_.size())};
    cells_.push_back(cell);
    like_.push_back(form.front().cell);
    equations_.emplace_back(form.begin(), form.end());
    equations_.back().push_back({added, -1});
    return added;
  }

  const Table& table_;
  std::vector<Cell> cells_;
  std::vector<CellId> like_;  // of the added: the cell whose codes they have
  std::vector<std::vector<Term>> equations_;
  std::vector<bool> divided_;
};

}  // namespace

std::vector<CountQuestion> implied_questions(const Problem& problem, const Draft& draft) {
  std::vector<CountQuestion> questions;
  const Table& table = problem.table();
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const auto sum = table::part_sum(table, EquationId{e});
    if (!sum)
      continue;
    CountQuestion question{CountKind::kImplied, 0, {}, sum->total, {}};
    Wide together = 0;
    for (const CellId part : sum->parts) {
      if (draft.implied(table, part).is_point())
        continue;
      question.form.push_back({part, 1});
      together += table.value(part);
    }
    if (question.form.size() < 2 || together < 1 || together >= problem.counts()->threshold)
      continue;
    std::sort(question.form.begin(), question.form.end(), [](const Term& a, const Term& b) {
      return a.cell < b.cell;
    });
    question.cell = question.form.front().cell;
    questions.push_back(std::move(question));
  }
  return questions;
}

ReleaseSystem::ReleaseSystem(const Problem& problem, const Draft& draft)
    : given_(problem), given_draft_(draft) {
  if (!problem.counts() || draft.adjusted())
    return;
  if (problem.counts()->implied) {
    CountRules rules = *problem.counts();
    rules.implied = false;  // they stand among the questions now
    for (CountQuestion& question : implied_questions(problem, draft))
      rules.questions.push_back(std::move(question));
    made_ = problem;
    static_cast<void>(made_->set_counts(std::move(rules)).value());  // of its own cells
  }
  add_differences();
}

void ReleaseSystem::add_differences() {
  const std::vector<Difference> differences = differences_shown(given_.table(), given_draft_);
  if (differences.empty())
    return;
  ProblemParts parts = made_ ? (*std::move(made_)).parts() : given_.parts();
  parts.keys.reset();  // no part of the judgment, and of other cells
  const Extension extension(given_.table(), differences);
  parts.table = extension.build();  // has all cells of the given one
  made_ = assemble_problem(std::move(parts)).value();
  changes_table_ = true;
  if (extension.added() == 0)
    return;
  has_cells_ = true;
  made_draft_ = given_draft_;
  for (std::int32_t c = given_.table().num_cells(); c < made_->table().num_cells(); ++c)
    made_draft_.withhold(CellId{c});
}

}  // namespace lacuna::draft
