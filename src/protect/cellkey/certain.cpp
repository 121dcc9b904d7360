// SPDX-License-Identifier: Apache-2.0
#include "protect/cellkey/certain.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/draft/system.h"
#include "lacuna/cellkey.h"

namespace lacuna::cellkey {
namespace {

constexpr Wide kNoEnd = Wide{1} << 100U;  // beyond every sum of ends: an end that is not there

Wide rounded_down(Wide number, Wide divisor) {  // divisor > 0
  return number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor);
}
Wide rounded_up(Wide number, Wide divisor) {
  return -rounded_down(-number, divisor);
}

// The smallest and the largest of a sum whose terms may be open, so that one can be taken out.
struct OpenSum {
  Wide sum = 0;
  std::int64_t open = 0;
  void add(Wide term, bool is_open) {
    sum += is_open ? 0 : term;
    open += is_open ? 1 : 0;
  }
  // Without one of its terms; `open_value` if another is open.
  Wide without(Wide term, bool is_open, Wide open_value) const {
    if (open > (is_open ? 1 : 0))
      return open_value;
    return is_open ? sum : sum - term;
  }
};

struct TermEnds {
  Wide least, most;
  bool least_open, most_open;
};

TermEnds ends_of(const Term& term, Bounds range) {
  const Wide m = term.coefficient;
  const Wide low = m * (range.has_lower() ? range.lower : 0);
  const Wide high = m * (range.has_upper() ? range.upper : 0);
  if (m > 0)
    return {low, high, !range.has_lower(), !range.has_upper()};
  return {high, low, !range.has_upper(), !range.has_lower()};
}

}  // namespace

Propagation::Propagation(const Table& table, std::vector<CellChoice> choices)
    : table_(table),
      choices_(std::move(choices)),
      queued_(static_cast<std::size_t>(table.num_equations()), false) {}

void Propagation::push(EquationId equation) {
  const auto e = static_cast<std::size_t>(equation.value);
  if (queued_[e])
    return;
  queued_[e] = true;
  queue_.push_back(equation);
}

// Ends move inward to the next number; false if none is left.
bool Propagation::tighten(std::size_t cell, Bounds wanted) {
  CellChoice& choice = choices_[cell];
  Bounds now = intersect(choice.range, wanted);
  if (now.lower > now.upper)
    return false;
  if (now == choice.range)
    return true;
  if (!choice.numbers.empty()) {
    const auto& all = choice.numbers;
    const auto low = std::lower_bound(all.begin(), all.end(), now.lower);
    const auto high = std::upper_bound(all.begin(), all.end(), now.upper);
    if (low >= high)
      return false;
    now = {*low, *(high - 1)};
  }
  if (now == choice.range)
    return true;
  if (keeps_trail_)
    trail_.push_back({cell, choice.range});
  choice.range = now;
  for (const Incidence& one : table_.equations_of(CellId{static_cast<std::int32_t>(cell)}))
    push(one.equation);
  return true;
}

bool Propagation::visit(EquationId equation) {
  const auto terms = table_.equation(equation);
  OpenSum least;
  OpenSum most;
  steps_ += static_cast<std::int64_t>(terms.size());
  for (const Term& term : terms) {
    const TermEnds ends = ends_of(term, choices_[index(term.cell)].range);
    least.add(ends.least, ends.least_open);
    most.add(ends.most, ends.most_open);
  }
  if (least.open > 1 && most.open > 1)
    return true;
  const Wide rhs = table_.rhs(equation);
  for (const Term& term : terms) {
    const Bounds range = choices_[index(term.cell)].range;
    const TermEnds ends = ends_of(term, range);
    // m y = rhs - rest, rest within [low, high].
    const Wide low = least.without(ends.least, ends.least_open, -kNoEnd);
    const Wide high = most.without(ends.most, ends.most_open, kNoEnd);
    const Wide m = term.coefficient;
    const Wide from = m > 0 ? rounded_up(rhs - high, m) : rounded_up(low - rhs, -m);
    const Wide to = m > 0 ? rounded_down(rhs - low, m) : rounded_down(high - rhs, -m);
    Bounds wanted = range;
    if (from > (range.has_lower() ? Wide{range.lower} : -Wide{kMaxUnits}))
      wanted.lower = from > kMaxUnits ? kMaxUnits : static_cast<Units>(from);
    if (to < (range.has_upper() ? Wide{range.upper} : Wide{kMaxUnits}))
      wanted.upper = to < -Wide{kMaxUnits} ? -kMaxUnits : static_cast<Units>(to);
    // The sums stay those of the ends before: what moves puts the equation into the queue again.
    if (wanted != range && !tighten(index(term.cell), wanted))
      return false;
  }
  return true;
}

bool Propagation::drain() {
  bool possible = true;
  for (; next_ < queue_.size(); ++next_) {
    queued_[static_cast<std::size_t>(queue_[next_].value)] = false;
    if (possible && !visit(queue_[next_]))
      possible = false;
  }
  queue_.clear();
  next_ = 0;
  return possible;
}

bool Propagation::run() {
  for (std::int32_t e = 0; e < table_.num_equations(); ++e)
    push(EquationId{e});
  return drain();
}

std::int64_t Propagation::numbers_left(CellId cell) const {
  const CellChoice& choice = choices_[index(cell)];
  if (!choice.range.has_lower() || !choice.range.has_upper())
    return -1;
  if (choice.numbers.empty())
    return choice.range.upper - choice.range.lower + 1;
  const auto& all = choice.numbers;
  return std::upper_bound(all.begin(), all.end(), choice.range.upper) -
         std::lower_bound(all.begin(), all.end(), choice.range.lower);
}

std::vector<Units> Propagation::numbers_in(std::size_t cell) const {
  const CellChoice& choice = choices_[cell];
  std::vector<Units> numbers;
  if (choice.numbers.empty()) {
    for (Units number = choice.range.lower; number <= choice.range.upper; ++number)
      numbers.push_back(number);
    return numbers;
  }
  for (const Units number : choice.numbers) {
    if (choice.range.contains(number))
      numbers.push_back(number);
  }
  return numbers;
}

void Propagation::undo_to(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back())
    choices_[trail_.back().cell].range = trail_.back().range;
}

bool Propagation::assume(std::size_t cell, Units number) {
  return tighten(cell, {number, number}) && drain();
}

// Some table within the present ranges. On success the ranges are that table.
Propagation::Found Propagation::search(std::int64_t& steps_left) {
  std::size_t open = choices_.size();
  std::int64_t fewest = 0;
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    const std::int64_t left = numbers_left(CellId{static_cast<std::int32_t>(c)});
    if (left == 1)
      continue;
    if (left < 0)
      return Found::kUnknown;  // no end to try numbers up to
    if (open == choices_.size() || left < fewest) {
      open = c;
      fewest = left;
    }
  }
  if (open == choices_.size())
    return Found::kYes;
  for (const Units number : numbers_in(open)) {
    if (steps_left <= 0)
      return Found::kUnknown;
    const std::size_t mark = trail_.size();
    const std::int64_t before = steps_;
    const bool possible = assume(open, number);
    steps_left -= 1 + steps_ - before;
    if (possible) {
      if (const Found found = search(steps_left); found != Found::kNo)
        return found;
    }
    queue_.clear();
    undo_to(mark);
  }
  return Found::kNo;
}

std::vector<std::vector<Units>> Propagation::possible(std::span<const Units> truth,
                                                      std::int64_t most_steps,
                                                      bool& complete) {
  std::vector<std::vector<Units>> shown(choices_.size());
  const auto show = [&](std::size_t cell, Units number) {
    const auto at = std::lower_bound(shown[cell].begin(), shown[cell].end(), number);
    if (at == shown[cell].end() || *at != number)
      shown[cell].insert(at, number);
  };
  for (std::size_t c = 0; c < choices_.size(); ++c)
    show(c, truth[c]);
  complete = true;
  keeps_trail_ = true;
  std::int64_t steps_left = most_steps;
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    if (numbers_left(CellId{static_cast<std::int32_t>(c)}) < 0) {
      complete = false;
      continue;
    }
    for (const Units number : numbers_in(c)) {
      if (std::binary_search(shown[c].begin(), shown[c].end(), number))
        continue;
      Found found = Found::kUnknown;
      if (steps_left > 0)
        found = assume(c, number) ? search(steps_left) : Found::kNo;
      complete = complete && found != Found::kUnknown;
      for (std::size_t i = 0; found == Found::kYes && i < choices_.size(); ++i)
        show(i, choices_[i].range.lower);
      if (found == Found::kUnknown)
        show(c, number);  // not ruled out
      undo_to(0);
    }
  }
  keeps_trail_ = false;
  return shown;
}

}  // namespace lacuna::cellkey

namespace lacuna {
namespace {

constexpr std::int32_t kMostSearched = 400;           // cells, for every number that is possible
constexpr std::int64_t kMostSearchSteps = 2'000'000;  // terms of equations looked at

Units small_below(const Problem& problem) {
  if (problem.counts())
    return problem.counts()->threshold;
  Units least = 3;
  for (int i = 0; i < problem.table().decimals(); ++i)
    least *= 10;
  return least;
}

std::vector<cellkey::CellChoice> choices_of(const Table& table, const Draft& draft) {
  std::vector<cellkey::CellChoice> choices;
  choices.reserve(static_cast<std::size_t>(table.num_cells()));
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId cell{c};
    const auto entry = draft.find(cell);
    if (entry == nullptr || table.cell(cell).status == CellStatus::kKnown)
      choices.push_back({{}, {table.value(cell), table.value(cell)}});
    else
      choices.push_back({entry->among(), intersect(entry->bounds(), table.cell(cell).prior)});
  }
  return choices;
}

}  // namespace

CertainInference certain_inference(const Problem& problem, const Draft& draft) {
  const draft::ReleaseSystem system(problem, draft);
  const Table& table = system.problem().table();
  const std::vector<cellkey::CellChoice> stated = choices_of(problem.table(), draft);
  cellkey::Propagation propagation(table, choices_of(table, system.draft()));
  CertainInference certain;
  propagation.run();
  std::vector<std::vector<Units>> possible;
  if (problem.table().num_cells() <= kMostSearched) {
    std::vector<Units> truth;
    for (const Cell& cell : table.cells())
      truth.push_back(cell.value);
    possible = propagation.possible(truth, kMostSearchSteps, certain.complete);
  }
  const Units small = small_below(problem);
  for (std::size_t c = 0; c < base::at(problem.table().num_cells()); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    // Numbers without end are not tried one by one.
    const bool searched = !possible.empty() && propagation.numbers_left(cell) >= 0;
    const Bounds left =
        searched ? Bounds{possible[c].front(), possible[c].back()} : propagation.range(cell);
    certain.ranges.push_back(left);
    if (draft.is_exact(cell))
      continue;
    certain.narrowed += left != stated[c].range ? 1 : 0;
    if (!left.is_point())
      continue;
    ++certain.cells;
    certain.small += left.lower > 0 && left.lower < small ? 1 : 0;
  }
  return certain;
}

}  // namespace lacuna
