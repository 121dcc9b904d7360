// SPDX-License-Identifier: Apache-2.0
#include "app/job/publish_back.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/job/judged_numbers.h"
#include "core/base/index.h"
#include "lacuna/audit.h"

namespace lacuna::job {
namespace {

constexpr int kMostAudits = 40;  // of one run: what was not decided by then stays out
constexpr std::int32_t kMostCells = 2000;  // of a table for which all releases are made

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

// Of the withheld cells of the table, with the weights of the run.
double weight_of_cells(const load::PreparedProblem& ready,
                       const ProtectOptions& options,
                       const Draft& draft) {
  const auto weighed = weigh(*ready.bare, weight_formula(options));
  const Table& table = weighed ? weighed->table() : ready.bare->table();
  double sum = 0;
  for (const CellEntry& entry : draft.each()) {
    if (entry.cell.value < table.num_cells() && entry.state() == StatementKind::kWithheld)
      sum += table.cell(entry.cell).weight;
  }
  return sum;
}

// The cheapest release so far: its cells, and the numbers that stand beside blanks.
struct Candidate {
  ProtectResult found;
  std::vector<Number> beside;
  double cost = 0;
  std::int64_t left_out = 0;
  const char* how = "";
};

// B: all numbers of the columns.
std::optional<Candidate> all_published(const ProtectJob& job,
                                       const ProtectOptions& options,
                                       const load::PreparedProblem& ready,
                                       double most,
                                       const RunContext& run) {
  Draft all;  // as if every cell were withheld
  for (std::int32_t c = 0; c < ready.bare->table().num_cells(); ++c)
    all.withhold(CellId{c});
  const load::DerivedChoice every = choice_with(ready, numbers_without_parts(ready, all));
  auto other = load::attach(*ready.bare, *ready.together, &every);
  if (!other)
    return std::nullopt;
  const auto problem = std::make_shared<const Problem>(std::move(other->problem));
  if (!check_requirements(*problem))
    return std::nullopt;
  auto found = protect_with_numbers(job, options, problem, {{}, most, false}, run);
  if (!found || !found->complete)
    return std::nullopt;
  Candidate made{*std::move(found), {}, 0, 0, "cells were withheld for them"};
  made.cost = weight_of_cells(ready, options, made.found.draft);
  made.beside = numbers_without_parts(ready, made.found.draft);
  return made;
}

// C: `begun`, if given, is where it starts from.
std::optional<Candidate> as_one_problem(const ProtectJob& job,
                                        const ProtectOptions& options,
                                        const load::PreparedProblem& ready,
                                        const Candidate* begun,
                                        double most,
                                        const RunContext& run) {
  auto open = load::attach_open(*ready.bare, *ready.together);
  if (!open)
    return std::nullopt;
  const auto problem = std::make_shared<const Problem>(std::move(open->problem));
  GrowFrom from{{}, most, begun == nullptr};
  if (begun != nullptr) {
    for (const CellEntry& entry : begun->found.draft.each()) {
      if (entry.cell.value < ready.bare->table().num_cells())
        from.withheld.push_back(entry.cell);
    }
    load::DerivedChoice kept = choice_with(ready, begun->beside);
    for (const load::OpenNumber& number : open->open) {
      const bool there = load::has_parts(ready.columns[number.column], number.cell, begun->found.draft);
      if (!there && !(*kept[number.column])[number.cell])
        from.withheld.push_back(number.left_out);
    }
  }
  auto found = protect_with_numbers(job, options, problem, from, run);
  if (!found || !found->complete)
    return std::nullopt;
  Candidate made{*std::move(found), {}, 0, 0, "weighed against the cells one by one"};
  made.cost = weight_of_cells(ready, options, made.found.draft);
  for (const load::OpenNumber& number : open->open) {
    if (load::has_parts(ready.columns[number.column], number.cell, made.found.draft))
      continue;
    if (made.found.draft.is_exact(number.left_out))
      made.beside.push_back({number.column, number.cell, ready.columns[number.column].weight});
    else
      ++made.left_out;
    if (!made.found.draft.is_exact(number.left_out))
      made.cost += ready.columns[number.column].weight;
  }
  return made;
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
  Candidate best{std::move(made.found),
                 std::move(back),
                 0,
                 0,
                 "numbers came back while the audit accepted them"};
  best.cost = weight_of_cells(ready, options, best.found.draft) + weight_of(numbers) -
              weight_of(best.beside);
  best.left_out = std::ssize(numbers) - std::ssize(best.beside);
  const auto consider = [&](std::optional<Candidate> other) {
    if (other && other->cost < best.cost)
      best = *std::move(other);
  };
  if (best.left_out > 0 && own <= kMostCells) {
    if (!run.should_stop())
      consider(all_published(job, options, ready, best.cost, run));
    if (!run.should_stop())
      consider(as_one_problem(job, options, ready, &best, best.cost, run));
    if (!run.should_stop())
      consider(as_one_problem(job, options, ready, nullptr, best.cost, run));
  }
  made.found = std::move(best.found);
  made.left_out = best.left_out;
  made.beside_blanks = std::ssize(best.beside);
  LACUNA_RETURN_IF_ERROR(load::choose_derived(ready, choice_with(ready, best.beside)));
  made.given = std::make_shared<const Problem>(ready.problem);
  made.found.witnesses.clear();  // of another system
  made.found.cost = best.cost;
  made.found.bound = std::min(made.found.bound, best.cost);
  const bool proven = made.found.why == StopReason::kOptimal || made.found.why == StopReason::kGapReached;
  if (proven && best.left_out > 0)
    made.found.why = StopReason::kWork;
  made.found.draft = with_cells_behind(std::move(made.found.draft), made.given->table(), own);
  made.note = fmt::format(
      "derived columns: {} numbers are published although a part of them is withheld, {} are left "
      "out ({})",
      made.beside_blanks,
      made.left_out,
      best.how);
  return made;
}

}  // namespace lacuna::job
