// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/view.h"

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "core/table/parts.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/held_network.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {

Slack slack_within(Units value, Bounds bounds) {
  LACUNA_CHECK(bounds.contains(value));
  Slack slack{kUnboundedAbove, kUnboundedAbove};
  // Both numbers are within 2^62, so the difference fits and is never the sentinel.
  if (bounds.has_lower())
    slack.down = value - bounds.lower;
  if (bounds.has_upper())
    slack.up = bounds.upper - value;
  return slack;
}

std::vector<Slack> attacker_slacks(const Table& table,
                                   const Draft& draft,
                                   const Attacker& attacker) {
  std::vector<Slack> slacks(static_cast<std::size_t>(table.num_cells()));
  const auto at = [&](CellId cell) -> Slack& {
    return slacks[static_cast<std::size_t>(cell.value)];
  };
  for (const CellEntry& entry : draft.each()) {
    const Bounds known = intersect(entry.bounds(), table.cell(entry.cell).prior);
    at(entry.cell) = slack_within(table.value(entry.cell), known);
  }
  for (const KnownSlack& own : slacks_of_knowledge(table, draft, attacker))
    at(own.cell) = own.slack;
  return slacks;
}

std::vector<KnownSlack> slacks_of_knowledge(const Table& table,
                                            const Draft& draft,
                                            const Attacker& attacker) {
  std::vector<KnownSlack> slacks;
  slacks.reserve(attacker.known.size());
  for (const Knowledge& own : attacker.known) {
    const auto entry = draft.find(own.cell);
    if (entry == nullptr)
      continue;
    const Bounds known =
        intersect(intersect(entry->bounds(), table.cell(own.cell).prior), own.bounds);
    slacks.push_back({own.cell, slack_within(table.value(own.cell), known)});
  }
  return slacks;
}

AttackView::AttackView(const Table& table,
                       const Draft& draft,
                       const Attacker& attacker,
                       const table::Network* network)
    : AttackView(table, attacker_slacks(table, draft, attacker), network) {}

AttackView::AttackView(const Table& table, std::vector<Slack> slacks, const table::Network* network)
    : table_(table), given_(std::move(slacks)), network_(network) {
  find_core();
  if (network_ == nullptr)
    held_ = HeldNetwork::make(*this);
}

AttackView::AttackView(const Table& table,
                       std::vector<Slack> slacks,
                       Holes holes,
                       const table::Network* network)
    : table_(table), given_(std::move(slacks)), holes_(std::move(holes)), network_(network) {
  chain_.emplace(table, given_, &holes_);
  chain_->run();
  find_core();
  if (network_ != nullptr || free_.empty())
    return;
  std::vector<bool> free(given_.size(), false);
  for (const FreeCell& cell : free_)
    free[base::at(cell.cell)] = true;
  own_network_ = table::network_form(table, free);
  if (own_network_)
    network_ = &*own_network_;
  else
    held_ = HeldNetwork::make(*this);
}

void AttackView::find_core() {
  LACUNA_CHECK(given_.size() == static_cast<std::size_t>(table_.num_cells()));
  base::count_work(kAttackTouches.view_cell * table_.num_cells());
  determine();
  split();
}

bool AttackView::admits(const Displacement& witness) const {
  const bool of_domain = domain() == Domain::kRational || witness.denominator == 1;
  return of_domain && check_displacement(table_, slacks(), witness).has_value() &&
         holes_.admit(witness);
}

std::int32_t AttackView::free_index(CellId cell) const {
  const std::int32_t place = place_[static_cast<std::size_t>(cell.value)];
  return place >= 0 ? place : -1;
}

std::int32_t AttackView::determined_index(CellId cell) const {
  const std::int32_t place = place_[static_cast<std::size_t>(cell.value)];
  return place <= -2 ? -2 - place : -1;
}

std::span<const std::int32_t> AttackView::part(std::int32_t part) const {
  const auto p = static_cast<std::size_t>(part);
  return {part_cells_.data() + part_start_[p], part_start_[p + 1] - part_start_[p]};
}

void AttackView::determine() {
  const auto cells = static_cast<std::size_t>(table_.num_cells());
  std::vector<bool> free(cells);
  for (std::size_t c = 0; c < cells; ++c)
    free[c] = !slack(CellId{static_cast<std::int32_t>(c)}).none();
  const std::vector<table::FixedBy> found = table::determined_cells(table_, free);
  place_.assign(cells, -1);
  for (const table::FixedBy& fixed : found) {
    place_[static_cast<std::size_t>(fixed.cell.value)] =
        -2 - static_cast<std::int32_t>(determined_.size());
    determined_.push_back({fixed.cell, fixed.equation, fixed.coefficient});
  }
}

void AttackView::split() {
  std::vector<bool> free(place_.size());
  for (std::size_t c = 0; c < place_.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    if (slack(cell).none() || place_[c] <= -2)
      continue;
    free[c] = true;
    place_[c] = static_cast<std::int32_t>(free_.size());
    free_.push_back({cell, slack(cell), -1});
  }
  const table::Parts parts = table::connected_parts(table_, free);
  part_start_.assign(static_cast<std::size_t>(parts.count) + 1, 0);
  for (FreeCell& cell : free_) {
    cell.part = parts.part_of[static_cast<std::size_t>(cell.cell.value)];
    ++part_start_[static_cast<std::size_t>(cell.part) + 1];
  }
  for (std::size_t p = 1; p < part_start_.size(); ++p)
    part_start_[p] += part_start_[p - 1];
  part_cells_.resize(free_.size());
  std::vector<std::size_t> next(part_start_.begin(), part_start_.end() - 1);
  for (std::size_t f = 0; f < free_.size(); ++f) {
    part_cells_[next[static_cast<std::size_t>(free_[f].part)]++] = static_cast<std::int32_t>(f);
  }
}

}  // namespace lacuna::attack
