// SPDX-License-Identifier: Apache-2.0
#include "app/job/period_columns.h"

#include <algorithm>

#include "app/report/cell_view.h"
#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/table/unpublished.h"

namespace lacuna::job {
namespace {

constexpr std::size_t kMostRows = 2000;  // a page for people
constexpr const char* kBlank = "\u00d7";
constexpr const char* kAbsent = "\u00b7";

PeriodState empty_state(const std::string& name, const Table& table) {
  const auto cells = base::at(table.num_cells());
  return {name,
          std::vector<char>(cells, 0),
          std::vector<char>(cells, 0),
          std::vector<std::string>(cells)};
}

PeriodState state_of(const load::EarlierPeriod& period, const Table& table) {
  PeriodState state = empty_state(period.said.name, table);
  const Table& before = period.problem.table();
  const std::vector<CellId> then = load::same_cells(table, before);
  for (std::size_t c = 0; c < then.size(); ++c) {
    if (then[c].value < 0)
      continue;
    state.listed[c] = 1;
    state.published[c] = period.release.is_exact(then[c]) ? 1 : 0;
    if (state.published[c] != 0)
      state.values[c] = base::format_units(before.value(then[c]), before.decimals());
  }
  return state;
}

Result<PeriodState> state_of(const load::Stored& stored, std::size_t entry, const Table& table) {
  PeriodState state = empty_state(stored.store.entries[entry].period, table);
  LACUNA_TRY(const load::StoredPeriod read, load::read_stored_period(stored, entry, table));
  for (std::size_t c = 0; c < read.cells.size(); ++c) {
    if (!read.cells[c])
      continue;
    state.listed[c] = 1;
    state.published[c] = read.cells[c]->exact ? 1 : 0;
    if (state.published[c] != 0)
      state.values[c] = read.cells[c]->value;
  }
  return state;
}

std::string name_of_this(const load::Together* together) {
  return together != nullptr && together->stored ? together->stored->period : "this period";
}

std::string shown_now(const Table& table, const Draft& draft, CellId cell) {
  const std::string text = report::published_text(table, report::published_view(table, draft, cell));
  return text.empty() ? kBlank : text;
}

}  // namespace

Result<std::vector<PeriodState>> earlier_states(const load::Together* together,
                                                const Table& table) {
  std::vector<PeriodState> states;
  if (together == nullptr)
    return states;
  if (!together->stored) {
    for (const load::EarlierPeriod& each : together->before)
      states.push_back(state_of(each, table));
    return states;
  }
  const load::Stored& stored = *together->stored;
  for (const std::size_t entry : stored.compared) {
    LACUNA_TRY(PeriodState state, state_of(stored, entry, table));
    if (state.name == stored.period)
      continue;
    if (!states.empty() && states.back().name == state.name)
      states.pop_back();  // it was revised
    states.push_back(std::move(state));
  }
  return states;
}

Result<publish::TextColumns> period_text_columns(const Problem& problem,
                                                 std::int32_t own_cells,
                                                 const Draft& draft,
                                                 const load::Together* together) {
  const Table& table = problem.table();
  LACUNA_TRY(const std::vector<PeriodState> states, earlier_states(together, table));
  publish::TextColumns columns;
  for (const Dimension& dimension : table.dimensions())
    columns.emplace_back().name = dimension.name();
  const std::size_t codes = columns.size();
  for (const PeriodState& state : states)
    columns.emplace_back().name = state.name;
  columns.emplace_back().name = name_of_this(together);
  for (std::size_t c = codes; c < columns.size(); ++c)
    columns[c].kind = columns::OutputKind::kNumber;
  for (std::int32_t c = 0; c < (own_cells < 0 ? table.num_cells() : own_cells); ++c) {
    const CellId cell{c};
    if (table::is_unpublished(table.cell(cell)))
      continue;
    for (std::size_t d = 0; d < codes; ++d)
      columns[d].texts.push_back(table.dimensions()[d].code(table.codes(cell)[d]));
    for (std::size_t p = 0; p < states.size(); ++p)
      columns[codes + p].texts.push_back(states[p].values[base::at(c)]);
    const auto entry = draft.find(cell);
    const auto number = entry ? entry->number() : std::optional(table.value(cell));
    columns.back().texts.push_back(number ? base::format_units(*number, table.decimals()) : "");
  }
  return columns;
}

Result<PeriodColumns> period_columns(const Problem& problem,
                                     std::int32_t own_cells,
                                     const Draft& draft,
                                     const load::Together* together,
                                     const std::vector<std::string>& notes) {
  PeriodColumns columns;
  const Table& table = problem.table();
  LACUNA_TRY(const std::vector<PeriodState> states, earlier_states(together, table));
  if (states.empty())
    return columns;
  for (const PeriodState& state : states)
    columns.periods.push_back(state.name);
  columns.periods.push_back(name_of_this(together));
  for (std::int32_t c = 0; c < own_cells; ++c) {
    const CellId cell{c};
    if (table::is_unpublished(table.cell(cell)))
      continue;
    const std::size_t at = base::at(c);
    const bool all_published =
        draft.is_exact(cell) && std::all_of(states.begin(), states.end(), [&](const auto& state) {
          return state.published[at] != 0;
        });
    if (all_published || columns.rows.size() == kMostRows) {
      ++columns.left_out;
      continue;
    }
    PeriodColumns::Row& row = columns.rows.emplace_back();
    row.cell = cell;
    for (const PeriodState& state : states)
      row.texts.push_back(state.published[at] != 0 ? state.values[at]
                          : state.listed[at] != 0  ? kBlank
                                                   : kAbsent);
    row.texts.push_back(shown_now(table, draft, cell));
    if (at < notes.size())
      row.note = notes[at];
  }
  return columns;
}

}  // namespace lacuna::job
