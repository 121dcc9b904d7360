// SPDX-License-Identifier: Apache-2.0
#include "app/job/publish_back.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/index.h"
#include "lacuna/audit.h"

namespace lacuna::job {
namespace {

constexpr int kMostAudits = 40;  // of one run: what was not decided by then stays out
constexpr std::int32_t kMostCells = 2000;  // of a table for which both releases are made

struct Number {
  std::size_t column = 0, cell = 0;
  double weight = 0;
};

// Numbers of the columns that the release would not have where some part is withheld, the most
// expensive first.
std::vector<Number> numbers_without_parts(const load::PreparedProblem& ready, const Draft& draft) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < ready.columns.size(); ++i) {
    const load::DerivedColumn& column = ready.columns[i];
    for (std::size_t c = 0; column.cheapest && c < column.printed.size(); ++c) {
      if (column.printed[c] != load::DerivedColumn::kNone && !load::has_parts(column, c, draft))
        numbers.push_back({i, c, column.weight});
    }
  }
  std::stable_sort(numbers.begin(), numbers.end(), [](const Number& a, const Number& b) {
    return a.weight > b.weight;
  });
  return numbers;
}

load::DerivedChoice choice_with(const load::PreparedProblem& ready,
                                const std::vector<Number>& numbers) {
  load::DerivedChoice choice(ready.columns.size());
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (ready.columns[i].cheapest)
      choice[i].emplace(ready.columns[i].printed.size(), false);
  }
  for (const Number& number : numbers)
    (*choice[number.column])[number.cell] = true;
  return choice;
}

class GivingBack {
 public:
  GivingBack(const ProtectJob& job,
             const load::PreparedProblem& ready,
             const Draft& draft,
             const RunContext& run)
      : job_(job), ready_(ready), draft_(draft), run_(run) {}

  // Halves that the audit does not accept are divided again.
  Result<std::vector<Number>> run(const std::vector<Number>& numbers) {
    std::vector<std::pair<std::size_t, std::size_t>> left{{0, numbers.size()}};
    while (!left.empty() && audits_ < kMostAudits && !run_.should_stop()) {
      const auto [first, last] = left.back();
      left.pop_back();
      if (first == last)
        continue;
      std::vector<Number> tried = accepted_;
      tried.insert(tried.end(),
                   numbers.begin() + static_cast<std::ptrdiff_t>(first),
                   numbers.begin() + static_cast<std::ptrdiff_t>(last));
      LACUNA_TRY(const bool safe, is_safe(tried));
      if (safe) {
        accepted_ = std::move(tried);
        continue;
      }
      const std::size_t middle = first + (last - first) / 2;
      if (last - first > 1) {
        left.emplace_back(middle, last);
        left.emplace_back(first, middle);  // the more expensive half is next
      }
    }
    return accepted_;
  }

 private:
  Result<bool> is_safe(const std::vector<Number>& numbers) {
    ++audits_;
    const load::DerivedChoice choice = choice_with(ready_, numbers);
    LACUNA_TRY(load::Attached made, load::attach(*ready_.bare, *ready_.together, &choice));
    const auto problem = std::make_shared<const Problem>(std::move(made.problem));
    const Draft draft =
        with_cells_behind(draft_, problem->table(), ready_.bare->table().num_cells());
    AuditOptions options;
    options.intervals = false;
    options.engine = job_.engine;
    LACUNA_TRY(const AuditReport report, Auditor(problem).audit(draft, options, run_));
    return passes(report.verdict);
  }

  const ProtectJob& job_;
  const load::PreparedProblem& ready_;
  const Draft& draft_;
  const RunContext& run_;
  std::vector<Number> accepted_;
  int audits_ = 0;
};

double weight_of(const std::vector<Number>& numbers) {
  double sum = 0;
  for (const Number& number : numbers)
    sum += number.weight;
  return sum;
}

}  // namespace

bool has_cheapest(const load::PreparedProblem& ready) {
  return std::any_of(ready.columns.begin(), ready.columns.end(), [](const auto& column) {
    return column.cheapest;
  });
}

Draft with_cells_behind(Draft draft, const Table& table, std::int32_t own_cells) {
  for (std::int32_t c = own_cells; c < table.num_cells(); ++c) {
    if (may_be_withheld(table.cell(CellId{c})))
      draft.withhold(CellId{c});
    else
      draft.publish_exact(CellId{c});
  }
  return draft;
}

Result<PublishedBack> publish_back(const ProtectJob& job,
                                   const ProtectOptions& options,
                                   load::PreparedProblem& ready,
                                   std::shared_ptr<const Problem> given,
                                   ProtectResult found,
                                   const RunContext& run) {
  const std::int32_t own = ready.bare->table().num_cells();
  PublishedBack made{std::move(given), std::move(found), ""};
  if (!made.found.complete || made.found.draft.adjusted())
    return made;
  const std::vector<Number> numbers = numbers_without_parts(ready, made.found.draft);
  LACUNA_TRY(std::vector<Number> back, GivingBack(job, ready, made.found.draft, run).run(numbers));
  double cost = made.found.cost + weight_of(numbers) - weight_of(back);
  made.left_out = std::ssize(numbers) - std::ssize(back);
  made.beside_blanks = std::ssize(back);
  LACUNA_RETURN_IF_ERROR(load::choose_derived(ready, choice_with(ready, back)));
  const char* how = "numbers came back while the audit accepted them";
  if (made.left_out > 0 && own <= kMostCells && !run.should_stop()) {
    Draft all;  // as if every cell were withheld: all numbers of the columns
    for (std::int32_t c = 0; c < own; ++c)
      all.withhold(CellId{c});
    const load::DerivedChoice every = choice_with(ready, numbers_without_parts(ready, all));
    LACUNA_TRY(load::Attached other, load::attach(*ready.bare, *ready.together, &every));
    const auto problem = std::make_shared<const Problem>(std::move(other.problem));
    if (check_requirements(*problem)) {
      const auto second = protect(problem, options, run);
      if (second && second->complete && second->judged && second->cost < cost) {
        made.found = *second;
        back = numbers_without_parts(ready, second->draft);
        made.left_out = 0;
        made.beside_blanks = std::ssize(back);
        LACUNA_RETURN_IF_ERROR(load::choose_derived(ready, choice_with(ready, back)));
        how = "cells were withheld for them";
      }
    }
  }
  made.given = std::make_shared<const Problem>(ready.problem);
  made.found.witnesses.clear();  // of another system
  made.found.draft = with_cells_behind(std::move(made.found.draft), made.given->table(), own);
  made.note = fmt::format(
      "derived columns: {} numbers are published although a part of them is withheld, {} are left "
      "out ({})",
      made.beside_blanks,
      made.left_out,
      how);
  return made;
}

}  // namespace lacuna::job
