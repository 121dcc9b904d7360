// SPDX-License-Identifier: Apache-2.0
#include "lacuna/draft.h"

#include "base/check.h"

namespace lacuna {

std::string_view to_string(CellState state) {
  switch (state) {
    case CellState::kExact:
      return "exact";
    case CellState::kWithheld:
      return "withheld";
    case CellState::kInterval:
      return "interval";
    case CellState::kRounded:
      return "rounded";
    case CellState::kAltered:
      return "altered";
  }
  fail_check("known cell state", __FILE__, __LINE__);
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
    if (status == CellStatus::kPrimary || status == CellStatus::kWithheld)
      draft.withhold(CellId{c});
  }
  return draft;
}

void Draft::withhold(CellId cell) {
  set({cell, CellState::kWithheld, {}, 0});
}
void Draft::publish_interval(CellId cell, Bounds ends) {
  set({cell, CellState::kInterval, ends, 0});
}
void Draft::publish_rounded(CellId cell, Units value, Units base) {
  set({cell, CellState::kRounded, {value - base, value + base}, value});
}
void Draft::publish_altered(CellId cell, Units value) {
  set({cell, CellState::kAltered, {}, value});
}
void Draft::publish_altered(CellId cell, Units value, Bounds range) {
  set({cell, CellState::kAltered, range, value});
}
void Draft::publish_exact(CellId cell) {
  entries_.erase(cell);
}

void Draft::set(const CellEntry& entry) {
  if (entry.state == CellState::kExact) {
    entries_.erase(entry.cell);
  } else {
    entries_[entry.cell] = entry;
  }
}

CellState Draft::state(CellId cell) const {
  const CellEntry* entry = find(cell);
  return entry == nullptr ? CellState::kExact : entry->state;
}

const CellEntry* Draft::find(CellId cell) const {
  const auto at = entries_.find(cell);
  return at == entries_.end() ? nullptr : &at->second;
}

std::vector<CellEntry> Draft::entries() const {
  std::vector<CellEntry> all;
  all.reserve(entries_.size());
  for (const auto& [cell, entry] : entries_)
    all.push_back(entry);
  return all;
}

std::int32_t Draft::count(CellState state) const {
  std::int32_t total = 0;
  for (const auto& [cell, entry] : entries_)
    total += entry.state == state ? 1 : 0;
  return total;
}

Bounds Draft::implied(const Table& table, CellId cell) const {
  const CellEntry* entry = find(cell);
  if (entry == nullptr)
    return {table.value(cell), table.value(cell)};
  return entry->bounds;
}

Status check_draft(const Table& table, const Draft& draft) {
  for (const CellEntry& entry : draft.entries()) {
    if (entry.cell.value < 0 || entry.cell.value >= table.num_cells()) {
      return Error{ErrorCode::kBadInput,
                   "the release names cell " + std::to_string(entry.cell.value) +
                       ", but the table has " + std::to_string(table.num_cells()) + " cells",
                   ""};
    }
    const std::string where = table.label(entry.cell);
    const CellStatus status = table.cell(entry.cell).status;
    if (status == CellStatus::kPublished && entry.state != CellState::kRounded &&
        entry.state != CellState::kAltered) {
      return Error{ErrorCode::kBadInput, "the release hides a cell that must be published", where};
    }
    const bool lower_fits = !entry.bounds.has_lower() || entry.bounds.lower >= -kMaxUnits;
    const bool upper_fits = !entry.bounds.has_upper() || entry.bounds.upper <= kMaxUnits;
    if (!lower_fits || !upper_fits) {
      return Error{ErrorCode::kBadInput, "a range of the release does not fit 62 bits", where};
    }
    if (!entry.bounds.contains(table.value(entry.cell))) {
      return Error{ErrorCode::kBadInput,
                   "what the release says of the cell does not contain its true value",
                   where};
    }
  }
  return ok_status();
}

}  // namespace lacuna
