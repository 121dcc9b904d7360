// SPDX-License-Identifier: Apache-2.0
#include "data/files/hierarchy_file.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/job_file.h"
#include "data/problems/jj.h"
#include "data/problems/problem_json.h"
#include "fuzz/bundle.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"
#include "fuzz/use.h"

namespace lacuna::fuzz {
namespace {

constexpr std::string_view kJob = "job.toml";

jobfile::FileLoader loader_of(const Bundle& files) {
  return [&files](const std::string& name) { return files.load(name); };
}

void use_dimension(const Dimension& dimension) {
  if (const auto text = files::write_parents_csv(dimension, ',')) {
    const auto tree =
        files::read_parents_csv(*text, "own.csv", ',', dimension.code(dimension.total()));
    require(tree.has_value(), "a list of parents that was written can be read");
    const auto again = files::build_dimension(dimension.name(), {*tree});
    require(again.has_value() && again->num_codes() == dimension.num_codes(),
            "a list of parents reads back to the same codes");
  }
}

}  // namespace

bool run_problem_json(std::string_view bytes) {
  auto problem = problems::read_problem_json(bytes, "f.json");
  if (!problem)
    return false;
  use_problem(std::move(problem).value());
  return true;
}

Seeds seeds_problem_json() {
  Seeds seeds;
  for (const SharedProblem& problem : fixed_problems())
    seeds.push_back(problems::write_problem_json(*problem));
  return seeds;
}

bool run_jj(std::string_view bytes) {
  auto problem = problems::read_jj(bytes, "f.jj");
  if (!problem)
    return false;
  const auto written = problems::write_jj(*problem);
  require(written.has_value(), "a problem read from .jj can be written as .jj");
  require(problems::read_jj(*written, "own.jj").has_value(),
          "a .jj file that was written can be read");
  use_problem(std::move(problem).value());
  return true;
}

Seeds seeds_jj() {
  return {
      "0\n3\n0 30 30 s 0 100 0 0 0\n1 10 10 u 0 100 4 4 0\n2 20 20 s 0 100 0 0 0\n"
      "1\n0 3 : 0 (-1) 1 (1) 2 (1)\n"};
}

bool run_job(std::string_view bytes) {
  const Bundle files(bytes);
  const auto text = files.load(std::string(kJob));
  if (!text)
    return false;
  auto job = jobfile::read_job_text(*text, std::string(kJob), loader_of(files));
  if (!job)
    return false;
  if (const auto written = jobfile::write_job(job->problem, job->tables, "own.csv")) {
    const Bundle own(Bundle::file(kJob, written->toml()) + Bundle::file("own.csv", written->csv));
    const auto again = jobfile::read_job_text(written->toml(), std::string(kJob), loader_of(own));
    require(again.has_value(), "a job that was written can be read");
    require(
        problems::write_problem_json(again->problem) == problems::write_problem_json(job->problem),
        "a job that was written reads back to the same problem");
  }
  use_problem(std::move(job->problem));
  return true;
}

Seeds seeds_job() {
  const auto files = jobfile::write_job(*fixed_problems().front(), {}, "t.csv").value();
  return {Bundle::file(kJob, files.toml()) + Bundle::file("t.csv", files.csv)};
}

// A table without a job: whatever is understood must be a job that reads it, or an error.
bool run_guess(std::string_view bytes) {
  const std::string csv(bytes);
  const auto guessed = infer::guess_job(csv, "f.csv", "f.csv");
  if (!guessed)
    return false;
  const auto job = jobfile::read_job_text(
      guessed->text(), "f.toml", [&](const std::string&) { return Result<std::string>(csv); });
  require(job.has_value() || !job.error().message.empty(), "an error says why");
  return job.has_value();
}

Seeds seeds_guess() {
  return {
      "a;b;v;n;s\nT;T;10;5;s\nT;x;4;2;s\nT;y;6;3;s\np;T;3;2;s\np;x;1;1;u\np;y;2;1;s\n"
      "q;T;7;3;s\nq;x;3;1;s\nq;y;4;2;s\n",
      "a,v,flag\nT,\"1.234,5\",FALSE\nA,\"1.000\",TRUE\nB,\"234,5\",FALSE\n",
      "caf\xE9|1\nT|3\nz|2\n"};
}

bool run_hierarchy(std::string_view bytes) {
  const auto levels = files::read_hrc(bytes, "f.hrc", "@", "T");
  const auto parents = files::read_parents_csv(std::string(bytes), "f.csv", ',', "T");
  for (const auto* tree : {&levels, &parents}) {
    if (!tree->has_value())
      continue;
    if (const auto dimension = files::build_dimension("D", {tree->value()}))
      use_dimension(*dimension);
  }
  return levels.has_value() || parents.has_value();
}

}  // namespace lacuna::fuzz
