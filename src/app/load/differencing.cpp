// SPDX-License-Identifier: Apache-2.0
#include "app/load/differencing.h"

#include <algorithm>
#include <map>

#include "core/table/atoms.h"
#include "core/table/least_counts.h"
#include "data/files/column_files.h"
#include "data/publish/known_release.h"
#include "lacuna/keys.h"

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

// The keys of the cells that were there. Cells that nobody publishes have none and need none.
std::shared_ptr<const CellKeys> moved(const std::shared_ptr<const CellKeys>& given,
                                      const table::AtomSystem& system) {
  if (!given)
    return nullptr;
  CellKeys keys;
  keys.modulus = given->modulus;
  const auto take = [&](const auto& from, auto none) {
    auto to = from;
    to.clear();
    for (const CellId cell : system.given)
      to.push_back(cell.value >= 0 ? from[static_cast<std::size_t>(cell.value)] : none);
    return to;
  };
  keys.keys = take(given->keys, std::uint64_t{0});
  keys.records = take(given->records, std::int64_t{-1});
  if (given->is_magnitude()) {
    keys.largest = take(given->largest, std::vector<Units>{});
    keys.spread = take(given->spread, Units{0});
  }
  if (!given->weights.empty())
    keys.weights = take(given->weights, 0.0);
  return std::make_shared<const CellKeys>(std::move(keys));
}

// The problem over the cells of the system: those that were there keep what is asked of them, and
// what attackers know of cells of atoms they still know.
Result<Problem> moved(const Problem& problem, table::AtomSystem system) {
  std::map<std::vector<std::int32_t>, CellId> atoms;
  std::vector<CellId> now(static_cast<std::size_t>(problem.table().num_cells()), CellId{-1});
  for (std::int32_t c = 0; c < system.table.num_cells(); ++c) {
    const CellId given = system.given[static_cast<std::size_t>(c)];
    const auto codes = system.table.codes(CellId{c});
    if (given.value >= 0)
      now[static_cast<std::size_t>(given.value)] = CellId{c};
    else
      atoms.emplace(std::vector<std::int32_t>(codes.begin(), codes.end()), CellId{c});
  }
  std::vector<Requirement> requirements;
  for (Requirement need : problem.requirements()) {
    need.cell = now[static_cast<std::size_t>(need.cell.value)];
    if (need.cell.value >= 0)
      requirements.push_back(need);
  }
  std::vector<Attacker> attackers;
  for (const Attacker& attacker : problem.attackers()) {
    Attacker& same = attackers.emplace_back(Attacker{attacker.name, {}});
    for (Knowledge known : attacker.known) {
      const auto codes = problem.table().codes(known.cell);
      const auto atom = atoms.find({codes.begin(), codes.end()});
      const CellId kept = now[static_cast<std::size_t>(known.cell.value)];
      known.cell = kept.value >= 0 ? kept : atom != atoms.end() ? atom->second : CellId{-1};
      if (known.cell.value >= 0 && known.bounds.contains(system.table.value(known.cell)))
        same.known.push_back(known);
    }
    std::sort(same.known.begin(), same.known.end(), [](const Knowledge& a, const Knowledge& b) {
      return a.cell < b.cell;
    });
  }
  return make_problem(std::move(system.table), std::move(attackers), std::move(requirements));
}

// One entry per cell; cells that nobody publishes have none.
template <class Entry>
std::vector<Entry> moved(const std::vector<Entry>& entries,
                         const table::AtomSystem& system,
                         const Entry& none) {
  std::vector<Entry> all;
  for (const CellId given : system.given) {
    const auto index = static_cast<std::size_t>(given.value);
    all.push_back(given.value >= 0 && index < entries.size() ? entries[index] : none);
  }
  return all;
}

// Without areas: what is known of cells of the tables.
Result<Problem> with_known(Problem problem, const std::vector<table::KnownCell>& known) {
  std::map<std::vector<std::int32_t>, CellId> cells;
  std::vector<Bounds> priors;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    const auto codes = problem.table().codes(CellId{c});
    cells.emplace(std::vector<std::int32_t>(codes.begin(), codes.end()), CellId{c});
    priors.push_back(problem.table().cell(CellId{c}).prior);
  }
  for (const table::KnownCell& each : known) {
    const auto found = cells.find(each.codes);
    if (found == cells.end() && each.bounds.contains(0))
      continue;  // a cell that is not listed is empty, which everyone knows
    if (found == cells.end())
      return Error{ErrorCode::kNoSuchCell,
                   "the cell is in none of the tables; name the dimensions that are areas in "
                   "[differencing] of the job",
                   each.where};
    if (!each.bounds.contains(problem.table().value(found->second)))
      return Error{ErrorCode::kOtherTable,
                   "what the release says about " + problem.table().label(found->second) +
                       " is not true for this table: it is a release about other units",
                   each.where};
    Bounds& prior = priors[static_cast<std::size_t>(found->second.value)];
    prior = intersect(prior, each.bounds);
  }
  problem.set_priors(priors);
  return problem;
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
    LACUNA_TRY(loaded.problem, with_known(std::move(loaded.problem).take(), cells));
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
  loaded.reasons = moved(loaded.reasons, *system, std::string());
  if (!loaded.counts.least.empty())
    loaded.counts.least = moved(loaded.counts.least, *system, kUnboundedBelow);
  auto keys = moved(loaded.problem.as_read().keys(), *system);
  const std::vector<Units> least = system->least;
  LACUNA_TRY(Problem problem, moved(loaded.problem.as_read(), *std::move(system)));
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
