// SPDX-License-Identifier: Apache-2.0
// Tables and specs to problems, and what may be said of them.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "data/certificate/certificate.h"
#include "data/spec/spec_text.h"
#include "inputs.h"
#include "run.h"
#include "texts.h"

namespace lacuna::c {
namespace {

session::SessionProblem read(const std::string& path, const load::Inputs& inputs, lacuna_run* run) {
  job::RunOptions options;
  session::SessionProblem problem =
      value_or_fail(session::begin_problem(path, inputs, {}, options));
  auto done = wait_for<session::SessionProblem>(
      run, options, [&](const RunContext& context) -> Result<session::SessionProblem> {
        LACUNA_RETURN_IF_ERROR(
            session::read_problem(problem, false, inputs, with_progress(context)));
        return problem;
      });
  done.value.notes = std::move(done.notes);
  return std::move(done.value);
}

spec::ReadSpec spec_of(const std::string& text, std::int32_t form, const std::string& name) {
  return value_or_fail(form_of(form, "form") == JobText::kJson ? spec::read_spec_json(text, name)
                                                               : spec::read_spec_toml(text, name));
}

nlohmann::ordered_json described(const Dimension& dimension) {
  nlohmann::ordered_json out;
  out["name"] = dimension.name();
  out["total"] = dimension.code(dimension.total());
  out["codes"] = dimension.codes();
  auto relations = nlohmann::ordered_json::array();
  for (const Relation& relation : dimension.relations()) {
    nlohmann::ordered_json entry;
    entry["parent"] = dimension.code(relation.parent);
    entry["children"] = nlohmann::ordered_json::array();
    for (const std::int32_t child : relation.children)
      entry["children"].push_back(dimension.code(child));
    relations.push_back(std::move(entry));
  }
  out["relations"] = std::move(relations);
  return out;
}

nlohmann::ordered_json described(const LinkedTable& table, const Table& cells) {
  nlohmann::ordered_json out;
  out["name"] = table.name;
  out["dimensions"] = nlohmann::ordered_json::array();
  for (const std::int32_t dimension : table.dimensions)
    out["dimensions"].push_back(cells.dimensions()[static_cast<std::size_t>(dimension)].name());
  return out;
}

nlohmann::ordered_json described(const session::SessionProblem& problem) {
  const session::ProblemCounts counts = session::counts_of(problem);
  const Table& table = problem.loaded->problem.table();
  nlohmann::ordered_json out;
  out["cells"] = counts.cells;
  out["equations"] = counts.equations;
  out["sensitive"] = counts.sensitive;
  out["withheld"] = counts.withheld;
  out["requirements"] = counts.requirements;
  out["attackers"] = counts.attackers;
  out["against"] = problem.loaded->attackers.text();
  out["decimals"] = table.decimals();
  out["digest"] = certificate::problem_digest(problem.loaded->problem.as_read());
  out["dimensions"] = nlohmann::ordered_json::array();
  for (const Dimension& dimension : table.dimensions())
    out["dimensions"].push_back(described(dimension));
  out["tables"] = nlohmann::ordered_json::array();
  for (const LinkedTable& each : problem.loaded->tables)
    out["tables"].push_back(described(each, table));
  out["notes"] = problem.notes;
  return out;
}

}  // namespace
}  // namespace lacuna::c

extern "C" {

using namespace lacuna;
using namespace lacuna::c;

lacuna_status lacuna_problem_read(const char* path,
                                  const lacuna_inputs* inputs,
                                  lacuna_run* run,
                                  lacuna_problem** out,
                                  lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_problem*& target = place_of(out, "out");
    const std::string name = lacuna::c::text_of(path, "path");
    target = new lacuna_problem{Mark::kProblem, read(name, inputs_for(inputs, ""), run)};
  });
}

lacuna_status lacuna_problem_read_spec(const char* text,
                                       std::int32_t form,
                                       const char* name,
                                       const lacuna_inputs* inputs,
                                       lacuna_run* run,
                                       lacuna_problem** out,
                                       lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_problem*& target = place_of(out, "out");
    const std::string given = lacuna::c::text_of(name, "name");
    spec::ReadSpec spec = spec_of(lacuna::c::text_of(text, "text"), form, given);
    const std::filesystem::path job = std::filesystem::path(given).replace_extension(".toml");
    load::Inputs held = inputs_for(inputs, job.parent_path().string());
    find_frames(spec, inputs);
    held.jobs[job.string()] = std::make_shared<const spec::ReadSpec>(std::move(spec));
    target = new lacuna_problem{Mark::kProblem, read(job.string(), held, run)};
  });
}

lacuna_status lacuna_problem_describe(const lacuna_problem* problem,
                                      char** json,
                                      lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    target = shown_copy(described(needed(problem, "problem").held).dump());
  });
}

void lacuna_problem_free(lacuna_problem* problem) {
  delete problem;
}

}  // extern "C"
