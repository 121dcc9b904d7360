// SPDX-License-Identifier: Apache-2.0
// The release of a run beside those of the periods before: what of each cell was published then, and
// why a cell stays withheld.
#include "app/job/calendar.h"
#include "app/job/period_columns.h"
#include "apps/serve/api.h"
#include "apps/serve/cell_json.h"

namespace lacuna::serve {
namespace {

// Why a cell stays withheld, by cell; empty: it is published.
Result<std::vector<std::string>> notes_of(const session::SessionRelease& release,
                                          const Seen& seen,
                                          std::int32_t own) {
  const job::ReleaseContext& table = release.made.table;
  LACUNA_TRY(const std::vector<job::CalendarRow> rows,
             job::calendar_of(*seen.problem,
                              own,
                              *seen.draft,
                              table.together.get(),
                              table.changes,
                              table.reasons));
  std::vector<std::string> notes(static_cast<std::size_t>(own));
  for (const job::CalendarRow& row : rows)
    notes[static_cast<std::size_t>(row.cell.value)] =
        "since " + row.since + " (" + row.reason() + "): " + row.ends();
  return notes;
}

Result<Json> periods_json(const session::SessionRelease& release, const Seen& seen) {
  const job::ReleaseContext& table = release.made.table;
  const std::int32_t own =
      table.own_cells < 0 ? seen.problem->table().num_cells() : table.own_cells;
  LACUNA_TRY(const std::vector<std::string> notes, notes_of(release, seen, own));
  LACUNA_TRY(
      const PeriodColumns columns,
      job::period_columns(*seen.problem, own, *seen.draft, table.together.get(), notes));
  Json rows = Json::array();
  for (const PeriodColumns::Row& row : columns.rows)
    rows.push_back({{"cell", row.cell.value},
                    {"label", seen.problem->table().label(row.cell)},
                    {"texts", row.texts},
                    {"note", row.note}});
  return Json{{"periods", columns.periods}, {"rows", rows}, {"left_out", columns.left_out}};
}

}  // namespace

Response Api::run_periods(const Call& call) {
  const RunPtr run = workspace_.run(call.number(0));
  if (!run)
    return refusal_of(404, "there is no such run; it may have been forgotten");
  const auto release = run->outcome().release;
  if (!release)
    return json_response({{"periods", Json::array()}, {"rows", Json::array()}, {"left_out", 0}});
  const auto seen = run->seen(0);
  if (!seen)
    return error_response(seen.error());
  const auto told = periods_json(*release, *seen);
  return told ? json_response(*told) : error_response(told.error());
}

}  // namespace lacuna::serve
