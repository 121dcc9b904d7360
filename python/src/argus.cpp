// SPDX-License-Identifier: Apache-2.0
// Batch jobs of tau-ARGUS: their tables, their releases, and what became of every command.
#include <nanobind/nanobind.h>

#include "app/argus_run/argus_job.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

struct SessionArgusRun {
  std::shared_ptr<const argus_run::ArgusRun> run;
  std::vector<session::SessionArgusTable> tables;
};

nb::object run_arb(const std::string& path,
                   bool write,
                   const nb::dict& options,
                   nb::object progress) {
  argus_run::ArgusJob job;
  job::RunOptions run;
  ok_or_raise(session::set_options(job, run, given_options(options), {}));
  job.input = path;
  auto done =
      wait_for<argus_run::ArgusRun>(run, std::move(progress), [&](const RunContext& context) {
        return argus_run::run_argus(
            job,
            write ? argus_run::ArgusFiles::kWrite : argus_run::ArgusFiles::kNone,
            with_progress(context));
      });
  SessionArgusRun held;
  held.run = std::make_shared<const argus_run::ArgusRun>(std::move(done.value));
  held.tables = value_or_raise(session::tables_of(held.run, path));
  return nb::make_tuple(nb::cast(std::move(held)), done.interrupted);
}

nb::list notes_of(const argus_run::ArgusRun& run) {
  nb::list notes;
  for (const argus_run::ArgusNote& note : run.notes)
    notes.append(nb::make_tuple(
        str_of(note.command), note.line, str_of(to_string(note.done)), list_of(note.texts)));
  return notes;
}

nb::object refusal_of(const argus_run::ArgusRun& run) {
  if (!run.refused)
    return nb::none();
  return nb::make_tuple(str_of(run.refused->message), str_of(run.refused->where));
}

// Cells by status; no value.
nb::dict counts_dict(const session::SessionArgusTable& table) {
  nb::dict out;
  for (const auto& [why, count] : session::counts_of(table))
    out[str_of(why)] = count;
  return out;
}

void bind_table(nb::module_& module) {
  nb::class_<session::SessionArgusTable>(module, "ArgusTable", "A table of a batch job.")
      .def_prop_ro(
          "name",
          [](const session::SessionArgusTable& table) { return str_of(table.table().name); })
      .def_prop_ro("part",
                   [](const session::SessionArgusTable& table) { return table.table().part; })
      .def_prop_ro("response",
                   [](const session::SessionArgusTable& table) {
                     return str_of(table.table().cells.response);
                   })
      .def_prop_ro("is_public",
                   [](const session::SessionArgusTable& table) { return table.table().is_public; })
      .def_prop_ro("counts", &counts_dict, nb::sig("def counts(self) -> dict[str, int]"))
      .def_prop_ro(
          "release",
          [](const session::SessionArgusTable& table) {
            return table.release ? nb::cast(*table.release) : nb::none();
          },
          nb::sig("def release(self) -> Release | None"))
      .def("status",
           [](const session::SessionArgusTable& table) {
             return session::named_apart(argus_run::argus_status(table.table().cells));
           })
      .def("safe",
           [](const session::SessionArgusTable& table) {
             return session::named_apart(value_or_raise(argus_safe(table.table())));
           })
      .def("unsafe", [](const session::SessionArgusTable& table) {
        return session::named_apart(argus_run::argus_unsafe(table.table().cells));
      });
}

void bind_run(nb::module_& module) {
  nb::class_<SessionArgusRun>(module, "ArgusRun", "A batch job that was run.")
      .def_prop_ro(
          "tables",
          [](const SessionArgusRun& run) {
            nb::list tables;
            for (const session::SessionArgusTable& table : run.tables)
              tables.append(nb::cast(table));
            return tables;
          },
          nb::sig("def tables(self) -> list[ArgusTable]"))
      .def_prop_ro(
          "notes",
          [](const SessionArgusRun& run) { return notes_of(*run.run); },
          nb::sig("def notes(self) -> list[tuple[str, int, str, list[str]]]"))
      .def_prop_ro(
          "written",
          [](const SessionArgusRun& run) { return list_of(run.run->written); },
          nb::sig("def written(self) -> list[str]"))
      .def_prop_ro(
          "refused",
          [](const SessionArgusRun& run) { return refusal_of(*run.run); },
          nb::sig("def refused(self) -> tuple[str, str] | None"))
      .def_prop_ro("log", [](const SessionArgusRun& run) { return str_of(run.run->log); })
      .def_prop_ro("text", [](const SessionArgusRun& run) { return str_of(run.run->text); })
      .def_prop_ro("json", [](const SessionArgusRun& run) { return json_of(run.run->json); });
}

}  // namespace

void bind_argus(nb::module_& module) {
  bind_table(module);
  bind_run(module);
  module.def(
      "run_arb",
      [](nb::handle path, bool write, const nb::dict& options, nb::object progress) {
        return run_arb(text_of(path), write, options, std::move(progress));
      },
      nb::arg("path"),
      nb::arg("write"),
      nb::arg("options"),
      nb::arg("progress").none(),
      nb::sig("def run_arb(path: str, write: bool, options: dict[str, list[str]], progress: "
              "typing.Callable[[dict[str, typing.Any]], object] | None) -> "
              "tuple[ArgusRun, bool]"));
}

}  // namespace lacuna::python
