// SPDX-License-Identifier: Apache-2.0
// inspect, audit and infer: what is understood of a table, and what can be inferred of it.
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/inference/infer_job.h"
#include "app/inference/output.h"
#include "app/job/outcomes.h"
#include "apps/mcp/answers.h"
#include "core/base/confidential.h"
#include "data/files/file.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/record_job.h"
#include "data/spec/spec_text.h"

namespace lacuna::mcp {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostFiles = 500;
constexpr std::size_t kMostCodes = 50;

// ---- inspect

std::string kind_of(const std::string& name) {
  if (jobfile::is_job_name(name))
    return "job";
  if (infer::is_table_name(name))
    return "table";
  const bool json = name.ends_with(".json") || name.ends_with(".jj") || name.ends_with(".json.gz");
  return json ? "problem or result" : "other";
}

Json listed_files(const Call& call) {
  std::set<std::string> names;
  bool more = false;
  std::error_code error;
  fs::recursive_directory_iterator at(call.place.root, error), end;
  for (; !error && at != end && !more; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code unseen;
    if (name.starts_with(".") && at->is_directory(unseen))
      at.disable_recursion_pending();
    if (name.starts_with(".") || !at->is_regular_file(unseen) || at->is_symlink(unseen))
      continue;
    names.insert(at->path().lexically_relative(call.place.root).string());
    more = names.size() == kMostFiles;
  }
  Json files = Json::array();
  for (const std::string& name : names)
    files.push_back(
        {{"path", name}, {"kind", kind_of(name)}, {"published", call.place.is_published(name)}});
  Json answer{{"files", std::move(files)}};
  if (more)
    answer["note"] = "there are more files than are listed";
  return answer;
}

// The job that reads a table, if nothing of it is open; without remarks, which show what stands in
// the file.
Result<bool> add_guess(Json& answer, const std::string& path, const load::TableChoices& choices) {
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(const JobSpec said, choices.spec());
  const Result<infer::GuessedJob> guessed = infer::guess_as_far(std::move(bytes), path, path, said);
  if (!guessed)
    return without_guesses(guessed.error(), path);
  if (!guessed->open.empty()) {
    answer["open"] = guessed->open.size();
    answer["note"] = without_guesses(guessed->open.front(), path).message;
    return false;
  }
  answer["job"] = spec::spec_toml(guessed->job);
  return true;
}

void add_table(Json& answer, const session::SessionProblem& problem) {
  const session::ProblemCounts counts = session::counts_of(problem);
  answer["counts"] = {{"cells", counts.cells},
                      {"equations", counts.equations},
                      {"sensitive", counts.sensitive},
                      {"withheld", counts.withheld},
                      {"requirements", counts.requirements},
                      {"attackers", counts.attackers}};
  Json dimensions = Json::array();
  for (const Dimension& dimension : problem.loaded->problem.as_read().table().dimensions()) {
    const auto& codes = dimension.codes();
    Json shown = Json::array();
    for (std::size_t i = 0; i < std::min(codes.size(), kMostCodes); ++i)
      shown.push_back(base::without_confidential(base::strange_field(codes[i])));
    dimensions.push_back({{"name", dimension.name()},
                          {"size", codes.size()},
                          {"total",
                           base::without_confidential(base::strange_field(
                               codes[static_cast<std::size_t>(dimension.total())]))},
                          {"codes", std::move(shown)}});
  }
  answer["dimensions"] = std::move(dimensions);
}

Result<Json> inspect(const Call& call) {
  const std::string path = call.arguments.text("path");
  if (path.empty())
    return listed_files(call);
  Json answer{{"path", path}, {"kind", kind_of(path)}};
  const session::GivenOptions choices = call.arguments.options();
  bool is_clear = true;
  if (answer["kind"] == "table") {
    load::TableChoices read;
    job::RunOptions none;
    LACUNA_RETURN_IF_ERROR(session::set_options(read, none, choices, {}));
    LACUNA_TRY(is_clear, add_guess(answer, path, read));
  }
  if (!is_clear)
    return answer;
  std::vector<std::string> notes;
  LACUNA_TRY(const session::SessionProblem problem, table_of(call, path, notes, choices));
  add_table(answer, problem);
  add_notes(answer, notes);
  return answer;
}

// ---- audit

std::vector<CellId> cells_with(const AuditReport& report, Verdict verdict) {
  std::set<CellId> found;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == verdict)
      found.insert(finding.question.cell);
  }
  return {found.begin(), found.end()};
}

Result<Json> audit(const Call& call) {
  std::vector<std::string> notes;
  job::RunOptions run;
  LACUNA_TRY(const session::SessionProblem problem,
             table_of(call, call.arguments.text("path"), notes));
  LACUNA_TRY(job::AuditJob asked,
             session::job_on<job::AuditJob>(problem, call.arguments.options(), {}, run));
  asked.pattern = call.arguments.text("release");
  LACUNA_TRY(const job::AuditOutcome made, job::run_audit(asked, context_of(call, run, notes)));
  const Table& table = made.problem->table();
  Json answer = Json::object();
  add_verdict(answer, made.report, made.basis, *made.problem);
  answer["cells"] = table.num_cells();
  answer["withheld"] = made.draft.count(StatementKind::kWithheld);
  list_cells(answer, "exposed", table, cells_with(made.report, Verdict::kExposed));
  list_cells(answer, "undecided", table, cells_with(made.report, Verdict::kUndecided));
  add_notes(answer, notes);
  return answer;
}

// ---- infer

// Codes without sums may be no codes at all but what else stands in a column.
bool has_sums_throughout(const inference::System& system) {
  return std::all_of(system.dimensions.begin(), system.dimensions.end(), [](const auto& dimension) {
    return !dimension.relations.empty();
  });
}

Json without_numbers(const inference::Inference& made) {
  std::size_t counted = 0;
  Json exact = Json::array();
  const bool named = has_sums_throughout(made.system);
  for (const inference::InferredCell& each : made.cells) {
    counted += each.sensitive ? 1 : 0;
    if (named && each.narrowness == inference::Narrowness::kExact && exact.size() < kMostListed)
      exact.push_back(made.system.label(each.cell));
  }
  return {{"blanks", counted},
          {"known_exactly", made.count(inference::Narrowness::kExact)},
          {"not_settled", made.count(inference::Narrowness::kUnclear)},
          {"sums", made.system.sums.size()},
          {"contradictory", !made.fit.corrections.empty()},
          {"cells_known_exactly", std::move(exact)},
          {"note",
           "no intervals are given, because not all of these files were named as published when "
           "lacuna mcp was started"}};
}

Result<Json> infer_blanks(const Call& call) {
  inference::InferJob asked;
  job::RunOptions run;
  asked.files = call.arguments.texts("paths");
  const bool published =
      std::all_of(asked.files.begin(), asked.files.end(), [&](const std::string& name) {
        return call.place.is_published(name);
      });
  const session::GivenOptions given = call.arguments.options();
  const session::GivenOptions of_run = call.arguments.options(describe_options<job::RunOptions>());
  if (!published && given.size() > of_run.size())
    return Error{ErrorCode::kOptionConflict,
                 "what readers know, and how narrow is too narrow, can be said only of files that "
                 "were named as published when lacuna mcp was started",
                 ""};
  LACUNA_RETURN_IF_ERROR(session::set_options(asked, run, given, {}));
  std::vector<std::string> notes;
  const Result<inference::Inference> found =
      inference::run_infer(asked, context_of(call, run, notes));
  if (!found && !published)
    return without_guesses(found.error(), asked.files.front());
  if (!found)
    return found.error();
  const inference::Inference& made = *found;
  if (!published)
    return without_numbers(made);
  LACUNA_TRY(Json answer, parse_json(inference::inference_json(made)));
  add_notes(answer, notes);
  return answer;
}

template <class Options>
std::vector<ArgumentInfo> with_options(std::vector<ArgumentInfo> arguments,
                                       std::initializer_list<std::string_view> names) {
  for (ArgumentInfo& each : options_among(describe_options<Options>(), names))
    arguments.push_back(std::move(each));
  return arguments;
}

}  // namespace

Tool inspect_tool() {
  Tool tool{
      "inspect",
      "What is understood of a file",
      "List the files below the folder (without a path), or say what is understood of one: "
      "the job that reads a table, its dimensions with their codes, numbers of cells, sums "
      "and sensitive cells. No number of the table is given.",
      false,
      with_options<load::TableChoices>(
          {{"path", ArgumentKind::kFile, false, "a table, a job or a problem", {}}}, {"sheet"}),
      inspect};
  return tool;
}

Tool audit_tool() {
  return {"audit",
          "Prove that a release is safe, or that it is not",
          "Judge a release of a table in exact arithmetic: for every sensitive cell, whether it "
          "can be computed from what is published. Gives the verdict (protected, exposed, "
          "undecided, waived, unasked) and the cells that are exposed, by their codes.",
          false,
          with_options<job::RunOptions>(
              {{"path", ArgumentKind::kFile, true, "the true table, a job or a problem", {}},
               {"release",
                ArgumentKind::kFile,
                false,
                "the release: a result, a public file, or the protected table with its blanks; "
                "without it exactly the sensitive cells are withheld",
                {}}},
              {"time-limit", "threads"}),
          audit};
}

Tool infer_tool() {
  std::vector<ArgumentInfo> arguments = with_options<inference::InferJob>(
      {{"paths", ArgumentKind::kFiles, true, "published tables; several are one system", {}}},
      {"sensitive", "protection", "withheld", "counts", "all"});
  return {"infer",
          "What a reader can infer from published tables",
          "Say which blanks of published tables can be computed from the numbers beside them, "
          "without the truth. Intervals are given only of files that the owner has named as "
          "published; of others, which blanks are known exactly.",
          false,
          with_options<job::RunOptions>(std::move(arguments), {"time-limit", "threads"}),
          infer_blanks};
}

}  // namespace lacuna::mcp
