// SPDX-License-Identifier: Apache-2.0
#include "app/job/calendar.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "app/job/period_columns.h"
#include "core/base/index.h"
#include "core/table/unpublished.h"
#include "data/files/csv.h"

namespace lacuna::job {
namespace {

bool is_asked_itself(const Problem& problem, CellId cell) {
  return problem.table().cell(cell).status == CellStatus::kPrimary;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

// How many periods from now a period is out of what readers compare.
std::int64_t periods_until(const std::vector<PeriodState>& history,
                           const std::vector<std::string>& compared,
                           std::int64_t last) {
  if (last == 0)
    return 0;
  std::int64_t most = 1;
  for (std::size_t p = 0; p < history.size(); ++p) {
    const auto back = static_cast<std::int64_t>(p) + 1;  // periods ago
    if (std::find(compared.begin(), compared.end(), history[p].name) != compared.end())
      most = std::max(most, last - back + 1);
  }
  return most;
}

}  // namespace

std::string CalendarRow::reason() const {
  if (sensitive)
    return compared.empty() ? "sensitive" : "sensitive, change";
  return compared.empty() ? "others" : "change";
}

std::string CalendarRow::ends() const {
  std::string text;
  if (sensitive)
    text = "when the rules no longer call it sensitive";
  if (!compared.empty()) {
    text += text.empty() ? "" : ", and ";
    text += missing > 0
                ? fmt::format("when {} more {} changed since {}",
                              missing,
                              missing == 1 ? "contributor has" : "contributors have",
                              joined(compared))
                : "when its change since " + joined(compared) + " is no longer sensitive";
    if (earliest > 0)
      text += fmt::format(
          ", or {} {} from now, when readers no longer compare them",
          earliest,
          earliest == 1 ? "period" : "periods");
  }
  return text.empty() ? "in the next period, if the others do not need it" : text;
}

Result<std::vector<CalendarRow>> calendar_of(const Problem& problem,
                                             std::int32_t own_cells,
                                             const Draft& draft,
                                             const load::Together* together,
                                             const load::JudgedChanges& changes,
                                             const std::vector<std::string>& reasons) {
  LACUNA_TRY(std::vector<PeriodState> history, earlier_states(together, problem.table()));
  std::reverse(history.begin(), history.end());
  const load::Stored* stored = together != nullptr && together->stored ? &*together->stored : nullptr;
  std::map<std::int32_t, std::vector<const load::OpenChange*>> open;
  for (const load::OpenChange& each : changes.open)
    open[each.of.value].push_back(&each);
  std::vector<CalendarRow> rows;
  for (std::int32_t c = 0; c < own_cells; ++c) {
    const CellId cell{c};
    if (draft.is_exact(cell) || table::is_unpublished(problem.table().cell(cell)))
      continue;
    CalendarRow row{cell, stored != nullptr ? stored->period : "this one"};
    for (const PeriodState& period : history) {
      if (period.listed[base::at(c)] == 0 || period.published[base::at(c)] != 0)
        break;
      row.since = period.name;
      ++row.periods;
    }
    row.sensitive = is_asked_itself(problem, cell);
    if (row.sensitive && base::at(c) < reasons.size())
      row.rules = reasons[base::at(c)];
    for (const load::OpenChange* each : open[c]) {
      row.compared.push_back(each->since);
      if (each->contributors >= 0 && each->contributors < changes.least)
        row.missing = std::max(row.missing, changes.least - each->contributors);
    }
    if (!row.compared.empty() && !row.sensitive && stored != nullptr)
      row.earliest = periods_until(history, row.compared, stored->said.last);
    if (row.compared.empty() && !row.sensitive)
      row.earliest = 1;
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<PeriodColumns> periods_with_calendar(const Problem& problem,
                                            std::int32_t own_cells,
                                            const Draft& draft,
                                            const load::Together* together,
                                            const load::JudgedChanges& changes,
                                            const std::vector<std::string>& reasons) {
  LACUNA_TRY(const std::vector<CalendarRow> rows,
             calendar_of(problem, own_cells, draft, together, changes, reasons));
  std::vector<std::string> notes(base::at(own_cells));
  for (const CalendarRow& row : rows)
    notes[base::at(row.cell)] = "since " + row.since + " (" + row.reason() + "): " + row.ends();
  return period_columns(problem, own_cells, draft, together, notes);
}

std::string calendar_csv(const std::vector<CalendarRow>& rows, const Table& table) {
  const auto quoted = [](std::string_view text) { return files::csv_quoted(text, ';'); };
  std::string text;
  for (const Dimension& dimension : table.dimensions())
    text += quoted(dimension.name()) + ";";
  text += "withheld_since;periods;reason;rules;compared_with;contributors_missing;"
          "earliest_in_periods;until\n";
  for (const CalendarRow& row : rows) {
    const auto codes = table.codes(row.cell);
    for (std::size_t d = 0; d < codes.size(); ++d)
      text += quoted(table.dimensions()[d].code(codes[d])) + ";";
    text += quoted(row.since) + ";" + std::to_string(row.periods) + ";" + quoted(row.reason()) +
            ";" + quoted(row.rules) + ";" + quoted(joined(row.compared)) + ";" +
            (row.missing > 0 ? std::to_string(row.missing) : "") + ";" +
            (row.earliest > 0 ? std::to_string(row.earliest) : "") + ";" + quoted(row.ends()) + "\n";
  }
  return text;
}

std::string calendar_text(const std::vector<CalendarRow>& rows) {
  std::int64_t sensitive = 0, change = 0, others = 0;
  for (const CalendarRow& row : rows) {
    sensitive += row.sensitive ? 1 : 0;
    change += !row.sensitive && !row.compared.empty() ? 1 : 0;
    others += !row.sensitive && row.compared.empty() ? 1 : 0;
  }
  return fmt::format(
      "calendar: {} withheld for as long as they are sensitive, {} because of changes since earlier "
      "periods, {} to protect others\n",
      sensitive,
      change,
      others);
}

}  // namespace lacuna::job
