// SPDX-License-Identifier: Apache-2.0
#include "lacuna/draft.h"

#include <algorithm>
#include <functional>

#include "core/base/check.h"

namespace lacuna {

std::string_view to_string(StatementKind state) {
  switch (state) {
    case StatementKind::kExact:
      return "exact";
    case StatementKind::kWithheld:
      return "withheld";
    case StatementKind::kInterval:
      return "interval";
    case StatementKind::kRounded:
      return "rounded";
    case StatementKind::kAltered:
      return "altered";
    case StatementKind::kAdjusted:
      return "adjusted";
  }
  base::fail_check("known cell state", __FILE__, __LINE__);
}

Draft Draft::withholding(std::span<const CellId> cells) {
  Draft draft;
  for (const CellId cell : cells)
    draft.withhold(cell);
  return draft;
}

Draft Draft::withholding_primaries(const Table& table) {
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellStatus status = table.cell(CellId{c}).status;
    if (status == CellStatus::kPrimary || status == CellStatus::kSecondary)
      draft.withhold(CellId{c});
  }
  return draft;
}

StatementKind CellEntry::state() const {
  static_assert(std::variant_size_v<Statement> == 6);
  return static_cast<StatementKind>(says.index());  // both lists are in the same order
}

Bounds CellEntry::bounds() const {
  if (const auto* interval = std::get_if<IntervalEnds>(&says))
    return interval->ends;
  if (const auto* rounded = std::get_if<Rounded>(&says)) {
    const Units reach = (rounded->steps + 1) * rounded->base;
    return {rounded->value - reach, rounded->value + reach};
  }
  if (const auto* altered = std::get_if<Altered>(&says))
    return altered->range;
  return {};
}

std::optional<Units> CellEntry::number() const {
  if (const auto* rounded = std::get_if<Rounded>(&says))
    return rounded->value;
  if (const auto* altered = std::get_if<Altered>(&says))
    return altered->value;
  if (const auto* adjusted = std::get_if<Adjusted>(&says))
    return adjusted->value;
  return std::nullopt;
}

std::span<const Units> CellEntry::among() const {
  if (const auto* interval = std::get_if<IntervalEnds>(&says))
    return interval->among;
  if (const auto* altered = std::get_if<Altered>(&says))
    return altered->among;
  return {};
}

void Draft::withhold(CellId cell) {
  set({cell, Withheld{}});
}
void Draft::publish_interval(CellId cell, Bounds ends) {
  set({cell, IntervalEnds{ends}});
}
void Draft::publish_rounded(CellId cell, Units value, Units base, std::int32_t steps) {
  set({cell, Rounded{value, base, steps}});
}
void Draft::publish_altered(CellId cell, Units value, Bounds range) {
  set({cell, Altered{value, range}});
}
void Draft::publish_adjusted(CellId cell, Units value) {
  set({cell, Adjusted{value}});
  adjusted_ = true;
}
void Draft::publish_exact(CellId cell) {
  set({cell, Exact{}});
}

namespace {

constexpr bool is_kept(StatementKind state) {
  return state != StatementKind::kExact && state != StatementKind::kWithheld;
}

// Runs are numbered downward from zero, too: check_draft names cells below zero.
constexpr std::int32_t kRunBits = 6;
constexpr std::int32_t run_number(CellId cell) {
  return cell.value >> kRunBits;
}
constexpr std::size_t offset_in_run(CellId cell) {
  return static_cast<std::size_t>(cell.value) & ((std::size_t{1} << kRunBits) - 1);
}

auto lower_entry(auto& kept, CellId cell) {
  return std::lower_bound(kept.begin(), kept.end(), cell, [](const CellEntry& entry, CellId of) {
    return entry.cell < of;
  });
}

}  // namespace

std::vector<Draft::Place>::const_iterator Draft::place_from(std::int32_t number) const {
  static_assert(kRunLength == 1 << kRunBits);
  const auto n = static_cast<std::size_t>(number);
  if (n < places_.size() && places_[n].number == number)
    return places_.begin() + number;  // no run is missing before it, as a rule
  return std::lower_bound(places_.begin(), places_.end(), number, [](const Place& place, auto of) {
    return place.number < of;
  });
}

const Draft::Run* Draft::run_of(CellId cell) const {
  const std::int32_t number = run_number(cell);
  const auto place = place_from(number);
  return place == places_.end() || place->number != number
             ? nullptr
             : &runs_[static_cast<std::size_t>(place->run)];
}

Draft::Run& Draft::made_run(CellId cell) {
  const std::int32_t number = run_number(cell);
  auto place = place_from(number);
  if (place == places_.end() || place->number != number) {
    runs_.emplace_back();
    place = places_.insert(place, {number, static_cast<std::int32_t>(runs_.size()) - 1});
  }
  return runs_[static_cast<std::size_t>(place->run)];
}

void Draft::set(const CellEntry& entry) {
  const StatementKind state = entry.state();
  if (state == StatementKind::kExact && run_of(entry.cell) == nullptr)
    return;
  Run& run = made_run(entry.cell);
  StatementKind& now = run.states[offset_in_run(entry.cell)];
  if (is_kept(now) || is_kept(state)) {
    const auto at = lower_entry(run.kept, entry.cell);
    if (!is_kept(state))
      run.kept.erase(at);
    else if (is_kept(now))
      *at = entry;
    else
      run.kept.insert(at, entry);
  }
  now = state;
}

StatementKind Draft::state(CellId cell) const {
  const Run* run = run_of(cell);
  return run == nullptr ? StatementKind::kExact : run->states[offset_in_run(cell)];
}

FoundEntry Draft::find(CellId cell) const {
  const Run* run = run_of(cell);
  const StatementKind state =
      run == nullptr ? StatementKind::kExact : run->states[offset_in_run(cell)];
  if (state == StatementKind::kExact)
    return {};
  if (state == StatementKind::kWithheld)
    return FoundEntry(cell);
  return FoundEntry(*lower_entry(run->kept, cell));
}

void Draft::Entries::Iterator::seek() {
  for (; place_ < draft_->places_.size(); ++place_, offset_ = 0, kept_ = 0) {
    const Place& place = draft_->places_[place_];
    const Run& run = draft_->runs_[static_cast<std::size_t>(place.run)];
    for (; offset_ < run.states.size(); ++offset_) {
      if (run.states[offset_] == StatementKind::kExact)
        continue;
      const CellId cell{place.number * kRunLength + static_cast<std::int32_t>(offset_)};
      now_ = is_kept(run.states[offset_]) ? FoundEntry(run.kept[kept_++]) : FoundEntry(cell);
      return;
    }
  }
  now_ = {};
}

std::vector<CellEntry> Draft::entries() const {
  std::vector<CellEntry> all;
  all.reserve(static_cast<std::size_t>(num_entries()));
  for (const CellEntry& entry : each())
    all.push_back(entry);
  return all;
}

std::int32_t Draft::num_entries() const {
  std::ptrdiff_t total = 0;
  for (const Run& run : runs_)
    total += kRunLength - std::ranges::count(run.states, StatementKind::kExact);
  return static_cast<std::int32_t>(total);
}

std::int32_t Draft::count(StatementKind state) const {
  if (state == StatementKind::kExact)
    return 0;  // what is not stated is not counted either
  std::ptrdiff_t total = 0;
  for (const Run& run : runs_)
    total += std::ranges::count(run.states, state);
  return static_cast<std::int32_t>(total);
}

bool Draft::by_keys() const {
  for (const Run& run : runs_) {
    for (const CellEntry& entry : run.kept) {
      const auto* altered = std::get_if<Altered>(&entry.says);
      if (altered != nullptr && altered->by_key)
        return true;
    }
  }
  return false;
}

Bounds Draft::implied(const Table& table, CellId cell) const {
  const auto entry = find(cell);
  if (entry == nullptr)
    return {table.value(cell), table.value(cell)};
  return entry->bounds();
}

bool same_release(const Table& table, const Draft& a, const Draft& b) {
  if (!a.adjusted() || !b.adjusted())
    return a.adjusted() == b.adjusted() && std::ranges::equal(a.each(), b.each());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto number = [&](const Draft& draft) {
      const auto entry = draft.find(CellId{c});
      return entry == nullptr ? std::optional<Units>(table.value(CellId{c})) : entry->number();
    };
    if (number(a) != number(b))
      return false;
  }
  return true;
}

namespace {

bool fits(Wide number) {
  return number <= kMaxUnits && number >= -kMaxUnits;
}

// Of a list of numbers that the truth is one of.
std::string trouble_with(std::span<const Units> among, Bounds range) {
  if (among.empty())
    return "";
  const bool rises =
      std::adjacent_find(among.begin(), among.end(), std::greater_equal<>()) == among.end();
  return rises && among.front() == range.lower && among.back() == range.upper
             ? ""
             : "the list of possible true values must rise from one end of the range to the other";
}

// What is wrong with the statement itself, whatever the table; empty: nothing.
std::string trouble_with(const Statement& says) {
  if (const auto* rounded = std::get_if<Rounded>(&says)) {
    if (rounded->base <= 0)
      return "a rounded cell needs a base above zero";
    if (rounded->steps < 0 || rounded->steps > Rounded::kMaxSteps)
      return "the steps of a rounded cell must be from 0 to 100";
    const Wide reach = Wide{rounded->base} * (rounded->steps + 1);
    return fits(rounded->value + reach) && fits(rounded->value - reach)
               ? ""
               : "a range of the release does not fit 62 bits";
  }
  const auto* interval = std::get_if<IntervalEnds>(&says);
  const auto* altered = std::get_if<Altered>(&says);
  if (interval == nullptr && altered == nullptr)
    return "";
  const Bounds range = interval != nullptr ? interval->ends : altered->range;
  if (!range.has_lower() || !range.has_upper())
    return interval != nullptr
               ? "an interval needs both ends"
               : "an altered number needs both ends of the range that contains the true value";
  if (!fits(range.lower) || !fits(range.upper))
    return "a range of the release does not fit 62 bits";
  return trouble_with(interval != nullptr ? interval->among : altered->among, range);
}

std::string trouble_with(const Draft& draft, const CellEntry& entry) {
  const bool number_alone = entry.state() == StatementKind::kAdjusted;
  if (number_alone && !draft.adjusted())
    return "a number is published without its range; only a release that is adjusted as a whole "
           "may do so";
  if (!number_alone && draft.adjusted())
    return "an adjusted table must have a number for every cell, and no ranges";
  return trouble_with(entry.says);
}

}  // namespace

Status check_draft(const Table& table, const Draft& draft) {
  for (const CellEntry& entry : draft.each()) {
    if (entry.cell.value < 0 || entry.cell.value >= table.num_cells()) {
      return Error{ErrorCode::kNoSuchCell,
                   "the release names cell " + std::to_string(entry.cell.value) +
                       ", but the table has " + std::to_string(table.num_cells()) + " cells",
                   ""};
    }
    const auto error = [&](std::string message) {
      return Error{ErrorCode::kFalseRelease, std::move(message), table.label(entry.cell)};
    };
    if (table.cell(entry.cell).status == CellStatus::kMustPublish && !entry.number())
      return error("the release hides a cell that must be published");
    if (std::string trouble = trouble_with(draft, entry); !trouble.empty())
      return error(std::move(trouble));
    const auto among = entry.among();
    if (!entry.bounds().contains(table.value(entry.cell)) ||
        (!among.empty() &&
         !std::binary_search(among.begin(), among.end(), table.value(entry.cell))))
      return error("what the release says about the cell does not contain its true value");
  }
  return ok_status();
}

}  // namespace lacuna
