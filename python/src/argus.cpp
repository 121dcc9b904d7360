// SPDX-License-Identifier: Apache-2.0
// Batch jobs of tau-ARGUS: their tables, their releases, and what became of every command.
#include <nanobind/nanobind.h>

#include <filesystem>
#include <map>

#include "errors.h"
#include "frames.h"
#include "held.h"
#include "job/argus_tables.h"
#include "waiting.h"

namespace lacuna::python {
namespace {

struct HeldArgusTable {
  std::shared_ptr<const ArgusRun> run;  // of which it is a table
  std::size_t index = 0;
  std::shared_ptr<const HeldRelease> release;  // of this table, perhaps with others; may be null

  const ArgusRunTable& table() const { return run->tables[index]; }
};

struct HeldArgusRun {
  std::shared_ptr<const ArgusRun> run;
  std::vector<HeldArgusTable> tables;
};

// A release as protect() makes one.
HeldRelease held_release(const ArgusRelease& release, const std::string& path) {
  HeldRelease held;
  const std::vector<CrossTable> tables =
      release.tables.size() > 1 ? release.tables : std::vector<CrossTable>{};
  held.problem.path = path;
  held.problem.loaded = std::make_shared<const LoadedProblem>(
      LoadedProblem{*release.problem, tables, release.reasons, release.attackers});
  held.given = {{"method", {release.judged.summary.method}}};
  RunOptions ignored;
  ok_or_raise(set_options(held.job, ignored, held.given, {}));
  held.job.input = path;
  held.job.json = true;
  held.job.inputs = held.problem.inputs();
  held.notes = release.notes;
  held.made.table = {release.problem, release.attackers, {}, {}, release.reasons};
  held.made.tables = tables;
  held.made.judgement.judged = release.judged;
  return held;
}

// Tables that were protected together have one release.
std::vector<HeldArgusTable> tables_of(const std::shared_ptr<const ArgusRun>& run,
                                      const std::string& job) {
  const std::string path = std::string(kInMemory) + std::filesystem::path(job).filename().string();
  std::map<const ArgusRelease*, std::shared_ptr<const HeldRelease>> releases;
  std::vector<HeldArgusTable> tables;
  for (std::size_t t = 0; t < run->tables.size(); ++t) {
    HeldArgusTable& table = tables.emplace_back(HeldArgusTable{run, t, nullptr});
    const auto& release = run->tables[t].release;
    if (!release)
      continue;
    auto& held = releases[release.get()];
    if (!held)
      held = std::make_shared<const HeldRelease>(held_release(*release, path));
    table.release = held;
  }
  return tables;
}

nb::object run_arb(const std::string& path,
                   bool write,
                   const nb::dict& options,
                   nb::object progress) {
  ArgusJob job;
  RunOptions run;
  ok_or_raise(set_options(job, run, given_options(options), {}));
  job.input = path;
  auto done = wait_for<ArgusRun>(run, std::move(progress), [&](const RunContext& context) {
    return run_argus(job, write ? ArgusFiles::kWrite : ArgusFiles::kNone, with_progress(context));
  });
  HeldArgusRun held;
  held.run = std::make_shared<const ArgusRun>(std::move(done.value));
  held.tables = tables_of(held.run, path);
  return nb::make_tuple(nb::cast(std::move(held)), done.interrupted);
}

nb::list notes_of(const ArgusRun& run) {
  nb::list notes;
  for (const ArgusNote& note : run.notes)
    notes.append(nb::make_tuple(
        str_of(note.command), note.line, str_of(to_string(note.done)), list_of(note.texts)));
  return notes;
}

nb::object refusal_of(const ArgusRun& run) {
  if (!run.refused)
    return nb::none();
  return nb::make_tuple(str_of(run.refused->message), str_of(run.refused->where));
}

// Cells by status; no value.
nb::dict counts_of(const HeldArgusTable& table) {
  std::map<std::string, std::int64_t> counts;
  const OutputTable status = argus_status(table.table().cells);
  for (const std::string& why : status.columns.back().texts)
    ++counts[why];
  nb::dict out;
  for (const auto& [why, count] : counts)
    out[str_of(why)] = count;
  return out;
}

void bind_table(nb::module_& module) {
  nb::class_<HeldArgusTable>(module, "ArgusTable", "A table of a batch job.")
      .def_prop_ro("name", [](const HeldArgusTable& table) { return str_of(table.table().name); })
      .def_prop_ro("part", [](const HeldArgusTable& table) { return table.table().part; })
      .def_prop_ro("response",
                   [](const HeldArgusTable& table) { return str_of(table.table().cells.response); })
      .def_prop_ro("is_public", [](const HeldArgusTable& table) { return table.table().is_public; })
      .def_prop_ro("counts", &counts_of, nb::sig("def counts(self) -> dict[str, int]"))
      .def_prop_ro(
          "release",
          [](const HeldArgusTable& table) {
            return table.release ? nb::cast(*table.release) : nb::none();
          },
          nb::sig("def release(self) -> Release | None"))
      .def("status",
           [](const HeldArgusTable& table) {
             return named_apart(argus_status(table.table().cells));
           })
      .def("safe",
           [](const HeldArgusTable& table) {
             return named_apart(value_or_raise(argus_safe(table.table())));
           })
      .def("unsafe", [](const HeldArgusTable& table) {
        return named_apart(argus_unsafe(table.table().cells));
      });
}

void bind_run(nb::module_& module) {
  nb::class_<HeldArgusRun>(module, "ArgusRun", "A batch job that was run.")
      .def_prop_ro(
          "tables",
          [](const HeldArgusRun& run) {
            nb::list tables;
            for (const HeldArgusTable& table : run.tables)
              tables.append(nb::cast(table));
            return tables;
          },
          nb::sig("def tables(self) -> list[ArgusTable]"))
      .def_prop_ro(
          "notes",
          [](const HeldArgusRun& run) { return notes_of(*run.run); },
          nb::sig("def notes(self) -> list[tuple[str, int, str, list[str]]]"))
      .def_prop_ro(
          "written",
          [](const HeldArgusRun& run) { return list_of(run.run->written); },
          nb::sig("def written(self) -> list[str]"))
      .def_prop_ro(
          "refused",
          [](const HeldArgusRun& run) { return refusal_of(*run.run); },
          nb::sig("def refused(self) -> tuple[str, str] | None"))
      .def_prop_ro("log", [](const HeldArgusRun& run) { return str_of(run.run->log); })
      .def_prop_ro("text", [](const HeldArgusRun& run) { return str_of(run.run->text); })
      .def_prop_ro("json", [](const HeldArgusRun& run) { return str_of(run.run->json); });
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
