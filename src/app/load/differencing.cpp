// SPDX-License-Identifier: Apache-2.0
#include "app/load/differencing.h"

#include <algorithm>

#include "core/table/atom_problem.h"
#include "core/table/atoms.h"
#include "core/table/least_counts.h"
#include "data/files/column_files.h"
#include "data/publish/known_release.h"

namespace lacuna::load {
namespace {

Result<std::vector<table::KnownCell>> read_all(const std::vector<std::string>& paths,
                                               const Table& table,
                                               const Inputs& inputs) {
  std::vector<table::KnownCell> all;
  for (const std::string& path : paths) {
    if (table.dimensions().empty())
      return Error{ErrorCode::kUnsupported,
                   "the table has no codes by which another release could be compared with it",
                   path};
    LACUNA_TRY(std::string bytes, inputs.read(path));
    LACUNA_TRY(std::string text, files::columns_as_csv(std::move(bytes), path));
    const auto cells =
        publish::read_known_release(std::move(text), path, table.dimensions(), table.decimals());
    if (!cells)
      return inputs.placed(cells.error(), path);
    all.insert(all.end(), cells->begin(), cells->end());
  }
  return all;
}

std::vector<std::int32_t> areas_of(const jobfile::DifferencingSection& section,
                                   const Table& table) {
  std::vector<std::int32_t> areas;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d) {
    if (std::find(section.areas.begin(), section.areas.end(), table.dimensions()[d].name()) !=
        section.areas.end())
      areas.push_back(static_cast<std::int32_t>(d));
  }
  return areas;
}

}  // namespace

Result<LoadedProblem> with_differencing(LoadedProblem loaded,
                                        const std::optional<jobfile::DifferencingSection>& section,
                                        bool are_counts,
                                        const std::vector<std::string>& known,
                                        const RunContext& run,
                                        const Inputs& inputs) {
  if (!section && known.empty())
    return loaded;
  const Table& table = loaded.problem.table();
  LACUNA_TRY(const std::vector<table::KnownCell> cells, read_all(known, table, inputs));
  if (!section) {
    LACUNA_TRY(loaded.problem, table::with_known_cells(std::move(loaded.problem).take(), cells));
    return loaded;
  }
  loaded.tables.pop_back();  // the one that nobody publishes
  auto system = table::system_of_atoms(table, loaded.tables, areas_of(*section, table), cells);
  if (!system) {
    Error error = system.error();
    if (error.where.empty())
      error.where = section->where;
    return error;
  }
  if (run.log)
    run.log("the areas have " + std::to_string(system->atoms) +
            " parts that no reader sees separately; with their categories, they make " +
            std::to_string(system->unpublished) + " cells that nobody publishes");
  loaded.reasons = table::entries_of_atoms(loaded.reasons, *system, std::string());
  if (!loaded.counts.least.empty())
    loaded.counts.least = table::entries_of_atoms(loaded.counts.least, *system, kUnboundedBelow);
  auto keys = table::keys_of_atoms(loaded.problem.as_read().keys(), *system);
  const std::vector<Units> least = system->least;
  LACUNA_TRY(Problem problem,
             table::problem_of_atoms(loaded.problem.as_read(), *std::move(system)));
  if (are_counts) {
    LACUNA_TRY(problem, table::with_least(problem, least));
  }
  LACUNA_RETURN_IF_ERROR(problem.set_keys(std::move(keys)));
  loaded.problem = std::move(problem);
  return loaded;
}

void ask_of_categories_only(const jobfile::DifferencingSection& section, Problem& problem) {
  const std::vector<std::int32_t> areas = areas_of(section, problem.table());
  const auto crosses_areas = [&](const CountQuestion& question) {
    if (question.group.value < 0)
      return false;
    const auto part = problem.table().codes(question.cell),
               group = problem.table().codes(question.group);
    return std::any_of(areas.begin(), areas.end(), [&](std::int32_t d) {
      return part[static_cast<std::size_t>(d)] != group[static_cast<std::size_t>(d)];
    });
  };
  if (problem.counts())
    problem.drop_questions(crosses_areas);
}

}  // namespace lacuna::load
