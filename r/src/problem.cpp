// SPDX-License-Identifier: Apache-2.0
// Tables and jobs to problems, and what may be said of them.
#include "app/session/session.h"
#include "data/certificate/certificate.h"
#include "data/jobfile/problem_file.h"
#include "entries.h"
#include "frames.h"
#include "job.h"
#include "waiting.h"
#include "words.h"

namespace lacuna::r {
namespace {

cpp11::sexp relations_of(const Dimension& dimension) {
  std::vector<std::string> parents, children;
  for (const Relation& relation : dimension.relations()) {
    for (const std::int32_t child : relation.children) {
      parents.push_back(dimension.code(relation.parent));
      children.push_back(dimension.code(child));
    }
  }
  return NamedList().add("parent", sexp_of(parents)).add("code", sexp_of(children)).list();
}

cpp11::sexp dimensions_of(const Problem& problem) {
  NamedList list;
  for (const Dimension& dimension : problem.table().dimensions()) {
    cpp11::writable::integers depths;
    for (std::int32_t c = 0; c < dimension.num_codes(); ++c)
      depths.push_back(dimension.depth(c));
    list.add(dimension.name().c_str(),
             NamedList()
                 .text("total", std::string_view(dimension.code(dimension.total())))
                 .add("codes", sexp_of(dimension.codes()))
                 .add("depths", static_cast<SEXP>(depths))
                 .add("relations", relations_of(dimension))
                 .list());
  }
  return list.list();
}

cpp11::sexp tables_list(const load::LoadedProblem& loaded) {
  NamedList tables;
  for (const LinkedTable& table : loaded.tables) {
    std::vector<std::string> names;
    for (const std::int32_t d : table.dimensions)
      names.push_back(loaded.problem.table().dimensions()[static_cast<std::size_t>(d)].name());
    tables.add(table.name.c_str(), sexp_of(names));
  }
  return tables.list();
}

cpp11::sexp counts_list(const session::SessionProblem& problem) {
  const session::ProblemCounts counts = counts_of(problem);
  return NamedList()
      .number("cells", static_cast<double>(counts.cells))
      .number("equations", static_cast<double>(counts.equations))
      .number("sensitive", static_cast<double>(counts.sensitive))
      .number("withheld", static_cast<double>(counts.withheld))
      .number("requirements", static_cast<double>(counts.requirements))
      .number("attackers", static_cast<double>(counts.attackers))
      .list();
}

}  // namespace

// `path` names a file, or the job beside it, which is NULL of a file.
SEXP read_entry(SEXP path, SEXP job, SEXP records, SEXP held_inputs, SEXP options, SEXP progress) {
  return entry([&]() -> SEXP {
    load::Inputs inputs = inputs_of(held_inputs);
    const bool of_arguments = TYPEOF(job) == VECSXP;
    if (of_arguments)
      inputs.jobs[text_of(path)] = std::make_shared<const spec::ReadSpec>(job_of(job));
    job::RunOptions run;
    session::SessionProblem problem =
        value_or_refuse(begin_problem(text_of(path), inputs, given_options(options), run));
    const bool is_records = cpp11::as_cpp<bool>(records);
    auto done = wait_for<session::SessionProblem>(
        run, progress, [&](const RunContext& context) -> Result<session::SessionProblem> {
          const Status read = read_problem(problem, is_records, inputs, with_progress(context));
          if (!read)
            return of_arguments ? with_arguments(read.error()) : read.error();
          return problem;
        });
    if (done.interrupted)
      refuse_interrupted();
    for (const std::string& note : done.notes)
      done.value.notes.push_back(of_arguments ? with_arguments(note) : note);
    return pointer_to(std::move(done.value));
  });
}

SEXP generate_entry(SEXP options) {
  return entry([&]() -> SEXP {
    return pointer_to(value_or_refuse(generate_problem(given_options(options))));
  });
}

SEXP problem_info_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    const auto& problem = held<session::SessionProblem>(pointer);
    return NamedList()
        .text("path", std::string_view(problem.path))
        .add("counts", counts_list(problem))
        .number("decimals", static_cast<double>(problem.loaded->problem.table().decimals()))
        .text("attackers", std::string_view(problem.loaded->attackers.text()))
        .add("dimensions", dimensions_of(problem.loaded->problem.as_read()))
        .add("tables", tables_list(*problem.loaded))
        .add("notes", sexp_of(problem.notes))
        .list();
  });
}

SEXP problem_digest_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return sexp_of(certificate::problem_digest(
        held<session::SessionProblem>(pointer).loaded->problem.as_read()));
  });
}

SEXP problem_cells_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return frame_of(value_or_refuse(cells_of(held<session::SessionProblem>(pointer))));
  });
}

SEXP problem_facts_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    const auto& problem = held<session::SessionProblem>(pointer);
    return problem.facts ? frame_of(*problem.facts) : cpp11::sexp(R_NilValue);
  });
}

SEXP problem_save_entry(SEXP pointer, SEXP path) {
  return entry([&]() -> SEXP {
    const load::LoadedProblem& loaded = *held<session::SessionProblem>(pointer).loaded;
    ok_or_refuse(jobfile::write_problem(loaded.problem.as_read(), loaded.tables, text_of(path)));
    return R_NilValue;
  });
}

}  // namespace lacuna::r
