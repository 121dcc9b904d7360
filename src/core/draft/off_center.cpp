// SPDX-License-Identifier: Apache-2.0
#include "core/draft/off_center.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/random.h"
#include "core/base/rational.h"
#include "core/draft/significant_digits.h"

namespace lacuna::draft {
namespace {

// What is added in all, in units. Three leave four whole numbers to a reader who knows all but the
// seed; cells that are not sensitive need no such list.
struct Growth {
  Units least, most;
};
constexpr Growth kSensitive{3, 4};
constexpr Growth kOther{1, 2};

constexpr int kDraws = 64;
constexpr int kLeaningDraws = 16;  // then a cell that cannot lean as the others do goes its own way
constexpr int kPlainDraws = 32;    // then one step more on the greater side may mend a draw
constexpr std::uint64_t kWitnesses = ~0U;  // items beyond the cells

Wide size_of(Wide number) {
  return number < 0 ? -number : number;
}

// The truth and what is published of it, cut to what everyone knows.
struct Seen {
  Units value = 0;
  Bounds ends, prior;

  bool news_below() const { return ends.has_lower() && ends.lower > prior.lower; }
  bool news_above() const { return ends.has_upper() && ends.upper < prior.upper; }
  // Twice the distances of the truth from middle and ends; -1: no such guess.
  Wide off_middle() const {
    if (!ends.has_lower() || !ends.has_upper())
      return -1;
    return size_of(Wide{ends.lower} + ends.upper - 2 * Wide{value});
  }
  Wide off_lower() const { return news_below() ? 2 * (Wide{value} - ends.lower) : -1; }
  Wide off_upper() const { return news_above() ? 2 * (Wide{ends.upper} - value) : -1; }
};

// Twice the distance of the truth from the nearest guess.
Wide nearest_guess(const Seen& seen) {
  Wide least = Wide{kMaxUnits} * 4;
  for (const Wide off : {seen.off_middle(), seen.off_lower(), seen.off_upper()})
    least = off < 0 ? least : std::min(least, off);
  return least;
}

bool keeps_distance(const Seen& seen, Units added) {
  const auto far = [&](Wide off, Wide least) {
    return off < 0 || (off >= least && 3 * off >= added);
  };
  return far(seen.off_middle(), 1) && far(seen.off_lower(), 2) && far(seen.off_upper(), 2);
}

// Of an interval with one end: twice its distance from the truth.
Wide width_of(const Seen& seen) {
  if (!seen.ends.has_lower())
    return 2 * (Wide{seen.ends.upper} - seen.value);
  if (!seen.ends.has_upper())
    return 2 * (Wide{seen.value} - seen.ends.lower);
  return Wide{seen.ends.upper} - seen.ends.lower;
}

Growth growth_of(const Seen& seen, bool sensitive, double share) {
  constexpr Units kLargest = kMaxUnits / 8;
  Growth growth = sensitive ? kSensitive : kOther;
  const double wanted = std::floor(share * static_cast<double>(width_of(seen)));
  const bool fits = wanted < static_cast<double>(kLargest);
  growth.most = std::max(growth.most, fits ? static_cast<Units>(wanted) : kLargest);
  growth.least = std::max(growth.least, growth.most / 2 + growth.most % 2);
  return growth;
}

Units lowered(Units end, Units by, Units least, std::int32_t digits) {
  if (end == kUnboundedBelow)
    return end;
  const Units floor = std::max(least, -kMaxUnits);
  const auto moved = static_cast<Units>(std::max(Wide{floor}, Wide{end} - by));
  return digits > 0 ? std::max(floor, round_outward(moved, -1, digits)) : moved;
}

Units raised(Units end, Units by, Units most, std::int32_t digits) {
  if (end == kUnboundedAbove)
    return end;
  const Units ceiling = std::min(most, kMaxUnits);
  const auto moved = static_cast<Units>(std::min(Wide{ceiling}, Wide{end} + by));
  return digits > 0 ? std::min(ceiling, round_outward(moved, 1, digits)) : moved;
}

Seen widened(const Seen& seen, Units below, Units above, std::int32_t digits) {
  Seen wider = seen;
  wider.ends = {lowered(seen.ends.lower, below, seen.prior.lower, digits),
                raised(seen.ends.upper, above, seen.prior.upper, digits)};
  return wider;
}

// A side that everyone knows to end leaves the greater part to the other.
bool goes_up(const Seen& seen, bool wanted, Units greater) {
  const bool slack_below =
      Wide{seen.ends.lower} - greater >= std::max(seen.prior.lower, -kMaxUnits);
  const bool slack_above = Wide{seen.ends.upper} + greater <= std::min(seen.prior.upper, kMaxUnits);
  return slack_below == slack_above ? wanted : slack_above;
}

// One cell: the draws of the opening comment of the header. `lean` is the side that gets more.
Bounds moved_ends(const Seen& seen,
                  const Growth& growth,
                  double lean,
                  const OffCenterOptions& options,
                  base::Random random) {
  const std::int32_t digits = options.digits;
  const bool two = seen.ends.has_lower() && seen.ends.has_upper();
  Bounds best = seen.ends;
  Wide best_off = -1;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Units added = random.between(growth.least, growth.most);
    const Units lesser = random.between(0, added / 3);
    const bool coin = random.chance(1, 2);
    const bool wanted = lean == 0 || draw >= kLeaningDraws ? coin : lean > 0;
    const bool up = goes_up(seen, wanted, added - lesser);
    const Units below = !two ? added : up ? lesser : added - lesser;
    const Units above = !two ? added : added - below;
    const Seen moved = widened(seen, below, above, digits);
    if (options.first_draw)
      return moved.ends;
    const Seen further = widened(moved, up ? 0 : 1, up ? 1 : 0, digits);
    for (const Seen& each : {moved, draw < kPlainDraws ? moved : further}) {
      if (keeps_distance(each, added))
        return each.ends;
      if (const Wide off = nearest_guess(each); off > best_off) {
        best_off = off;
        best = each.ends;
      }
    }
  }
  return best;
}

// The ends with room for a displacement of the value, and not centred by it; nothing if that takes
// more than `most` units or passes what everyone knows.
std::optional<Bounds> with_slack_for(const Seen& seen,
                                     const Fraction& reach,
                                     Wide most,
                                     std::int32_t digits) {
  const bool up = reach > 0;
  if (up ? !seen.ends.has_upper() : !seen.ends.has_lower())
    return seen.ends;
  const Fraction slack = base::to_integer(up ? Wide{seen.ends.upper} - seen.value
                                             : Wide{seen.value} - seen.ends.lower);
  const Fraction missing = abs(reach) - slack;
  if (missing <= 0)
    return seen.ends;
  const Integer whole = (missing.numerator() + missing.denominator() - 1) / missing.denominator();
  const Units end = up ? seen.prior.upper : seen.prior.lower;
  const bool open = up ? end == kUnboundedAbove : end == kUnboundedBelow;
  const Wide to_prior =
      open ? Wide{kMaxUnits} : size_of(Wide{end} - (up ? seen.ends.upper : seen.ends.lower));
  if (whole > base::to_integer(std::max(Wide{0}, std::min(most, to_prior))))
    return std::nullopt;
  const auto by = base::to_units(whole);
  const Seen wider = widened(seen, up ? 0 : by, up ? by : 0, digits);
  if (nearest_guess(wider) > 0)
    return wider.ends;
  return widened(wider, up ? 0 : 1, up ? 1 : 0, digits).ends;
}

Seen seen_of(const Table& table, const CellEntry& entry) {
  const Cell& cell = table.cell(entry.cell);
  return {cell.value, intersect(entry.bounds(), cell.prior), cell.prior};
}

// What is published beyond what everyone knows stays as it is: nobody learns from it.
void publish(const CellEntry& entry, Bounds ends, Draft& draft) {
  draft.publish_interval(
      entry.cell,
      {std::min(entry.bounds().lower, ends.lower), std::max(entry.bounds().upper, ends.upper)});
}

// A seeded sum of the witnesses, by cell.
std::vector<double> leaning(const Table& table,
                            std::span<const Displacement> witnesses,
                            std::uint64_t seed) {
  constexpr std::int64_t kSteps = 1000;  // each witness counts from half to all
  std::vector<double> lean(static_cast<std::size_t>(table.num_cells()), 0);
  for (std::size_t w = 0; w < witnesses.size(); ++w) {
    base::Random random = base::Random::of_item(seed, kWitnesses + w);
    const double factor = static_cast<double>(random.between(kSteps / 2, kSteps)) *
                          (random.chance(1, 2) ? 1 : -1) / witnesses[w].denominator.to_double();
    for (std::size_t i = 0; i < witnesses[w].cells.size(); ++i)
      lean[static_cast<std::size_t>(witnesses[w].cells[i].value)] +=
          factor * witnesses[w].moves[i].to_double();
  }
  return lean;
}

}  // namespace

Status OffCenterOptions::validate() const {
  if (!(share >= 0 && share <= 10))
    return Error{
        ErrorCode::kOptionValue, "the share must be at least 0 and at most 10", "off-center"};
  if (digits < 0 || digits > 18)
    return Error{ErrorCode::kOptionValue,
                 "the number of digits must be between 0 and 18",
                 "interval-digits"};
  return ok_status();
}

double AddedWidth::loss() const {
  return before == 0 ? 0 : static_cast<double>(after - before) / static_cast<double>(before);
}

bool is_centered(Units value, Bounds ends, Bounds prior) {
  return nearest_guess({value, intersect(ends, prior), prior}) == 0;
}

Draft move_off_center(const Problem& problem,
                      const Draft& draft,
                      std::span<const Displacement> witnesses,
                      const OffCenterOptions& options) {
  Draft moved = draft;
  if (options.share == 0)
    return moved;
  const std::vector<double> lean = leaning(problem.table(), witnesses, options.seed);
  for (const CellEntry& entry : draft.each()) {
    const Seen seen = seen_of(problem.table(), entry);
    if (entry.state() != StatementKind::kInterval ||
        (!seen.ends.has_lower() && !seen.ends.has_upper()))
      continue;
    const auto c = static_cast<std::size_t>(entry.cell.value);
    const bool as_sensitive = options.first_draw || is_sensitive(problem, entry.cell);
    publish(entry,
            moved_ends(seen,
                       growth_of(seen, as_sensitive, options.share),
                       lean[c],
                       options,
                       base::Random::of_item(options.seed, c)),
            moved);
  }
  return moved;
}

bool widen_along(const Problem& problem,
                 const Draft& draft,
                 const Displacement& witness,
                 const Fraction& factor,
                 const OffCenterOptions& options,
                 Draft& moved) {
  std::vector<std::pair<CellEntry, Bounds>> wider;
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const auto first = draft.find(witness.cells[i]);
    const auto entry = moved.find(witness.cells[i]);
    if (first == nullptr || entry == nullptr || entry->state() != StatementKind::kInterval)
      continue;
    const Seen seen = seen_of(problem.table(), *entry);
    const Seen before = seen_of(problem.table(), *first);
    const bool sensitive = is_sensitive(problem, entry->cell);
    const Wide most = Wide{2} * growth_of(before, sensitive, options.share).most +
                      width_of(before) - width_of(seen);
    const Fraction reach = factor * Fraction(witness.moves[i], witness.denominator);
    const std::optional<Bounds> ends = with_slack_for(seen, reach, most, options.digits);
    if (!ends)
      return false;
    if (!(*ends == seen.ends))
      wider.emplace_back(*entry, *ends);
  }
  for (const auto& [entry, ends] : wider)
    publish(entry, ends, moved);
  return !wider.empty();
}

AddedWidth added_width(const Table& table, const Draft& draft, const Draft& moved) {
  AddedWidth result;
  for (const CellEntry& entry : draft.each()) {
    const auto now = moved.find(entry.cell);
    if (entry.state() != StatementKind::kInterval || now == nullptr)
      continue;
    const Seen before = seen_of(table, entry);
    const Seen after = seen_of(table, *now);
    result.added.push_back({entry.cell,
                            before.ends.has_lower() ? before.ends.lower - after.ends.lower : 0,
                            before.ends.has_upper() ? after.ends.upper - before.ends.upper : 0});
    result.stuck += nearest_guess(after) == 0 ? 1 : 0;
    if (before.ends.has_lower() && before.ends.has_upper()) {
      result.before += width_of(before);
      result.after += width_of(after);
    }
  }
  return result;
}

}  // namespace lacuna::draft
