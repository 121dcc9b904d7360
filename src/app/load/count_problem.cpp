// SPDX-License-Identifier: Apache-2.0
#include "app/load/count_problem.h"

#include <algorithm>

#include "app/load/records.h"
#include "core/base/spelling.h"
#include "core/table/least_counts.h"
#include "lacuna/count_rules.h"

namespace lacuna::load {
namespace {

// Errors that name neither a cell nor a key of the section are about the section as a whole.
Error moved_to_section(Error error, const jobfile::CountSection& section) {
  if (error.where.empty())
    error.where = section.places.front().where;
  return moved_to_option(error, section.places);
}

template <class Tell>
Result<Problem> count_problem(const Problem& problem,
                              const jobfile::CountSection& section,
                              Tell&& tell) {
  auto made = with_count_rules(problem, section.options);
  if (!made)
    return moved_to_section(made.error(), section);
  const Table& after = made->table();
  for (std::int32_t c = 0; c < after.num_cells(); ++c) {
    const CellId cell{c};
    if (after.cell(cell).status == problem.table().cell(cell).status ||
        after.cell(cell).status != CellStatus::kPrimary)
      continue;
    const Units value = after.value(cell);
    tell(static_cast<std::size_t>(c),
         value == 0 ? std::string("unsafe: nobody, and zeros are sensitive")
                    : "unsafe: a count of " + std::to_string(value) + ", below " +
                          std::to_string(section.options.threshold));
  }
  return made;
}

}  // namespace

Result<Problem> as_counts(const Problem& problem,
                          const jobfile::CountSection& section,
                          std::vector<std::string>& reasons) {
  return count_problem(problem, section, [&](std::size_t cell, std::string why) {
    if (cell < reasons.size())
      reasons[cell] += (reasons[cell].empty() ? "" : "; ") + why;
  });
}

Result<Problem> as_counts(const Problem& problem,
                          const jobfile::CountSection& section,
                          SensitivityReport& report) {
  return count_problem(problem, section, [&](std::size_t cell, std::string why) {
    if (cell < report.explanations.size())
      report.explanations[cell].push_back({"counts", std::move(why)});
    ++report.sensitive;
  });
}

CountOptions options_by_nature(std::int64_t minimum_frequency) {
  CountOptions options;
  options.threshold = std::max<std::int64_t>(minimum_frequency, 1);
  if (minimum_frequency == 0)
    options.kinds = {CountKind::kExact};
  return options;
}

Result<Problem> as_counts_by_nature(Problem problem, const CountReading& read) {
  if (!read.by_nature || read.reals || problem.counts())
    return problem;
  return with_count_questions(problem, *read.by_nature);
}

Status check_zeros(const jobfile::CountSection& section,
                   const Table& table,
                   std::span<const LinkedTable> tables,
                   const CountReading& read) {
  if (section.options.zeros != Zeros::kSensitive || read.least.empty() ||
      table::least_by_rows(table, tables).empty())
    return ok_status();
  return moved_to_section(Error{ErrorCode::kContradiction,
                                "zeros are sensitive, but empty cells have no row, which shows "
                                "that they are empty; list them (" +
                                    base::named_setting("[input]", "empty_cells", "true") +
                                    " of a job over records, rows with 0 in a table)",
                                "--zeros"},
                          section);
}

void take_threshold(std::optional<jobfile::CountSection>& section, std::int64_t minimum_frequency) {
  if (section && minimum_frequency > 0 && !states(section->places, "threshold"))
    section->options.threshold = minimum_frequency;
}

}  // namespace lacuna::load
