// SPDX-License-Identifier: Apache-2.0
// Batch jobs of tau-ARGUS: their tables, their releases, and what became of every command.
#include "app/argus_run/argus_job.h"
#include "app/session/session.h"
#include "entries.h"
#include "frames.h"
#include "waiting.h"

namespace lacuna::r {
namespace {

cpp11::sexp notes_of(const argus_run::ArgusRun& run) {
  std::vector<std::string> commands, done, texts;
  cpp11::writable::integers lines;
  for (const argus_run::ArgusNote& note : run.notes) {
    commands.push_back(note.command);
    lines.push_back(static_cast<int>(note.line));
    done.emplace_back(to_string(note.done));
    std::string joined;
    for (const std::string& text : note.texts)
      joined += (joined.empty() ? "" : "; ") + text;
    texts.push_back(joined);
  }
  return NamedList()
      .add("line", static_cast<SEXP>(lines))
      .add("command", sexp_of(commands))
      .add("done", sexp_of(done))
      .add("note", sexp_of(texts))
      .list();
}

cpp11::sexp table_list(session::SessionArgusTable table) {
  NamedList counts;
  for (const auto& [why, count] : counts_of(table))
    counts.number(why.c_str(), static_cast<double>(count));
  NamedList out;
  out.text("name", std::string_view(table.table().name));
  out.number("part", static_cast<double>(table.table().part));
  out.text("response", std::string_view(table.table().cells.response));
  out.truth("is_public", table.table().is_public);
  out.add("counts", counts.list());
  out.add("release", table.release ? pointer_to(*table.release) : cpp11::sexp(R_NilValue));
  out.add("pointer", pointer_to(std::move(table)));
  return out.list();
}

}  // namespace

SEXP run_arb_entry(SEXP path, SEXP write, SEXP options, SEXP progress) {
  return entry([&]() -> SEXP {
    argus_run::ArgusJob job;
    job::RunOptions run;
    ok_or_refuse(set_options(job, run, given_options(options), {}));
    job.input = text_of(path);
    const argus_run::ArgusFiles files =
        cpp11::as_cpp<bool>(write) ? argus_run::ArgusFiles::kWrite : argus_run::ArgusFiles::kNone;
    auto done = wait_for<argus_run::ArgusRun>(run, progress, [&](const RunContext& context) {
      return run_argus(job, files, with_progress(context));
    });
    const auto held_run = std::make_shared<const argus_run::ArgusRun>(std::move(done.value));
    cpp11::writable::list tables;
    for (session::SessionArgusTable& table :
         value_or_refuse(session::tables_of(held_run, job.input)))
      tables.push_back(table_list(std::move(table)));
    NamedList out;
    out.add("tables", static_cast<SEXP>(tables));
    out.add("notes", notes_of(*held_run));
    out.text("log", std::string_view(held_run->log));
    out.add("written", sexp_of(held_run->written));
    out.truth("interrupted", done.interrupted);
    if (held_run->refused)
      out.add("refused", cpp11::sexp(refusal_list(*held_run->refused)));
    return out.list();
  });
}

// `what`: safe, status or unsafe.
SEXP argus_table_entry(SEXP pointer, SEXP what) {
  return entry([&]() -> SEXP {
    const argus_run::ArgusRunTable& table = held<session::SessionArgusTable>(pointer).table();
    const std::string asked = text_of(what);
    if (asked == "safe")
      return frame_of(session::named_apart(value_or_refuse(argus_safe(table))));
    return frame_of(session::named_apart(asked == "status" ? argus_run::argus_status(table.cells)
                                                           : argus_run::argus_unsafe(table.cells)));
  });
}

}  // namespace lacuna::r
