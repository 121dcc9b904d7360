// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/answers.h"

#include <algorithm>
#include <utility>

#include "core/base/rational.h"
#include "judge/attack/evidence_check.h"

namespace lacuna::audit {
namespace {

constexpr Units kLongestList = 20;  // a range that is longer is not listed value by value

// A sliding level is about both ends together, which single levels do not settle.
bool slides(const Question& question) {
  return question.sliding > 0 &&
         Wide{question.sliding} > Wide{question.lower} + Wide{question.upper};
}

// One end that goes as far as the sliding level settles it.
bool slides_alone(const Question& question) {
  return slides(question) && question.lower <= 0 && question.upper <= 0;
}

// More values than the two that one end beyond the truth shows.
bool asks_for_many(const Question& question) {
  return question.values > 2;
}

// How far the search says that the form goes, at most `most`; the checker has the last word.
Units reach_of(const Question& question,
               Direction direction,
               const attack::Reach& reach,
               Units most) {
  if (!reach.witness)
    return 0;
  if (reach.unbounded)
    return most;
  const Fraction moved = attack::displacement_of(*reach.witness, question.form, direction);
  return moved >= base::to_integer(most) ? most : base::to_units(moved.numerator());
}

}  // namespace

Answer Answers::answer(SearchOnDemand& search,
                       const Question& question,
                       bool ends,
                       const Hints& hints) const {
  Answer found;
  if (run_.should_stop())
    return found;
  const bool listed =
      question.domain == Domain::kInteger && (options_.values || asks_for_many(question));
  ends = ends || listed;
  if (!ends) {
    if (auto known = by_hints(question, hints))
      return *std::move(known);
    if (slides_alone(question) && slides_one_way(*search, question, found))
      return found;
    if (slides(question) && falls_short_at_hand(*search, question, found))
      return found;
  }
  if (ends || slides(question)) {
    found.low = end_of(*search, question, Direction::kLow, question.lower);
    found.high = end_of(*search, question, Direction::kHigh, question.upper);
    if (listed)
      list_values(*search, question, found);
    return found;
  }
  if (question.either && question.lower > 0 && question.upper > 0) {
    auto either = (*search).decide_either(question.form, question.lower, question.upper, run_);
    found.low = std::move(either.low);
    found.high = std::move(either.high);
    return found;
  }
  decide(*search, question, Direction::kHigh, question.upper, found.high, found.high_unsettled);
  if (question.either ? found.high.witness.has_value() : found.high.bounded())
    return found;  // settled already
  decide(*search, question, Direction::kLow, question.lower, found.low, found.low_unsettled);
  return found;
}

void Answers::settle(attack::Search& search, const Question& question, Answer& found) const {
  if (found.high_unsettled)
    found.high = search.decide_on_parts(question.form, Direction::kHigh, question.upper, run_);
  if (found.low_unsettled && !found.high.bounded())
    found.low = search.decide_on_parts(question.form, Direction::kLow, question.lower, run_);
}

// In fractions what takes long is put off until all that is quick is done.
void Answers::decide(attack::Search& search,
                     const Question& question,
                     Direction direction,
                     Units level,
                     attack::Reach& reach,
                     bool& open) const {
  if (level <= 0)
    return;
  if (question.domain == Domain::kInteger) {
    reach = search.decide(question.form, direction, level, run_);
    return;
  }
  auto near = search.decide_nearby(question.form, direction, level, run_);
  open = !near.has_value();
  if (near)
    reach = *std::move(near);
}

// A sliding level that one end has by itself needs no ends.
bool Answers::slides_one_way(attack::Search& search,
                             const Question& question,
                             Answer& found) const {
  for (const Direction direction : {Direction::kHigh, Direction::kLow}) {
    auto near = search.decide_nearby(question.form, direction, question.sliding, run_);
    if (!near || !near->witness || near->bounded())
      continue;
    (direction == Direction::kHigh ? found.high : found.low) = *std::move(near);
    return true;
  }
  return false;
}

// ... and where single equations show that both ends together do not have it, neither.
bool Answers::falls_short_at_hand(attack::Search& search,
                                  const Question& question,
                                  Answer& found) {
  if (question.domain == Domain::kInteger || question.either)
    return false;
  auto low = search.bound_at_hand(question.form, Direction::kLow);
  auto high = low ? search.bound_at_hand(question.form, Direction::kHigh) : std::nullopt;
  if (!high || !(low->bound + high->bound < base::to_integer(question.sliding)))
    return false;
  found.low = std::move(low->reach);
  found.high = std::move(high->reach);
  return true;
}

// The end; where limits stood in the way of it, at least what the verdict needs.
attack::Reach Answers::end_of(attack::Search& search,
                              const Question& question,
                              Direction direction,
                              Units level) const {
  const std::int64_t undecided = search.counts().undecided;
  attack::Reach reach = search.extent(question.form, direction, run_);
  if (search.counts().undecided == undecided || level <= 0)
    return reach;
  attack::Reach least = search.decide(question.form, direction, level, run_);
  if (least.bounded() || least.unbounded) {
    if (!least.witness && !reach.unbounded)
      least.witness = std::move(reach.witness);
    return least;
  }
  if (least.witness)
    reach.witness = std::move(least.witness);
  return reach;
}

void Answers::list_values(attack::Search& search, const Question& question, Answer& found) const {
  const bool many = asks_for_many(question);
  const Units longest =
      many ? std::max(kLongestList, 2 * std::min(question.values - 1, kMaxUnits / 4))
           : kLongestList;
  const Units low = reach_of(question, Direction::kLow, found.low, longest + 1);
  const Units high = reach_of(question, Direction::kHigh, found.high, longest + 1);
  found.complete = low + high <= longest && found.low.bounded() && found.high.bounded();
  if (!found.complete && !many)
    return;
  const Units least = std::min(low, longest);
  auto values = search.values(question.form, -least, std::min(high, longest - least), run_);
  found.complete = found.complete && values.has_value();
  if (values)
    found.values = *std::move(values);
}

// One end is enough, and a short witness is confirmed sooner than two long ones.
std::optional<Answer> Answers::by_one_hint(const Question& question,
                                           Units level,
                                           const Hints& hints) const {
  Answer found;
  const auto level_of = [&](Units own) { return question.either ? own : level; };
  if (const Units high = level_of(question.upper); high > 0)
    found.high_hint = hints.reaching(question.form, Direction::kHigh, high);
  if (const Units low = level_of(question.lower); low > 0 && !found.high_hint)
    found.low_hint = hints.reaching(question.form, Direction::kLow, low);
  return found.by_hint() ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<Answer> Answers::by_hints(const Question& question, const Hints& hints) const {
  if (question.either)
    return by_one_hint(question, 0, hints);
  const bool sliding = slides(question);
  if (slides_alone(question)) {
    if (auto known = by_one_hint(question, question.sliding, hints))
      return known;
  }
  Answer found;
  const auto take = [&](Direction direction, Units level, std::optional<HintId>& hint) {
    if (level <= 0 && !sliding)
      return true;
    hint = sliding ? hints.farthest(question.form, direction)
                   : hints.reaching(question.form, direction, level);
    return hint ? hints.reaches(*hint, question.form, direction, level) : level <= 0;
  };
  if (!take(Direction::kHigh, question.upper, found.high_hint) ||
      !take(Direction::kLow, question.lower, found.low_hint))
    return std::nullopt;
  if (sliding) {
    Fraction width;
    if (found.high_hint)
      width += attack::displacement_of(hints[*found.high_hint], question.form, Direction::kHigh);
    if (found.low_hint)
      width += attack::displacement_of(hints[*found.low_hint], question.form, Direction::kLow);
    if (width < base::to_integer(question.sliding))
      return std::nullopt;
  }
  return found;
}

}  // namespace lacuna::audit
