// SPDX-License-Identifier: Apache-2.0
// Tables and jobs to problems, and what may be said of them.
#include <nanobind/nanobind.h>

#include <algorithm>

#include "app/load/together.h"
#include "data/certificate/certificate.h"
#include "data/jobfile/problem_file.h"
#include "data/problems/problem_json.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "job.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

// `path` names a file, or the job that is given. With `records` it must be a job over records, and
// what they gave is kept with the problem. `aggregates` is as in Inputs.
nb::object read(const std::string& path,
                bool records,
                const nb::dict& held,
                const nb::dict& options,
                nb::object progress,
                const std::string& aggregates,
                const ArgumentJob* job) {
  load::Inputs inputs = inputs_of(held);
  inputs.aggregates = aggregates;
  if (job != nullptr)
    inputs.jobs[path] = job->spec();
  job::RunOptions run;
  session::SessionProblem problem =
      value_or_raise(begin_problem(path, inputs, given_options(options), run));
  const bool of_arguments = job != nullptr;
  auto done = wait_for<session::SessionProblem>(
      run, std::move(progress), [&](const RunContext& context) -> Result<session::SessionProblem> {
        const Status status = read_problem(problem, records, inputs, with_progress(context));
        if (!status)
          return of_arguments ? as_arguments(status.error()) : status.error();
        return problem;
      });
  if (done.interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  for (const std::string& note : done.notes)
    done.value.notes.push_back(of_arguments ? as_arguments(note) : note);
  return nb::cast(std::move(done.value));
}

nb::list dimensions_of(const session::SessionProblem& problem) {
  nb::list dimensions;
  for (const Dimension& dimension : problem.loaded->problem.table().dimensions()) {
    nb::dict entry;
    entry["name"] = str_of(dimension.name());
    entry["total"] = str_of(dimension.code(dimension.total()));
    entry["codes"] = list_of(dimension.codes());
    nb::list depths, relations;
    for (std::int32_t c = 0; c < dimension.num_codes(); ++c)
      depths.append(dimension.depth(c));
    for (const Relation& relation : dimension.relations()) {
      nb::list children;
      for (const std::int32_t child : relation.children)
        children.append(str_of(dimension.code(child)));
      relations.append(nb::make_tuple(str_of(dimension.code(relation.parent)), children));
    }
    entry["depths"] = depths;
    entry["relations"] = relations;
    dimensions.append(entry);
  }
  return dimensions;
}

nb::list tables_of(const session::SessionProblem& problem) {
  nb::list tables;
  for (const LinkedTable& table : problem.loaded->tables) {
    nb::list names;
    for (const std::int32_t d : table.dimensions)
      names.append(
          str_of(problem.loaded->problem.table().dimensions()[static_cast<std::size_t>(d)].name()));
    tables.append(nb::make_tuple(str_of(table.name), names));
  }
  return tables;
}

// Counts alone.
nb::dict counts_dict(const session::SessionProblem& problem) {
  const session::ProblemCounts held = counts_of(problem);
  nb::dict counts;
  counts["cells"] = held.cells;
  counts["equations"] = held.equations;
  counts["sensitive"] = held.sensitive;
  counts["withheld"] = held.withheld;
  counts["requirements"] = held.requirements;
  counts["attackers"] = held.attackers;
  return counts;
}

void save(const session::SessionProblem& problem, const std::string& path) {
  ok_or_raise(
      jobfile::write_problem(problem.loaded->problem.as_read(), problem.loaded->tables, path));
}

nb::object attackers_state(const std::optional<AttackerCounts>& counts) {
  if (!counts)
    return nb::none();
  return nb::make_tuple(counts->respondents,
                        counts->anonymous,
                        counts->coalitions,
                        counts->largest_coalition,
                        counts->all_cells,
                        counts->kept,
                        counts->merged,
                        counts->requirements,
                        counts->implied,
                        counts->out_of_reach);
}

std::optional<AttackerCounts> attackers_from(nb::handle state) {
  if (state.is_none())
    return std::nullopt;
  const nb::tuple fields = fields_of(state, 10);
  const auto number = [&](std::size_t i) { return nb::cast<std::int64_t>(fields[i]); };
  return AttackerCounts{number(0),
                        number(1),
                        number(2),
                        number(3),
                        nb::cast<bool>(fields[4]),
                        number(5),
                        number(6),
                        number(7),
                        number(8),
                        number(9)};
}

nb::list tables_state(const std::vector<LinkedTable>& tables) {
  nb::list list;
  for (const LinkedTable& table : tables) {
    nb::list dimensions;
    for (const std::int32_t dimension : table.dimensions)
      dimensions.append(dimension);
    list.append(nb::make_tuple(str_of(table.name), dimensions, table.stops_above_leaves));
  }
  return list;
}

std::vector<LinkedTable> tables_from(nb::handle state) {
  std::vector<LinkedTable> tables;
  for (const nb::handle entry : entries_of(state)) {
    const nb::tuple fields = fields_of(entry, 3);
    LinkedTable& table = tables.emplace_back();
    table.name = text_of(fields[0]);
    for (const nb::handle dimension : entries_of(fields[1]))
      table.dimensions.push_back(nb::cast<std::int32_t>(dimension));
    table.stops_above_leaves = nb::cast<bool>(fields[2]);
  }
  return tables;
}

void check_tables(const load::LoadedProblem& loaded) {
  const auto count = static_cast<std::int32_t>(loaded.problem.table().dimensions().size());
  for (const LinkedTable& table : loaded.tables) {
    for (const std::int32_t dimension : table.dimensions) {
      if (dimension < 0 || dimension >= count)
        raise({ErrorCode::kDamaged, "a table of the pickle has a dimension that is not there", ""});
    }
  }
}

}  // namespace

nb::list list_of(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts)
    list.append(str_of(text));
  return list;
}

std::vector<std::string> texts_of(nb::handle list) {
  std::vector<std::string> texts;
  for (const nb::handle text : entries_of(list))
    texts.push_back(text_of(text));
  return texts;
}

namespace {

// A pickle holds the table and what is asked of it. Without what the job states beside the table, a
// release that is made from it would be judged as if nobody had the months before.
Status check_pickled(const load::Together* together) {
  if (together == nullptr)
    return ok_status();
  const bool stated = std::find(together->unstated.begin(), together->unstated.end(), false) !=
                      together->unstated.end();
  if (!stated && together->variables.empty() && together->ratios.empty() &&
      together->before.empty() && !together->stored)
    return ok_status();
  return Error{ErrorCode::kUnsupported,
               "a problem with derived columns, other variables or earlier periods is not kept by "
               "a pickle; keep its job and data, and make it again from these",
               ""};
}

}  // namespace

nb::tuple state_of(const session::SessionProblem& problem) {
  const load::LoadedProblem& loaded = *problem.loaded;
  ok_or_raise(check_pickled(loaded.together.get()));
  nb::list settings;
  for (const jobfile::JobOption& option : problem.settings)
    settings.append(
        nb::make_tuple(str_of(option.name), str_of(option.value), str_of(option.where)));
  return nb::make_tuple(str_of(problem.path),
                        str_of(problems::write_problem_json(loaded.problem.as_read())),
                        tables_state(loaded.tables),
                        list_of(loaded.reasons),
                        attackers_state(loaded.attackers.respondents),
                        loaded.attackers.named,
                        loaded.attackers.named_bounds,
                        str_of(loaded.attackers.everyone),
                        list_of(problem.notes),
                        settings,
                        problem.facts ? columns_state(*problem.facts) : nb::none(),
                        basis_state(loaded.basis),
                        loaded.counts.reals);
}

nb::tuple basis_state(const load::VerdictBasis& basis) {
  return nb::make_tuple(str_of(basis.rules),
                        basis.withheld,
                        basis.lifted,
                        str_of(basis.read_as),
                        str_of(basis.status_reading),
                        str_of(basis.policy));
}

load::VerdictBasis basis_from(nb::handle given) {
  const nb::tuple state = fields_of(given, 6);
  return {text_of(state[0]),
          nb::cast<std::int64_t>(state[1]),
          nb::cast<std::int64_t>(state[2]),
          text_of(state[3]),
          text_of(state[4]),
          text_of(state[5])};
}

session::SessionProblem problem_of(nb::handle given) {
  constexpr std::size_t kFields = 13;
  const nb::tuple state = fields_of(given, kFields);
  session::SessionProblem problem;
  problem.path = text_of(state[0]);
  load::LoadedProblem loaded{
      value_or_raise(problems::read_problem_json(text_of(state[1]), "pickle")),
      tables_from(state[2]),
      texts_of(state[3]),
      {attackers_from(state[4]),
       nb::cast<std::int64_t>(state[5]),
       nb::cast<std::int64_t>(state[6]),
       text_of(state[7])}};
  check_tables(loaded);
  loaded.basis = basis_from(state[11]);
  loaded.counts.reals = nb::cast<bool>(state[12]);
  problem.loaded = std::make_shared<const load::LoadedProblem>(std::move(loaded));
  problem.notes = texts_of(state[8]);
  for (const nb::handle entry : entries_of(state[9])) {
    const nb::tuple fields = fields_of(entry, 3);
    problem.settings.push_back({text_of(fields[0]), text_of(fields[1]), text_of(fields[2])});
  }
  if (!state[10].is_none())
    problem.facts = std::make_shared<const columns::OutputTable>(columns_from(state[10]));
  return problem;
}

namespace {

void bind_class(nb::module_& module) {
  nb::class_<session::SessionProblem>(module, "Problem", "A table with what must be protected.")
      .def_prop_ro("path",
                   [](const session::SessionProblem& problem) { return str_of(problem.path); })
      .def_prop_ro(
          "notes",
          [](const session::SessionProblem& problem) { return list_of(problem.notes); },
          nb::sig("def notes(self) -> list[str]"))
      .def_prop_ro("counts", &counts_dict, nb::sig("def counts(self) -> dict[str, int]"))
      .def_prop_ro("decimals",
                   [](const session::SessionProblem& problem) {
                     return problem.loaded->problem.table().decimals();
                   })
      .def_prop_ro("attackers",
                   [](const session::SessionProblem& problem) {
                     return str_of(problem.loaded->attackers.text());
                   })
      .def_prop_ro("dimensions",
                   &dimensions_of,
                   nb::sig("def dimensions(self) -> list[dict[str, typing.Any]]"))
      .def_prop_ro("tables", &tables_of, nb::sig("def tables(self) -> list[tuple[str, list[str]]]"))
      .def_prop_ro("digest",
                   [](const session::SessionProblem& problem) {
                     return str_of(certificate::problem_digest(problem.loaded->problem.as_read()));
                   })
      .def("cells",
           [](const session::SessionProblem& problem) { return value_or_raise(cells_of(problem)); })
      .def(
          "facts",
          [](const session::SessionProblem& problem) -> nb::object {
            return problem.facts ? nb::cast(*problem.facts) : nb::none();
          },
          nb::sig("def facts(self) -> Columns | None"))
      .def("json",
           [](const session::SessionProblem& problem) {
             return str_of(problems::write_problem_json(problem.loaded->problem.as_read()));
           })
      .def(
          "save",
          [](const session::SessionProblem& problem, nb::handle path) {
            save(problem, text_of(path));
          },
          nb::arg("path"),
          nb::sig("def save(self, path: str) -> None"))
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](session::SessionProblem& problem, const nb::tuple& state) {
            new (&problem) session::SessionProblem(problem_of(state));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...]) -> None"));
}

}  // namespace

void bind_problem(nb::module_& module) {
  bind_class(module);
  module.def(
      "read",
      [](nb::handle path,
         bool records,
         const nb::dict& inputs,
         const nb::dict& options,
         nb::object progress,
         nb::handle aggregates,
         const ArgumentJob* job) {
        return read(
            text_of(path), records, inputs, options, std::move(progress), text_of(aggregates), job);
      },
      nb::arg("path"),
      nb::arg("records"),
      nb::arg("inputs"),
      nb::arg("options"),
      nb::arg("progress").none(),
      nb::arg("aggregates") = "",
      nb::arg("job").none() = nb::none(),
      nb::sig("def read(path: str, records: bool, inputs: dict[str, str | bytes | Source], "
              "options: dict[str, list[str]], progress: typing.Callable[[dict[str, typing.Any]], "
              "object] | None, aggregates: str = '', job: Job | None = None) -> Problem"));
  module.def(
      "generate",
      [](const nb::dict& options) {
        return value_or_raise(session::generate_problem(given_options(options)));
      },
      nb::arg("options"),
      nb::sig("def generate(options: dict[str, list[str]]) -> Problem"));
}

}  // namespace lacuna::python
